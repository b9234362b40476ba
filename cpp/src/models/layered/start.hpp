// SPDX-License-Identifier: BSD-3-Clause
// Where trainings of layers begin: what the families' ways to make coefficients have in common. Of many supports some are taken,
// drawn once and for all: the others begin with coefficients of 0.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/base/random.hpp"
#include "gramian/models/layered.hpp"
#include "models/layered/task.hpp"

namespace gramian {

/// The layers as they are planned; those whose kernels are open have no terms yet. And what such a layer gets for these inputs.
std::vector<KernelLayer> given_layers(const std::vector<LayerPlan>& plans);
LayerTerm open_term(const LayerPlan& plan, const PointSource& inputs);

/// The random numbers of layer l of a start.
RandomStream start_stream(std::uint64_t seed, Index start, Index l);

/// Rows of the supports as rows of the samples.
std::vector<Index> samples_of(const std::vector<Index>& landmarks, const std::vector<Index>& supports);

/// These rows of `to` become those of `from`, all others 0.
void put_rows(const std::vector<Index>& rows, MatrixView<const double> from, MatrixView<double> to);

/// sum_m weight(A_m) k_m over the weights greater than 0, if there are any.
std::optional<Kernel> mixture(const KernelLayer& layer, FunctionRef<double(const OutputOperator&)> weight);
/// Of the average output: sum_m tr(A_m) / d k_m.
std::optional<Kernel> average_mixture(const KernelLayer& layer);

/// Phi_L by ridge regression on the images of the layers below in `flat`: the squared loss, whatever the loss is, as its solution
/// is not far from that of others. rows: of the supports, for images and targets; all_samples: few landmarks are fitted to all
/// samples. mixed: the kernel that stands for a sum of terms. The ridge is that of the layer or more.
void solve_last(const LayeredTask& task, Composition& layers, const std::vector<Index>& rows, bool all_samples,
                const std::optional<Kernel>& mixed, double* flat);

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// Trained compositions, applied to new points.
#pragma once

#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/layers/composition.hpp"

namespace gramian {

/// Everything but the rows of the input that support the first layer, which stay with the caller.
struct CompositionModel {
  std::vector<KernelLayer> layers;   ///< 1 .. L
  std::vector<Matrix> coefficients;  ///< Phi_1 .. Phi_L; m x d_l
  std::vector<Matrix> supports;      ///< S_1 .. S_{L-1}; m x d_l
  std::vector<Index> landmarks;      ///< rows of the training input that support layer 1; empty: all
};

/// X_last of new samples: layers first .. last on X, inputs of layer `first`; first_supports are the rows of the training input
/// that support it, or S_{first-1}. Row i depends on x_i alone. out: X.size() x d_last. O(n m d) for m supports.
GRAMIAN_API void apply_layers(const CompositionModel& model, Index first, Index last, const Points& X,
                              const Points& first_supports, MatrixView<double> out);
/// The same where layer 1 sees inner products of new samples with the training samples that support it: first = 1.
GRAMIAN_API void apply_layers(const CompositionModel& model, Index last, const InnerProducts<double>& XS, MatrixView<double> out);

}  // namespace gramian

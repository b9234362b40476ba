// SPDX-License-Identifier: BSD-3-Clause
// One layer of a composition: a function of a vector-valued reproducing kernel Hilbert space, [KAE] Sec. 2.1.
#pragma once

#include <vector>

#include "gramian/kernels/kernel.hpp"
#include "gramian/ovk/output_operator.hpp"

namespace gramian {

/// k A, one part of a layer's operator-valued kernel.
struct LayerTerm {
  Kernel kernel;
  OutputOperator A;
};

/// The operator-valued kernel of a layer, sum_m k_m A_m, and the weight of its squared norm in the objective.
struct KernelLayer {
  std::vector<LayerTerm> terms;
  double penalty = 0.0;  ///< lambda_l >= 0

  Index outputs() const { return terms.empty() ? 0 : terms.front().A.size(); }  ///< d_l

  /// k I: one scalar kernel, the same for each of the outputs.
  static KernelLayer scalar(const Kernel& kernel, Index outputs, double penalty) {
    KernelLayer layer;
    layer.terms.push_back({kernel, OutputOperator::identity(outputs)});
    layer.penalty = penalty;
    return layer;
  }
};

}  // namespace gramian

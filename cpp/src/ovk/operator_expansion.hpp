// SPDX-License-Identifier: BSD-3-Clause
// Sums of operator-valued kernels against fixed supports, with what does not depend on new points computed once.
#pragma once

#include <memory>

#include "gramian/gram/samples.hpp"
#include "gramian/ovk/operator_kernel.hpp"

namespace gramian {

/// sum_j K(x, s_j) v_j with the bits of OperatorKernel::apply(). A value: any number of threads may use it.
class OperatorExpansion {
 public:
  /// V: m x q, a row for each support. Throws as apply() does.
  OperatorExpansion(const OperatorKernelPointer& K, const Samples& supports, const SharedMatrix& V);

  /// out: X.size() x q, for X of the supports' form.
  void apply(const Points& X, MatrixView<double> out) const;

 private:
  struct Node;
  std::shared_ptr<const Node> node_;
};

}  // namespace gramian

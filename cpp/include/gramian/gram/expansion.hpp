// SPDX-License-Identifier: BSD-3-Clause
// Sums of kernels against fixed supports: what models predict with.
#pragma once

#include <memory>
#include <vector>

#include "gramian/gram/samples.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

class ExpansionParts;

/// One part of a KernelExpansion, k(x, S) W.
struct ExpansionTerm {
  Kernel kernel;
  SharedMatrix weights;  ///< a row for each support
  /// The output that each column of the weights adds to; empty: column c to output c.
  std::vector<Index> columns{};
};

/// f(x) = sum_j k(x, s_j) W(j, :), or a sum of such terms with the same supports. A value: copies share everything, supports are
/// packed once, and any number of threads may call the const verbs at the same time.
///
/// From the second call on a thread, apply() of points, dense or sparse, and of inner products of two sets allocates nothing.
/// Where a kernel is on images of the points, this holds for up to 192 rows and maps that allocate nothing, as CompositionMap. A
/// thread keeps its workspace, which is as large as its largest call needed and does not grow with the rows of X.
class GRAMIAN_API KernelExpansion {
 public:
  /// weights: a row for each support. Supports of which only the number is known serve inner products and kernel values. Throws
  /// std::invalid_argument if shapes disagree, an entry is not finite, or the kernel can't be evaluated on these supports.
  KernelExpansion(const Kernel& kernel, Samples supports, SharedMatrix weights);
  /// A sum of terms, which may be empty: then f is 0. Throws as above, and for columns out of range.
  KernelExpansion(std::vector<ExpansionTerm> terms, Samples supports, Index outputs);

  const Samples& supports() const;
  Index outputs() const;
  const std::vector<ExpansionTerm>& terms() const;

  /// out = f(X) for X of the supports' form, dense or sparse, float64; out: X.size() x outputs. The result has the bits of
  /// product(), and so each row has the same bits alone and in a batch. O(n m (d + r)). Throws std::invalid_argument if shapes or
  /// forms disagree or an entry of X is not finite; out holds unspecified values then.
  void apply(const Points& X, MatrixView<double> out) const;
  /// The same for points that are given by their inner products with the supports.
  void apply(const InnerProducts<double>& XS, MatrixView<double> out) const;

  /// out = cross W for kernel values cross(i, j) = k(x_i, s_j) that the caller computed, of an expansion with a single term; any
  /// strides. Summed in the order of apply(): each row has the same bits alone and in a batch. Throws std::invalid_argument if
  /// shapes disagree or a value is not finite; out holds unspecified values then.
  void apply_values(MatrixView<const double> cross, MatrixView<double> out) const;

 private:
  std::shared_ptr<const ExpansionParts> parts_;
};

}  // namespace gramian

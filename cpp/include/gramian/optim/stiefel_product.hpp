// SPDX-License-Identifier: BSD-3-Clause
// Several matrices with orthonormal columns as one point: H_1, ..., H_J one after another, each row-major, then numbers without
// a constraint.
#pragma once

#include <vector>

#include "gramian/base/view.hpp"
#include "gramian/linalg/stiefel.hpp"
#include "gramian/optim/objective.hpp"

namespace gramian {

/// The shape of one block of a StiefelProduct.
struct StiefelShape {
  Index rows = 0;
  Index cols = 0;  ///< not more than rows
};

/// The product of Stiefel manifolds and a Euclidean space, with the operations of linalg/stiefel.hpp block by block. Vectors have
/// size() numbers; out may be one of the arguments.
class GRAMIAN_API StiefelProduct : public Projection {
 public:
  /// Throws std::invalid_argument for a shape that is not tall, or a negative number of free numbers.
  explicit StiefelProduct(std::vector<StiefelShape> blocks, Index free_numbers = 0);

  Index size() const { return size_; }
  Index block_count() const { return static_cast<Index>(blocks_.size()); }
  Index free_numbers() const { return free_; }
  Index free_offset() const { return size_ - free_; }
  MatrixView<const double> block(const double* x, Index index) const;
  MatrixView<double> block(double* x, Index index) const;

  /// Polar factors. Throws as stiefel_project() does.
  void project(double* x) override;
  /// The nearest tangent vector at x: the Riemannian gradient of the Euclidean metric from the ordinary one.
  void tangent(const double* x, const double* z, double* out) const;
  void retract(const double* x, const double* z, StiefelRetraction retraction, double* out) const;
  /// The largest entry of |HᵀH - I| of any block.
  double infeasibility(const double* x) const;

 private:
  const StiefelShape& shape(Index index) const { return blocks_[static_cast<std::size_t>(index)]; }
  void copy_free(const double* from, double* to) const;

  std::vector<StiefelShape> blocks_;
  std::vector<Index> offsets_;
  Index free_ = 0;
  Index size_ = 0;
};

}  // namespace gramian

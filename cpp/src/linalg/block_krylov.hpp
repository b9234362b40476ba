// SPDX-License-Identifier: BSD-3-Clause
// Block Lanczos for the largest eigenvalues: the basis, its projected matrix, and restarts. eigen_top.cpp decides when to stop.
#pragma once

#include <Eigen/Core>

#include "gramian/linalg/eigen_top.hpp"
#include "linalg/column_blocks.hpp"

namespace gramian {

/// A in units of a power of two, so that squares neither overflow nor vanish; all numbers but scale() are in these units.
class BlockKrylov {
 public:
  /// Vectors in a block for the k largest eigenvalues.
  static Index block_size(Index k) { return k + 2 < 6 ? 6 : k + 2; }

  /// What the basis takes.
  static std::uint64_t bytes(Index n, Index k);

  BlockKrylov(Index n, SymmetricAction apply, Index k, const EigenTopOptions& options);

  /// One product: the basis grows by the block that is waiting, and the next one is what the product adds to it.
  void expand();
  bool has_room() const { return used_ + block_ <= capacity_; }

  /// Eigenpairs of the projected matrix. estimate() is then the largest residual of the k first pairs, norm() that of A as it is
  /// known.
  void project();
  double estimate() const { return estimate_; }
  double norm() const { return norm_; }

  /// The waiting block becomes orthonormal; after project() without room the basis first shrinks to its best vectors.
  void prepare_next();

  /// The k best pairs and their residuals, with a product of their own.
  void write(MatrixView<double> values, MatrixView<double> V, std::vector<double>& residuals);

  int products() const { return products_; }
  double scale() const { return scale_; }

 private:
  void multiply(MatrixView<const double> V, MatrixView<double> out);
  void choose_scale(MatrixView<double> product);
  void orthonormalise(double level);
  bool replace_null_columns(const SmallMatrix& gram, double level);
  void fill_random(Index col, double norm);
  void restart();

  Index n_;
  SymmetricAction apply_;
  Index k_;
  Index block_;
  Index capacity_;
  RandomStream random_;
  std::uint64_t drawn_ = 0;
  double scale_ = 0.0;  // not yet known
  int products_ = 0;
  Index used_ = 0;  // columns of the basis that A was applied to; the waiting block follows them
  ColumnBlocks basis_;
  Buffer<double> input_;
  Buffer<double> output_;
  Eigen::MatrixXd projected_;
  SmallMatrix gram_;             // of the waiting block before it was made orthonormal
  Eigen::VectorXd ritz_values_;  // descending
  Eigen::MatrixXd ritz_vectors_;
  double estimate_ = 0.0;
  double norm_ = 0.0;
};

}  // namespace gramian

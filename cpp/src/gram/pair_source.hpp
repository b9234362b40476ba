// SPDX-License-Identifier: BSD-3-Clause
// Two sets of points (or one set twice) in whichever form they were given.
#pragma once

#include <optional>
#include <vector>

#include "gram/tile_block.hpp"
#include "gramian/gram/points.hpp"

namespace gramian {

/// That two sets have the type T, and dimension and form in common; or that inner products and squared norms are of the same
/// points. Throws std::invalid_argument.
template <class T>
void require_alike(const Points& X, const Points& Y);
template <class T>
void require_alike(const InnerProducts<T>& products);

/// What both sets have in common, and what inner products they have if they are not dense.
template <class T>
class PairSource {
 public:
  explicit PairSource(const Points& X);
  PairSource(const Points& X, const Points& Y);
  explicit PairSource(const InnerProducts<T>& products);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index dimension() const { return dimension_; }
  bool same() const { return same_; }
  bool dense() const { return kind_ == Kind::dense; }
  bool coordinates() const { return kind_ != Kind::inner; }

  /// The points themselves, of dense sources.
  MatrixView<const T> x() const { return x_; }
  MatrixView<const T> y() const { return y_; }
  const char* x_name() const { return x_name_; }
  const char* y_name() const { return y_name_; }

  /// The sets change their roles: k(y_j, x_i). Dense sources only.
  PairSource transposed() const;

  /// Squared norms, of other sources.
  const std::vector<T>& x_squares() const { return x_squares_; }
  const std::vector<T>& y_squares() const { return y_squares_; }

  /// <x_i, y_j> for a block of a source that is not dense; zeros up to whole_rows x whole_cols.
  void inner(const TileBlock& block, Index whole_rows, Index whole_cols, T* tile) const;

 private:
  enum class Kind { dense, sparse, inner };
  void take_sparse(const SparseRows<T>& X, const SparseRows<T>& Y);
  void sparse_row(Index row, const TileBlock& block, std::vector<T>& dense_row, T* out) const;

  Kind kind_;
  Index rows_ = 0;
  Index cols_ = 0;
  Index dimension_ = 0;
  bool same_ = false;
  const char* x_name_ = "X";
  const char* y_name_ = "Y";
  MatrixView<const T> x_, y_;
  SparseRows<T> sparse_x_, sparse_y_;
  MatrixView<const T> inner_;
  std::vector<T> x_squares_, y_squares_;
};

}  // namespace gramian

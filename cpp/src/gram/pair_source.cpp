// SPDX-License-Identifier: BSD-3-Clause
#include "gram/pair_source.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include "gram/sparse_rows.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

template <class T>
void require_scalar(const Points& points, const char* name) {
  constexpr bool wide = std::is_same_v<T, double>;
  require(points.scalar() == (wide ? Scalar::float64 : Scalar::float32),
          std::string(name) + (wide ? " is float32, the result float64" : " is float64, the result float32") +
              ": they must be the same");
}

template <class T>
MatrixView<const T> dense_rows(const Points& points) {
  if constexpr (std::is_same_v<T, double>) return points.float64();
  if constexpr (std::is_same_v<T, float>) return points.float32();
}

template <class T>
const SparseRows<T>& sparse_rows(const Points& points) {
  if constexpr (std::is_same_v<T, double>) return points.sparse64();
  if constexpr (std::is_same_v<T, float>) return points.sparse32();
}

/// Repeated column indices of a row add up, as they do everywhere else.
template <class T>
void scatter(const SparseRows<T>& X, Index row, std::vector<T>& dense) {
  for (Index e = X.row_start[row]; e < X.row_start[row + 1]; ++e) dense[static_cast<std::size_t>(X.columns[e])] += X.values[e];
}
template <class T>
void clear(const SparseRows<T>& X, Index row, std::vector<T>& dense) {
  for (Index e = X.row_start[row]; e < X.row_start[row + 1]; ++e) dense[static_cast<std::size_t>(X.columns[e])] = T(0);
}
template <class T>
T gather(const SparseRows<T>& X, Index row, const std::vector<T>& dense) {
  double sum = 0.0;
  for (Index e = X.row_start[row]; e < X.row_start[row + 1]; ++e) {
    sum += static_cast<double>(dense[static_cast<std::size_t>(X.columns[e])]) * static_cast<double>(X.values[e]);
  }
  return static_cast<T>(sum);
}

template <class T>
std::vector<T> squares_of(const SparseRows<T>& X, const char* name) {
  std::vector<T> squares, dense(static_cast<std::size_t>(X.cols), T(0));
  for (Index i = 0; i < X.rows; ++i) {
    scatter(X, i, dense);
    squares.push_back(gather(X, i, dense));
    clear(X, i, dense);
    if (!std::isfinite(squares.back())) refuse_square(name, i);
  }
  return squares;
}

}  // namespace

template <class T>
void require_alike(const Points& X, const Points& Y) {
  require_scalar<T>(X, "X");
  require_scalar<T>(Y, "Y");
  require(X.dimension() == Y.dimension(), "X has " + std::to_string(X.dimension()) + " features, Y has " +
                                              std::to_string(Y.dimension()) + ": they must be the same");
  require(X.sparse() == Y.sparse(), "one of X and Y is sparse and the other dense: they must be alike");
}

template <class T>
void require_alike(const InnerProducts<T>& products) {
  const Index rows = products.inner().rows(), cols = products.inner().cols();
  const auto column_of = [](MatrixView<const T> squares, Index count) { return squares.rows() == count && squares.cols() == 1; };
  if (products.one_set()) {
    if (rows == cols) return;
    require(false,
            "the inner products of one set must be square, they are " + std::to_string(rows) + " x " + std::to_string(cols));
  }
  if (column_of(products.x_squares(), rows) && column_of(products.y_squares(), cols)) return;
  require(false, "the squared norms of two sets must be columns of " + std::to_string(rows) + " and " + std::to_string(cols) +
                     " numbers");
}

template <class T>
PairSource<T>::PairSource(const Points& X) : PairSource(X, X) {
  same_ = true;
  y_name_ = "X";
}

template <class T>
PairSource<T>::PairSource(const Points& X, const Points& Y)
    : kind_(X.sparse() ? Kind::sparse : Kind::dense), rows_(X.size()), cols_(Y.size()), dimension_(X.dimension()) {
  require_alike<T>(X, Y);
  if (X.sparse()) {
    take_sparse(sparse_rows<T>(X), sparse_rows<T>(Y));
  } else {
    x_ = dense_rows<T>(X);
    y_ = dense_rows<T>(Y);
  }
}

template <class T>
void PairSource<T>::take_sparse(const SparseRows<T>& X, const SparseRows<T>& Y) {
  check_sparse(X, "X");
  check_sparse(Y, "Y");
  sparse_x_ = X;
  sparse_y_ = Y;
  x_squares_ = squares_of(X, "X");
  y_squares_ = squares_of(Y, "Y");
}

template <class T>
PairSource<T>::PairSource(const InnerProducts<T>& products)
    : kind_(Kind::inner),
      rows_(products.inner().rows()),
      cols_(products.inner().cols()),
      same_(products.one_set()),
      inner_(products.inner()) {
  require_alike(products);
  for (Index i = 0; i < rows_; ++i) {
    for (Index j = 0; j < cols_; ++j) require(std::isfinite(inner_(i, j)), "the inner products have an entry that is not finite");
  }
  const auto square = [](T value) {
    require(std::isfinite(value) && value >= T(0), "a squared norm is negative or not finite: these are no inner products");
    return value;
  };
  for (Index i = 0; i < rows_; ++i) x_squares_.push_back(square(products.x_square(i)));
  for (Index j = 0; j < cols_; ++j) y_squares_.push_back(square(products.y_square(j)));
}

template <class T>
PairSource<T> PairSource<T>::transposed() const {
  PairSource other = *this;
  std::swap(other.rows_, other.cols_);
  std::swap(other.x_, other.y_);
  std::swap(other.x_name_, other.y_name_);
  return other;
}

template <class T>
void PairSource<T>::sparse_row(Index row, const TileBlock& block, std::vector<T>& dense_row, T* out) const {
  scatter(sparse_x_, row, dense_row);
  for (Index c = 0; c < block.width; ++c) out[c] = gather(sparse_y_, block.col + c, dense_row);
  clear(sparse_x_, row, dense_row);
}

template <class T>
void PairSource<T>::inner(const TileBlock& block, Index whole_rows, Index whole_cols, T* tile) const {
  std::vector<T> dense_row(kind_ == Kind::sparse ? static_cast<std::size_t>(dimension_) : 0, T(0));
  for (Index r = 0; r < whole_rows; ++r) {
    T* out = tile + r * isa::tile_size;
    std::fill_n(out, whole_cols, T(0));
    if (r >= block.height) continue;
    if (kind_ == Kind::sparse) {
      sparse_row(block.row + r, block, dense_row, out);
    } else {
      for (Index c = 0; c < block.width; ++c) out[c] = inner_(block.row + r, block.col + c);
    }
  }
}

template void require_alike<double>(const Points&, const Points&);
template void require_alike<float>(const Points&, const Points&);
template void require_alike(const InnerProducts<double>&);
template void require_alike(const InnerProducts<float>&);
template class PairSource<double>;
template class PairSource<float>;

}  // namespace gramian

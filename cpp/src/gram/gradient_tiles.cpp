// SPDX-License-Identifier: BSD-3-Clause
#include "gram/gradient_tiles.hpp"

#include <cmath>
#include <string>

#include "gramian/base/error.hpp"

namespace gramian {
namespace {

std::string shape(Index rows, Index cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

/// [A B], side by side; without B, A alone.
template <class T>
Buffer<T> side_by_side(MatrixView<const T> A, MatrixView<const T> B) {
  Buffer<T> out(checked_product(A.rows(), A.cols() + B.cols()));
  for (Index i = 0; i < A.rows(); ++i) {
    T* row = out.data() + i * (A.cols() + B.cols());
    for (Index k = 0; k < A.cols(); ++k) row[k] = A(i, k);
    for (Index k = 0; k < B.cols(); ++k) row[A.cols() + k] = B(i, k);
  }
  return out;
}

}  // namespace

template <class T>
GradientTiles<T>::GradientTiles(const GramGradient<T>& Kbar, Index rows, Index cols, bool symmetric)
    : ops_(isa::ops<T>()), symmetric_(symmetric) {
  const MatrixView<const T> P = Kbar.P(), Q = Kbar.Q();
  if (Kbar.dense()) {
    require(P.rows() == rows && P.cols() == cols, "Kbar is " + shape(P.rows(), P.cols()) + ", it must be " + shape(rows, cols));
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols; ++j) require(std::isfinite(P(i, j)), "Kbar has an entry that is not finite");
    }
    dense_ = P;
    return;
  }
  require(P.rows() == rows && Q.rows() == cols && P.cols() == Q.cols(),
          "P is " + shape(P.rows(), P.cols()) + " and Q " + shape(Q.rows(), Q.cols()) + ", they must have " +
              std::to_string(rows) + " and " + std::to_string(cols) + " rows, and as many columns as each other");
  pack(P, Q, symmetric);
}

template <class T>
void GradientTiles<T>::pack(MatrixView<const T> P, MatrixView<const T> Q, bool symmetric) {
  // P Q^T + Q P^T = [P Q] [Q P]^T
  const MatrixView<const T> none_of_p(nullptr, P.rows(), 0), none_of_q(nullptr, Q.rows(), 0);
  const Buffer<T> left = side_by_side(P, symmetric ? Q : none_of_p), right = side_by_side(Q, symmetric ? P : none_of_q);
  rank_ = P.cols() * (symmetric ? 2 : 1);
  const auto width = static_cast<std::size_t>(rank_);
  const Frame frame{std::vector<double>(width, 0.0), std::vector<double>(width, 1.0)};
  rows_.emplace(MatrixView<const T>(left.data(), P.rows(), rank_), ops_.row_panel, frame, "P or Q");
  cols_.emplace(MatrixView<const T>(right.data(), Q.rows(), rank_), ops_.col_panel, frame, "P or Q");
}

template <class T>
void GradientTiles<T>::evaluate(const TileBlock& block, T* tile) const {
  const Index row_panels = count_pieces(block.height, ops_.row_panel), col_panels = count_pieces(block.width, ops_.col_panel);
  if (rows_)
    return ops_.raw_inner({rows_->from(block.row), cols_->from(block.col), rank_, row_panels, col_panels, nullptr, tile});
  for (Index r = 0; r < row_panels * ops_.row_panel; ++r) {
    for (Index c = 0; c < col_panels * ops_.col_panel; ++c) {
      const bool inside = r < block.height && c < block.width;
      tile[r * isa::tile_size + c] = inside ? dense_entry(block.row + r, block.col + c) : T(0);
    }
  }
}

template class GradientTiles<double>;
template class GradientTiles<float>;

}  // namespace gramian

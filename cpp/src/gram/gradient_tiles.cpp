// SPDX-License-Identifier: BSD-3-Clause
#include "gram/gradient_tiles.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "base/check.hpp"
#include "base/pieces.hpp"
#include "gramian/base/error.hpp"

namespace gramian {

template <class T>
void GradientTiles<T>::assign(const GramGradient<T>& Kbar, Index rows, Index cols, bool symmetric) {
  symmetric_ = symmetric;
  packed_ = !Kbar.dense();
  const MatrixView<const T> P = Kbar.P(), Q = Kbar.Q();
  if (Kbar.dense()) {
    require_shape(P, rows, cols, "Kbar");
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols; ++j) require(std::isfinite(P(i, j)), "Kbar has an entry that is not finite");
    }
    dense_ = P;
    return;
  }
  if (P.rows() != rows || Q.rows() != cols || P.cols() != Q.cols()) {
    throw std::invalid_argument("P is " + shape_text(P) + " and Q " + shape_text(Q) + ", they must have " + std::to_string(rows) +
                                " and " + std::to_string(cols) + " rows, and as many columns as each other");
  }
  // P Q^T + Q P^T = [P Q] [Q P]^T
  rank_ = P.cols() * (symmetric ? 2 : 1);
  rows_.assign(P, symmetric ? Q : MatrixView<const T>(nullptr, rows, 0), ops_.row_panel, "P or Q");
  cols_.assign(Q, symmetric ? P : MatrixView<const T>(nullptr, cols, 0), ops_.col_panel, "P or Q");
}

template <class T>
isa::TileJob<T> GradientTiles<T>::tile_job(const TileBlock& block, const T* factors, T* tile) const {
  isa::TileJob<T> job{};
  job.rows = rows_.from(block.row);
  job.cols = cols_.from(block.col);
  job.dimension = rank_;
  job.row_panels = count_pieces(block.height, ops_.row_panel);
  job.col_panels = count_pieces(block.width, ops_.col_panel);
  job.out = tile;
  job.factors = factors;
  return job;
}

template <class T>
void GradientTiles<T>::evaluate(const TileBlock& block, T* tile) const {
  if (packed_) return ops_.raw_inner(tile_job(block, nullptr, tile));
  const Index row_panels = count_pieces(block.height, ops_.row_panel), col_panels = count_pieces(block.width, ops_.col_panel);
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

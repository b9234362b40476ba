// SPDX-License-Identifier: BSD-3-Clause
#include "layers/ridge_system.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gram/finite.hpp"
#include "gramian/base/error.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "linalg/inner_product.hpp"
#include "linalg/packed_solve.hpp"

namespace gramian {

void raise_unsolvable(Index size, double penalty, const char* what) {
  if (penalty == 0.0) {
    throw NumericalError("The system of the last layer, of size " + std::to_string(size) + ", " + what +
                         ": images of different samples are too close to be interpolated");
  }
  char figure[32];
  std::snprintf(figure, sizeof(figure), "%.3g", penalty);
  throw NumericalError("The system of the last layer, of size " + std::to_string(size) + ", " + what +
                       ": raise the penalty of the last layer, which is " + figure);
}

namespace {

void require_room(Index size, Index matrices) {
  require_memory(bytes_of(size, size, matrices), "the system of the last layer", "use landmarks");
}

CholeskyOptions options_for(double penalty) {
  CholeskyOptions options;
  if (penalty == 0.0) options.max_jitter = 0.0;
  return options;
}

}  // namespace

void RidgeSystem::reserve(Index size) {
  if (size_ == size) return;
  size_ = -1;  // nothing is kept if there is no memory after all
  matrix_ = Matrix();
  require_room(size, 1);  // half of it, and tiles too many
  packed_.emplace(size, factor_tile(size));
  sides_ = Buffer<double>(checked_product(round_up(size, panel_rows), panel_rows));
  size_ = size;
}

MatrixView<double> RidgeSystem::matrix() {
  if (matrix_.rows() != size_) {
    require_room(size_, 1);
    matrix_ = Matrix(size_, size_);
  }
  return matrix_.view();
}

double RidgeSystem::factorize(double penalty) {
  const double jitter = finish(gramian::factorize(matrix_.view(), *packed_, options_for(penalty)), penalty);
  if (!in_place()) store_factor(*packed_, matrix_.view());
  return jitter;
}

double RidgeSystem::factorize(const GramTiles& tiles, double shift, double penalty) {
  const auto tile = [&](Index row, Index col) { return tiles.tile(row, col); };
  const TiledMatrix A{size_, tiles.step, tiles.stride, tile, nullptr, shift};
  return finish(gramian::factorize(A, *packed_, options_for(penalty)), penalty);
}

double RidgeSystem::finish(const FactorReport& report, double penalty) const {
  require(report.status != FactorStatus::not_finite, overflow_message);
  if (report.status == FactorStatus::not_positive) raise_unsolvable(size_, penalty, "is not positive definite");
  return report.jitter;
}

double RidgeSystem::solve_lower(MatrixView<const double> B, MatrixView<double> X) const {
  if (in_place()) {
    copy_rows(B, X);
    solve_packed_lower(*packed_, X, sides_);
  } else {
    gramian::solve_lower(matrix_.view(), B, X);
  }
  return sum_of_squares(X);
}

double RidgeSystem::solve_lower_transposed(MatrixView<double> X, double penalty) const {
  if (in_place()) {
    solve_packed_transposed(*packed_, X, sides_);
  } else {
    gramian::solve_lower_transposed(matrix_.view(), X);
  }
  const double squares = sum_of_squares(X);
  if (!std::isfinite(squares)) raise_unsolvable(size_, penalty, "is singular to rounding");
  return squares;
}

}  // namespace gramian

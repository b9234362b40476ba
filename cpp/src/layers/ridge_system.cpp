// SPDX-License-Identifier: BSD-3-Clause
#include "layers/ridge_system.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "gram/finite.hpp"
#include "gramian/base/error.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "layers/inner_product.hpp"
#include "layers/rows.hpp"
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
                       ": raise alpha, the penalty of the last layer, which is " + figure);
}

void RidgeSystem::reserve(Index size) {
  if (matrix_.rows() == size) return;
  const Index numbers = checked_product(checked_product(size, size), 2);  // the packed form has half of it, and tiles too many
  require_memory(static_cast<std::uint64_t>(checked_product(numbers, sizeof(double))), "the system of the last layer",
                 "use landmarks");
  matrix_ = Matrix();  // nothing is kept if there is no memory after all
  packed_.emplace(size, factor_tile(size));
  matrix_ = Matrix(size, size);
  sides_ = Buffer<double>(checked_product(round_up(size, panel_rows), panel_rows));
}

double RidgeSystem::factorize(double penalty) {
  if (in_place() && packed_->tiles() == 1) {  // one tile is one task: without the way through a loop over them
    const isa::DenseOps<double>& ops = dense_ops();
    packed_->load(ops, matrix_.view(), 0, 0, 0.0);
    if (ops.factor({packed_->panel(0, 0), packed_->stride(0), packed_->height(0)}) < 0) return 0.0;
  }
  CholeskyOptions options;
  if (penalty == 0.0) options.max_jitter = 0.0;
  const FactorReport report = gramian::factorize(matrix_.view(), *packed_, options);
  require(report.status != FactorStatus::not_finite, overflow_message);
  if (report.status == FactorStatus::not_positive) raise_unsolvable(matrix_.rows(), penalty, "is not positive definite");
  if (!in_place()) store_factor(*packed_, matrix_.view());
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
  if (!std::isfinite(squares)) raise_unsolvable(matrix_.rows(), penalty, "is singular to rounding");
  return squares;
}

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/linalg/triangular.hpp"
#include "linalg/factorize.hpp"

namespace gramian {
namespace {

std::string text(double value) {
  char figure[32];
  std::snprintf(figure, sizeof(figure), "%.3g", value);
  return figure;
}

void require_options(const CholeskyOptions& options) {
  if (options.max_jitter >= 0.0 && std::isfinite(options.max_jitter)) return;
  throw std::invalid_argument("max_jitter must be a finite number, 0 or greater, got " + text(options.max_jitter));
}

std::string breakdown_message(const FactorReport& report, Index size) {
  std::string message = "A matrix of size " + std::to_string(size) + " is not positive definite: pivot " +
                        std::to_string(report.row) + " is " + text(report.value) + ". ";
  message +=
      report.jitter > 0.0 ? "Adding up to " + text(report.jitter) + " to its diagonal did not help. " : "No jitter was tried. ";
  return message + "Raise the regularisation that is added to the diagonal, or max_jitter";
}

void raise_failure(const FactorReport& report, Index size) {
  if (report.status == FactorStatus::not_finite) {
    throw std::invalid_argument("Input A contains " + std::string(std::isnan(report.value) ? "NaN" : "infinity") + " at (" +
                                std::to_string(report.row) + ", " + std::to_string(report.col) + ").");
  }
  if (report.status == FactorStatus::not_positive) throw NumericalError(breakdown_message(report, size));
}

Index packed_bytes(Index size) {
  const Index padded = round_up(size, factor_tile(size));
  return checked_product(checked_product(padded, padded + factor_tile(size)) / 2, sizeof(double));
}

}  // namespace

double cholesky(MatrixView<const double> A, MatrixView<double> L, const CholeskyOptions& options) {
  require_options(options);
  require_square(A, "A");
  require(L.rows() == A.rows() && L.cols() == A.cols(), "L must have the shape of A");
  const Index n = A.rows();
  if (n == 0) return 0.0;
  require_memory(static_cast<std::uint64_t>(packed_bytes(n)), "a Cholesky factorization", "use a low-rank or sparse model");
  PackedLower packed(n, factor_tile(n));
  const FactorReport report = factorize(A, packed, options);
  raise_failure(report, n);
  store_factor(packed, L);
  return report.jitter;
}

double cholesky_in_place(MatrixView<double> A, const CholeskyOptions& options) { return cholesky(A, A, options); }

double log_determinant(MatrixView<const double> L) {
  require_square(L, "L");
  double sum = 0.0;
  for (Index i = 0; i < L.rows(); ++i) sum += std::log(L(i, i));
  return 2.0 * sum;
}

void cholesky_solve(MatrixView<const double> L, MatrixView<double> B) { cholesky_solve(L, B, B); }

void cholesky_solve(MatrixView<const double> L, MatrixView<const double> B, MatrixView<double> X) {
  solve_lower(L, B, X);
  solve_lower_transposed(L, X);
}

void inverse_diagonal(MatrixView<const double> L, double* out) {
  require_square(L, "L");
  constexpr Index width = isa::tile_size;  // many right-hand sides share what is read of L
  const Index n = L.rows();
  Buffer<double> columns(checked_product(n, std::min(n, width)));
  for (Index first = 0; first < n; first += width) {
    // Columns `first` on of the inverse are zero above row `first`.
    const Index rows = n - first, count = std::min(width, rows);
    const MatrixView<double> X(columns.data(), rows, count);
    std::fill_n(columns.data(), rows * count, 0.0);
    for (Index c = 0; c < count; ++c) X(c, c) = 1.0;
    solve_lower(part(L, first, rows, first, rows), X);
    std::fill_n(out + first, count, 0.0);
    for (Index r = 0; r < rows; ++r) {
      for (Index c = 0; c < count; ++c) out[first + c] += X(r, c) * X(r, c);
    }
  }
}

Cholesky::Cholesky(MatrixView<const double> A, const CholeskyOptions& options) : size_(A.rows()), jitter_(0.0) {
  require_square(A, "A");
  require_memory(bytes_of(size_, size_), "a Cholesky factor", "use a low-rank or sparse model");
  numbers_ = Buffer<double>(size_ * size_);
  jitter_ = cholesky(A, MatrixView<double>(numbers_.data(), size_, size_), options);
}

double Cholesky::log_determinant() const { return gramian::log_determinant(factor()); }
void Cholesky::solve(MatrixView<double> B) const { cholesky_solve(factor(), B); }
void Cholesky::solve_lower(MatrixView<double> B) const { gramian::solve_lower(factor(), B); }
void Cholesky::solve_lower_transposed(MatrixView<double> B) const { gramian::solve_lower_transposed(factor(), B); }
void Cholesky::inverse_diagonal(double* out) const { gramian::inverse_diagonal(factor(), out); }

}  // namespace gramian

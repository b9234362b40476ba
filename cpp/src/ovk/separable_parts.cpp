// SPDX-License-Identifier: BSD-3-Clause
#include "ovk/separable_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/eigen_symmetric.hpp"
#include "gramian/linalg/finite.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/symmetric_product.hpp"
#include "linalg/packed_lower.hpp"
#include "linalg/small.hpp"

namespace gramian {
namespace {

/// How far below zero an eigenvalue may be, relative to the largest one: far above what float32 leaves, far below a mistake.
constexpr double defect = 1e-6;
constexpr int most_power = 200;  // squares of what is below, and products with weights, are numbers

void refuse(const char* name, double least, double most) {
  char figures[96];
  std::snprintf(figures, sizeof(figures), "%.3g, and %.3g is the largest in magnitude", least, most);
  require(false, std::string(name) + " must be positive semi-definite, but it has the eigenvalue " + figures);
}

}  // namespace

double rounding_of(Index n) { return 64.0 * std::numeric_limits<double>::epsilon() * static_cast<double>(n); }

void check_options(const OperatorOptions& options) {
  if (options.kind != DependencyOperator::conditional) return;
  require(std::isfinite(options.epsilon) && options.epsilon > 0.0,
          "epsilon must be a finite number greater than 0; for epsilon towards infinity the conditional covariance becomes the "
          "covariance");
}

void check_problem(MatrixView<const double> k, MatrixView<const double> L, const OperatorOptions& options) {
  check_options(options);
  const Index n = k.rows();
  require(n > 0, "k is empty: there must be at least one sample");
  require(n == k.cols(), "k is " + shape_text(n, k.cols()) + ", it must be square");
  require_shape(L, n, n, "L");
  require(all_finite(k), "k has an entry that is not finite");
  require(all_finite(L), "L has an entry that is not finite");
}

void require_square_memory(Index n, Index matrices) {
  const auto bytes = static_cast<std::uint64_t>(checked_product(matrices * 8, checked_product(n, n)));
  require_memory(bytes, "the exact solution with " + std::to_string(n) + " samples",
                 "factors of low rank, which rank gives, need far less");
}

double shift_of(double lambda, Index n, DependencyOperator kind) {
  require(std::isfinite(lambda) && lambda > 0.0, "lambda must be a finite number greater than 0");
  return kind == DependencyOperator::identity ? lambda : static_cast<double>(n) * lambda;
}

int power_beyond(MatrixView<const double> A) {
  double largest = 0.0;
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j) largest = std::max(largest, std::fabs(A(i, j)));
  }
  const int power = largest > 0.0 ? std::ilogb(largest) : 0;
  return std::abs(power) > most_power ? power : 0;
}

double largest_row(MatrixView<const double> A) {
  double largest = 0.0;
  for (Index i = 0; i < A.rows(); ++i) {
    double sum = 0.0;
    for (Index j = 0; j < A.cols(); ++j) sum += std::fabs(A(i, j));
    largest = std::max(largest, sum);
  }
  return largest;
}

void decompose(MatrixView<const double> A, Matrix& values, Matrix& vectors, const char* name, double scale) {
  eigen_symmetric(A, values.view(), vectors.view());
  require(all_finite(values.view()), std::string(name) + " has eigenvalues that are not finite");
  double most = scale, least = 0.0;
  for (Index i = 0; i < values.rows(); ++i) {
    most = std::max(most, std::fabs(values(i, 0)));
    least = std::min(least, values(i, 0));
  }
  if (!(least >= -defect * most)) refuse(name, least, most);
  for (Index i = 0; i < values.rows(); ++i) values(i, 0) = std::max(values(i, 0), 0.0);
}

void require_semidefinite(MatrixView<const double> A, const char* name) {
  const Index n = A.rows();
  Matrix work = Matrix::copy_of(A);
  const double largest = largest_row(A);
  // The largest eigenvalue is at least this: what passes here passes there.
  const double excess = defect * largest / std::sqrt(static_cast<double>(n));
  for (Index i = 0; i < n; ++i) work(i, i) += excess;
  try {
    if (largest > 0.0) cholesky_in_place(work.view(), {0.0});
  } catch (const NumericalError&) {
    Matrix values(n, 1);
    decompose(A, values, work, name);
  }
}

void require_finite_coefficients(MatrixView<const double> C) {
  if (all_finite(C)) return;
  throw NumericalError(
      "coefficients are not finite: raise alpha, which is lambda, or scale inputs or outputs, whose Gram matrices are too large");
}

Matrix roots_of(const Matrix& D, double epsilon) {
  const double shift = static_cast<double>(D.rows()) * epsilon;
  Matrix root(D.rows(), 1);
  for (Index j = 0; j < D.rows(); ++j) root(j, 0) = std::sqrt(shift / (D(j, 0) + shift));
  return root;
}

double scale_of(MatrixView<const double> L, const Matrix& root) {
  double trace = 0.0, most = 0.0;
  for (Index i = 0; i < L.rows(); ++i) {
    trace += std::fabs(L(i, i));
    most = std::max(most, root(i, 0));
  }
  return most * most * trace;
}

Matrix in_basis(MatrixView<const double> L, const Matrix& U, const Matrix& root) {
  const Index n = U.rows();
  Matrix half(n, n), out(n, n);
  gemm(1.0, L, U.view(), 0.0, half.view());
  gemm_lower(1.0, transposed(U.view()), half.view(), 0.0, out.view());
  parallel_for(n, 2e-9 * static_cast<double>(n), [&](Index i, int) {
    for (Index j = 0; j <= i; ++j) out(i, j) *= root(i, 0) * root(j, 0);
  });
  parallel_for(n, 2e-9 * static_cast<double>(n), [&](Index i, int) {
    for (Index j = i + 1; j < n; ++j) out(i, j) = out(j, i);
  });
  return out;
}

bool inverse_with_shift(MatrixView<const double> k, double shift, MatrixView<double> out) {
  const Index n = k.rows();
  Matrix shifted = Matrix::copy_of(k);
  for (Index i = 0; i < n; ++i) shifted(i, i) += shift;
  try {
    cholesky_in_place(shifted.view(), {0.0});
  } catch (const NumericalError&) {
    return false;
  }
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) out(i, j) = i == j ? 1.0 : 0.0;
  }
  cholesky_solve(shifted.view(), out);
  return true;
}

}  // namespace gramian

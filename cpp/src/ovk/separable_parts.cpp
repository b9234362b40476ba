// SPDX-License-Identifier: BSD-3-Clause
#include "ovk/separable_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

#include "base/check.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/finite.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/eigen.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/symmetric_product.hpp"

namespace gramian {
namespace {

/// Rounding of eigenvalues, relative to the largest one and for one sample.
constexpr double unit = 0.5 * std::numeric_limits<double>::epsilon();
constexpr Index fewest = 16;  // below, sums are too short for their length to say how they are rounded
/// Eigenvalues that are so much larger are none of those that rounding has made.
constexpr double clear_gap = 1024.0;
/// Rounding in the place of a zero eigenvalue moves predictions by its ratio to the shift: up to here there is more to gain.
constexpr double much_rounding = 1048576.0;

double rounding_of(double largest, Index n) { return static_cast<double>(std::max(n, fewest)) * unit * largest; }

constexpr int most_power = 200;  // squares of what is below, and products with weights, are numbers

}  // namespace

void check_operator(const DependencyOperator& kind) {
  const auto* conditional = std::get_if<ConditionalOperator>(&kind);
  require(conditional == nullptr || (std::isfinite(conditional->epsilon) && conditional->epsilon > 0.0),
          "epsilon must be a finite number greater than 0; for epsilon towards infinity the conditional covariance becomes the "
          "covariance");
}

void check_problem(MatrixView<const double> k, MatrixView<const double> L, const DependencyOperator& kind) {
  check_operator(kind);
  const Index n = k.rows();
  require(n > 0, "k is empty: there must be at least one sample");
  require_square(k, "k");
  require_shape(L, n, n, "L");
  require_finite(k, "k");
  require_finite(L, "L");
}

void require_square_memory(Index n, Index matrices) {
  require_memory(bytes_of(n, n, matrices), "the exact solution with " + std::to_string(n) + " samples",
                 "factors of low rank, which rank gives, need far less");
}

double shift_of(double lambda, Index n) {
  require_positive(lambda, "lambda");
  return static_cast<double>(n) * lambda;
}

Matrix times(MatrixView<const double> A, MatrixView<const double> B) {
  Matrix out(A.rows(), B.cols());
  if (!out.empty()) gemm(1.0, A, B, 0.0, out.view());
  return out;
}

int power_beyond(MatrixView<const double> A) {
  const double largest = as_eigen(A).cwiseAbs().maxCoeff();
  const int power = largest > 0.0 ? std::ilogb(largest) : 0;
  return std::abs(power) > most_power ? power : 0;
}

void require_finite_coefficients(MatrixView<const double> C) {
  if (all_finite(C)) return;
  throw NumericalError(
      "coefficients are not finite: raise lambda, or scale inputs or outputs, whose Gram matrices are too large");
}

Matrix roots_of(const Matrix& D, double epsilon) {
  const double shift = static_cast<double>(D.rows()) * epsilon;
  Matrix root(D.rows(), 1);
  as_eigen(root.view()) = (shift / (as_eigen(D.view()).array() + shift)).sqrt();
  return root;
}

double scale_of(MatrixView<const double> L, const Matrix& root) {
  const double most = as_eigen(root.view()).maxCoeff();
  return most * most * as_eigen(L).diagonal().cwiseAbs().sum();
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

double null_up_to(const Matrix& D, double shift) {
  const auto values = as_eigen(D.view()).array();
  const double rounding = rounding_of(values.maxCoeff(), D.rows());
  if (!(rounding > 0.0)) return -1.0;
  if (shift <= rounding) return rounding;
  double next = std::numeric_limits<double>::infinity();
  for (Index j = 0; j < D.rows(); ++j) {
    if (D(j, 0) > rounding) next = std::min(next, D(j, 0));
  }
  return next >= clear_gap * rounding && shift <= much_rounding * rounding ? rounding : -1.0;
}

bool near_rounding(MatrixView<const double> k, double shift) {
  return shift <= much_rounding * rounding_of(largest_row(k), k.rows());
}

bool inverse_with_shift(MatrixView<const double> k, double shift, MatrixView<double> out) {
  Matrix shifted = Matrix::copy_of(k);
  as_eigen(shifted.view()).diagonal().array() += shift;
  try {
    cholesky_in_place(shifted.view(), {0.0});
  } catch (const NumericalError&) {
    return false;
  }
  as_eigen(out).setIdentity();
  cholesky_solve(shifted.view(), out);
  return true;
}

}  // namespace gramian

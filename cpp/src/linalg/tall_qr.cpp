// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/tall_qr.hpp"

#include <algorithm>
#include <cmath>

#include "gramian/base/error.hpp"
#include "gramian/base/finite.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "linalg/inner_product.hpp"

namespace gramian {
namespace {

constexpr double smallest_shift = 1e-14;  // of |W|^2
constexpr double one_pass = 1e6;          // of condition numbers: below it rounding in Q is less than the eigenvalues of I - Q Qᵀ
constexpr int most_passes = 3;
constexpr const char* overflow = "F is too large beside the shift: their quotient overflows";

/// [Q; below] L^-T for L Lᵀ its Gram matrix. Returns about the condition number of that.
double divide(Matrix& Q, Matrix& below) {
  const Index m = Q.cols();
  if (m == 0) return 1.0;
  Matrix L(m, m);
  gemm_symmetric(1.0, transposed(Q.view()), 0.0, L.view());
  gemm_symmetric(1.0, transposed(below.view()), 1.0, L.view());
  if (!all_finite(L.view())) throw NumericalError(overflow);
  cholesky_in_place(L.view());
  solve_lower(L.view(), transposed(Q.view()));
  solve_lower(L.view(), transposed(below.view()));
  double least = L(0, 0), most = least;
  for (Index k = 0; k < m; ++k) {
    least = std::min(least, L(k, k));
    most = std::max(most, L(k, k));
  }
  return (most / least) * (most / least);
}

}  // namespace

double tall_qr(Matrix& W) {
  const double square = std::max(1.0, smallest_shift * sum_of_squares(W.view()));
  if (!std::isfinite(square)) throw NumericalError(overflow);
  Matrix below = Matrix::filled(W.cols(), W.cols(), 0.0);
  for (Index k = 0; k < W.cols(); ++k) below(k, k) = std::sqrt(square);
  for (int pass = 0; pass < most_passes && divide(W, below) > one_pass; ++pass) {
  }
  return square;
}

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/ovk/low_rank_sums.hpp"

#include <limits>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/eigen.hpp"
#include "gramian/linalg/gemm.hpp"
#include "ovk/separable_parts.hpp"

namespace gramian {
namespace {

void check(const LowRankSums& sums, double lambda) {
  const Index p = sums.inputs.rows(), q = sums.outputs.rows();
  require_square(sums.inputs.view(), "inputs");
  require_square(sums.outputs.view(), "outputs");
  require_shape(sums.between.view(), q, p, "between");
  require_finite(sums.inputs.view(), "inputs");
  require_finite(sums.outputs.view(), "outputs");
  require_finite(sums.between.view(), "between");
  require_positive(sums.weight, "weight");
  require_positive(lambda, "lambda");
}

/// [KDE] (7): VcᵀSVc = VcᵀVc - B diag(1 / (a_j + n epsilon)) Bᵀ for B = VcᵀUc Pu.
Matrix conditional_square(const LowRankSums& sums, const Matrix& a, const Matrix& rotated, double epsilon) {
  Matrix scaled = Matrix::copy_of(rotated.view());
  as_eigen(scaled.view()).array().rowwise() /= (as_eigen(a.view()).col(0).array() + sums.weight * epsilon).sqrt().transpose();
  Matrix square = Matrix::copy_of(sums.outputs.view());
  if (!scaled.empty()) gemm_symmetric(-1.0, scaled.view(), 1.0, square.view());
  return square;
}

}  // namespace

Matrix low_rank_coefficients(const LowRankSums& sums, const DependencyOperator& kind, double lambda) {
  check_operator(kind);
  check(sums, lambda);
  const Index p = sums.inputs.rows(), q = sums.outputs.rows();
  KroneckerForm form;
  form.M = Matrix::filled(q, 1, 1.0);
  decompose(sums.inputs.view(), form.D, form.right, "UcᵀUc");
  Matrix rotated = times(sums.between.view(), form.right.view());
  if (!std::holds_alternative<IdentityOperator>(kind) && q > 0) {
    const auto* conditional = std::get_if<ConditionalOperator>(&kind);
    const double most = as_eigen(sums.outputs.view()).trace(), unit = std::numeric_limits<double>::epsilon();
    const Matrix square =
        conditional ? conditional_square(sums, form.D, rotated, conditional->epsilon) : Matrix::copy_of(sums.outputs.view());
    // What is clamped in the place of small eigenvalues is rounding of the sums that were subtracted.
    decompose(square.view(), form.M, form.left, "VcᵀSVc",
              conditional ? static_cast<double>(p + q) * unit * most / gram_defect : 0.0);
    rotated = times(transposed(form.left.view()), rotated.view());
  }
  as_eigen(rotated.view()).array().colwise() *= as_eigen(form.M.view()).col(0).array();
  Matrix G(q, p);
  if (G.empty()) return G;
  form.divide(sums.weight * lambda, rotated.view(), rotated.view());
  form.multiply(rotated.view(), G.view());
  require_finite_coefficients(G.view());
  return G;
}

}  // namespace gramian

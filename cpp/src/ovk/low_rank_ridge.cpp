// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/ovk/low_rank_ridge.hpp"

#include <algorithm>
#include <limits>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/finite.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/eigen.hpp"
#include "gramian/linalg/gemm.hpp"
#include "linalg/inner_product.hpp"
#include "ovk/separable_parts.hpp"

namespace gramian {
namespace {

constexpr Index rows_together = 2048;

/// What is done with some rows of both factors at a time, as a product with all of them would be as large as these.
template <class F>
void by_rows(Index n, F f) {
  for (Index row = 0; row < n; row += rows_together) {
    poll_stop();
    f(row, std::min(rows_together, n - row));
  }
}

/// HᵀH for H = S^½ Vc: Vc less what S^½ takes away in the span of Uc, Uc Pu diag(t) Puᵀ UcᵀVc with
/// t = (1 - sqrt(s)) / a = 1 / ((1 + sqrt(s)) (a + n epsilon)). A square is never indefinite, whatever cancels.
Matrix conditional_square(MatrixView<const double> Uc, MatrixView<const double> Vc, const Matrix& a, const Matrix& Pu,
                          const Matrix& between, double epsilon) {
  const Index n = Uc.rows(), q = Vc.cols();
  const double shift = static_cast<double>(n) * epsilon;
  Matrix right = times(transposed(Pu.view()), transposed(between.view()));
  const Eigen::ArrayXd shifted = as_eigen(a.view()).col(0).array() + shift;
  as_eigen(right.view()).array().colwise() /= (1.0 + (shift / shifted).sqrt()) * shifted;
  const Matrix taken = times(Pu.view(), right.view());
  Matrix square = Matrix::filled(q, q, 0.0);
  by_rows(n, [&](Index row, Index rows) {
    Matrix H = Matrix::copy_of(rows_of(Vc, row, rows));
    if (Uc.cols() > 0) gemm(-1.0, rows_of(Uc, row, rows), taken.view(), 1.0, H.view());
    gemm_symmetric(1.0, transposed(H.view()), 1.0, square.view());
  });
  return square;
}

Matrix square_of(MatrixView<const double> A) {
  Matrix square(A.cols(), A.cols());
  if (A.cols() > 0) gemm_symmetric(1.0, transposed(A), 0.0, square.view());
  return square;
}

}  // namespace

LowRankRidge::LowRankRidge(MatrixView<const double> Uc, MatrixView<const double> Vc, const DependencyOperator& kind)
    : kind_(kind), Uc_(Uc), Vc_(Vc) {
  check_operator(kind);
  require(Uc.rows() > 0, "there must be at least one sample");
  require_shape(Vc, Uc.rows(), Vc.cols(), "Vc");
  require_finite(Uc, "Uc");
  require_finite(Vc, "Vc");
  const Index q = output_rank();
  Matrix &b = form_.M, &Pv = form_.left, &a = form_.D, &Pu = form_.right;
  b = Matrix::filled(q, 1, 1.0);
  decompose(square_of(Uc).view(), a, Pu, "UcᵀUc");
  const Matrix between = times(transposed(Vc), Uc);
  const auto* conditional = std::get_if<ConditionalOperator>(&kind);
  if (!std::holds_alternative<IdentityOperator>(kind) && q > 0) {
    const Matrix square = conditional ? conditional_square(Uc, Vc, a, Pu, between, conditional->epsilon) : square_of(Vc);
    // Of a difference that all but vanishes rounding is relative to what it is the difference of.
    const double unit = std::numeric_limits<double>::epsilon();
    decompose(square.view(), b, Pv, "VcᵀSVc", conditional ? unit * sum_of_squares(Vc) : 0.0);
  }
  rotated_ = times(between.view(), Pu.view());
  if (!Pv.empty()) rotated_ = times(transposed(Pv.view()), rotated_.view());
  as_eigen(rotated_.view()).array().colwise() *= as_eigen(b.view()).col(0).array();
  require(all_finite(rotated_.view()), "VcᵀUc has an entry that is not finite: scale the factors down");
}

/// b_i (PvᵀVcᵀUcPu)_ij / (b_i a_j + n lambda): m2 x m1.
Matrix LowRankRidge::divided(double lambda) const {
  Matrix out(output_rank(), input_rank());
  form_.divide(shift_of(lambda, size()), rotated_.view(), out.view());
  return out;
}

/// [KDE] (15): with k_x and l_y by their factors too, as k and L are.
void LowRankRidge::coefficients(double lambda, MatrixView<double> G) const { form_.multiply(divided(lambda).view(), G); }

/// One ridge regression for each column of Vc Pv, with kernel b_i Uc Ucᵀ; residuals are divided by what the sample itself adds
/// to its own prediction. Both are 1 / (n lambda) times what is computed here.
void LowRankRidge::leave_one_out(double lambda, MatrixView<double> errors) const {
  const double shift = shift_of(lambda, size());
  const Index p = input_rank(), q = output_rank();
  const Matrix &a = form_.D, &b = form_.M;
  require_shape(errors, size(), 1, "errors");
  const Matrix fitted = divided(lambda);
  Matrix own(p, q);
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < q; ++i) own(j, i) = b(i, 0) / (b(i, 0) * a(j, 0) + shift);
  }
  by_rows(size(), [&](Index row, Index rows) {
    Matrix U = times(rows_of(Uc_, row, rows), form_.right.view());
    const MatrixView<const double> Pv = form_.left.view();
    Matrix V = Pv.empty() ? Matrix::copy_of(rows_of(Vc_, row, rows)) : times(rows_of(Vc_, row, rows), Pv);
    Matrix leverage = Matrix::filled(rows, q, 0.0);
    if (p > 0 && q > 0) {
      gemm(-1.0, U.view(), transposed(fitted.view()), 1.0, V.view());
      for (Index i = 0; i < U.size(); ++i) U.data()[i] *= U.data()[i];
      gemm(1.0, U.view(), own.view(), 0.0, leverage.view());
    }
    parallel_for(rows, 4e-9 * static_cast<double>(q), [&](Index r, int) {
      double sum = 0.0;
      for (Index i = 0; i < q; ++i) {
        const double residual = V(r, i) / std::max(1.0 - leverage(r, i), std::numeric_limits<double>::epsilon());
        sum += residual * residual;
      }
      errors(row + r, 0) = sum;
    });
  });
}

}  // namespace gramian

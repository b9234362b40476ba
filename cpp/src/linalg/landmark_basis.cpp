// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/landmark_basis.hpp"

#include <cmath>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "linalg/tall_qr.hpp"

namespace gramian {

LandmarkBasis::LandmarkBasis(MatrixView<const double> K, double tolerance, std::uint64_t seed) {
  require_square(K, "K");
  require_finite(K, "K");
  IncompleteCholeskyOptions options;
  options.tolerance = tolerance;
  options.seed = seed;
  const IncompleteCholesky found = incomplete_cholesky(StoredColumns(K), options);
  factor_ = Matrix(K.rows(), found.rank());
  found.copy_factor(factor_.view());
  pivots_ = found.pivots();
  T_ = picked(factor_.view(), pivots_);
}

void LandmarkBasis::divide(MatrixView<double> g) const {
  require_rows(g.rows(), g.cols(), rank(), "g");
  if (!g.empty()) solve_lower(T_.view(), g);
}

void LandmarkBasis::divide_transposed(MatrixView<double> b) const {
  require_rows(b.rows(), b.cols(), rank(), "b");
  if (!b.empty()) solve_lower_transposed(T_.view(), b);
}

void LandmarkBasis::expand(MatrixView<const double> b, MatrixView<double> a) const {
  require_shape(a, landmarks(), b.cols(), "a");
  Matrix some = Matrix::copy_of(b);
  divide_transposed(some.view());
  fill_zero(a);
  for (Index k = 0; k < rank(); ++k) {
    for (Index j = 0; j < b.cols(); ++j) a(pivots_[at(k)], j) = some(k, j);
  }
}

void LandmarkBasis::contract(MatrixView<const double> g, MatrixView<double> out) const {
  require_rows(g.rows(), g.cols(), landmarks(), "g");
  require_shape(out, rank(), g.cols(), "out");
  pick_rows(g, pivots_, out);
  divide(out);
}

RestrictedInverse::RestrictedInverse(const LandmarkBasis& basis, double scale, double alpha) {
  require_positive(scale, "scale");
  Matrix S = Matrix::copy_of(basis.features());
  for (Index i = 0; i < S.size(); ++i) S.data()[i] *= scale;
  factorize(std::move(S), alpha);
}

RestrictedInverse::RestrictedInverse(const LandmarkBasis& basis, MatrixView<const double> rows, double alpha) {
  require_shape(rows, rows.rows(), basis.landmarks(), "rows");
  require_finite(rows, "rows");
  const Index m = basis.landmarks();
  Matrix S(m + rows.rows(), basis.rank());
  copy_rows(basis.features(), rows_of(S.view(), 0, m));
  basis.contract(transposed(rows), transposed(rows_of(S.view(), m, rows.rows())));
  factorize(std::move(S), alpha);
}

void RestrictedInverse::factorize(Matrix S, double alpha) {
  require_positive(alpha, "alpha");
  for (Index i = 0; i < S.size(); ++i) S.data()[i] /= std::sqrt(alpha);
  TallQr factors(S);
  root_ = std::move(factors.below());
  const double factor = 1.0 / std::sqrt(alpha * factors.square());
  for (Index i = 0; i < root_.size(); ++i) root_.data()[i] *= factor;
}

void RestrictedInverse::apply(MatrixView<const double> R, MatrixView<double> out) const {
  require_rows(R.rows(), R.cols(), size(), "R");
  require_shape(out, R.rows(), R.cols(), "out");
  if (out.empty()) return;
  Matrix half(size(), R.cols());
  gemm(1.0, transposed(root_.view()), R, 0.0, half.view());
  gemm(1.0, root_.view(), half.view(), 0.0, out);
}

}  // namespace gramian

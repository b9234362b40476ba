// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/landmark_basis.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"

namespace gramian {
namespace {

constexpr double least_alpha = 1e-13;  // of the trace: a few hundred times the rounding of a factorization

/// The first columns of A, overwritten with some of its columns.
MatrixView<double> keep_columns(Matrix& A, const std::vector<Index>& columns) {
  Buffer<double> kept(static_cast<Index>(columns.size()));
  for (Index i = 0; i < A.rows(); ++i) {
    double* const row = A.data() + i * A.cols();
    std::transform(columns.begin(), columns.end(), kept.data(), [&](Index column) { return row[column]; });
    std::copy_n(kept.data(), columns.size(), row);
  }
  return part(A.view(), 0, A.rows(), 0, static_cast<Index>(columns.size()));
}

}  // namespace

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

Matrix restricted_square(const LandmarkBasis& basis, Matrix rows) {
  require_shape(rows.view(), rows.rows(), basis.landmarks(), "rows");
  require_finite(rows.view(), "rows");
  const MatrixView<double> features = keep_columns(rows, basis.pivots());
  basis.divide(transposed(features));
  Matrix square(basis.rank(), basis.rank());
  gemm_symmetric(1.0, transposed(basis.features()), 0.0, square.view());
  gemm_symmetric(1.0, transposed(features), 1.0, square.view());
  return square;
}

RestrictedInverse::RestrictedInverse(MatrixView<const double> square, double alpha) {
  require_square(square, "square");
  require_positive(alpha, "alpha");
  double trace = 0.0;
  for (Index k = 0; k < square.rows(); ++k) trace += square(k, k);
  L_ = Matrix::copy_of(square);
  for (Index k = 0; k < size(); ++k) L_(k, k) += std::max(alpha, least_alpha * trace);
  cholesky_in_place(L_.view());
}

void RestrictedInverse::apply(MatrixView<const double> R, MatrixView<double> out) const {
  require_rows(R.rows(), R.cols(), size(), "R");
  require_shape(out, R.rows(), R.cols(), "out");
  if (out.empty()) return;
  solve_lower(L_.view(), R, out);
  solve_lower_transposed(L_.view(), out);
}

}  // namespace gramian

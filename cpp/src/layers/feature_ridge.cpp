// SPDX-License-Identifier: BSD-3-Clause
#include "layers/feature_ridge.hpp"

#include <algorithm>
#include <utility>

#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/linalg/gemm.hpp"
#include "layers/row_pieces.hpp"

namespace gramian {

void FeatureRidge::begin(Index features, Index targets) {
  ensure_shape(A_, features, features);
  ensure_shape(W_, features, targets);
  fill_zero(A_.view());
  fill_zero(W_.view());
}

void FeatureRidge::begin(Matrix square, Matrix right) {
  A_ = std::move(square);
  W_ = std::move(right);
}

void FeatureRidge::add_products(MatrixView<const double> Z, const double* roots) {
  MatrixView<const double> scaled = Z;
  if (roots != nullptr) {
    ensure_shape(weighted_, Z.rows(), Z.cols());
    for_entries(Z, [&](Index i, Index k) { weighted_(i, k) = roots[i] * Z(i, k); });
    scaled = weighted_.view();
  }
  gemm_symmetric(1.0, transposed(scaled), 1.0, A_.view(), Triangle::lower);
}

void FeatureRidge::add(MatrixView<const double> Z, const double* roots, MatrixView<const double> T) {
  add_products(Z, roots);
  if (roots == nullptr) return gemm(1.0, transposed(Z), T, 1.0, W_.view());
  Matrix scaled(T.rows(), T.cols());
  for_entries(T, [&](Index i, Index c) { scaled(i, c) = roots[i] * T(i, c); });
  gemm(1.0, transposed(weighted_.view()), scaled.view(), 1.0, W_.view());
}

/// A sum for each class, in pieces of rows.
void FeatureRidge::add_labels(MatrixView<const double> Z, const double* roots, const Index* labels) {
  add_products(Z, roots);
  const Index m = W_.cols(), p = Z.cols(), pieces = pieces_of(Z.rows());
  ensure_shape(sums_, pieces * m, p);
  each_piece(Z.rows(), p, [&](Index piece, Index first, Index last) {
    double* sums = sums_.data() + piece * m * p;
    std::fill_n(sums, m * p, 0.0);
    for (Index i = first; i < last; ++i) {
      const double weight = roots == nullptr ? 1.0 : roots[i] * roots[i];
      double* to = sums + labels[i] * p;
      for (Index k = 0; k < p; ++k) to[k] += weight * Z(i, k);
    }
  });
  for (Index row = 0; row < pieces * m; ++row) {
    for (Index k = 0; k < p; ++k) W_(k, row % m) += sums_(row, k);
  }
}

FeatureRidge FeatureRidge::copy() const {
  FeatureRidge other;
  other.A_ = Matrix::copy_of(A_.view());
  other.W_ = Matrix::copy_of(W_.view());
  return other;
}

double FeatureRidge::solve(double shift, const CholeskyOptions& options) {
  for (Index k = 0; k < A_.rows(); ++k) A_(k, k) += shift;
  const double jitter = cholesky_in_place(A_.view(), options);
  cholesky_solve(A_.view(), W_.view());
  return jitter;
}

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "support/dependency_problem.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

namespace dependency_data {
namespace {

/// A with (k kron T + n lambda I) vec(A) = vec(I), vec by columns.
template <class Scalar>
Eigen::MatrixXd by_kronecker(const Matrix& k, const Matrix& T, double lambda) {
  using Square = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  const Index n = k.rows();
  Square system(n * n, n * n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) system.block(i * n, j * n, n, n) = Scalar(k(i, j)) * T.cast<Scalar>();
  }
  system.diagonal().array() += Scalar(static_cast<double>(n) * lambda);
  const Square identity = Square::Identity(n, n);
  const Square a = system.householderQr().solve(Eigen::Map<const Square>(identity.data(), n * n, 1));
  return Eigen::Map<const Square>(a.data(), n, n).template cast<double>();
}

}  // namespace

Matrix T_of(const Matrix& k, const Matrix& L, const DependencyOperator& kind) {
  const Index n = k.rows();
  const auto* conditional = std::get_if<gramian::ConditionalOperator>(&kind);
  if (conditional == nullptr) return L;
  const double shift = static_cast<double>(n) * conditional->epsilon;
  return shift * (k + shift * Matrix::Identity(n, n)).partialPivLu().solve(L);
}

Matrix brute_force(const Matrix& k, const Matrix& L, const DependencyOperator& kind, double lambda) {
  const Index n = k.rows();
  if (is_identity(kind)) {
    return (k + static_cast<double>(n) * lambda * Matrix::Identity(n, n)).partialPivLu().solve(Matrix::Identity(n, n));
  }
  const Matrix T = T_of(k, L, kind);
  return n <= 16 ? T * by_kronecker<long double>(k, T, lambda) : T * by_kronecker<double>(k, T, lambda);
}

std::vector<Pair> pairs(Index n) {
  const Matrix smooth = spectral::gaussian(0.5 * normal(n, 2, 21)), rough = spectral::gaussian(2.0 * normal(n, 4, 22));
  const Matrix few = normal(n, 3, 23), twice = [&] {
    const Matrix once = normal(n, 2, 24);
    Matrix X = once;
    for (Index i = 0; i < n; ++i) X.row(i) = once.row(i / 2);
    return spectral::gaussian(X);
  }();
  return {{"rough, smooth", rough, smooth},
          {"smooth, rough", smooth, rough},
          {"singular inputs", Matrix(few * few.transpose()), rough},
          {"singular outputs", rough, Matrix(few * few.transpose())},
          {"repeated samples", twice, twice},
          {"equal", rough, rough},
          {"no inputs", Matrix::Zero(n, n), rough},
          {"no outputs", rough, Matrix::Zero(n, n)},
          {"large, small", Matrix(1e6 * rough), Matrix(1e-6 * smooth)}};
}

double relative(const Matrix& a, const Matrix& b) {
  const double size = b.norm();
  return size == 0.0 ? a.norm() : (a - b).norm() / size;
}

}  // namespace dependency_data

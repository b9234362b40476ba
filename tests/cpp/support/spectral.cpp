// SPDX-License-Identifier: BSD-3-Clause
#include "support/spectral.hpp"

#include <algorithm>
#include <cmath>

namespace spectral {
Vector spread(Index n, const std::function<double(double)>& f) {
  Vector values(n);
  for (Index i = 0; i < n; ++i) values(i) = f(n == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(n - 1));
  return values;
}

Matrix normal(Index rows, Index cols, std::uint64_t seed) {
  Matrix out(rows, cols);
  gramian::RandomStream(seed).fill_normal(gramian::view(out));
  return out;
}

Matrix gaussian(const Matrix& X) {
  Matrix K(X.rows(), X.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < X.rows(); ++j) K(i, j) = std::exp(-0.5 * (X.row(i) - X.row(j)).squaredNorm());
  }
  return K;
}

Matrix with_eigenvalues(const Vector& values, std::uint64_t seed) {
  const Index n = values.size();
  Matrix A = values.asDiagonal();
  for (std::uint64_t k = 0; k < 3 && n > 0; ++k) {
    const Vector v = normal(n, 1, seed + k).col(0).normalized();
    A -= 2.0 * v * (v.transpose() * A).eval();
    A -= (2.0 * (A * v)).eval() * v.transpose();
  }
  return 0.5 * (A + A.transpose());
}

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"zero", [](Index n) { return Matrix(Matrix::Zero(n, n)); }},
      {"identity", [](Index n) { return Matrix(Matrix::Identity(n, n)); }},
      {"hilbert",
       [](Index n) {
         return Matrix(Matrix::NullaryExpr(n, n, [](Index i, Index j) { return 1.0 / static_cast<double>(i + j + 1); }));
       }},
      {"clustered points",
       [](Index n) {
         Matrix X = 1e-4 * normal(n, 2, 2);
         for (Index i = 0; i < n; ++i) X(i, 0) += static_cast<double>(i % 3);
         return gaussian(X);
       }},
      {"duplicate rows",
       [](Index n) {
         Matrix X = normal(n, 2, 3);
         for (Index i = n - 1; i > 0; --i) X.row(i) = X.row(i / 2).eval();  // from behind: rows that are read are as drawn
         return gaussian(X);
       }},
      {"scaled up", [](Index n) { return Matrix(1e12 * gaussian(normal(n, 3, 4))); }},
      {"scaled down", [](Index n) { return Matrix(1e-12 * gaussian(normal(n, 3, 5))); }},
      {"low rank",
       [](Index n) {
         const Matrix U = normal(n, 3, 6);
         return Matrix(U * U.transpose());
       }},
      {"geometric eigenvalues", [](Index n) { return with_eigenvalues(spread(n, [](double t) { return std::pow(1e-16, t); })); }},
      {"clustered eigenvalues",
       [](Index n) { return with_eigenvalues(spread(n, [](double t) { return t < 0.5 ? 1.0 + 1e-12 * t : 1e-3; })); }},
      {"indefinite",
       [](Index n) {
         const Matrix A = normal(n, n, 7);
         return Matrix(A + A.transpose());
       }},
      {"badly scaled rows",
       [](Index n) {
         const Matrix A = gaussian(normal(n, 3, 8));
         const Vector d = spread(n, [](double t) { return std::pow(1e-8, t); });
         return Matrix(d.asDiagonal() * A * d.asDiagonal());
       }},
  };
  return all;
}

double norm1(const Matrix& A) { return A.size() == 0 ? 0.0 : A.cwiseAbs().colwise().sum().maxCoeff(); }

double ratio(const Matrix& residual, double norm) {
  const double size = norm1(residual), n = static_cast<double>(std::max<Index>(1, residual.rows()));
  return size == 0.0 ? 0.0 : size / (n * norm * unit);
}

double eigen_ratio(const Matrix& A, const Vector& values, const Matrix& V) {
  return ratio(A * V - V * values.asDiagonal(), norm1(A));
}

double orthogonality_ratio(const Matrix& V) {
  const Matrix defect = V.transpose() * V - Matrix::Identity(V.cols(), V.cols());
  return norm1(defect) / (static_cast<double>(std::max<Index>(1, V.rows())) * unit);
}

bool signs_are_fixed(const Matrix& V) {
  for (Index j = 0; j < V.cols(); ++j) {
    Index at = 0;
    V.col(j).cwiseAbs().maxCoeff(&at);
    if (!(V(at, j) > 0.0)) return false;
  }
  return true;
}

}  // namespace spectral

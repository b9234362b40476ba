// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/semidefinite.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/base/finite.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/eigen_symmetric.hpp"

namespace gramian {
namespace {

void refuse(const char* name, double least, double most) {
  char figures[96];
  std::snprintf(figures, sizeof(figures), "%.3g, and %.3g is the largest in magnitude", least, most);
  require(false, std::string(name) + " must be positive semidefinite, but it has the eigenvalue " + figures);
}

}  // namespace

double rounding_of(Index n) { return 64.0 * std::numeric_limits<double>::epsilon() * static_cast<double>(n); }

void clamp_eigenvalues(MatrixView<double> values, double defect, const char* name, double scale) {
  double most = scale, least = 0.0;
  for (Index i = 0; i < values.rows(); ++i) {
    most = std::max(most, std::fabs(values(i, 0)));
    least = std::min(least, values(i, 0));
  }
  if (!(least >= -defect * most)) refuse(name, least, most);
  for (Index i = 0; i < values.rows(); ++i) values(i, 0) = std::max(values(i, 0), 0.0);
}

void decompose(MatrixView<const double> A, Matrix& values, Matrix& vectors, const char* name, double scale) {
  values = Matrix(A.rows(), 1);
  vectors = Matrix(A.rows(), A.rows());
  if (!A.empty()) eigen_symmetric(A, values.view(), vectors.view());
  require(all_finite(values.view()), std::string(name) + " has eigenvalues that are not finite");
  clamp_eigenvalues(values.view(), gram_defect, name, scale);
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

void require_semidefinite(MatrixView<const double> A, const char* name) {
  const Index n = A.rows();
  Matrix work = Matrix::copy_of(A);
  const double largest = largest_row(A);
  // The largest eigenvalue is at least this: what passes here passes there.
  const double excess = gram_defect * largest / std::sqrt(static_cast<double>(n));
  for (Index i = 0; i < n; ++i) work(i, i) += excess;
  try {
    if (largest > 0.0) cholesky_in_place(work.view(), {0.0});
  } catch (const NumericalError&) {
    Matrix values;
    decompose(A, values, work, name);
  }
}

}  // namespace gramian

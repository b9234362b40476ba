// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/kronecker.hpp"

#include <cmath>
#include <string>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/linalg/eigen_symmetric.hpp"
#include "gramian/linalg/gemm.hpp"
#include "linalg/semidefinite.hpp"

namespace gramian {
namespace {

constexpr double seconds_per_division = 2e-9;

Matrix copy_of(MatrixView<const double> A, const char* name) {
  require_finite(A, name);
  return Matrix::copy_of(A);
}

void spectrum_of(MatrixView<const double> A, Matrix& values, Matrix& vectors, const char* name) {
  const Index n = A.rows();
  require_square(A, name);
  require_finite(A, name);
  values = Matrix(n, 1);
  vectors = Matrix(n, n);
  eigen_symmetric(A, values.view(), vectors.view());
  clamp_eigenvalues(values.view(), rounding_of(n), name);
}

double shift_of(double lambda, Index n) {
  require_positive(lambda, "lambda");
  return static_cast<double>(n) * lambda;
}

}  // namespace

void KroneckerForm::divide(double shift, MatrixView<const double> middle, MatrixView<double> divided) const {
  const Index m = M.rows(), n = D.rows();
  require_shape(middle, m, n, "rotated");
  require_shape(divided, m, n, "divided");
  parallel_for(m, seconds_per_division * static_cast<double>(n), [&](Index i, int) {
    for (Index j = 0; j < n; ++j) divided(i, j) = middle(i, j) / (M(i, 0) * D(j, 0) + shift);
  });
}

void KroneckerForm::multiply(MatrixView<const double> divided, MatrixView<double> out) const {
  require_shape(divided, M.rows(), D.rows(), "divided");
  require_shape(out, left.empty() ? M.rows() : left.rows(), right.empty() ? D.rows() : right.rows(), "out");
  if (out.empty()) return;
  Matrix half = left.empty() ? Matrix::copy_of(divided) : Matrix(left.rows(), divided.cols());
  if (!left.empty()) gemm(1.0, left.view(), divided, 0.0, half.view());
  if (right.empty()) {
    for (Index i = 0; i < out.rows(); ++i) {
      for (Index j = 0; j < out.cols(); ++j) out(i, j) = half(i, j);
    }
  } else {
    gemm(1.0, half.view(), transposed(right.view()), 0.0, out);
  }
}

KroneckerSolver::KroneckerSolver(MatrixView<const double> T, MatrixView<const double> k) {
  spectrum_of(T, form_.M, form_.left, "T");
  spectrum_of(k, form_.D, form_.right, "k");
}

KroneckerSolver::KroneckerSolver(MatrixView<const double> M, MatrixView<const double> V, MatrixView<const double> D,
                                 MatrixView<const double> U) {
  const Index m = M.rows(), n = D.rows();
  require_shape(M, m, 1, "M");
  require_shape(V, m, m, "V");
  require_shape(D, n, 1, "D");
  require_shape(U, n, n, "U");
  form_ = {copy_of(M, "M"), copy_of(V, "V"), copy_of(D, "D"), copy_of(U, "U")};
  clamp_eigenvalues(form_.M.view(), rounding_of(m), "T");
  clamp_eigenvalues(form_.D.view(), rounding_of(n), "k");
}

void KroneckerSolver::rotate(MatrixView<const double> B, MatrixView<double> rotated) const {
  require_shape(B, rows(), cols(), "B");
  require_shape(rotated, rows(), cols(), "rotated");
  if (B.empty()) return;
  Matrix half(rows(), cols());
  gemm(1.0, transposed(T_vectors()), B, 0.0, half.view());
  gemm(1.0, half.view(), k_vectors(), 0.0, rotated);
}

void KroneckerSolver::divide(double lambda, MatrixView<const double> rotated, MatrixView<double> divided) const {
  form_.divide(shift_of(lambda, cols()), rotated, divided);
}

void KroneckerSolver::rotate_back(MatrixView<const double> divided, MatrixView<double> A) const { form_.multiply(divided, A); }

void KroneckerSolver::solve(double lambda, MatrixView<const double> B, MatrixView<double> A) const {
  Matrix rotated(rows(), cols());
  rotate(B, rotated.view());
  divide(lambda, rotated.view(), rotated.view());
  rotate_back(rotated.view(), A);
}

void KroneckerSolver::solve_identity(double lambda, MatrixView<double> A) const {
  require(rows() == cols(),
          "T and k have sizes " + std::to_string(rows()) + " and " + std::to_string(cols()) + ": the identity takes equal ones");
  Matrix rotated(rows(), cols());
  if (rows() > 0) gemm(1.0, transposed(T_vectors()), k_vectors(), 0.0, rotated.view());
  divide(lambda, rotated.view(), rotated.view());
  rotate_back(rotated.view(), A);
}

}  // namespace gramian

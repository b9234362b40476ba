// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/kronecker.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/eigen.hpp"
#include "gramian/linalg/eigen_symmetric.hpp"
#include "gramian/linalg/gemm.hpp"
#include "linalg/semidefinite.hpp"

namespace gramian {
namespace {

constexpr double seconds_per_division = 2e-9;
constexpr double unit = std::numeric_limits<double>::epsilon();

Buffer<double> copy_of(MatrixView<const double> A, const char* name) {
  require_finite(A, name);
  Buffer<double> numbers(checked_product(A.rows(), A.cols()));
  if (!A.empty()) as_eigen(MatrixView<double>(numbers.data(), A.rows(), A.cols())) = as_eigen(A);
  return numbers;
}

void decompose(MatrixView<const double> A, Buffer<double>& values, Buffer<double>& vectors, const char* name) {
  const Index n = A.rows();
  require_square(A, name);
  require_finite(A, name);
  values = Buffer<double>(n);
  vectors = Buffer<double>(checked_product(n, n));
  eigen_symmetric(A, {values.data(), n, 1}, {vectors.data(), n, n});
  clamp_eigenvalues({values.data(), n, 1}, rounding_of(n), name);
}

/// out = left in right
void two_sided(MatrixView<const double> left, MatrixView<const double> in, MatrixView<const double> right,
               MatrixView<double> out) {
  if (out.empty()) return;
  Buffer<double> half(checked_product(left.rows(), in.cols()));
  const MatrixView<double> product(half.data(), left.rows(), in.cols());
  gemm(1.0, left, in, 0.0, product);
  gemm(1.0, product, right, 0.0, out);
}

/// out(i, j) = in(i, j) / (M_i D_j + shift)
void divide_by_sums(const double* M, const double* D, double shift, MatrixView<const double> in, MatrixView<double> out) {
  parallel_for(in.rows(), seconds_per_division * static_cast<double>(in.cols()), [&](Index i, int) {
    for (Index j = 0; j < in.cols(); ++j) out(i, j) = in(i, j) / (M[i] * D[j] + shift);
  });
}

double shift_of(double lambda, Index n) {
  require_positive(lambda, "lambda");
  return static_cast<double>(n) * lambda;
}

}  // namespace

KroneckerSolver::KroneckerSolver(MatrixView<const double> T, MatrixView<const double> k) : m_(T.rows()), n_(k.rows()) {
  decompose(T, M_, V_, "T");
  decompose(k, D_, U_, "k");
}

KroneckerSolver::KroneckerSolver(MatrixView<const double> M, MatrixView<const double> V, MatrixView<const double> D,
                                 MatrixView<const double> U)
    : m_(M.rows()), n_(D.rows()) {
  require_shape(M, m_, 1, "M");
  require_shape(V, m_, m_, "V");
  require_shape(D, n_, 1, "D");
  require_shape(U, n_, n_, "U");
  M_ = copy_of(M, "M");
  V_ = copy_of(V, "V");
  D_ = copy_of(D, "D");
  U_ = copy_of(U, "U");
  clamp_eigenvalues({M_.data(), m_, 1}, rounding_of(m_), "T");
  clamp_eigenvalues({D_.data(), n_, 1}, rounding_of(n_), "k");
}

void KroneckerSolver::rotate(MatrixView<const double> B, MatrixView<double> rotated) const {
  require_shape(B, m_, n_, "B");
  require_shape(rotated, m_, n_, "rotated");
  two_sided(transposed(T_vectors()), B, k_vectors(), rotated);
}

void KroneckerSolver::divide(double lambda, MatrixView<const double> rotated, MatrixView<double> divided) const {
  require_shape(rotated, m_, n_, "rotated");
  require_shape(divided, m_, n_, "divided");
  divide_by_sums(M_.data(), D_.data(), shift_of(lambda, n_), rotated, divided);
}

void KroneckerSolver::rotate_back(MatrixView<const double> divided, MatrixView<double> A) const {
  require_shape(divided, m_, n_, "divided");
  require_shape(A, m_, n_, "A");
  two_sided(T_vectors(), divided, transposed(k_vectors()), A);
}

void KroneckerSolver::solve(double lambda, MatrixView<const double> B, MatrixView<double> A) const {
  Buffer<double> numbers(checked_product(m_, n_));
  const MatrixView<double> rotated(numbers.data(), m_, n_);
  rotate(B, rotated);
  divide(lambda, rotated, rotated);
  rotate_back(rotated, A);
}

void KroneckerSolver::solve_identity(double lambda, MatrixView<double> A) const {
  require(m_ == n_,
          "T and k have sizes " + std::to_string(m_) + " and " + std::to_string(n_) + ": the identity takes equal ones");
  Buffer<double> numbers(checked_product(n_, n_));
  const MatrixView<double> rotated(numbers.data(), n_, n_);
  if (n_ > 0) gemm(1.0, transposed(T_vectors()), k_vectors(), 0.0, rotated);
  divide(lambda, rotated, rotated);
  rotate_back(rotated, A);
}

}  // namespace gramian

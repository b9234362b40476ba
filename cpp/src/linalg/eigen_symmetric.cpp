// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/eigen_symmetric.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/eigen.hpp"
#include "linalg/small.hpp"
#include "linalg/tridiagonal_eigen.hpp"

namespace gramian {
namespace {

Eigen::MatrixXd checked_copy(MatrixView<const double> A) {
  require(A.rows() == A.cols(), "A is " + shape_text(A.rows(), A.cols()) + ", it must be square");
  // The copy, what the solver keeps, and its result.
  require_memory(static_cast<std::uint64_t>(checked_product(3 * 8, checked_product(A.rows(), A.rows()))),
                 "the eigendecomposition", "ask for the largest eigenvalues only");
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) require(std::isfinite(A(i, j)), "A has an entry that is not finite");
  }
  return as_eigen(A);
}

/// Those of A, which is overwritten.
struct Eigenpairs {
  explicit Eigenpairs(Eigen::MatrixXd A)
      : values(static_cast<std::size_t>(A.rows())), vectors(A.rows(), A.rows()), order(static_cast<std::size_t>(A.rows())) {
    const Index n = A.rows();
    if (n == 0) return;
    // A power of two, so that nothing is rounded.
    const double largest = A.triangularView<Eigen::Lower>().toDenseMatrix().cwiseAbs().maxCoeff();
    const int exponent = largest > 0.0 ? std::ilogb(largest) : 0;
    for (Index j = 0; j < n; ++j) {
      for (Index i = j; i < n; ++i) A(i, j) = std::ldexp(A(i, j), -exponent);
    }
    const Eigen::Tridiagonalization<Eigen::MatrixXd> form(A);
    A.resize(0, 0);  // `form` has its own
    const Eigen::MatrixXd Q = form.matrixQ();
    std::vector<double> beside(static_cast<std::size_t>(n - 1));
    for (Index j = 0; j < n; ++j) {
      values[static_cast<std::size_t>(j)] = form.diagonal()(j);
      if (j + 1 < n) beside[static_cast<std::size_t>(j)] = form.subDiagonal()(j);
      std::copy_n(Q.col(j).data(), n, vectors.at(j));
    }
    tridiagonal_eigen(values, beside, vectors);
    for (double& value : values) value = std::ldexp(value, exponent);
    std::iota(order.begin(), order.end(), Index(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return values[static_cast<std::size_t>(a)] < values[static_cast<std::size_t>(b)]; });
  }
  std::vector<double> values;
  RotatedVectors vectors;
  std::vector<Index> order;  // ascending
};

Index position(Index i, Index n, EigenOrder order) { return order == EigenOrder::ascending ? i : n - 1 - i; }

}  // namespace

void eigen_symmetric(MatrixView<const double> A, MatrixView<double> values, MatrixView<double> V, EigenOrder order) {
  const Index n = A.rows();
  require_shape(values, n, 1, "values");
  require_shape(V, n, n, "V");
  Eigenpairs found(checked_copy(A));
  for (Index j = 0; j < n; ++j) {
    const Index from = found.order[static_cast<std::size_t>(position(j, n, order))];
    const double* vector = found.vectors.at(from);
    values(j, 0) = found.values[static_cast<std::size_t>(from)];
    for (Index i = 0; i < n; ++i) V(i, j) = vector[i];
  }
  fix_signs(V);
}

void eigenvalues_symmetric(MatrixView<const double> A, MatrixView<double> values, EigenOrder order) {
  const Index n = A.rows();
  require_shape(values, n, 1, "values");
  const Eigen::VectorXd found = small_eigenvalues(checked_copy(A));
  for (Index i = 0; i < n; ++i) values(i, 0) = found(position(i, n, order));
}

void fix_signs(MatrixView<double> V) {
  std::vector<double> largest(static_cast<std::size_t>(V.cols()), 0.0);
  // Row by row, as the matrix lies in memory.
  for (Index i = 0; i < V.rows(); ++i) {
    for (Index j = 0; j < V.cols(); ++j) {
      double& most = largest[static_cast<std::size_t>(j)];
      if (std::fabs(V(i, j)) > std::fabs(most)) most = V(i, j);
    }
  }
  for (Index i = 0; i < V.rows(); ++i) {
    for (Index j = 0; j < V.cols(); ++j) {
      if (largest[static_cast<std::size_t>(j)] < 0.0) V(i, j) = -V(i, j);
    }
  }
}

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/eigen_symmetric.hpp"

#include <cmath>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/eigen.hpp"
#include "linalg/small.hpp"

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

Index position(Index i, Index n, EigenOrder order) { return order == EigenOrder::ascending ? i : n - 1 - i; }

}  // namespace

void eigen_symmetric(MatrixView<const double> A, MatrixView<double> values, MatrixView<double> V, EigenOrder order) {
  const Index n = A.rows();
  require_shape(values, n, 1, "values");
  require_shape(V, n, n, "V");
  const SmallEigen eigen = small_eigen(checked_copy(A));
  for (Index j = 0; j < n; ++j) {
    const Index from = position(j, n, order);
    values(j, 0) = eigen.values(from);
    for (Index i = 0; i < n; ++i) V(i, j) = eigen.vectors(i, from);
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

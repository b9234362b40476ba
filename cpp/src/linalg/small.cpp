// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/small.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <string>

#include "gramian/base/error.hpp"

namespace gramian {
namespace {

Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solved(const Eigen::Ref<const Eigen::MatrixXd>& A, int options) {
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  if (A.rows() == 0) return solver;
  solver.compute(A, options);
  if (solver.info() != Eigen::Success) {
    throw NumericalError("the eigenvalues of a symmetric matrix of size " + std::to_string(A.rows()) +
                         " were not found: the iteration did not converge");
  }
  return solver;
}

}  // namespace

SmallEigen small_eigen(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  if (A.rows() == 0) return {Eigen::VectorXd(0), Eigen::MatrixXd(0, 0)};
  const auto solver = solved(A, Eigen::ComputeEigenvectors);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXd small_eigenvalues(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  if (A.rows() == 0) return Eigen::VectorXd(0);
  return solved(A, Eigen::EigenvaluesOnly).eigenvalues();
}

std::string shape_text(Index rows, Index cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

void require_shape(Index rows, Index cols, Index wanted_rows, Index wanted_cols, const char* name) {
  if (rows == wanted_rows && cols == wanted_cols) return;
  require(false, std::string(name) + " is " + shape_text(rows, cols) + ", it must be " + shape_text(wanted_rows, wanted_cols));
}

void require_finite(MatrixView<const double> A, const char* name) {
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j) {
      if (!std::isfinite(A(i, j))) require(false, std::string(name) + " has an entry that is not finite");
    }
  }
}

}  // namespace gramian

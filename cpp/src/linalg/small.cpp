// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/small.hpp"

#include <Eigen/Eigenvalues>
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

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/ovk/operator_ridge.hpp"

#include <cmath>
#include <string>

#include "base/check.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/finite.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/eigen.hpp"
#include "gramian/linalg/cholesky.hpp"

namespace gramian {
namespace {

void check(const OperatorKernel& K, const Points& X, MatrixView<const double> targets, const OperatorRidgeOptions& options) {
  require(X.size() > 0, "X is empty: there must be at least one sample");
  require_shape(targets, X.size(), K.outputs(), "targets");
  require(all_finite(targets), "targets have an entry that is not finite");
  require_positive(options.lambda, "lambda");
  require_not_negative(options.tolerance, "tolerance");
  require(options.max_iterations >= 0, "max_iterations must not be negative");
}

/// [KDE] (3): (K + lambda I) Psi = Phi with the block matrix K.
void by_cholesky(const OperatorKernel& K, const Points& X, double lambda, Matrix& unknowns) {
  const Index size = unknowns.size();
  require_memory(bytes_of(size, size, 2), "the block matrix", "take solver cg, conjugate gradients");
  Matrix system(size, size);
  K.matrix(X, X, system.view());
  as_eigen(system.view()).diagonal().array() += lambda;
  Cholesky(system.view(), {0.0}).solve(MatrixView<double>(unknowns.data(), size, 1));
}

using Numbers = Eigen::VectorXd;

/// Entries of at most 2 in magnitude, by a power of 2, which changes no digit: squares of these are numbers. Returns the power.
double scale_down(Numbers& a) {
  const double largest = a.cwiseAbs().maxCoeff();
  const double power = largest > 0.0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
  a /= power;
  return power;
}

/// Hestenes and Stiefel, from zero, with a preconditioner where the kernel has one.
void by_conjugate_gradients(const OperatorKernel& K, const Points& X, const OperatorRidgeOptions& options, OperatorRidge& out) {
  const Index n = out.coefficients.rows(), q = out.coefficients.cols();
  const auto matrix = [&](auto& a) { return MatrixView(a.data(), n, q); };
  Eigen::Map<Numbers> found(out.coefficients.data(), n * q);
  Numbers residual = found, image(n * q), divided;
  const double power = scale_down(residual);
  found.setZero();
  const double target = residual.norm();
  out.converged = target == 0.0;
  const auto inverse = out.converged ? nullptr : K.preconditioner(X, options.lambda);
  if (inverse) divided.resize(n * q);
  const auto divide = [&]() -> const Numbers& {
    if (inverse) inverse->apply(matrix(residual), matrix(divided));
    return inverse ? divided : residual;
  };
  Numbers direction = divide();
  double square = residual.dot(direction), left = target;
  while (!out.converged && out.iterations < options.max_iterations) {
    poll_stop();
    K.apply(X, X, matrix(direction), matrix(image));
    image += options.lambda * direction;
    const double curvature = direction.dot(image);
    if (!(curvature > 0.0))
      throw NumericalError("the operator-valued kernel is not positive semidefinite, or its values are too large");
    found += square / curvature * direction;
    residual -= square / curvature * image;
    left = residual.norm();
    ++out.iterations;
    out.converged = left <= options.tolerance * target;
    const Numbers& step = divide();
    const double next = residual.dot(step);
    direction = step + next / square * direction;
    square = next;
  }
  found *= power;
  out.residual = target == 0.0 ? 0.0 : left / target;
}

}  // namespace

/// [KDE] (1), (3): the minimiser of sum |g(x_i) - phi_i|^2 + lambda |g|^2.
OperatorRidge operator_ridge(const OperatorKernel& K, const Points& X, MatrixView<const double> targets,
                             const OperatorRidgeOptions& options) {
  check(K, X, targets, options);
  OperatorRidge out;
  out.coefficients = Matrix::copy_of(targets);
  out.solver = options.solver;
  if (out.solver == OperatorSolver::automatic) {
    out.solver = checked_product(X.size(), K.outputs()) <= options.largest_cholesky ? OperatorSolver::cholesky
                                                                                    : OperatorSolver::conjugate_gradients;
  }
  if (out.solver == OperatorSolver::cholesky) {
    by_cholesky(K, X, options.lambda, out.coefficients);
  } else {
    by_conjugate_gradients(K, X, options, out);
  }
  return out;
}

}  // namespace gramian

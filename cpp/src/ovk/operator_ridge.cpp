// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/ovk/operator_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/check.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/finite.hpp"
#include "gramian/base/stop.hpp"
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

double inner(const Matrix& a, const Matrix& b) {
  double sum = 0.0;
  for (Index i = 0; i < a.size(); ++i) sum += a.data()[i] * b.data()[i];
  return sum;
}

/// a += factor b
void add(Matrix& a, double factor, const Matrix& b) {
  for (Index i = 0; i < a.size(); ++i) a.data()[i] += factor * b.data()[i];
}

/// [KDE] (3): (K + lambda I) Psi = Phi with the block matrix K.
void by_cholesky(const OperatorKernel& K, const Points& X, double lambda, Matrix& unknowns) {
  const Index size = unknowns.size();
  require_memory(bytes_of(size, size, 2), "the block matrix", "take solver cg, conjugate gradients");
  Matrix system(size, size);
  K.matrix(X, X, system.view());
  for (Index i = 0; i < size; ++i) system(i, i) += lambda;
  Cholesky(system.view(), {0.0}).solve(MatrixView<double>(unknowns.data(), size, 1));
}

double largest_of(const Matrix& a) {
  double largest = 0.0;
  for (Index i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a.data()[i]));
  return largest;
}

/// Entries of at most 2 in magnitude, by a power of 2, which changes no digit: squares of these are numbers. Returns the power.
int scale_down(Matrix& a) {
  const double largest = largest_of(a);
  const int power = largest > 0.0 ? std::ilogb(largest) : 0;
  for (Index i = 0; i < a.size(); ++i) a.data()[i] = std::ldexp(a.data()[i], -power);
  return power;
}

/// Hestenes and Stiefel, from zero, with a preconditioner where the kernel has one.
void by_conjugate_gradients(const OperatorKernel& K, const Points& X, const OperatorRidgeOptions& options, OperatorRidge& out) {
  Matrix residual = std::move(out.coefficients);
  const Index n = residual.rows(), q = residual.cols();
  const int power = scale_down(residual);
  out.coefficients = Matrix::filled(n, q, 0.0);
  const double target = std::sqrt(inner(residual, residual));
  out.converged = target == 0.0;
  const auto inverse = out.converged ? nullptr : K.preconditioner(X, options.lambda);
  Matrix divided = inverse ? Matrix(n, q) : Matrix(), image(n, q);
  const auto divide = [&]() -> const Matrix& {
    if (!inverse) return residual;
    inverse->apply(residual.view(), divided.view());
    return divided;
  };
  Matrix direction = divide().clone();
  double square = inner(residual, direction), left = target;
  while (!out.converged && out.iterations < options.max_iterations) {
    poll_stop();
    K.apply(X, X, direction.view(), image.view());
    add(image, options.lambda, direction);
    const double curvature = inner(direction, image);
    if (!(curvature > 0.0))
      throw NumericalError("the operator-valued kernel is not positive semi-definite, or its values are too large");
    add(out.coefficients, square / curvature, direction);
    add(residual, -square / curvature, image);
    left = std::sqrt(inner(residual, residual));
    ++out.iterations;
    out.converged = left <= options.tolerance * target;
    const Matrix& step = divide();
    const double next = inner(residual, step);
    for (Index i = 0; i < direction.size(); ++i) direction.data()[i] = step.data()[i] + next / square * direction.data()[i];
    square = next;
  }
  for (Index i = 0; i < out.coefficients.size(); ++i) out.coefficients.data()[i] = std::ldexp(out.coefficients.data()[i], power);
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

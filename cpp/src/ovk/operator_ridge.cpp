// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/ovk/operator_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/finite.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/conjugate_gradients.hpp"
#include "linalg/inner_product.hpp"

namespace gramian {
namespace {

void check(const OperatorKernel& K, const Points& X, MatrixView<const double> targets, const OperatorRidgeOptions& options,
           MatrixView<const double> start) {
  require(X.size() > 0, "X is empty: there must be at least one sample");
  require_shape(targets, X.size(), K.outputs(), "targets");
  require(all_finite(targets), "targets have an entry that is not finite");
  require_shape_or_empty(start, X.size(), K.outputs(), "the start");
  require_finite(start, "the start");
  require_positive(options.lambda, "lambda");
  require_not_negative(options.tolerance, "tolerance");
  require(options.max_iterations >= 0, "max_iterations must not be negative");
  require(options.weights.empty() || static_cast<Index>(options.weights.size()) == X.size(),
          "weights has " + std::to_string(options.weights.size()) + " numbers, but there are " + std::to_string(X.size()) +
              " samples");
  for (const double w : options.weights) require(std::isfinite(w) && w > 0.0, "weights must hold finite numbers greater than 0");
}

/// [KDE] (3): (K + lambda I) Psi = Phi with the block matrix K; lambda is divided by the weight of a sample.
void by_cholesky(const OperatorKernel& K, const Points& X, const OperatorRidgeOptions& options, Matrix& unknowns) {
  const Index size = unknowns.size(), q = unknowns.cols();
  require_memory(bytes_of(size, size, 2), "the block matrix", "take solver cg, conjugate gradients");
  Matrix system(size, size);
  K.matrix(X, X, system.view());
  const auto weight = [&](Index i) { return options.weights.empty() ? 1.0 : options.weights[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i < size; ++i) system(i, i) += options.lambda / weight(i / q);
  Cholesky(system.view(), {0.0}).solve(MatrixView<double>(unknowns.data(), size, 1));
}

/// The roots of the weights for each unknown; ones where there are no weights.
std::vector<double> roots_of(const std::vector<double>& weights, Index n, Index q) {
  std::vector<double> roots(at(checked_product(n, q)), 1.0);
  if (weights.empty()) return roots;
  for (Index i = 0; i < n * q; ++i) roots[at(i)] = std::sqrt(weights[at(i / q)]);
  return roots;
}

/// n q numbers of a column, times or divided by numbers of the same count, as n x q.
class BlockColumn {
 public:
  BlockColumn(Index n, Index q) : numbers_(n, q) {}
  template <class Entry>
  MatrixView<const double> filled(Entry entry) {
    for_rows(numbers_.size(), 1, [&](Index first, Index last) {
      for (Index i = first; i < last; ++i) numbers_.data()[i] = entry(i);
    });
    return numbers_.view();
  }

 private:
  Matrix numbers_;
};

/// S K S + lambda I on one column of n q unknowns, S the roots of the weights: a system for Psi = S Psi' that is as well
/// conditioned as without weights.
class BlockSystem final : public SymmetricOperator {
 public:
  BlockSystem(const OperatorKernel& K, const Points& X, double lambda, const std::vector<double>& roots)
      : K_(K), X_(X), lambda_(lambda), roots_(roots) {}
  Index size() const override { return static_cast<Index>(roots_.size()); }
  void apply(MatrixView<const double> V, MatrixView<double> out) const override {
    BlockColumn scaled(X_.size(), K_.outputs());
    Matrix image(X_.size(), K_.outputs());
    for (Index j = 0; j < V.cols(); ++j) {
      K_.apply(X_, X_, scaled.filled([&](Index i) { return roots_[at(i)] * V(i, j); }), image.view());
      for (Index i = 0; i < size(); ++i) out(i, j) = roots_[at(i)] * image.data()[i] + lambda_ * V(i, j);
    }
  }

 private:
  const OperatorKernel& K_;
  const Points& X_;
  double lambda_;
  const std::vector<double>& roots_;
};

/// S^-1 M^-1 S^-1 for the preconditioner M of the kernel.
class BlockInverse final : public Preconditioner {
 public:
  BlockInverse(const OperatorPreconditioner& inverse, Index n, Index q, const std::vector<double>& roots)
      : inverse_(inverse), n_(n), q_(q), roots_(roots) {}
  void apply(MatrixView<const double> R, MatrixView<double> out) const override {
    BlockColumn scaled(n_, q_);
    Matrix divided(n_, q_);
    for (Index j = 0; j < R.cols(); ++j) {
      inverse_.apply(scaled.filled([&](Index i) { return R(i, j) / roots_[at(i)]; }), divided.view());
      for (Index i = 0; i < n_ * q_; ++i) out(i, j) = divided.data()[i] / roots_[at(i)];
    }
  }

 private:
  const OperatorPreconditioner& inverse_;
  Index n_, q_;
  const std::vector<double>& roots_;
};

/// S^-1 Psi as one column; empty for an empty Psi.
Matrix scaled_start(MatrixView<const double> Psi, const std::vector<double>& roots) {
  if (Psi.empty()) return {};
  Matrix column(Psi.rows() * Psi.cols(), 1);
  for_entries(Psi, [&](Index i, Index a) {
    const Index row = i * Psi.cols() + a;
    column(row, 0) = Psi(i, a) / roots[at(row)];
  });
  return column;
}

/// The objective of a point with the residual r is |r|^2 + lambda <Psi, r> + lambda <Psi, Phi>.
ValueOfColumn objective_of(double lambda) {
  return [lambda](const double* x, const double* r, const double* b, Index n) {
    const MatrixView<const double> found(x, n, 1), residual(r, n, 1), targets(b, n, 1);
    return sum_of_squares(residual) + lambda * (inner_product(found, residual) + inner_product(found, targets));
  };
}

void by_conjugate_gradients(const OperatorKernel& K, const Points& X, const OperatorRidgeOptions& options, Observer* observer,
                            MatrixView<const double> start, OperatorRidge& out) {
  const Index n = out.coefficients.rows(), q = out.coefficients.cols();
  const std::vector<double> roots = roots_of(options.weights, n, q);
  double* const unknowns = out.coefficients.data();
  for (Index i = 0; i < n * q; ++i) unknowns[i] *= roots[at(i)];
  const bool zero = std::all_of(unknowns, unknowns + n * q, [](double target) { return target == 0.0; });
  double weight = 0.0;
  for (const double root : roots) weight += root * root / static_cast<double>(n * q);
  const auto inverse = zero ? nullptr : K.preconditioner(X, options.lambda / weight);
  std::optional<BlockInverse> divided;
  if (inverse) divided.emplace(*inverse, n, q, roots);
  const Matrix first = scaled_start(start, roots);
  const ConjugateGradients found =
      conjugate_gradients(BlockSystem(K, X, options.lambda, roots), MatrixView<const double>(unknowns, n * q, 1),
                          {options.tolerance, options.max_iterations}, divided ? &*divided : nullptr, observer,
                          {first.view(), objective_of(options.lambda)});
  for (Index i = 0; i < n * q; ++i) unknowns[i] = roots[at(i)] * found.solution.data()[i];
  out.iterations = found.iterations;
  out.residual = found.residuals.front();
  out.converged = found.converged;
  out.stop_reason = found.stop_reason;
  out.history = found.history;
  out.objective = out.history.back().value;
}

/// After Cholesky: lambda <Psi, Phi>.
double solved_objective(const Matrix& coefficients, MatrixView<const double> targets, double lambda) {
  double sum = 0.0;
  for (Index i = 0; i < targets.rows(); ++i) {
    for (Index j = 0; j < targets.cols(); ++j) sum += coefficients(i, j) * targets(i, j);
  }
  return lambda * sum;
}

}  // namespace

/// [KDE] (1), (3): the minimiser of sum |g(x_i) - phi_i|^2 + lambda |g|^2.
OperatorRidge operator_ridge(const OperatorKernel& K, const Points& X, MatrixView<const double> targets,
                             const OperatorRidgeOptions& options, Observer* observer, MatrixView<const double> start) {
  check(K, X, targets, options, start);
  OperatorRidge out;
  out.coefficients = Matrix::copy_of(targets);
  out.solver = options.solver;
  if (out.solver == OperatorSolver::automatic) {
    out.solver = checked_product(X.size(), K.outputs()) <= options.largest_cholesky ? OperatorSolver::cholesky
                                                                                    : OperatorSolver::conjugate_gradients;
  }
  if (out.solver == OperatorSolver::cholesky) {
    by_cholesky(K, X, options, out.coefficients);
    out.objective = solved_objective(out.coefficients, targets, options.lambda);
    out.history.push_back({0, out.objective, 0.0, 0.0, 1, 1});
  } else {
    by_conjugate_gradients(K, X, options, observer, start, out);
  }
  return out;
}

}  // namespace gramian

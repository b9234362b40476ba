// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/ovk/operator_ridge.hpp"

#include <Eigen/LU>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/ovk/separable_ridge.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/dependency_problem.hpp"
#include "support/message.hpp"

using namespace gramian;
using Dense = spectral::Matrix;
using dependency_data::relative;
using gramian::view;
using spectral::normal;

namespace {

constexpr Index n = 20, q = 3;
const Kernel gaussian("gaussian", {0.5});

Dense solved(const OperatorKernel& K, const Dense& X, const Dense& targets, OperatorRidgeOptions options) {
  const OperatorRidge ridge = operator_ridge(K, Points(view(X)), view(targets), options);
  CHECK(ridge.converged);
  return as_eigen(ridge.coefficients.view());
}

Dense gram(const Dense& X) { return support::gram(gaussian, X); }

OperatorRidgeOptions with(OperatorSolver solver, double lambda) {
  OperatorRidgeOptions options;
  options.solver = solver;
  options.lambda = lambda;
  options.tolerance = 1e-13;
  return options;
}

}  // namespace

TEST(both_solvers_agree_with_closed_forms) {
  const Dense X = normal(n, q, 1), Y = normal(n, q, 2), k = gram(X), G = normal(q, q, 3), A = G * G.transpose();
  const Eigen::SelfAdjointEigenSolver<Dense> eigen(A);
  for (const OperatorSolver solver : {OperatorSolver::cholesky, OperatorSolver::conjugate_gradients}) {
    for (const double lambda : {1e-2, 1.0}) {
      const Dense shift = lambda * Dense::Identity(n, n);
      const auto options = with(solver, lambda);
      const Dense identity = solved(*separable_kernel(gaussian, OutputOperator::identity(q)), X, Y, options);
      CHECK(relative(identity, (k + shift).partialPivLu().solve(Y)) <= 1e-10);
      // One scalar regression for each eigenvector of A.
      Dense rotated = Y * eigen.eigenvectors();
      for (Index a = 0; a < q; ++a) {
        rotated.col(a) = (eigen.eigenvalues()(a) * k + shift).partialPivLu().solve(rotated.col(a)).eval();
      }
      const Dense full = solved(*separable_kernel(gaussian, OutputOperator::full(view(A))), X, Y, options);
      CHECK(relative(full, rotated * eigen.eigenvectors().transpose()) <= 1e-10);
    }
  }
}

TEST(both_solvers_agree_where_there_is_no_closed_form) {
  const Dense X = normal(n, q, 4), Y = normal(n, q, 5), A = Eigen::Vector3d(1.0, 0.1, 0.0).asDiagonal();
  const OperatorKernelPointer K =
      sum_kernel({{1.0, separable_kernel(gaussian, OutputOperator::full(view(A)))}, {0.5, pointwise_kernel(q)}});
  const Dense direct = solved(*K, X, Y, with(OperatorSolver::cholesky, 0.1));
  CHECK(relative(solved(*K, X, Y, with(OperatorSolver::conjugate_gradients, 0.1)), direct) <= 1e-10);
  Dense fitted(n, q);
  K->apply(Points(view(X)), Points(view(X)), view(direct), view(fitted));
  CHECK(relative(fitted + 0.1 * direct, Y) <= 1e-12);
}

// [KDE] (3), (4): on explicit features they are [KDE] (8) in Gram matrices: the same n lambda, the same scores.
TEST(covariance_operators_give_the_scores_of_proposition_1) {
  const Dense X = normal(n, 2, 6), F = normal(n, q, 7), candidates = normal(6, q, 8), fresh = normal(4, 2, 9);
  const Dense k = gram(X), L = F * F.transpose();
  Dense cross(4, n);
  full(gaussian, Points(view(fresh)), Points(view(X)), view(cross));
  const struct {
    DependencyOperator kind;
    OutputOperator A;
  } all[] = {{IdentityOperator{}, OutputOperator::identity(q)},
             {CovarianceOperator{}, covariance_operator(view(F))},
             {ConditionalOperator{0.05}, conditional_covariance_operator(view(F), view(k), 0.05)}};
  for (const auto& [kind, A] : all) {
    const OperatorKernelPointer K = separable_kernel(gaussian, A);
    const Dense Psi = solved(*K, X, F, with(OperatorSolver::cholesky, 0.03));
    Dense predicted(4, q), C(n, n);
    K->apply(Points(view(fresh)), Points(view(X)), view(Psi), view(predicted));
    const bool divided = !std::holds_alternative<IdentityOperator>(kind);  // covariances have the 1 / n of n lambda
    separable_ridge(view(k), view(L), kind, divided ? 0.03 : 0.03 / static_cast<double>(n), view(C));
    const Dense L_y = F * candidates.transpose();
    CHECK(relative(predicted * candidates.transpose(), cross * C.transpose() * L_y) <= 1e-9);
  }
}

TEST(cholesky_has_a_history_of_one_entry) {
  const Dense X = normal(n, q, 4), Y = normal(n, q, 5);
  const auto K = separable_kernel(gaussian, OutputOperator::identity(q));
  const OperatorRidge found = operator_ridge(*K, Points(view(X)), view(Y), with(OperatorSolver::cholesky, 0.1));
  CHECK(found.history.size() == 1 && found.history[0].number == 0 && found.iterations == 0);
  CHECK_EQ(found.history[0].value, found.objective);
}

TEST(iterations_are_reported) {
  const Dense X = normal(n, q, 10), Y = normal(n, q, 11);
  const OperatorKernelPointer K = pointwise_kernel(q);
  OperatorRidgeOptions options = with(OperatorSolver::conjugate_gradients, 1e-3);
  options.tolerance = 1e-11;  // rounding keeps the residual of the solution above 1e-13
  options.max_iterations = 1;
  const OperatorRidge stopped = operator_ridge(*K, Points(view(X)), view(Y), options);
  CHECK(!stopped.converged && stopped.iterations == 1 && stopped.residual > 1e-3);
  // q eigenvalues and the shift alone.
  options.max_iterations = 100;
  const OperatorRidge done = operator_ridge(*K, Points(view(X)), view(Y), options);
  CHECK(done.converged && done.iterations <= q + 3 && done.residual <= options.tolerance);
  const Dense zero = Dense::Zero(n, q);
  const OperatorRidge nothing = operator_ridge(*K, Points(view(X)), view(zero), options);
  CHECK(nothing.converged && nothing.iterations == 0 && as_eigen(nothing.coefficients.view()) == zero);
  options.solver = OperatorSolver::automatic;
  CHECK(operator_ridge(*K, Points(view(X)), view(Y), options).solver == OperatorSolver::cholesky);
  options.largest_cholesky = n * q - 1;
  CHECK(operator_ridge(*K, Points(view(X)), view(Y), options).solver == OperatorSolver::conjugate_gradients);
}

/// K without what it knows of its own inverse.
class Plain final : public OperatorKernel {
 public:
  explicit Plain(OperatorKernelPointer K) : K_(std::move(K)) {}
  Index outputs() const override { return K_->outputs(); }
  void block(const Points& X, Index i, const Points& Y, Index j, MatrixView<double> out) const override {
    K_->block(X, i, Y, j, out);
  }
  void apply(const Points& X, const Points& Y, MatrixView<const double> V, MatrixView<double> out) const override {
    K_->apply(X, Y, V, out);
  }

 private:
  OperatorKernelPointer K_;
};

TEST(preconditioners_save_iterations_and_change_nothing_else) {
  const Index many = 300;
  const Dense X = normal(many, q, 17), Y = normal(many, q, 18), G = normal(q, q, 19), A = G * G.transpose();
  const OperatorKernelPointer full = separable_kernel(gaussian, OutputOperator::full(view(A)));
  auto options = with(OperatorSolver::conjugate_gradients, 1e-2);
  options.tolerance = 1e-9;
  options.max_iterations = 5000;
  for (const auto& K : {full, separable_kernel(gaussian, OutputOperator::diagonal({2.0, 0.0, 0.5})),
                        sum_kernel({{0.0, pointwise_kernel(q)}, {3.0, full}, {1.0, pointwise_kernel(q)}})}) {
    const OperatorRidge with_it = operator_ridge(*K, Points(view(X)), view(Y), options);
    const OperatorRidge without = operator_ridge(Plain(K), Points(view(X)), view(Y), options);
    CHECK(with_it.converged && without.converged);
    CHECK(4 * with_it.iterations <= without.iterations);
    CHECK(relative(as_eigen(with_it.coefficients.view()), as_eigen(without.coefficients.view())) <= 1e-6);
  }
  // It is the inverse itself, where the factor has all of k.
  const Dense V = normal(n, q, 20), few = normal(n, q, 21);
  Dense back(n, q), out(n, q);
  full->preconditioner(Points(view(few)), 0.1)->apply(view(V), view(out));
  full->apply(Points(view(few)), Points(view(few)), view(out), view(back));
  CHECK(relative(back + 0.1 * out, V) <= 1e-10);
}

TEST(a_weight_of_two_is_a_sample_that_is_there_twice) {
  const Dense X = normal(n, q, 1), Y = normal(n, q, 2), F = normal(7, q, 3), A = normal(q, q, 4);
  const Dense AA = A * A.transpose();
  const OperatorKernelPointer separable = separable_kernel(gaussian, OutputOperator::full(view(AA)));
  const OperatorKernelPointer sum = sum_kernel({{1.0, separable}, {0.5, diagonal_regularization(gaussian, 0.3, q)}});
  Dense twice_X(n + 5, q), twice_Y(n + 5, q);
  twice_X << X, X.topRows(5);
  twice_Y << Y, Y.topRows(5);
  for (const OperatorKernelPointer& K :
       std::vector<OperatorKernelPointer>{separable, sum}) {  // with a preconditioner, and without one
    for (const OperatorSolver solver : {OperatorSolver::cholesky, OperatorSolver::conjugate_gradients}) {
      OperatorRidgeOptions options = with(solver, 0.1);
      const OperatorRidge expected = operator_ridge(*K, Points(view(twice_X)), view(twice_Y), options);
      options.weights.assign(n, 1.0);
      std::fill_n(options.weights.begin(), 5, 2.0);
      const OperatorRidge ridge = operator_ridge(*K, Points(view(X)), view(Y), options);
      CHECK(ridge.converged);
      CHECK_NEAR(ridge.objective, expected.objective, 1e-9 * expected.objective);
      Dense once(7, q), twice(7, q);
      K->apply(Points(view(F)), Points(view(X)), ridge.coefficients.view(), view(once));
      K->apply(Points(view(F)), Points(view(twice_X)), expected.coefficients.view(), view(twice));
      CHECK(relative(once, twice) <= 1e-8);
      options.weights.front() = 0.0;
      CHECK_THROWS(std::invalid_argument, operator_ridge(*K, Points(view(X)), view(Y), options));
      options.weights = {1.0};
      CHECK_THROWS(std::invalid_argument, operator_ridge(*K, Points(view(X)), view(Y), options));
    }
  }
}

TEST(conjugate_gradients_are_watched) {
  const Dense X = normal(n, q, 1), Y = 1e3 * normal(n, q, 2), k = gram(X);
  const auto K = separable_kernel(gaussian, OutputOperator::identity(q));
  OperatorRidgeOptions options = with(OperatorSolver::conjugate_gradients, 0.1);
  struct Stop : Observer {
    bool observe(const Iteration& iteration, const double*) override { return iteration.number < 3; }
  } stop;
  const auto sums = sum_kernel({{1.0, K}, {0.5, diagonal_regularization(gaussian, 0.3, q)}});  // has no preconditioner
  const OperatorRidge stopped = operator_ridge(*sums, Points(view(X)), view(Y), options, &stop);
  CHECK(stopped.stop_reason == SolverStop::observer && !stopped.converged);
  CHECK_EQ(stopped.iterations, 3);
  CHECK_EQ(stopped.history.size(), std::size_t(4));
  CHECK_NEAR(stopped.history.front().value, Y.squaredNorm(), 1e-12 * Y.squaredNorm());
  const OperatorRidge ended = operator_ridge(*K, Points(view(X)), view(Y), options);
  const Dense Psi = as_eigen(ended.coefficients.view()), g = k * Psi;
  const double objective = (g - Y).squaredNorm() + 0.1 * (Psi.transpose() * g).trace();
  CHECK_NEAR(ended.objective, objective, 1e-9 * objective);
  CHECK_EQ(ended.history.back().value, ended.objective);
  options.solver = OperatorSolver::cholesky;
  const OperatorRidge exact = operator_ridge(*K, Points(view(X)), view(Y), options, &stop);
  CHECK_NEAR(exact.objective, objective, 1e-9 * objective);
  CHECK(exact.converged && exact.stop_reason == SolverStop::tolerance);
}

TEST(a_start_saves_iterations_and_changes_nothing_else) {
  const Dense X = normal(n, q, 22), Y = normal(n, q, 23), any = normal(n, q, 24), k = gram(X);
  const auto K = sum_kernel({{1.0, separable_kernel(gaussian, OutputOperator::identity(q))}, {0.5, pointwise_kernel(q)}});
  const Points points(view(X));
  OperatorRidgeOptions options = with(OperatorSolver::conjugate_gradients, 0.1);
  options.tolerance = 1e-11;
  for (Index i = 0; i < n; ++i) options.weights.push_back(0.5 + static_cast<double>(i % 3));
  const OperatorRidge cold = operator_ridge(*K, points, view(Y), options);
  const Dense expected = as_eigen(cold.coefficients.view());
  const OperatorRidge far = operator_ridge(*K, points, view(Y), options, nullptr, view(any));
  CHECK(far.converged && relative(as_eigen(far.coefficients.view()), expected) <= 1e-9);
  Dense fitted(n, q);
  K->apply(points, points, view(any), view(fitted));
  double objective = 0.1 * any.cwiseProduct(fitted).sum();
  for (Index i = 0; i < n; ++i)
    objective += options.weights[static_cast<std::size_t>(i)] * (fitted.row(i) - Y.row(i)).squaredNorm();
  CHECK_NEAR(far.history.front().value, objective, 1e-9 * objective);
  options.tolerance = 1e-9;
  const OperatorRidge there = operator_ridge(*K, points, view(Y), options, nullptr, cold.coefficients.view());
  CHECK(there.converged && there.iterations == 0 && relative(as_eigen(there.coefficients.view()), expected) <= 1e-12);
  const Dense zero = Dense::Zero(n, q);
  CHECK(as_eigen(operator_ridge(*K, points, view(zero), options, nullptr, view(any)).coefficients.view()) == zero);
  const Dense few = any.topRows(3), broken = any * std::numeric_limits<double>::infinity();
  CHECK_THROWS(std::invalid_argument, operator_ridge(*K, points, view(Y), options, nullptr, view(few)));
  CHECK_THROWS(std::invalid_argument, operator_ridge(*K, points, view(Y), options, nullptr, view(broken)));
}

TEST(targets_of_any_scale) {
  const Dense X = normal(n, q, 15), Y = normal(n, q, 16);
  const OperatorKernelPointer K = separable_kernel(gaussian, OutputOperator::identity(q));
  const auto options = with(OperatorSolver::conjugate_gradients, 0.1);
  const Dense expected = solved(*K, X, Y, options);
  for (const double scale : {1e-300, 1e-200, 1e200, 1e300}) {
    CHECK(relative(solved(*K, X, scale * Y, options) / scale, expected) <= 1e-12);
  }
}

TEST(a_block_matrix_beyond_the_limit_is_for_conjugate_gradients) {
  const Index many = 600;
  const Dense X = normal(many, q, 1), Y = normal(many, q, 2);
  const auto K = separable_kernel(gaussian, OutputOperator::identity(q));
  set_memory_limit(std::uint64_t(24) << 20);
  const std::string message = check::message_of<MemoryLimitError>(
      [&] { operator_ridge(*K, Points(view(X)), view(Y), with(OperatorSolver::cholesky, 1.0)); });
  CHECK(check::contains(message, "take solver cg, conjugate gradients"));
  solved(*K, X, Y, with(OperatorSolver::conjugate_gradients, 1.0));
  set_memory_limit(0);
}

TEST(bad_input_is_refused) {
  const Dense X = normal(n, q, 12), Y = normal(n, q, 13), wide = normal(n, q + 1, 14), none(0, q);
  const OperatorKernelPointer K = pointwise_kernel(q);
  CHECK_THROWS(std::invalid_argument, operator_ridge(*K, Points(view(X)), view(wide)));
  CHECK_THROWS(std::invalid_argument, operator_ridge(*K, Points(view(none)), view(none)));
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS(std::invalid_argument, operator_ridge(*K, Points(view(X)), view(Y), with(OperatorSolver::cholesky, bad)));
  }
  Dense broken = Y;
  broken(3, 1) = std::numeric_limits<double>::infinity();
  CHECK_THROWS(std::invalid_argument, operator_ridge(*K, Points(view(X)), view(broken)));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients against the exact solution.
#include "models/kernel_ridge/iterative.hpp"

#include <limits>
#include <string>
#include <vector>

#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using dependency_data::gaussian;
using dependency_data::gram;
using gramian::view;
using kernel_ridge::Options;
using kernel_ridge::Solver;
using support::relative;
using Dense = spectral::Matrix;

namespace {

const dependency_data::Samples data = dependency_data::samples(300, 1, 3);
const Points X(view(data.X));

Options with(Solver solver, std::vector<double> alphas) {
  Options options;
  options.solver = solver;
  options.alphas = std::move(alphas);
  options.tolerance = 1e-11;
  return options;
}

Dense fitted(const GramSource& source, const Options& options) {
  const auto fit = kernel_ridge::fit(source, view(data.Y), options);
  CHECK(fit.solver == options.solver);
  if (options.solver == Solver::conjugate_gradients) {
    CHECK(fit.stop_reason == SolverStop::tolerance && fit.iterations > 0 && fit.residuals.size() == 3);
    for (const double residual : fit.residuals) CHECK(residual <= 1e-11);
  }
  return as_eigen(fit.coefficients.view());
}

}  // namespace

TEST(both_solvers_agree) {
  const Dense K = gram(gaussian(), data.X, data.X);
  for (const std::vector<double>& alphas : {std::vector<double>{1.0}, {1e-2}, {1e-2, 1e-2, 5.0}}) {
    const Dense expected = fitted({gaussian(), X}, with(Solver::cholesky, alphas));
    const Options options = with(Solver::conjugate_gradients, alphas);
    CHECK(relative(fitted({gaussian(), X}, options), expected) <= 1e-8);
    CHECK(relative(fitted(GramSource(view(K)), options), expected) <= 1e-8);
    const dependency_data::Sparse sparse(data.X);
    CHECK(relative(fitted({gaussian(), sparse.points()}, options), expected) <= 1e-8);
  }
}

TEST(with_weights_too) {
  Options options = with(Solver::cholesky, {0.1});
  for (Index i = 0; i < 300; ++i) options.weights.push_back(i % 10 == 0 ? 0.0 : 0.25 + static_cast<double>(i % 7));
  const Dense expected = fitted({gaussian(), X}, options);
  options.solver = Solver::conjugate_gradients;
  CHECK(relative(fitted({gaussian(), X}, options), expected) <= 1e-8);
}

TEST(products_of_float32_end_where_float32_does) {
  Options options = with(Solver::conjugate_gradients, {0.1});
  options.tolerance = 1e-5;
  options.precision = Scalar::float32;
  const auto fit = kernel_ridge::fit({gaussian(), X}, view(data.Y), options);
  CHECK(fit.stop_reason == SolverStop::tolerance);
  const Dense expected = fitted({gaussian(), X}, with(Solver::cholesky, {0.1}));
  const Dense K = gram(gaussian(), data.X, data.X);
  CHECK(relative(K * as_eigen(fit.coefficients.view()), K * expected) <= 1e-4);
}

TEST(too_few_iterations_are_told) {
  Options options = with(Solver::conjugate_gradients, {1e-9});
  options.max_iterations = 1;
  const auto fit = kernel_ridge::fit({Kernel("laplacian", {3.0}), X}, view(data.Y), options);
  CHECK(fit.stop_reason == SolverStop::max_iterations);
  CHECK_EQ(fit.iterations, 1);
}

TEST(a_start_saves_iterations_and_changes_nothing_else) {
  const Dense any = spectral::normal(300, 3, 8), few = any.topRows(5);
  Options options = with(Solver::conjugate_gradients, {1e-2, 1e-2, 5.0});
  for (Index i = 0; i < 300; ++i) options.weights.push_back(i % 10 == 0 ? 0.0 : 0.25 + static_cast<double>(i % 7));
  const GramSource source(gaussian(), X);
  const auto from = [&](const Dense& start) {
    return kernel_ridge::fit(source, view(data.Y), options, nullptr, nullptr, view(start));
  };
  const Dense expected = fitted(source, options);
  const auto far = from(any);
  CHECK(far.stop_reason == SolverStop::tolerance && relative(as_eigen(far.coefficients.view()), expected) <= 1e-8);
  options.tolerance = 1e-9;
  const auto there = from(expected);
  CHECK(there.iterations == 0 && relative(as_eigen(there.coefficients.view()), expected) <= 1e-12);
  Dense broken = any;
  broken(3, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, from(few));
  CHECK_THROWS(std::invalid_argument, from(broken));
}

TEST(the_operator_is_the_system) {
  const Dense K = gram(gaussian(), data.X, data.X), V = spectral::normal(300, 2, 7);
  std::vector<double> roots;
  for (Index i = 0; i < 300; ++i) roots.push_back(0.1 * static_cast<double>(i % 5));
  const Eigen::Map<const Eigen::VectorXd> s(roots.data(), 300);
  const Dense expected = s.asDiagonal() * K * s.asDiagonal() * V + 0.5 * V;
  for (const GramSource& source : {GramSource(gaussian(), X), GramSource(view(K))}) {
    kernel_ridge::RegressionOperator system(source, roots, Scalar::float64);
    system.set_alpha(0.5);
    Dense out(300, 2);
    system.apply(view(V), view(out));
    CHECK(relative(out, expected) <= 1e-13);
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  CHECK(check::same_for_any_threads([] { return fitted({gaussian(), X}, with(Solver::conjugate_gradients, {0.1})); }));
}

TEST(no_regularisation_is_for_cholesky) {
  CHECK_THROWS(std::invalid_argument, fitted({gaussian(), X}, with(Solver::conjugate_gradients, {0.0})));
}

TEST_MAIN

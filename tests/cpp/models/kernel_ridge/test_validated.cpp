// SPDX-License-Identifier: BSD-3-Clause
// Scores of held-out samples against a naive loop, and what they do to a fit.
#include "models/kernel_ridge/validated.hpp"

#include <cmath>

#include "gramian/base/error.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using dependency_data::gram;
using gramian::view;
using kernel_ridge::Fit;
using kernel_ridge::Options;
using kernel_ridge::Solver;
using kernel_ridge::Validated;
using kernel_ridge::Validation;
using Dense = spectral::Matrix;

namespace {

const Kernel narrow("laplacian", {0.5});

/// Noise that a narrow kernel learns in the end, for more samples than the preconditioner has columns.
struct Noisy {
  explicit Noisy(Index n) {
    const dependency_data::Samples all = dependency_data::samples(n + 100, 11, 2);
    const Dense noisy = all.Y + 0.5 * spectral::normal(n + 100, 2, 12);
    X = all.X.topRows(n);
    Y = noisy.topRows(n);
    fresh = all.X.bottomRows(100);
    other = noisy.bottomRows(100);
    for (Index i = 0; i < 100; ++i) weights.push_back(0.5 + static_cast<double>(i % 4));
  }
  Validation held_out(Index patience) const { return {Points(view(fresh)), view(other), weights, patience}; }

  Dense X, Y, fresh, other;
  std::vector<double> weights;
};

/// The mean of R^2 over the targets, from weighted sums.
double naive_score(const Noisy& data, const Dense& coefficients) {
  const Dense f = gram(narrow, data.fresh, data.X) * coefficients;
  double sum = 0.0;
  for (Index c = 0; c < 2; ++c) {
    double mean = 0.0, total = 0.0, error = 0.0, spread = 0.0;
    for (Index i = 0; i < 100; ++i) {
      mean += data.weights[static_cast<std::size_t>(i)] * data.other(i, c);
      total += data.weights[static_cast<std::size_t>(i)];
    }
    for (Index i = 0; i < 100; ++i) {
      const double weight = data.weights[static_cast<std::size_t>(i)];
      error += weight * std::pow(data.other(i, c) - f(i, c), 2);
      spread += weight * std::pow(data.other(i, c) - mean / total, 2);
    }
    sum += 1.0 - error / spread;
  }
  return sum / 2.0;
}

Iteration numbered(Index number) {
  Iteration iteration;
  iteration.number = number;
  return iteration;
}

Options by_iterations(Index most) {
  Options options;
  options.solver = Solver::conjugate_gradients;
  options.alphas = {5e-4};
  options.max_iterations = most;
  return options;
}

/// Ends a method after some iterations.
struct Ends final : Observer {
  explicit Ends(Index iterations) : last(iterations) {}
  bool observe(const Iteration& it, const double*) override { return it.number < last; }
  Index last;
};

}  // namespace

TEST(scores_are_those_of_a_loop) {
  const Noisy data(60);
  std::vector<double> roots;
  for (Index i = 0; i < 60; ++i) roots.push_back(1.0 + 0.1 * static_cast<double>(i % 3));
  const Dense S = Eigen::Map<const Eigen::VectorXd>(roots.data(), 60).asDiagonal();
  const Dense z = 1e30 * spectral::normal(60, 2, 13), small = 1e-3 * spectral::normal(60, 2, 14);
  const Validation held_out = data.held_out(1);
  const std::pair<Scalar, double> precisions[] = {{Scalar::float64, 1e-12}, {Scalar::float32, 1e-5}};
  for (const auto& [precision, error] : precisions) {
    Validated scores(narrow, Points(view(data.X)), 2, roots, held_out, precision, nullptr);
    scores.observe(numbered(1), small.data());
    scores.observe(numbered(2), z.data());
    const std::vector<double> found = scores.scores(2);
    CHECK_NEAR(found[0], naive_score(data, Dense::Zero(60, 2)), 1e-12);
    CHECK_NEAR(found[1], naive_score(data, S * small), error);
    CHECK_NEAR(found[2] / naive_score(data, S * z), 1.0, error);
  }
}

TEST(it_ends_where_no_score_is_better_for_a_while) {
  const Noisy data(60);
  const Validation held_out = data.held_out(10);
  const Dense fitted = as_eigen(kernel_ridge::fit({narrow, Points(view(data.X))}, view(data.Y)).coefficients.view());
  const std::vector<double> none;
  Validated scores(narrow, Points(view(data.X)), 2, none, held_out, Scalar::float64, nullptr);
  const auto iterate = [&](Index k) {
    return Dense(fitted * (1.0 - 0.01 * static_cast<double>((k - 10) * (k - 10))));  // best near 10
  };
  CHECK(naive_score(data, iterate(10)) > naive_score(data, iterate(5)) + 1e-3);
  Index last = 0;
  for (Index k = 1; k <= 40; ++k) {
    last = k;
    if (!scores.observe(numbered(k), iterate(k).data())) break;
  }
  CHECK_EQ(last, 20);
  CHECK(scores.ended());
  CHECK_EQ(scores.best_iteration(), 10);
  CHECK(as_eigen(scores.best().view()) == iterate(10));
  CHECK_NEAR(scores.best_score(), naive_score(data, iterate(10)), 1e-12);
  const std::vector<double> found = scores.scores(20);
  for (Index k = 0; k <= 20; ++k) CHECK(std::isnan(found[static_cast<std::size_t>(k)]) == (k % 5 != 0));
}

TEST(the_last_iterate_counts_and_others_may_end_the_fit) {
  const Noisy data(60);
  const Validation held_out = data.held_out(10);
  const std::vector<double> none;
  Ends ends(3);
  Validated scores(narrow, Points(view(data.X)), 2, none, held_out, Scalar::float64, &ends);
  const Dense fitted = as_eigen(kernel_ridge::fit({narrow, Points(view(data.X))}, view(data.Y)).coefficients.view());
  CHECK(scores.observe(numbered(2), fitted.data()));
  CHECK(!scores.observe(numbered(3), fitted.data()));
  CHECK(!scores.ended());
  scores.finish(3, fitted.data());
  CHECK_EQ(scores.best_iteration(), 3);
}

TEST(a_fit_has_the_coefficients_of_the_best_score) {
  const Noisy data(2200);
  const Points X(view(data.X));
  const Validation held_out = data.held_out(10);
  const Fit fit = kernel_ridge::fit({narrow, X}, view(data.Y), by_iterations(300), nullptr, &held_out);
  const Dense C = as_eigen(fit.coefficients.view());
  CHECK(fit.ended_by_scores && fit.stop_reason == SolverStop::observer);
  CHECK(fit.iterations < 300 && fit.best_iteration > 0 && fit.best_iteration + 5 <= fit.iterations);
  CHECK_EQ(fit.scores.size(), fit.history.size());
  CHECK_NEAR(fit.scores[static_cast<std::size_t>(fit.best_iteration)], naive_score(data, C), 1e-9);
  for (const double score : fit.scores) CHECK(std::isnan(score) || score <= naive_score(data, C) + 1e-9);
  const Fit same = kernel_ridge::fit({narrow, X}, view(data.Y), by_iterations(fit.best_iteration));
  CHECK(as_eigen(same.coefficients.view()) == C);
  CHECK_NEAR(fit.objective, same.objective, 1e-12 * same.objective);
  for (std::size_t c = 0; c < 2; ++c) CHECK_NEAR(fit.residuals[c], same.residuals[c], 1e-12);
}

TEST(what_does_not_fit_is_refused) {
  const Noisy data(60);
  const Points X(view(data.X));
  const Dense K = gram(narrow, data.X, data.X), low = data.other.topRows(99), one = data.other.leftCols(1);
  const auto fit = [&](const Validation& held_out, const Options& options, const GramSource& source) {
    kernel_ridge::fit(source, view(data.Y), options, nullptr, &held_out);
  };
  const Validation good = data.held_out(5);
  Options cholesky = by_iterations(5), two = by_iterations(5);
  cholesky.solver = Solver::cholesky;
  two.alphas = {1.0, 2.0};
  CHECK_THROWS(std::invalid_argument, fit(good, cholesky, {narrow, X}));
  CHECK_THROWS(std::invalid_argument, fit(good, two, {narrow, X}));
  CHECK_THROWS(std::invalid_argument, fit(good, by_iterations(5), GramSource(view(K))));
  CHECK_THROWS(std::invalid_argument, fit(data.held_out(0), by_iterations(5), {narrow, X}));
  for (const Dense* targets : {&low, &one}) {
    const Validation bad{Points(view(data.fresh)), view(*targets), {}, 5};
    CHECK_THROWS(std::invalid_argument, fit(bad, by_iterations(5), {narrow, X}));
  }
  const Dense wide = spectral::normal(100, 3, 15);
  CHECK_THROWS(std::invalid_argument, fit({Points(view(wide)), view(data.other), {}, 5}, by_iterations(5), {narrow, X}));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Closed forms of leaving one sample out against as many fits.
#include <Eigen/LU>
#include <limits>
#include <vector>

#include "gramian/models/kernel_ridge.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using dependency_data::gaussian;
using dependency_data::gram;
using gramian::view;
using kernel_ridge::path;
using support::relative;
using Dense = spectral::Matrix;

namespace {

constexpr Index n = 24;
const dependency_data::Samples data = dependency_data::samples(n, 1, 2);
const std::vector<double> alphas = {1e-3, 0.1, 10.0};

Dense without(const Dense& A, Index row) {
  Dense out(A.rows() - 1, A.cols());
  out << A.topRows(row), A.bottomRows(A.rows() - 1 - row);
  return out;
}

std::vector<double> weights_of(bool weighted) {
  std::vector<double> weights;
  for (Index i = 0; weighted && i < n; ++i) weights.push_back(0.5 + static_cast<double>(i % 3));
  return weights;
}

double weight(const std::vector<double>& weights, Index i) {
  return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(i)];
}

/// Predictions of each sample by the fit to the others.
Dense refitted(double alpha, const std::vector<double>& weights) {
  Dense out(n, 2);
  for (Index i = 0; i < n; ++i) {
    const Dense X = without(data.X, i);
    Dense K = gram(gaussian(), X, X);
    for (Index j = 0; j < n - 1; ++j) K(j, j) += alpha / weight(weights, j < i ? j : j + 1);
    out.row(i) = gram(gaussian(), data.X.row(i), X) * K.partialPivLu().solve(without(data.Y, i));
  }
  return out;
}

void check_path(bool weighted) {
  const std::vector<double> weights = weights_of(weighted);
  const auto found = path({gaussian(), Points(view(data.X))}, view(data.Y), alphas, weights);
  Dense expected = Dense::Zero(3, 2);
  double total = 0.0;
  for (Index i = 0; i < n; ++i) total += weight(weights, i);
  for (Index a = 0; a < 3; ++a) {
    const Dense errors = data.Y - refitted(alphas[static_cast<std::size_t>(a)], weights);
    for (Index i = 0; i < n; ++i) expected.row(a) += weight(weights, i) / total * errors.row(i).cwiseAbs2();
  }
  CHECK(relative(as_eigen(found.errors.view()), expected) <= 1e-9);
  Index best = 0;
  expected.rowwise().sum().minCoeff(&best);
  CHECK_EQ(found.best, best);
  const double alpha = alphas[static_cast<std::size_t>(best)];
  CHECK(relative(as_eigen(found.leave_one_out.view()), refitted(alpha, weights)) <= 1e-9);
  kernel_ridge::Options options;
  options.alphas = {alpha};
  options.weights = weights;
  const auto fit = kernel_ridge::fit({gaussian(), Points(view(data.X))}, view(data.Y), options);
  CHECK(relative(as_eigen(found.coefficients.view()), as_eigen(fit.coefficients.view())) <= 1e-10);
}

}  // namespace

TEST(closed_forms_are_those_of_as_many_fits) { check_path(false); }
TEST(with_weights_too) { check_path(true); }

TEST(any_number_of_threads_gives_the_same_bits) {
  CHECK(check::same_for_any_threads([] {
    const auto found = path({gaussian(), Points(view(data.X))}, view(data.Y), alphas);
    return Dense(as_eigen(found.leave_one_out.view()));
  }));
}

TEST(what_does_not_fit_is_refused) {
  const GramSource source(gaussian(), Points(view(data.X)));
  CHECK_THROWS(std::invalid_argument, path(source, view(data.Y), {}));
  CHECK_THROWS(std::invalid_argument, path(source, view(data.Y), {1.0, 0.0}));
  CHECK_THROWS(std::invalid_argument, path(source, view(data.Y), {std::numeric_limits<double>::infinity()}));
  std::vector<double> weights(n, 1.0);
  weights[3] = 0.0;
  CHECK_THROWS(std::invalid_argument, path(source, view(data.Y), alphas, weights));
  const Dense K = gram(gaussian(), data.X, data.X) - Dense::Identity(n, n);
  CHECK_THROWS(std::invalid_argument, path(GramSource(view(K)), view(data.Y), alphas));
}

TEST_MAIN

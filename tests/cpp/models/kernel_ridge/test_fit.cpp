// SPDX-License-Identifier: BSD-3-Clause
// The exact regression against a dense solution, and what it refuses.
#include <Eigen/Cholesky>
#include <Eigen/QR>
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
using kernel_ridge::Options;
using support::relative;
using Dense = spectral::Matrix;

namespace {

const dependency_data::Samples data = dependency_data::samples(300, 1, 3);
const Points X(view(data.X));

Dense fitted(const GramSource& source, const Options& options) {
  return as_eigen(kernel_ridge::fit(source, view(data.Y), options).coefficients.view());
}

Dense solved(const Dense& K, double alpha, const Dense& Y) {
  return (K + alpha * Dense::Identity(K.rows(), K.rows())).ldlt().solve(Y);
}

std::vector<double> some_weights() {
  std::vector<double> weights(300);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.25 + static_cast<double>(i % 7);
  return weights;
}

}  // namespace

TEST(coefficients_solve_the_system) {
  const Dense K = gram(gaussian(), data.X, data.X), expected = solved(K, 0.1, data.Y);
  Options options;
  options.alphas = {0.1};
  CHECK(relative(fitted({gaussian(), X}, options), expected) <= 1e-11);
  CHECK(relative(fitted(GramSource(view(K)), options), expected) <= 1e-11);
  const Dense turned = K.transpose();
  const MatrixView<const double> columns(turned.data(), 300, 300, 1, 300);
  CHECK(relative(fitted(GramSource(columns), options), expected) <= 1e-11);
  const dependency_data::Sparse sparse(data.X);
  CHECK(relative(fitted({gaussian(), sparse.points()}, options), expected) <= 1e-11);
}

TEST(each_target_has_its_alpha) {
  const Dense K = gram(gaussian(), data.X, data.X);
  Options options;
  options.alphas = {0.1, 0.1, 3.0};
  const Dense found = fitted({gaussian(), X}, options);
  CHECK(relative(found.leftCols(2), solved(K, 0.1, data.Y.leftCols(2))) <= 1e-11);
  CHECK(relative(found.rightCols(1), solved(K, 3.0, data.Y.rightCols(1))) <= 1e-11);
}

/// (K + alpha W^-1) c = y.
TEST(weights_divide_alpha) {
  const std::vector<double> weights = some_weights();
  Dense system = gram(gaussian(), data.X, data.X);
  for (Index i = 0; i < 300; ++i) system(i, i) += 0.5 / weights[static_cast<std::size_t>(i)];
  Options options;
  options.alphas = {0.5};
  options.weights = weights;
  CHECK(relative(fitted({gaussian(), X}, options), system.ldlt().solve(data.Y)) <= 1e-11);
}

TEST(a_sample_of_no_weight_counts_for_nothing) {
  Options options;
  options.weights.assign(300, 1.0);
  for (std::size_t i = 200; i < 300; ++i) options.weights[i] = 0.0;
  const Dense found = fitted({gaussian(), X}, options), some = data.X.topRows(200);
  CHECK(found.bottomRows(100).isZero());
  const Dense K = gram(gaussian(), some, some);
  CHECK(relative(found.topRows(200), solved(K, 1.0, data.Y.topRows(200))) <= 1e-11);
}

TEST(a_singular_system_is_solved_by_least_squares) {
  const Dense K = gram(dependency_data::linear(), data.X, data.X);
  Options options;
  options.alphas = {0.0};
  const auto found = kernel_ridge::fit({dependency_data::linear(), X}, view(data.Y), options);
  CHECK(found.least_squares);
  const Dense expected = K.completeOrthogonalDecomposition().solve(data.Y), C = as_eigen(found.coefficients.view());
  CHECK(relative(K * C, K * expected) <= 1e-10);
  CHECK(relative(C, expected) <= 1e-6);
}

TEST(a_matrix_with_negative_eigenvalues_is_solved_too) {
  Dense K = gram(gaussian(), data.X, data.X) - 2.5 * Dense::Identity(300, 300);
  Options options;
  const auto found = kernel_ridge::fit(GramSource(view(K)), view(data.Y), options);
  CHECK(found.least_squares);
  CHECK(relative(as_eigen(found.coefficients.view()), solved(K, 1.0, data.Y)) <= 1e-10);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  CHECK(check::same_for_any_threads([] { return fitted({gaussian(), X}, {}); }));
  Options singular;
  singular.alphas = {0.0};
  CHECK(check::same_for_any_threads([&] { return fitted({dependency_data::linear(), X}, singular); }));
}

TEST(what_does_not_fit_is_refused) {
  const GramSource source(gaussian(), X);
  const auto refused = [&](const Options& options) {
    CHECK_THROWS(std::invalid_argument, kernel_ridge::fit(source, view(data.Y), options));
  };
  Options options;
  options.alphas = {1.0, 2.0};
  refused(options);
  options.alphas = {};
  refused(options);
  options.alphas = {-1.0};
  refused(options);
  options.alphas = {std::numeric_limits<double>::quiet_NaN()};
  refused(options);
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// The last layer with weights, as a sum, and for interpolation; and on codes that stay.
#include <cmath>
#include <utility>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/layers/ridge_output.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/composition_problem.hpp"
#include "support/gram_problem.hpp"
#include "support/ridge_gradient.hpp"

using namespace gramian;
using naive::normal;
using naive::Real;
using naive::Rows;

namespace {

const naive::Expression expression = naive::leaf("gaussian", {0.6});
const Kernel kernel("gaussian", {0.6});

RidgeOutputOptions weighted(std::vector<double> weights, bool sum = true) {
  RidgeOutputOptions options;
  options.sum = sum;
  options.weights = std::move(weights);
  return options;
}

/// sum_i w_i |y_i - f(z_i)|^2 + lambda |f|^2 for f of these coefficients.
Real objective_at(const Rows& Phi, const Rows& Z, const Rows& C, const std::vector<double>& weights, Real lambda) {
  const Rows outputs = naive::times(naive::gram_of(expression, Z, Z), Phi);
  Real sum = lambda * naive::dot(outputs, Phi);
  for (std::size_t i = 0; i < C.size(); ++i) {
    for (std::size_t j = 0; j < C[i].size(); ++j) {
      sum += static_cast<Real>(weights[i]) * (outputs[i][j] - C[i][j]) * (outputs[i][j] - C[i][j]);
    }
  }
  return sum;
}

/// (K + lambda D^-1) Phi = C, and the objective there.
Real minimum(const Rows& Z, const Rows& C, const std::vector<double>& weights, Real lambda) {
  Rows M = naive::gram_of(expression, Z, Z);
  for (std::size_t i = 0; i < M.size(); ++i) M[i][i] += lambda / static_cast<Real>(weights[i]);
  return objective_at(naive::solved(M, C), Z, C, weights, lambda);
}

}  // namespace

TEST(with_weights_minimum_and_gradient_are_those_of_the_definition) {
  const std::vector<double> weights = {0.5, 2.0, 1.0, 0.1, 3.0, 1.0, 0.7};
  const auto Z = naive::points_apart(7, 2, 1), C = normal<double>(7, 2, 2);
  const Rows z = naive::points(Z.view), c = naive::points(C.view);
  RidgeOutput ridge(KernelLayer::scalar(kernel, 2, 0.3), C.view, 2, weighted(weights));
  naive::Matrix<double> bar(7, 2);
  const double value = ridge.evaluate(Z.view, bar.view);
  const Real wanted = minimum(z, c, weights, 0.3L);
  CHECK_NEAR(static_cast<Real>(value), wanted, 1e-12L * wanted);
  CHECK_NEAR(ridge.distortion() + 0.3 * ridge.squared_norm(), value, 1e-12 * value);
  naive::check_gradient("weights", bar, z, 64, wanted, [&](const Rows& moved) { return minimum(moved, c, weights, 0.3L); });
}

TEST(held_coefficients_have_their_value_and_gradient_with_weights) {
  const std::vector<double> weights = {0.5, 2.0, 1.0, 0.1, 3.0, 1.0, 0.7};
  const auto Z = naive::points_apart(7, 2, 1), C = normal<double>(7, 2, 2), Phi = normal<double>(7, 2, 3);
  const Rows z = naive::points(Z.view), c = naive::points(C.view), held = naive::points(Phi.view);
  RidgeOutput ridge(KernelLayer::scalar(kernel, 2, 0.3), C.view, 2, weighted(weights));
  naive::Matrix<double> bar(7, 2);
  const double value = ridge.evaluate_at(Phi.view, Z.view, bar.view);
  const Real wanted = objective_at(held, z, c, weights, 0.3L);
  CHECK_NEAR(static_cast<Real>(value), wanted, 1e-12L * wanted);
  CHECK_NEAR(ridge.distortion() + 0.3 * ridge.squared_norm(), value, 1e-12 * value);
  naive::check_gradient("held, weights", bar, z, 64, wanted,
                        [&](const Rows& moved) { return objective_at(held, moved, c, weights, 0.3L); });
}

TEST(a_weight_of_two_is_a_sample_that_is_there_twice) {
  const auto Z = normal<double>(6, 2, 1), C = normal<double>(6, 1, 2);
  naive::Matrix<double> more(8, 2), targets(8, 1);
  for (Index i = 0; i < 8; ++i) {
    for (Index k = 0; k < 2; ++k) more(i, k) = Z.view(i % 6, k);
    targets(i, 0) = C.view(i % 6, 0);
  }
  RidgeOutput once(KernelLayer::scalar(kernel, 1, 0.3), C.view, 2, weighted({2.0, 2.0, 1.0, 1.0, 1.0, 1.0}));
  RidgeOutput repeated(KernelLayer::scalar(kernel, 1, 0.3), targets.view, 2, weighted({}));
  CHECK_NEAR(once.evaluate(Z.view, {}), repeated.evaluate(more.view, {}), 1e-12);
  const std::vector<Index> rows = {1, 2, 4};
  naive::Matrix<double> S(3, 2);
  for (Index i = 0; i < 3; ++i) {
    for (Index k = 0; k < 2; ++k) S(i, k) = Z.view(rows[static_cast<std::size_t>(i)], k);
  }
  CHECK_NEAR(once.evaluate(Z.view, S.view, {}, {}), repeated.evaluate(more.view, S.view, {}, {}), 1e-12);
}

TEST(the_sum_is_n_times_the_mean_of_another_penalty) {
  const auto Z = normal<double>(9, 2, 1), C = normal<double>(9, 2, 2);
  RidgeOutput mean(KernelLayer::scalar(kernel, 2, 0.1 / 9.0), C.view, 2);
  RidgeOutput sum(KernelLayer::scalar(kernel, 2, 0.1), C.view, 2, weighted({}));
  RidgeOutput ones(KernelLayer::scalar(kernel, 2, 0.1), C.view, 2, weighted(std::vector<double>(9, 1.0)));
  const double value = sum.evaluate(Z.view, {});
  CHECK_NEAR(9.0 * mean.evaluate(Z.view, {}), value, 1e-12 * value);
  CHECK_NEAR(ones.evaluate(Z.view, {}), value, 1e-12 * value);
  CHECK_NEAR(sum.distortion(), 9.0 * mean.distortion(), 1e-12 * value);
  CHECK_NEAR(sum.squared_norm(), mean.squared_norm(), 1e-10 * mean.squared_norm());
}

TEST(to_interpolate_all_targets_are_met) {
  const auto Z = naive::points_apart(7, 2, 1), C = normal<double>(7, 2, 2);
  RidgeOutputOptions options;
  options.interpolate = true;
  RidgeOutput ridge(KernelLayer::scalar(kernel, 2, 0.0), C.view, 2, options);
  naive::Matrix<double> bar(7, 2);
  const double value = ridge.evaluate(Z.view, bar.view);
  const Rows z = naive::points(Z.view), c = naive::points(C.view), K = naive::gram_of(expression, z, z);
  const auto exact = [&](const Rows& at) { return naive::dot(c, naive::solved(naive::gram_of(expression, at, at), c)); };
  const Rows met = naive::times(K, naive::points(ridge.coefficients()));
  for (std::size_t i = 0; i < 7; ++i) {
    for (std::size_t j = 0; j < 2; ++j) CHECK_NEAR(met[i][j], c[i][j], 1e-10L);
  }
  CHECK_NEAR(static_cast<Real>(value), exact(z), 1e-10L * exact(z));
  CHECK_EQ(ridge.squared_norm(), value);
  CHECK_EQ(ridge.distortion(), 0.0);
  CHECK_EQ(ridge.jitter(), 0.0);
  naive::check_gradient("interpolation", bar, z, 1e4, exact(z), exact);
}

TEST(what_can_not_be_told_apart_is_not_interpolated) {
  naive::Matrix<double> Z(3, 1);
  Z(0, 0) = 1.0, Z(1, 0) = 2.0, Z(2, 0) = 1.0;
  const auto C = normal<double>(3, 1, 2);
  RidgeOutputOptions options;
  options.interpolate = true;
  RidgeOutput ridge(KernelLayer::scalar(kernel, 1, 0.0), C.view, 1, options);
  CHECK_THROWS(NumericalError, ridge.evaluate(Z.view, {}));
  Z(2, 0) = 3.0;
  CHECK(std::isfinite(ridge.evaluate(Z.view, {})));
}

TEST(codes_that_stay_may_have_any_form) {
  const problem::Input input(problem::input_rows(12, 3));
  const auto C = normal<double>(12, 2, 2);
  const std::vector<Index> landmarks = {0, 3, 4, 9};
  naive::Matrix<double> S(4, 3);
  for (Index i = 0; i < 4; ++i) {
    for (Index k = 0; k < 3; ++k) S(i, k) = input.dense.view(landmarks[static_cast<std::size_t>(i)], k);
  }
  RidgeOutput ridge(KernelLayer::scalar(kernel, 2, 0.3), C.view, 3, weighted({}));
  const double all = ridge.evaluate(input.dense.view, {}), some = ridge.evaluate(input.dense.view, S.view, {}, {});
  for (const PointSource& form : input.forms()) {
    CHECK_NEAR(ridge.evaluate(form, {}), all, 1e-12 * all);
    CHECK_NEAR(ridge.evaluate(form, landmarks), some, 1e-12 * some);
    CHECK_EQ(ridge.coefficients().rows(), 4);
  }
}

TEST(options_are_checked) {
  const auto C = normal<double>(3, 2, 2);
  const KernelLayer layer = KernelLayer::scalar(kernel, 2, 0.3);
  CHECK_THROWS(std::invalid_argument, RidgeOutput(layer, C.view, 1, weighted({1.0, 2.0})));
  CHECK_THROWS(std::invalid_argument, RidgeOutput(layer, C.view, 1, weighted({1.0, 2.0, 0.0})));
  RidgeOutputOptions options;
  options.interpolate = true;
  KernelLayer partial = layer;
  partial.terms[0].A = OutputOperator::diagonal({1.0, 0.0});
  CHECK_THROWS(std::invalid_argument, RidgeOutput(partial, C.view, 1, options));
  options.weights = {1.0, 1.0, 1.0};
  CHECK_THROWS(std::invalid_argument, RidgeOutput(layer, C.view, 1, options));
}

TEST(the_same_bits_for_any_number_of_threads) {
  for (const Index n : {100, 250, 1000}) {
    const auto Z = normal<double>(n, 2, 1), C = normal<double>(n, 1, 2);
    CHECK(check::same_for_any_threads([&] {
      RidgeOutput ridge(KernelLayer::scalar(kernel, 1, 0.3), C.view, 2, weighted({}));
      naive::Matrix<double> bar(n, 2);
      const double value = ridge.evaluate(Z.view, bar.view);
      return std::pair(value, bar.numbers);
    }));
  }
}

TEST_MAIN

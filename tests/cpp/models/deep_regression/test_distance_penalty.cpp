// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_regression/distance_penalty.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/ridge_gradient.hpp"

using namespace gramian;
using naive::Real;
using naive::Rows;

namespace {

double distance_penalty(double factor, MatrixView<const double> X, MatrixView<double> Xbar) {
  Matrix room;
  return deep_regression::add_distance_penalty(factor, X, Xbar, room);
}

Real exactly(const Rows& X) {
  Real sum = 0;
  for (std::size_t i = 0; i < X.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) sum += 1 / std::tanh(naive::facts_of(X[i], X[j]).square);
  }
  return sum;
}

}  // namespace

TEST(value_and_gradient_are_those_of_the_definition) {
  const auto X = naive::normal<double>(7, 2, 1);
  naive::Matrix<double> bar(7, 2);
  const Rows at = naive::points(X.view);
  CHECK_NEAR(distance_penalty(0.3, X.view, bar.view), 0.3L * exactly(at), 1e-13L * exactly(at));
  naive::check_gradient("coth", bar, at, 64, exactly(at), [](const Rows& moved) { return 0.3L * exactly(moved); });
}

TEST(gradients_are_added) {
  const auto X = naive::normal<double>(4, 2, 1);
  naive::Matrix<double> once(4, 2), twice(4, 2);
  distance_penalty(0.3, X.view, once.view);
  distance_penalty(0.3, X.view, twice.view);
  const double value = distance_penalty(0.3, X.view, twice.view);
  CHECK_EQ(distance_penalty(0.3, X.view, {}), value);
  for (std::size_t i = 0; i < once.numbers.size(); ++i) CHECK_NEAR(twice.numbers[i], 2.0 * once.numbers[i], 1e-12);
}

TEST(far_apart_it_is_constant_and_close_it_is_infinite) {
  naive::Matrix<double> X(3, 1), bar(3, 1);
  X(0, 0) = 0.0, X(1, 0) = 1e3, X(2, 0) = -1e3;  // sinh of 1e6 overflows
  CHECK_NEAR(distance_penalty(1.0, X.view, bar.view), 3.0, 1e-15);
  for (const double g : bar.numbers) CHECK_EQ(g, 0.0);
  X(1, 0) = 0.0;
  CHECK_EQ(distance_penalty(1.0, X.view, {}), INFINITY);
}

TEST(the_same_bits_for_any_number_of_threads) {
  const auto X = naive::normal<double>(500, 3, 1);
  CHECK(check::same_for_any_threads([&] {
    naive::Matrix<double> bar(500, 3);
    const double value = distance_penalty(0.1, X.view, bar.view);
    return std::pair(value, bar.numbers);
  }));
}

TEST_MAIN

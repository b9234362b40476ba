// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/losses/penalty.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "support/check.hpp"
#include "support/finite_difference.hpp"

using namespace gramian;
using Real = difference::Real;

TEST(values_and_slopes_are_those_of_the_formula) {
  for (const double exponent : {0.3, 0.5, 1.0, 1.7, 2.0}) {
    const auto penalty = power_penalty(0.7, exponent);
    for (const double s : {1e-6, 0.1, 1.0, 40.0}) {
      const auto formula = [&](Real t) { return 0.7L * std::pow(s + t * s, static_cast<Real>(exponent)); };
      CHECK_NEAR(penalty->value(s), formula(0), 1e-15 * (1.0 + penalty->value(s)));
      const difference::Slope slope = difference::slope(formula, 1e-3L, formula(0));
      const Real scale = slope.value / s, allowed = 1e-14L * scale;
      CHECK(difference::agrees(penalty->slope(s), {slope.value / s, slope.error / s}, allowed, scale));
      CHECK(!difference::agrees(1.0001 * penalty->slope(s), {slope.value / s, slope.error / s}, allowed, scale));
    }
  }
}

TEST(at_zero_the_slope_is_finite) {
  CHECK_EQ(norm_penalty(2.0)->slope(0.0), 0.0);
  CHECK_EQ(norm_penalty(2.0)->value(0.0), 0.0);
  CHECK_EQ(power_penalty(2.0, 3.0)->slope(0.0), 0.0);
  CHECK_EQ(linear_penalty(2.0)->slope(0.0), 2.0);
  CHECK(std::isfinite(power_penalty(1.0, 0.01)->slope(std::numeric_limits<double>::denorm_min())));
}

TEST(only_a_multiple_is_linear) {
  CHECK(linear_penalty(0.5)->linear());
  CHECK(power_penalty(0.5, 1.0)->linear());
  CHECK(!norm_penalty(0.5)->linear());
}

TEST(arguments_are_checked) {
  CHECK_THROWS(std::invalid_argument, linear_penalty(-1.0));
  CHECK_THROWS(std::invalid_argument, norm_penalty(INFINITY));
  CHECK_THROWS(std::invalid_argument, power_penalty(1.0, 0.0));
  CHECK_THROWS(std::invalid_argument, power_penalty(1.0, NAN));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/kernels/width.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/check.hpp"

using namespace gramian;

TEST(the_width_is_the_length_of_the_gaussian) {
  constexpr double gamma = 0.3, features = 5.0;
  const double length = 1.0 / std::sqrt(2.0 * gamma);
  int found = 0;
  for (const KernelInfo& info : kernel_registry()) {
    const std::vector<double>& given = info.samples.front();
    const std::vector<double> made = with_width(Kernel(info.name, given), gamma, 5).parameters();
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (static_cast<int>(i) != info.width.parameter) {
        CHECK(made[i] == given[i]);
        continue;
      }
      const bool kinks_in_each_coordinate = info.name == "laplacian_l1";
      const double own = kinks_in_each_coordinate ? length * std::sqrt(features) : length;
      CHECK_NEAR(made[i], info.width.factor * std::pow(own, info.width.power), 1e-14 * made[i]);
      ++found;
    }
  }
  CHECK(found >= 9);
}

TEST(a_gaussian_gets_its_gamma_to_the_last_bit) {
  for (double gamma = 1e-9; gamma < 1e9; gamma *= 1.37) {
    CHECK(with_width(Kernel("gaussian", {1.0}), gamma, 3).parameters() == std::vector<double>{gamma});
    CHECK(with_width(Kernel("cauchy", {1.0}), gamma, 3).parameters() == std::vector<double>{gamma});
  }
}

TEST(each_part_of_a_sum_gets_the_width) {
  const Kernel sum = Kernel("gaussian", {1.0}) + 3.0 * Kernel("matern52", {1.0});
  const std::vector<double> made = with_width(sum, 0.3, 5).parameters();
  const double length = with_width(Kernel("matern52", {1.0}), 0.3, 5).parameters()[0];
  CHECK(made == std::vector<double>({0.3, 3.0, length}));
}

TEST(a_multiple_of_the_inner_product_is_that_of_points_over_the_length) {
  const Kernel linear("linear", {});
  CHECK(with_width(Kernel("gaussian", {1.0}) + 1.5 * linear, 0.25, 5).parameters() == std::vector<double>({0.25, 0.75}));
  CHECK(with_width(linear, 0.3, 5).parameters().empty());
}

TEST(what_has_no_single_width_is_refused) {
  const Kernel gaussian("gaussian", {1.0});
  CHECK_THROWS(std::invalid_argument, with_width(gaussian * gaussian, 1.0, 2));
  CHECK_THROWS(std::invalid_argument, with_width(2.0 * (gaussian * gaussian), 1.0, 2));
  CHECK_THROWS(std::invalid_argument, with_width(Kernel("gaussian", {1.0}, {1.0, 2.0}), 1.0, 2));
  CHECK_THROWS(std::invalid_argument, with_width(gaussian, 0.0, 2));
  CHECK_THROWS(std::invalid_argument, with_width(gaussian, std::numeric_limits<double>::infinity(), 2));
  CHECK_THROWS(std::invalid_argument, with_width(gaussian, 1.0, 0));
}

TEST_MAIN

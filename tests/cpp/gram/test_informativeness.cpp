// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/informativeness.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using namespace gramian;

namespace {

/// Some columns of Z alone: -1/n sum_i log 1/n sum_j exp(-|z_i - z_j|^2 / 2).
double information(const naive::Matrix<double>& Z, const std::vector<Index>& columns) {
  const Index n = Z.view.rows();
  long double sum = 0;
  for (Index i = 0; i < n; ++i) {
    long double mean = 0;
    for (Index j = 0; j < n; ++j) {
      long double square = 0;
      for (const Index c : columns) square += std::pow(static_cast<long double>(Z.view(i, c)) - Z.view(j, c), 2.0L);
      mean += std::exp(-square / 2) / static_cast<long double>(n);
    }
    sum -= std::log(mean) / static_cast<long double>(n);
  }
  return static_cast<double>(sum);
}

}  // namespace

TEST(it_is_the_formula) {
  const Index n = 120;
  naive::Matrix<double> Z = naive::normal<double>(n, 3, 1), units(n, 3);
  for (Index c = 0; c < 3; ++c) {
    double mean = 0.0, square = 0.0;
    for (Index i = 0; i < n; ++i) mean += Z.view(i, c) / n;
    for (Index i = 0; i < n; ++i) square += (Z.view(i, c) - mean) * (Z.view(i, c) - mean) / n;
    for (Index i = 0; i < n; ++i) units(i, c) = Z.view(i, c) / (0.3 * std::sqrt(square));
  }
  const double one = information(units, {0}), two = information(units, {1}), three = information(units, {2}),
               all = information(units, {0, 1, 2});
  const double expected = (one * (all - information(units, {1, 2})) + two * (all - information(units, {0, 2})) +
                           three * (all - information(units, {0, 1}))) /
                          (one + two + three);
  CHECK_NEAR(weighted_informativeness(Z.view, 0.3), expected, 1e-12);
}

TEST(components_that_never_change_are_left_out) {
  naive::Matrix<double> Z(4, 3), constant(5, 2);
  for (Index i = 0; i < 4; ++i) {
    Z(i, 0) = static_cast<double>(i / 2);
    Z(i, 1) = 7.0;
    Z(i, 2) = static_cast<double>(i % 2);
  }
  for (Index i = 0; i < 5; ++i) constant(i, 0) = 1.0, constant(i, 1) = -3e200;
  CHECK_NEAR(weighted_informativeness(Z.view, 1e-3), std::log(2.0), 1e-12);
  CHECK_NEAR(weighted_informativeness(Z.view, 1e-300), std::log(2.0), 1e-12);
  CHECK_EQ(weighted_informativeness(constant.view), 0.0);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const naive::Matrix<double> Z = naive::normal<double>(700, 4, 2);
  set_num_threads(1);
  const double one = weighted_informativeness(Z.view);
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    CHECK_EQ(weighted_informativeness(Z.view), one);
  }
  set_num_threads(0);
}

TEST(bad_input_is_refused) {
  naive::Matrix<double> Z = naive::normal<double>(5, 2, 3);
  for (const double noise : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS(std::invalid_argument, weighted_informativeness(Z.view, noise));
  }
  CHECK_THROWS(std::invalid_argument, weighted_informativeness(MatrixView<const double>()));
  Z(1, 1) = std::numeric_limits<double>::infinity();
  CHECK_THROWS(std::invalid_argument, weighted_informativeness(Z.view));
}

TEST_MAIN

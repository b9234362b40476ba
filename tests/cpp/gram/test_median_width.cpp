// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/median_width.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include "support/check.hpp"
#include "support/naive.hpp"

using namespace gramian;

namespace {

double naive_median_gamma(MatrixView<const double> X) {
  std::vector<double> all;
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      double square = 0.0;
      for (Index k = 0; k < X.cols(); ++k) square += (X(i, k) - X(j, k)) * (X(i, k) - X(j, k));
      all.push_back(square);
    }
  }
  std::sort(all.begin(), all.end());
  return 1.0 / all[all.size() / 2];
}

}  // namespace

TEST(the_width_is_the_median_of_distances) {
  const auto X = naive::normal<double>(41, 2, 5);
  naive::Matrix<double> far(41, 2), inner(41, 41);
  std::vector<Index> row_start = {0}, columns;
  std::vector<double> values;
  for (Index i = 0; i < 41; ++i) {
    for (Index k = 0; k < 2; ++k) {
      far(i, k) = X.view(i, k) + 1e5;
      columns.push_back(k);
      values.push_back(X.view(i, k));
    }
    row_start.push_back(2 * i + 2);
    for (Index j = 0; j < 41; ++j) inner(i, j) = X.view(i, 0) * X.view(j, 0) + X.view(i, 1) * X.view(j, 1);
  }
  const double expected = naive_median_gamma(X.view);
  CHECK_NEAR(median_gamma(Points(X.view)), expected, 1e-12 * expected);
  CHECK_NEAR(median_gamma(Points(far.view)), expected, 1e-9 * expected);  // the distance from the origin costs nothing
  CHECK_NEAR(median_gamma(InnerProducts<double>(inner.view)), expected, 1e-12 * expected);
  const SparseRows<double> sparse{41, 2, row_start.data(), columns.data(), values.data()};
  CHECK_NEAR(median_gamma(Points(sparse)), expected, 1e-12 * expected);
}

TEST(a_weight_is_a_number_of_copies) {
  const auto X = naive::normal<double>(23, 2, 6);
  const std::vector<double> weights = {2, 0, 1, 3, 1, 1, 2, 1, 0, 1, 4, 1, 1, 1, 2, 1, 1, 3, 1, 1, 1, 1, 2};
  std::vector<Index> rows;
  for (Index i = 0; i < 23; ++i) rows.insert(rows.end(), static_cast<std::size_t>(weights[static_cast<std::size_t>(i)]), i);
  naive::Matrix<double> copies(static_cast<Index>(rows.size()), 2);
  for (Index i = 0; i < copies.view.rows(); ++i) {
    for (Index k = 0; k < 2; ++k) copies(i, k) = X.view(rows[static_cast<std::size_t>(i)], k);
  }
  const double expected = median_gamma(Points(copies.view));
  CHECK_NEAR(median_gamma(Points(X.view), weights), expected, 1e-12 * expected);
  const double plain = median_gamma(Points(X.view));
  CHECK_NEAR(median_gamma(Points(X.view), std::vector<double>(23, 1.0)), plain, 1e-12 * plain);
  CHECK_THROWS(std::invalid_argument, median_gamma(Points(X.view), std::vector<double>(22, 1.0)));
  CHECK_THROWS(std::invalid_argument, median_gamma(Points(X.view), std::vector<double>(23, -1.0)));
}

TEST(weighted_samples_that_are_nearly_equal_are_at_distance_zero) {
  naive::Matrix<double> X(16, 1);
  for (Index i = 0; i < 16; ++i) X(i, 0) = i < 12 ? 1.0 + 1e-9 * static_cast<double>(i) : static_cast<double>(i);
  const double plain = median_gamma(Points(X.view));
  CHECK(plain < 1.0);
  CHECK_NEAR(median_gamma(Points(X.view), std::vector<double>(16, 1.0)), plain, 1e-12 * plain);
}

TEST(of_many_samples_some_decide) {
  const auto X = naive::normal<double>(1500, 3, 8);
  const double all = naive_median_gamma(X.view), some = median_gamma(Points(X.view));
  CHECK_NEAR(some, all, 0.05 * all);
  CHECK(some != all);
}

TEST(the_width_of_equal_samples_is_that_of_their_mean_or_one) {
  naive::Matrix<double> X(7, 1);
  X(6, 0) = 3.0;  // 6 pairs of 21 are apart
  CHECK_NEAR(median_gamma(Points(X.view)), 21.0 / (6.0 * 9.0), 1e-14);
  X(6, 0) = 0.0;
  CHECK_EQ(median_gamma(Points(X.view)), 1.0);
  const auto one = naive::normal<double>(1, 3, 1);
  CHECK_EQ(median_gamma(Points(one.view)), 1.0);
}

TEST(input_without_distances_is_refused) {
  auto X = naive::normal<double>(4, 2, 1);
  X(2, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, median_gamma(Points(X.view)));
  CHECK_THROWS(std::invalid_argument, median_gamma(Points(MatrixView<const double>(nullptr, 0, 2))));
  const auto single = naive::normal<float>(4, 2, 1);
  CHECK_THROWS(std::invalid_argument, median_gamma(Points(single.view)));
}

TEST_MAIN

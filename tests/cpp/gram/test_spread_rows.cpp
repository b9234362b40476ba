// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/spread_rows.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"
#include "support/sparse_copy.hpp"

using gramian::Index;
using gramian::InnerProducts;
using gramian::Points;
using gramian::RandomStream;
using gramian::spread_rows;
using naive::Matrix;

namespace {

constexpr Index n = 60, d = 3;

std::vector<double> draws(Index count) {
  std::vector<double> out;
  for (Index i = 0; i < count; ++i) out.push_back(RandomStream(5).uniform(static_cast<std::uint64_t>(i)));
  return out;
}

double squared_distance(const Matrix<double>& X, Index a, Index b) {
  double sum = 0.0;
  for (Index k = 0; k < d; ++k) sum += (X.view(a, k) - X.view(b, k)) * (X.view(a, k) - X.view(b, k));
  return sum;
}

/// Row by row: each draw falls on the line of all weights.
std::vector<Index> naive_spread(const Matrix<double>& X, const std::vector<double>& numbers) {
  std::vector<Index> chosen;
  for (const double number : numbers) {
    std::vector<double> weights(static_cast<std::size_t>(n), 1.0);
    for (Index i = 0; i < n && !chosen.empty(); ++i) {
      double nearest = squared_distance(X, i, chosen.front());
      for (const Index other : chosen) nearest = std::min(nearest, squared_distance(X, i, other));
      weights[static_cast<std::size_t>(i)] = nearest;
    }
    double left = number * std::accumulate(weights.begin(), weights.end(), 0.0);
    Index row = 0;
    while (left >= weights[static_cast<std::size_t>(row)]) left -= weights[static_cast<std::size_t>(row++)];
    chosen.push_back(row);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Matrix<double> inner(const Matrix<double>& X) {
  Matrix<double> K(X.view.rows(), X.view.rows());
  for (Index i = 0; i < X.view.rows(); ++i) {
    for (Index j = 0; j < X.view.rows(); ++j) {
      K(i, j) = 0.0;
      for (Index k = 0; k < X.view.cols(); ++k) K(i, j) += X.view(i, k) * X.view(j, k);
    }
  }
  return K;
}

}  // namespace

TEST(rows_are_those_of_the_definition_in_every_form) {
  const Matrix<double> X = naive::normal<double>(n, d, 1), K = inner(X);
  const auto sparse = naive::sparse_of(X);
  for (const Index count : {1, 2, 12, 59}) {
    const std::vector<double> numbers = draws(count);
    const std::vector<Index> expected = naive_spread(X, numbers);
    CHECK(spread_rows(Points(X.view), count, numbers.data()) == expected);
    CHECK(spread_rows(Points(sparse.rows()), count, numbers.data()) == expected);
    CHECK(spread_rows(InnerProducts<double>(K.view), count, numbers.data()) == expected);
  }
}

TEST(all_rows_and_rows_that_are_equal) {
  Matrix<double> X(n, d);
  std::fill(X.numbers.begin(), X.numbers.end(), 1.0);
  const std::vector<double> numbers = draws(n);
  std::vector<Index> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Index(0));
  CHECK(spread_rows(Points(X.view), n, numbers.data()) == all);
  std::vector<Index> some = spread_rows(Points(X.view), 40, numbers.data());
  CHECK_EQ(some.size(), std::size_t(40));
  CHECK(std::unique(some.begin(), some.end()) == some.end());
}

TEST(the_last_row_can_be_drawn_and_none_behind_it) {
  const Matrix<double> X = naive::normal<double>(n, d, 2);
  const double last = 0x1.fffffffffffffp-1;
  CHECK(spread_rows(Points(X.view), 1, &last) == std::vector<Index>{n - 1});
}

TEST(rows_are_the_same_for_any_number_of_threads) {
  const Matrix<double> X = naive::normal<double>(5000, d, 3);
  const std::vector<double> numbers = draws(30);
  CHECK(check::same_for_any_threads([&] { return spread_rows(Points(X.view), 30, numbers.data()); }));
}

TEST(what_is_out_of_range_is_refused) {
  const Matrix<double> X = naive::normal<double>(n, d, 1), square(n, 1);
  const Matrix<float> narrow = naive::normal<float>(2, 2, 1);
  const std::vector<double> numbers = draws(n + 1);
  CHECK_THROWS(std::invalid_argument, spread_rows(Points(X.view), 0, numbers.data()));
  CHECK_THROWS(std::invalid_argument, spread_rows(Points(X.view), n + 1, numbers.data()));
  CHECK_THROWS(std::invalid_argument, spread_rows(Points(narrow.view), 1, numbers.data()));
  CHECK_THROWS(std::invalid_argument, spread_rows(InnerProducts<double>(X.view, square.view, square.view), 1, numbers.data()));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/subset.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using gramian::choose_subset;
using gramian::Index;
using gramian::Kernel;
using gramian::Points;
using gramian::SubsetMethod;
using gramian::SubsetOptions;
using naive::Matrix;

namespace {

constexpr SubsetMethod methods[] = {SubsetMethod::random, SubsetMethod::leverage_score, SubsetMethod::renyi_entropy};

/// Nine of ten rows lie in one heap, the others far away from everything.
Matrix<double> heap(Index n) {
  Matrix<double> X = naive::normal<double>(n, 2, 1);
  for (Index i = 0; i < n; ++i) {
    const bool outside = i % 10 == 0;
    for (Index k = 0; k < 2; ++k) X(i, k) = outside ? 20.0 * static_cast<double>(i + 1) : 0.02 * X(i, k);
  }
  return X;
}

Index outside(const std::vector<Index>& rows) {
  return std::count_if(rows.begin(), rows.end(), [](Index row) { return row % 10 == 0; });
}

double sum_of_pairs(const Matrix<double>& X, const std::vector<Index>& rows, double gamma) {
  double sum = 0.0;
  for (const Index i : rows) {
    for (const Index j : rows) sum += naive::gaussian(X.view, i, X.view, j, gamma);
  }
  return sum;
}

}  // namespace

TEST(rows_are_different_and_ascending) {
  const Matrix<double> X = naive::normal<double>(300, 3, 2);
  for (const SubsetMethod method : methods) {
    for (const Index count : {1, 7, 120, 300}) {
      const std::vector<Index> rows = choose_subset(Kernel("gaussian", {0.5}), Points(X.view), count, method);
      CHECK_EQ(rows.size(), static_cast<std::size_t>(count));
      CHECK(std::is_sorted(rows.begin(), rows.end()));
      CHECK_EQ(std::set<Index>(rows.begin(), rows.end()).size(), rows.size());
      CHECK(rows.front() >= 0 && rows.back() < 300);
    }
  }
}

TEST(a_seed_gives_its_rows_for_any_number_of_threads) {
  const Matrix<double> X = naive::normal<double>(2000, 3, 3);
  for (const SubsetMethod method : methods) {
    SubsetOptions options;
    options.swaps = 200;
    const auto rows = [&] { return choose_subset(Kernel("gaussian", {0.5}), Points(X.view), 50, method, options); };
    gramian::set_num_threads(1);
    const std::vector<Index> one = rows();
    for (const int threads : {2, 7}) {
      gramian::set_num_threads(threads);
      CHECK(rows() == one);
    }
    gramian::set_num_threads(0);
    options.seed = 1;
    CHECK(rows() != one);
  }
}

TEST(rows_that_others_cannot_replace_come_first) {
  const Matrix<double> X = heap(400);
  const Kernel kernel("gaussian", {0.5});
  const Index by_chance = outside(choose_subset(kernel, Points(X.view), 40, SubsetMethod::random));
  CHECK(by_chance <= 10);
  CHECK(outside(choose_subset(kernel, Points(X.view), 40, SubsetMethod::leverage_score)) >= 26);
  SubsetOptions options;
  options.swaps = 20000;
  CHECK(outside(choose_subset(kernel, Points(X.view), 40, SubsetMethod::renyi_entropy, options)) >= 38);
}

TEST(swaps_raise_the_entropy) {
  const Matrix<double> X = naive::normal<double>(200, 2, 4);
  SubsetOptions options;
  double last = sum_of_pairs(X, choose_subset(Kernel("gaussian", {1.0}), Points(X.view), 20, SubsetMethod::random), 1.0);
  for (const Index swaps : {20, 100, 1000}) {
    options.swaps = swaps;
    const double now =
        sum_of_pairs(X, choose_subset(Kernel("gaussian", {1.0}), Points(X.view), 20, SubsetMethod::renyi_entropy, options), 1.0);
    CHECK(now < last);
    last = now;
  }
}

TEST(bad_arguments_are_refused) {
  const Matrix<double> X = naive::normal<double>(10, 2, 5);
  const Matrix<float> single = naive::normal<float>(10, 2, 5);
  const Kernel kernel("gaussian", {1.0});
  CHECK_THROWS(std::invalid_argument, choose_subset(kernel, Points(X.view), 0, SubsetMethod::random));
  CHECK_THROWS(std::invalid_argument, choose_subset(kernel, Points(X.view), 11, SubsetMethod::random));
  CHECK_THROWS(std::invalid_argument, choose_subset(kernel, Points(single.view), 5, SubsetMethod::random));
  SubsetOptions options;
  options.ridge = -1.0;
  CHECK_THROWS(std::invalid_argument, choose_subset(kernel, Points(X.view), 5, SubsetMethod::leverage_score, options));
  options.ridge = 0.0;
  options.swaps = -1;
  CHECK_THROWS(std::invalid_argument, choose_subset(kernel, Points(X.view), 5, SubsetMethod::renyi_entropy, options));
}

TEST_MAIN

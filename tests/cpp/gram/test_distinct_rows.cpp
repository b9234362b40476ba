// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/distinct_rows.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "support/check.hpp"
#include "support/naive.hpp"
#include "support/sparse_copy.hpp"

using gramian::distinct_rows;
using gramian::DistinctRows;
using gramian::Index;
using gramian::Points;
using naive::Matrix;

namespace {

constexpr Index n = 200, d = 3;

/// Few values, so that many rows are equal; zeros of both signs.
Matrix<double> repeated() {
  Matrix<double> X = naive::normal<double>(n, d, 1);
  for (double& x : X.numbers) x = x < -0.5 ? -1.0 : x > 0.5 ? 2.0 : x < 0.0 ? -0.0 : 0.0;
  return X;
}

std::vector<Index> labels() {
  std::vector<Index> out(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<Index>(i % 2);
  return out;
}

std::vector<Index> all_rows() {
  std::vector<Index> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), Index(0));
  return rows;
}

bool equal(const Matrix<double>& X, Index a, Index b) {
  bool same = labels()[static_cast<std::size_t>(a)] == labels()[static_cast<std::size_t>(b)];
  for (Index k = 0; k < d; ++k) same = same && X.view(a, k) == X.view(b, k);
  return same;
}

/// Whether each group of equal rows stands together, in the order of the rows, and begins where it is said to.
bool grouped(const Matrix<double>& X, const DistinctRows& found) {
  std::vector<Index> starts;
  for (std::size_t i = 0; i < found.order.size(); ++i) {
    const bool differs = i == 0 || !equal(X, found.order[i - 1], found.order[i]);
    if (differs != (found.first[i] != 0) || (!differs && found.order[i] < found.order[i - 1])) return false;
    if (differs) starts.push_back(found.order[i]);
  }
  for (std::size_t i = 0; i < starts.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (equal(X, starts[i], starts[j])) return false;
    }
  }
  return true;
}

/// A number of few values for each row, equal for equal ones; or the same for all.
std::vector<std::uint64_t> keys(const Matrix<double>& X, bool help) {
  std::vector<std::uint64_t> out(static_cast<std::size_t>(X.view.rows()), 7);
  for (std::size_t i = 0; help && i < out.size(); ++i) {
    std::uint64_t code = i % 2;
    for (Index k = 0; k < d; ++k) code = 4 * code + static_cast<std::uint64_t>(X.view(static_cast<Index>(i), k) + 1.0);
    out[i] = (code * 0x9e3779b97f4a7c15u) >> 3;
  }
  return out;
}

}  // namespace

TEST(equal_rows_stand_together_whatever_their_hashes) {
  const Matrix<double> X = repeated();
  const std::vector<Index> own = labels();
  for (const bool help : {true, false}) {
    const std::vector<std::uint64_t> key = keys(X, help);
    const DistinctRows found = distinct_rows(Points(X.view), own.data(), all_rows(), key.data());
    CHECK_EQ(found.order.size(), static_cast<std::size_t>(n));
    CHECK(grouped(X, found));
  }
}

TEST(sparse_rows_have_the_order_of_dense_ones) {
  const Matrix<double> X = repeated();
  const auto sparse = naive::sparse_of(X);
  const std::vector<Index> own = labels();
  for (const bool help : {true, false}) {
    const std::vector<std::uint64_t> key = keys(X, help);
    const DistinctRows dense = distinct_rows(Points(X.view), own.data(), all_rows(), key.data());
    const DistinctRows other = distinct_rows(Points(sparse.rows()), own.data(), all_rows(), key.data());
    CHECK(dense.order == other.order && dense.first == other.first);
  }
}

TEST(rows_that_are_left_out_do_not_appear) {
  const Matrix<double> X = repeated();
  const std::vector<Index> own = labels(), some{7, 3, 150, 11};
  const std::vector<std::uint64_t> key = keys(X, true);
  std::vector<Index> found = distinct_rows(Points(X.view), own.data(), some, key.data()).order;
  std::sort(found.begin(), found.end());
  CHECK(found == (std::vector<Index>{3, 7, 11, 150}));
  CHECK(distinct_rows(Points(X.view), own.data(), {}, key.data()).order.empty());
}

TEST(float32_is_refused) {
  const Matrix<float> X = naive::normal<float>(2, d, 1);
  const std::vector<Index> own(2, 0);
  const std::vector<std::uint64_t> key(2, 0);
  CHECK_THROWS(std::invalid_argument, distinct_rows(Points(X.view), own.data(), {0, 1}, key.data()));
}

TEST_MAIN

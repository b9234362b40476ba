// SPDX-License-Identifier: BSD-3-Clause
#include "gram/sparse_columns.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "gram/few_rows.hpp"
#include "gramian/base/random.hpp"
#include "support/check.hpp"

using namespace gramian;

namespace {

struct Rows {
  SparseRows<double> view() const {
    return {static_cast<Index>(start.size()) - 1, cols, start.data(), columns.data(), values.data()};
  }
  Index cols = 0;
  std::vector<Index> start{0}, columns{};
  std::vector<double> values{};
};

/// Entries at random columns `spread` apart, in no order; some columns come twice.
Rows random_rows(Index rows, Index cols, Index entries, Index spread, std::uint64_t seed) {
  Rows out;
  out.cols = cols;
  const RandomStream random(seed);
  std::uint64_t draw = 0;
  for (Index i = 0; i < rows; ++i) {
    for (Index e = 0; e < entries; ++e) {
      const double u = 0.5 * (1.0 + std::tanh(random.normal(draw++)));
      out.columns.push_back(static_cast<Index>(u * static_cast<double>(cols / spread - 1)) * spread);
      out.values.push_back(random.normal(draw++));
    }
    out.start.push_back(static_cast<Index>(out.columns.size()));
  }
  return out;
}

std::map<Index, long double> row_of(const Rows& X, Index i) {
  std::map<Index, long double> row;
  for (Index e = X.start[static_cast<std::size_t>(i)]; e < X.start[static_cast<std::size_t>(i + 1)]; ++e)
    row[X.columns[static_cast<std::size_t>(e)]] += static_cast<long double>(X.values[static_cast<std::size_t>(e)]);
  return row;
}

double naive_inner(const Rows& X, Index i, const Rows& S, Index j) {
  const auto x = row_of(X, i), s = row_of(S, j);
  long double sum = 0;
  for (const auto& [column, value] : x) {
    const auto found = s.find(column);
    if (found != s.end()) sum += value * found->second;
  }
  return static_cast<double>(sum);
}

void compare(const Rows& X, const Rows& S, const std::vector<Index>& ends) {
  const SparseColumns columns(S.view(), "S");
  const Index n = X.view().rows, m = S.view().rows;
  std::vector<double> out(static_cast<std::size_t>(2 * few_numbers), 0.0);
  SparseQuery query;
  columns.start(X.view(), 0, n, 0, query);
  const auto to = [&](Index r, Index j) { return out[static_cast<std::size_t>(place_of(r, j))]; };
  Index first = 0;
  for (const Index end : ends) {
    columns.add(first, end, query, out.data() + place_of(0, first));
    first = end;
  }
  columns.add(first, m, query, out.data() + place_of(0, first));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) CHECK_NEAR(to(i, j), naive_inner(X, i, S, j), 1e-13);
    CHECK_NEAR(query.squares[static_cast<std::size_t>(i)], naive_inner(X, i, X, i), 1e-13);
  }
  for (Index j = 0; j < m; ++j) CHECK_NEAR(columns.squares()[static_cast<std::size_t>(j)], naive_inner(S, j, S, j), 1e-13);
}

}  // namespace

TEST(inner_products_are_those_of_the_double_loop) {
  compare(random_rows(8, 30, 8, 1, 1), random_rows(50, 30, 6, 1, 2), {});
  compare(random_rows(8, 30, 8, 1, 1), random_rows(250, 30, 6, 1, 2), {192});
  compare(random_rows(8, 30, 0, 1, 1), random_rows(50, 30, 6, 1, 2), {});
  compare(random_rows(8, 30, 8, 1, 1), random_rows(50, 30, 0, 1, 2), {});
}

TEST(columns_far_apart_take_no_table_of_all) {
  const Index far = Index(1) << 50;
  compare(random_rows(8, far, 8, far / 40, 3), random_rows(50, far, 6, far / 40, 4), {});
}

TEST(many_columns_may_share_a_bucket) {
  Rows S = random_rows(50, 40, 6, 1, 5), X = random_rows(8, 40, 8, 1, 6);
  S.cols = X.cols = Index(1) << 40;  // all entries at its beginning
  compare(X, S, {});
}

TEST(columns_without_supports_are_skipped) {
  Rows S = random_rows(20, 10, 4, 1, 7), X = random_rows(5, 500, 8, 1, 8);
  S.cols = 500;
  compare(X, S, {});
}

TEST(the_order_of_entries_changes_no_bit) {
  Rows X = random_rows(1, 12, 9, 1, 9), backwards = X;
  backwards.columns.assign(X.columns.rbegin(), X.columns.rend());
  backwards.values.assign(X.values.rbegin(), X.values.rend());
  const Rows S = random_rows(40, 12, 5, 1, 10);
  const SparseColumns columns(S.view(), "S");
  std::vector<std::vector<double>> found;
  for (const Rows* rows : {&X, &backwards}) {
    SparseQuery query;
    std::vector<double> out(static_cast<std::size_t>(few_numbers), 0.0);
    columns.start(rows->view(), 0, 1, 0, query);
    columns.add(0, 40, query, out.data());
    out.push_back(query.squares.front());
    found.push_back(out);
  }
  CHECK(found[0] == found[1]);
}

TEST(bad_rows_are_refused) {
  Rows S = random_rows(20, 10, 4, 1, 7);
  S.values[7] = std::numeric_limits<double>::infinity();
  CHECK_THROWS(std::invalid_argument, SparseColumns(S.view(), "S"));
  S.values[7] = 1e200;
  CHECK_THROWS(std::invalid_argument, SparseColumns(S.view(), "S"));
  S.values[7] = 1.0;
  const SparseColumns columns(S.view(), "S");
  Rows X = random_rows(3, 10, 4, 1, 8);
  X.values[0] = 1e200;
  SparseQuery query;
  CHECK_THROWS(std::invalid_argument, columns.start(X.view(), 0, 3, 0, query));
  S.columns[7] = 10;
  CHECK_THROWS(std::invalid_argument, SparseColumns(S.view(), "S"));
}

TEST_MAIN

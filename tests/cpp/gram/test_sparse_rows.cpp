// SPDX-License-Identifier: BSD-3-Clause
#include "gram/sparse_rows.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/check.hpp"
#include "support/message.hpp"

using namespace gramian;

namespace {

std::vector<SparseEntry> sorted(const std::vector<Index>& columns, const std::vector<double>& values) {
  const std::vector<Index> start = {0, static_cast<Index>(columns.size())};
  std::vector<SparseEntry> out(5);  // of a call before
  sort_row({1, 10, start.data(), columns.data(), values.data()}, 0, out);
  return out;
}

void expect(const std::vector<SparseEntry>& row, const std::vector<Index>& columns, const std::vector<double>& values) {
  CHECK_EQ(row.size(), columns.size());
  for (std::size_t e = 0; e < row.size() && e < columns.size(); ++e) {
    CHECK_EQ(row[e].column, columns[e]);
    CHECK_EQ(row[e].value, values[e]);
  }
}

std::string said(const SparseRows<double>& X) {
  return check::message_of([&] { check_sparse(X, "X"); });
}

}  // namespace

TEST(rows_are_sorted_and_what_repeats_is_added) {
  expect(sorted({}, {}), {}, {});
  expect(sorted({1, 4, 9}, {1.0, 2.0, 3.0}), {1, 4, 9}, {1.0, 2.0, 3.0});
  expect(sorted({9, 1, 4}, {3.0, 1.0, 2.0}), {1, 4, 9}, {1.0, 2.0, 3.0});
  expect(sorted({4, 1, 4, 4}, {2.0, 1.0, 3.0, 4.0}), {1, 4}, {1.0, 9.0});
  expect(sorted({3, 3}, {2.0, -2.0}), {3}, {0.0});
  CHECK_EQ(square_of(sorted({4, 1, 4}, {2.0, 1.0, 3.0})), 26.0);
}

TEST(what_is_wrong_is_said) {
  const std::vector<Index> start = {0, 1, 2}, falling = {0, 2, 1}, below = {-1, 1, 2}, columns = {0, 2}, outside = {0, 3};
  const std::vector<double> values = {1.0, 2.0}, broken = {1.0, std::nan("")};
  CHECK_EQ(said({2, 3, start.data(), columns.data(), values.data()}), std::string());
  CHECK_EQ(said({2, 3, falling.data(), columns.data(), values.data()}),
           std::string("row_start of X must not decrease: it does at row 1"));
  CHECK_EQ(said({2, 3, below.data(), columns.data(), values.data()}), std::string("row_start of X must begin at 0 or above"));
  CHECK_EQ(said({2, 3, start.data(), outside.data(), values.data()}),
           std::string("row 1 of X has column 3: it must be in 0 .. 2"));
  CHECK_EQ(said({2, 3, start.data(), columns.data(), broken.data()}), std::string("row 1 of X has an entry that is not finite"));
}

TEST_MAIN

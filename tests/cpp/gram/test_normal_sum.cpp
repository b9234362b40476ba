// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/normal_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/view_ops.hpp"
#include "gram/normal_accumulator.hpp"
#include "gram/rows.hpp"
#include "gramian/gram/normal.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"
#include "support/sparse_copy.hpp"

using namespace gramian;

namespace {

using Numbers = std::vector<double>;
const Kernel kernel("gaussian", {0.3});

template <class T>
struct Rows {
  Rows(Index n, Index d, Index r)
      : X(naive::normal<T>(n, d, 1)), Y(naive::normal<double>(n, r, 2)), weights(naive::normal<double>(n, 1, 3)) {
    for (double& w : weights.numbers) w *= w;
  }
  naive::Matrix<T> X;
  naive::Matrix<double> Y, weights;
};

Numbers numbers_of(const NormalSystem& system) {
  Numbers all(system.square.data(), system.square.data() + system.square.size());
  all.insert(all.end(), system.right.data(), system.right.data() + system.right.size());
  all.insert(all.end(), system.y_square.begin(), system.y_square.end());
  return all;
}

/// Rows first .. last - 1 in blocks of so many.
void add_blocks(NormalSum& sum, const Points& X, MatrixView<const double> w, MatrixView<const double> Y, Index first, Index last,
                Index block) {
  for (Index at = first; at < last; at += block) {
    const Index rows = std::min(block, last - at);
    sum.add(rows_of(X, at, rows), rows_of(w, at, rows), rows_of(Y, at, rows));
  }
}

template <class T>
void compare_blocks(const Points& X, const Points& C, const Rows<T>& data, const std::vector<Index>& blocks) {
  const Index n = X.size(), m = C.size(), r = data.Y.view.cols();
  NormalSystem whole{Matrix(m, m), Matrix(m, r), {}};
  normal_system(kernel, X, C, data.weights.view, data.Y.view, whole.square.view(), whole.right.view());
  Numbers expected = numbers_of(whole), y_square;
  for (const Index block : blocks) {
    NormalSum sum(kernel, C, r);
    add_blocks(sum, X, data.weights.view, data.Y.view, 0, n, block);
    const NormalSystem system = sum.system();
    Numbers found = numbers_of(system);
    if (y_square.empty()) y_square = system.y_square;
    CHECK(system.y_square == y_square);
    found.resize(expected.size());
    CHECK(found == expected);
    CHECK_EQ(sum.rows(), n);
  }
  for (Index c = 0; c < r; ++c) {
    double exact = 0.0;
    for (Index i = 0; i < n; ++i) exact += data.weights.view(i, 0) * data.Y.view(i, c) * data.Y.view(i, c);
    CHECK_NEAR(y_square[at(c)], exact, 1e-12 * exact);
  }
}

}  // namespace

TEST(blocks_of_any_size_give_the_bits_of_one_pass) {
  const Rows<double> data(13000, 3, 2);
  const Rows<float> narrow(7000, 3, 1);
  const auto C = naive::normal<double>(20, 3, 4);
  const auto C32 = naive::normal<float>(20, 3, 4);
  compare_blocks(data.X.view, C.view, data, {1, 7, 1000, 6144, 13000});
  compare_blocks(narrow.X.view, C32.view, narrow, {13, 1000, 7000});
  const Rows<double> few(4000, 2, 1);  // chunks are shorter with many centres
  const auto many = naive::normal<double>(400, 2, 5);
  compare_blocks(few.X.view, many.view, few, {7, 1536, 4000});
}

TEST(sparse_rows_may_arrive_in_blocks) {
  const Rows<double> data(7000, 4, 2);
  const auto dense = naive::normal<double>(10, 4, 4);
  const auto X = naive::sparse_of(data.X), C = naive::sparse_of(dense);
  compare_blocks(X.rows(), C.rows(), data, {7, 1000, 7000});
}

TEST(many_pages_are_added_in_a_tree) {
  const Index n = 3 * NormalAccumulator::page_rows + 5000;
  const Rows<double> data(n, 1, 1);
  const auto C = naive::normal<double>(2, 1, 4);
  compare_blocks(data.X.view, C.view, data, {100000, n});
  NormalSum sum(kernel, C.view, 1);
  sum.add(data.X.view, data.weights.view, data.Y.view);
  const NormalSumParts parts = sum.parts();
  CHECK(parts.levels == std::vector<Index>({1, 0}));  // the last 5000 rows are pending
  CHECK_EQ(parts.pending.size(), 5000);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Rows<double> data(7000, 3, 2);
  const auto C = naive::normal<double>(30, 3, 4);
  CHECK(check::same_for_any_threads([&] {
    NormalSum sum(kernel, C.view, 2);
    add_blocks(sum, data.X.view, data.weights.view, data.Y.view, 0, 7000, 999);
    return numbers_of(sum.system());
  }));
}

TEST(parts_continue_with_the_same_bits) {
  const Rows<double> data(15000, 3, 2);
  const auto C = naive::normal<double>(20, 3, 4);
  NormalSum whole(kernel, C.view, 2), first(kernel, C.view, 2);
  whole.add(data.X.view, data.weights.view, data.Y.view);
  add_blocks(first, data.X.view, data.weights.view, data.Y.view, 0, 8000, 500);
  NormalSum second(kernel, C.view, 2, first.parts());
  add_blocks(second, data.X.view, data.weights.view, data.Y.view, 8000, 15000, 500);
  CHECK(numbers_of(second.system()) == numbers_of(whole.system()));
  const Rows<float> narrow(100, 3, 2);
  const auto C32 = naive::normal<float>(20, 3, 4);
  NormalSum before(kernel, C32.view, 2);
  before.add(narrow.X.view, narrow.weights.view, narrow.Y.view);
  const NormalSum after(kernel, C32.view, 2, before.parts());
  CHECK(numbers_of(before.system()) == numbers_of(after.system()));
}

TEST(merged_streams_are_one_stream) {
  const Index page = NormalAccumulator::page_rows, n = 2 * page + 3000;
  const Rows<double> data(n, 1, 1);
  const auto C = naive::normal<double>(3, 1, 4);
  const auto stream = [&](Index first, Index last) {
    NormalSum sum(kernel, C.view, 1);
    add_blocks(sum, data.X.view, data.weights.view, data.Y.view, first, last, 20000);
    return sum;
  };
  const NormalSum whole = stream(0, n);
  NormalSum pages = stream(0, page);
  pages.merge(stream(page, n));
  CHECK(numbers_of(pages.system()) == numbers_of(whole.system()));
  CHECK_EQ(pages.rows(), n);
  NormalSum cut = stream(0, 1234), again = stream(0, 1234);
  cut.merge(stream(1234, n));
  again.merge(stream(1234, n));
  CHECK(numbers_of(cut.system()) == numbers_of(again.system()));
  const Numbers a = numbers_of(cut.system()), b = numbers_of(whole.system());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK_NEAR(a[i], b[i], 1e-11 * std::fabs(b[i]) + 1e-9);
  NormalSum none(kernel, C.view, 1);
  none.merge(stream(0, 100));
  CHECK(numbers_of(none.system()) == numbers_of(stream(0, 100).system()));
}

TEST(no_rows_and_no_outputs_are_allowed) {
  const auto C = naive::normal<double>(4, 2, 4), X = naive::normal<double>(9, 2, 5);
  NormalSum sum(kernel, C.view, 0);
  CHECK_EQ(sum.square()(0, 0), 0.0);
  sum.add(X.view, {}, {});
  CHECK(sum.square()(0, 0) > 0.0);
  CHECK_EQ(sum.right().cols(), 0);
  CHECK(sum.y_square().empty());
}

TEST(bad_arguments_are_refused) {
  Rows<double> data(50, 2, 1);
  const auto C = naive::normal<double>(4, 2, 4), wide = naive::normal<double>(50, 3, 5), other = naive::normal<double>(5, 2, 6);
  NormalSum sum(kernel, C.view, 1);
  CHECK_THROWS(std::invalid_argument, sum.add(wide.view, {}, data.Y.view));
  CHECK_THROWS(std::invalid_argument, sum.add(data.X.view, {}, wide.view));
  CHECK_THROWS(std::invalid_argument, sum.add(data.X.view, wide.view, data.Y.view));
  CHECK_THROWS(std::invalid_argument, sum.merge(NormalSum(kernel, other.view, 1)));
  CHECK_THROWS(std::invalid_argument, sum.merge(NormalSum(kernel, C.view, 2)));
  CHECK_THROWS(std::invalid_argument, sum.merge(sum));
  CHECK_THROWS(std::invalid_argument, NormalSum(kernel, C.view, -1));
  data.X(49, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, sum.add(data.X.view, {}, data.Y.view));
}

TEST(parts_that_do_not_fit_are_refused) {
  const Rows<double> data(7000, 2, 1);
  const auto C = naive::normal<double>(4, 2, 4);
  NormalSum sum(kernel, C.view, 1);
  sum.add(data.X.view, data.weights.view, data.Y.view);
  const auto refuses = [&](void (*damage)(NormalSumParts&)) {
    NormalSumParts parts = sum.parts();
    damage(parts);
    CHECK_THROWS(std::invalid_argument, NormalSum(kernel, C.view, 1, std::move(parts)));
  };
  refuses([](NormalSumParts& parts) { parts.levels.clear(); });
  refuses([](NormalSumParts& parts) { parts.levels[0] = -2; });
  refuses([](NormalSumParts& parts) { parts.levels[0] = 64; });
  refuses([](NormalSumParts& parts) { parts.open_chunks = 0; });
  refuses([](NormalSumParts& parts) { parts.open_chunks = 1000; });
  refuses([](NormalSumParts& parts) { parts.rows = 3; });
  refuses([](NormalSumParts& parts) { parts.sums[0].square = Matrix(3, 3); });
  refuses([](NormalSumParts& parts) { parts.sums[0].square(0, 1) = 1.0; });
  refuses([](NormalSumParts& parts) { parts.sums[0].square(1, 0) = std::numeric_limits<double>::infinity(); });
  refuses([](NormalSumParts& parts) { parts.sums[0].right = Matrix(4, 2); });
  refuses([](NormalSumParts& parts) { parts.sums[0].y_square[0] = -1.0; });
  refuses([](NormalSumParts& parts) { parts.sums[0].y_square.clear(); });
  refuses([](NormalSumParts& parts) { parts.pending_Y = Matrix(1, 1); });
  refuses([](NormalSumParts& parts) { parts.pending_weights(0, 0) = -1.0; });
  refuses([](NormalSumParts& parts) { parts.pending = Samples::counted(10000); });
  refuses([](NormalSumParts& parts) { parts.pending = Samples(SharedMatrix(Matrix::filled(856, 3, 0.0))); });
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/samples.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "support/check.hpp"

using namespace gramian;

namespace {

/// Rows (0, 2, 0), nothing, and (7, 0, 1) with its columns in another order; the entries begin at `first`.
struct Sparse {
  explicit Sparse(Index first = 0) {
    columns.insert(columns.begin(), static_cast<std::size_t>(first), -9);
    values.insert(values.begin(), static_cast<std::size_t>(first), std::nan(""));
    for (Index& start : row_start) start += first;
  }
  SparseRows<double> rows() const { return {3, 3, row_start.data(), columns.data(), values.data()}; }
  std::vector<Index> row_start{0, 1, 1, 3};
  std::vector<Index> columns{1, 2, 0};
  std::vector<double> values{2, 1, 7};
};

SharedMatrix dense() {
  Matrix rows(3, 2);
  for (Index i = 0; i < 3; ++i) rows(i, 0) = static_cast<double>(i), rows(i, 1) = -static_cast<double>(i);
  return SharedMatrix(std::move(rows));
}

}  // namespace

TEST(dense_samples_share_their_rows) {
  const SharedMatrix rows = dense();
  const Samples samples = rows, copy = samples;
  CHECK(samples.form() == Samples::Form::dense);
  CHECK_EQ(copy.points().float64().data(), rows.data());
  CHECK_EQ(copy.size(), 3);
  CHECK_EQ(copy.dimension(), 2);
  const Samples own = Samples::copy_of(rows.view());
  CHECK(own.points().float64().data() != rows.data());
  CHECK_EQ(own.points().float64()(2, 1), -2.0);
}

TEST(sparse_samples_are_seen_or_copied) {
  const auto numbers = std::make_shared<const Sparse>(2);
  const Samples seen(numbers->rows(), numbers), copy = Samples::copy_of(Points(numbers->rows()));
  CHECK_EQ(numbers.use_count(), 2);
  CHECK_EQ(seen.points().sparse64().values, numbers->values.data());
  CHECK(copy.form() == Samples::Form::sparse && copy.sparse().values != numbers->values.data());
  CHECK_EQ(copy.size(), 3);
  CHECK_EQ(copy.dimension(), 3);
  CHECK_EQ(copy.sparse().row_start[0], 0);
  CHECK_EQ(copy.sparse().row_start[3], 3);
  CHECK_EQ(copy.sparse().columns[1], 2);
  CHECK_EQ(copy.sparse().values[2], 7.0);
}

TEST(some_rows_come_in_the_order_that_is_asked_for) {
  const std::vector<Index> rows = {2, 0, 2};
  const Samples few = Samples(dense()).some(rows);
  CHECK_EQ(few.size(), 3);
  CHECK_EQ(few.dense()(0, 0), 2.0);
  CHECK_EQ(few.dense()(1, 0), 0.0);
  const Sparse numbers;
  const Samples sparse = Samples::copy_of(Points(numbers.rows())).some(rows);
  CHECK_EQ(sparse.sparse().row_start[3], 5);
  CHECK_EQ(sparse.sparse().columns[2], 1);
  CHECK_EQ(sparse.sparse().values[4], 7.0);
  CHECK_EQ(Samples::counted(9).some(rows).size(), 3);
  CHECK_EQ(Samples(dense()).some({}).size(), 0);
  CHECK_THROWS(std::invalid_argument, Samples(dense()).some({3}));
  CHECK_THROWS(std::invalid_argument, Samples(dense()).some({-1}));
}

TEST(of_counted_samples_there_is_nothing_but_their_number) {
  const Samples samples = Samples::counted(5);
  CHECK(samples.form() == Samples::Form::count);
  CHECK_EQ(samples.size(), 5);
  CHECK_EQ(samples.dimension(), 0);
  CHECK_EQ(Samples().size(), 0);
  CHECK_THROWS(std::invalid_argument, samples.points());
  CHECK_THROWS(std::invalid_argument, Samples::counted(-1));
}

TEST(samples_that_are_not_sound_are_refused) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Matrix rows = Matrix::filled(3, 2, 1.0);
    rows(1, 1) = bad;
    CHECK_THROWS(std::invalid_argument, Samples::copy_of(rows.view()));
    Sparse numbers;
    numbers.values[2] = bad;
    CHECK_THROWS(std::invalid_argument, Samples::copy_of(Points(numbers.rows())));
  }
  const auto refuses = [](auto spoil) {
    Sparse numbers;
    spoil(numbers);
    CHECK_THROWS(std::invalid_argument, Samples::copy_of(Points(numbers.rows())));
    CHECK_THROWS(std::invalid_argument, Samples(numbers.rows(), nullptr));
  };
  refuses([](Sparse& s) { s.row_start[0] = -1; });
  refuses([](Sparse& s) { s.row_start[1] = 5; });
  refuses([](Sparse& s) { s.columns[0] = 3; });
  refuses([](Sparse& s) { s.columns[1] = -1; });
  const std::vector<float> narrow(4, 1.0f);
  CHECK_THROWS(std::invalid_argument, Samples::copy_of(MatrixView<const float>(narrow.data(), 2, 2)));
}

TEST_MAIN

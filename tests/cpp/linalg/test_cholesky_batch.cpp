// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/cholesky_batch.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/families.hpp"

using gramian::BatchView;
using gramian::Cholesky;
using gramian::FactorStatus;
using gramian::Index;
using gramian::MatrixView;
using gramian::SystemReport;
using naive::Matrix;

namespace {

/// One matrix of every family and a right-hand side for each.
struct Batch {
  Batch(Index size, Index columns) : n(size), m(columns), count(static_cast<Index>(families::all().size())) {
    for (const auto& family : families::all()) {
      const auto matrix = family.make(n);
      A.insert(A.end(), matrix.numbers.begin(), matrix.numbers.end());
    }
    B = naive::normal<double>(count, n * m, 51).numbers;
    reports.resize(static_cast<std::size_t>(count));
  }
  BatchView<double> matrices() { return {count, n * n, MatrixView<double>(A.data(), n, n)}; }
  BatchView<double> sides() { return {count, n * m, MatrixView<double>(B.data(), n, m)}; }
  BatchView<const double> given() { return {count, n * n, MatrixView<const double>(A.data(), n, n)}; }
  double* matrix(Index b) { return A.data() + b * n * n; }

  Index n, m, count;
  std::vector<double> A, B;
  std::vector<SystemReport> reports;
};

const double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST(batches_do_what_single_systems_do) {
  for (const Index n : {0, 1, 2, 5, 10, 50, 100, 192, 193, 260}) {
    for (const Index m : {1, 3, 30}) {
      Batch batch(n, m), factors(n, m);
      gramian::cholesky_solve_batch(batch.given(), batch.sides(), batch.reports.data());
      gramian::cholesky_batch(factors.given(), factors.matrices(), factors.reports.data());
      const Batch before(n, m);
      for (Index b = 0; b < batch.count; ++b) {
        const Cholesky single(batch.given()[b]);
        const auto& report = batch.reports[static_cast<std::size_t>(b)];
        CHECK_EQ(report.jitter, single.jitter());
        CHECK(report.status == (single.jitter() > 0.0 ? FactorStatus::jittered : FactorStatus::ok));
        auto A =
            families::fill(n, [&](Index i, Index j) { return batch.given()[b](i, j) + families::if_equal(i, j, report.jitter); });
        const MatrixView<const double> right(before.B.data() + b * n * m, n, m);
        CHECK(families::solve_ratio(A.view, batch.sides()[b], right) < families::largest_ratio);
        for (Index i = 0; i < n; ++i) {
          for (Index j = 0; j < n; ++j) CHECK_EQ(factors.matrices()[b](i, j), single.factor()(i, j));
        }
      }
    }
  }
}

TEST(one_bad_system_spoils_no_other) {
  Batch batch(30, 2);
  const Batch good = batch;
  batch.matrix(1)[31 * 4] = -3.0;
  batch.matrix(2)[31 * 5] = not_a_number;
  Batch solved = batch, factors = batch, all_good = good;
  gramian::cholesky_solve_batch(solved.given(), solved.sides(), solved.reports.data());
  gramian::cholesky_solve_batch(all_good.given(), all_good.sides(), all_good.reports.data());
  gramian::cholesky_batch(factors.given(), factors.matrices(), factors.reports.data());
  CHECK(solved.reports[1].status == FactorStatus::not_positive);
  CHECK(solved.reports[1].jitter > 0.0);
  CHECK(solved.reports[2].status == FactorStatus::not_finite);
  for (Index b = 0; b < batch.count; ++b) {
    for (Index i = 0; i < 60; ++i) {
      const double x = solved.B[static_cast<std::size_t>(b * 60 + i)];
      if (b == 1 || b == 2) {
        CHECK(std::isnan(x) && std::isnan(factors.matrices()[b](0, 0)));
      } else {
        CHECK_EQ(x, all_good.B[static_cast<std::size_t>(b * 60 + i)]);
      }
    }
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  std::vector<double> first;
  for (const int threads : {1, 2, 7}) {
    gramian::set_num_threads(threads);
    Batch batch(150, 5);
    gramian::cholesky_solve_batch(batch.given(), batch.sides(), batch.reports.data());
    if (first.empty()) first = batch.B;
    CHECK(batch.B == first);
  }
  gramian::set_num_threads(0);
}

TEST(bad_arguments_are_refused) {
  Batch batch(6, 2);
  std::vector<double> numbers(200);
  const BatchView<double> few(3, 12, MatrixView<double>(numbers.data(), 6, 2));
  const BatchView<double> short_ones(batch.count, 10, MatrixView<double>(numbers.data(), 5, 2));
  const BatchView<const double> wide(1, 42, MatrixView<const double>(numbers.data(), 6, 7));
  CHECK_THROWS(std::invalid_argument, gramian::cholesky_solve_batch(batch.given(), few, batch.reports.data()));
  CHECK_THROWS(std::invalid_argument, gramian::cholesky_solve_batch(batch.given(), short_ones, batch.reports.data()));
  CHECK_THROWS(std::invalid_argument, gramian::cholesky_batch(wide, batch.matrices(), batch.reports.data()));
  CHECK_THROWS(std::invalid_argument, gramian::cholesky_batch(batch.given(), batch.matrices(), batch.reports.data(), {-1.0}));
}

TEST_MAIN

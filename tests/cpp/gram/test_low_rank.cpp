// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/low_rank.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "gramian/gram/full.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using gramian::incomplete_cholesky;
using gramian::IncompleteCholesky;
using gramian::Index;
using gramian::Kernel;
using gramian::SparseRows;
using naive::Matrix;

TEST(the_factor_is_that_of_the_gram_matrix) {
  const Index n = 500;
  const auto X = naive::normal<double>(n, 2, 1);
  const Kernel kernel = 2.0 * Kernel("gaussian", {0.3}) + Kernel("linear", {});
  Matrix<double> K(n, n);
  full(kernel, X.view, K.view);
  for (const gramian::Pivoting pivoting : {gramian::Pivoting::random, gramian::Pivoting::greedy, gramian::Pivoting::gain}) {
    const gramian::IncompleteCholesky result = incomplete_cholesky(kernel, X.view, {0, 1e-9, pivoting, 2});
    CHECK(result.rank() < n / 2);
    double worst = 0.0;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        double sum = 0.0;
        for (Index k = 0; k < result.rank(); ++k) sum += result.factor()(i, k) * result.factor()(j, k);
        worst = std::max(worst, std::fabs(K(i, j) - sum));
      }
    }
    // No entry of a semi-definite matrix is larger than its trace.
    CHECK(worst <= result.residual_trace() + 1e-11);
    CHECK(result.residual_trace() <= 1e-9 * result.trace());
  }
}

TEST(sparse_points_have_the_factor_of_dense_ones) {
  const Index n = 30, d = 4;
  auto X = naive::normal<double>(n, d, 7);
  std::vector<Index> row_start = {0}, columns;
  std::vector<double> values;
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < d; ++k) {
      if ((i + k) % 3 == 0) X(i, k) = 0.0;
      if (X(i, k) == 0.0) continue;
      columns.push_back(k);
      values.push_back(X(i, k));
    }
    row_start.push_back(static_cast<Index>(columns.size()));
  }
  const Kernel kernel("linear", {});
  const IncompleteCholesky dense = incomplete_cholesky(kernel, X.view);
  const IncompleteCholesky sparse =
      incomplete_cholesky(kernel, SparseRows<double>{n, d, row_start.data(), columns.data(), values.data()});
  CHECK_EQ(sparse.rank(), dense.rank());
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < dense.rank(); ++c) CHECK_NEAR(sparse.factor()(i, c), dense.factor()(i, c), 1e-10);
  }
}

TEST(float32_points_are_refused) {
  const auto X = naive::normal<float>(5, 2, 3);
  CHECK_THROWS(std::invalid_argument, incomplete_cholesky(Kernel("gaussian", {1.0}), X.view));
}

TEST(the_rank_adapts_to_the_shift) {
  const Index n = 900;
  const auto X = naive::normal<double>(n, 2, 7);
  const Kernel kernel("gaussian", {0.5});
  Index last = 0;
  for (const double shift : {1e2, 1.0, 1e-1, 1e-3}) {
    const IncompleteCholesky found = gramian::adaptive_factor(kernel, X.view, shift);
    CHECK(found.residual_trace() <= shift * static_cast<double>(n));
    CHECK(found.rank() >= last);
    last = found.rank();
  }
  CHECK(last > 20);
  gramian::AdaptiveFactorOptions options;
  options.max_rank = 10;
  const IncompleteCholesky capped = gramian::adaptive_factor(kernel, X.view, 1e-6, options);
  CHECK(capped.rank() == 10 && capped.stop_reason() == gramian::IncompleteStop::rank);
  // So little memory that only one column fits.
  options.max_rank = 0;
  options.memory_share = 1e-300;
  CHECK_EQ(gramian::adaptive_factor(kernel, X.view, 1e-6, options).rank(), 1);
}

TEST(rows_that_are_read_give_the_bits_of_rows_in_memory) {
  const auto X = naive::normal<double>(700, 3, 8);
  const Kernel kernel("gaussian", {0.5});
  gramian::IncompleteCholeskyOptions options;
  options.max_rank = 60;
  for (const gramian::Pivoting pivoting : {gramian::Pivoting::random, gramian::Pivoting::greedy, gramian::Pivoting::gain}) {
    options.pivoting = pivoting;
    const auto memory = gramian::incomplete_cholesky(kernel, gramian::Points(X.view), options);
    const auto read = gramian::incomplete_cholesky(kernel, gramian::StoredRows(X.view), options);
    CHECK(memory.pivots() == read.pivots());
    CHECK_EQ(memory.residual_trace(), read.residual_trace());
    for (gramian::Index i = 0; i < 700; ++i) {
      for (gramian::Index j = 0; j < memory.rank(); ++j) CHECK_EQ(memory.factor()(i, j), read.factor()(i, j));
    }
  }
}

TEST(the_cap_grows_with_the_root_of_n) {
  for (const Index n : {0, 1, 512}) CHECK_EQ(gramian::adaptive_rank_cap(n), n);
  CHECK_EQ(gramian::adaptive_rank_cap(1000), 512);
  CHECK(gramian::adaptive_rank_cap(40000) > gramian::adaptive_rank_cap(10000));
  CHECK(gramian::adaptive_rank_cap(1000000) <= 20000);
}

TEST(options_of_the_adaptive_factor_are_checked) {
  const auto X = naive::normal<double>(5, 2, 8);
  const Kernel kernel("gaussian", {0.5});
  for (const double bad : {0.0, -1.0, std::nan("")}) {
    CHECK_THROWS(std::invalid_argument, gramian::adaptive_factor(kernel, X.view, bad));
  }
  gramian::AdaptiveFactorOptions options;
  options.max_rank = -1;
  CHECK_THROWS(std::invalid_argument, gramian::adaptive_factor(kernel, X.view, 1.0, options));
  options.max_rank = 0;
  options.memory_share = 0.0;
  CHECK_THROWS(std::invalid_argument, gramian::adaptive_factor(kernel, X.view, 1.0, options));
  CHECK_THROWS(std::invalid_argument, gramian::adaptive_rank_cap(-1));
}

TEST_MAIN

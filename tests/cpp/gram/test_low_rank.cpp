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

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/column_scaling.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "support/check.hpp"
#include "support/naive.hpp"
#include "support/sparse_copy.hpp"

using gramian::column_scaling;
using gramian::ColumnScaling;
using gramian::Index;
using gramian::Points;
using naive::Matrix;

namespace {

constexpr Index n = 90, d = 4;

/// Columns of all sizes; a third of the entries are 0.
Matrix<double> columns() {
  Matrix<double> X = naive::normal<double>(n, d, 3);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < d; ++k) {
      X(i, k) = (i + k) % 3 == 0 ? 0.0 : (X(i, k) + 1.0) * std::pow(10.0, 60.0 * static_cast<double>(k) - 100.0);
    }
  }
  return X;
}

std::vector<double> weights() {
  std::vector<double> out(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(i % 4);
  return out;
}

/// In order, each entry once, zeros among them.
naive::Sparse<double> orderly(const Matrix<double>& X) {
  naive::Sparse<double> out;
  out.n = X.view.rows(), out.d = X.view.cols();
  for (Index i = 0; i < out.n; ++i) {
    for (Index k = 0; k < out.d; ++k) {
      if (X.view(i, k) == 0.0 && k > 0) continue;
      out.columns.push_back(k), out.values.push_back(X.view(i, k));
    }
    out.start.push_back(static_cast<Index>(out.columns.size()));
  }
  return out;
}

void check_moments(const ColumnScaling& found, const Matrix<double>& X, const std::vector<double>& w) {
  for (Index k = 0; k < d; ++k) {
    long double total = 0, mean = 0, square = 0;
    for (Index i = 0; i < n; ++i) total += w[static_cast<std::size_t>(i)];
    for (Index i = 0; i < n; ++i) mean += w[static_cast<std::size_t>(i)] / total * X.view(i, k);
    for (Index i = 0; i < n; ++i)
      square += w[static_cast<std::size_t>(i)] / total * (X.view(i, k) - mean) * (X.view(i, k) - mean);
    const double deviation = static_cast<double>(std::sqrt(square));
    CHECK_NEAR(found.shift[static_cast<std::size_t>(k)] / deviation, static_cast<double>(mean) / deviation, 1e-13);
    CHECK_NEAR(found.scale[static_cast<std::size_t>(k)] / deviation, 1.0, 1e-13);
  }
}

}  // namespace

TEST(moments_are_those_of_the_definition) {
  const Matrix<double> X = columns();
  const naive::Sparse<double> sparse = naive::sparse_of(X), plain = orderly(X);
  const std::vector<double> w = weights(), ones(static_cast<std::size_t>(n), 1.0);
  check_moments(column_scaling(Points(X.view)), X, ones);
  check_moments(column_scaling(Points(X.view), w.data()), X, w);
  check_moments(column_scaling(Points(sparse.rows())), X, ones);
  check_moments(column_scaling(Points(sparse.rows()), w.data()), X, w);
  check_moments(column_scaling(Points(plain.rows())), X, ones);
  check_moments(column_scaling(Points(plain.rows()), w.data()), X, w);
}

TEST(a_column_that_hardly_varies_is_scaled_and_a_constant_one_is_not) {
  Matrix<double> X = naive::normal<double>(n, 3, 4);
  for (Index i = 0; i < n; ++i) X(i, 0) = 1e6 + 0.01 * X(i, 0), X(i, 1) = 0.7, X(i, 2) = 0.0;
  const auto sparse = naive::sparse_of(X);
  for (const ColumnScaling& found : {column_scaling(Points(X.view)), column_scaling(Points(sparse.rows()))}) {
    CHECK(found.scale[0] > 0.005 && found.scale[0] < 0.02);
    CHECK_EQ(found.scale[1], 1.0);
    CHECK_EQ(found.scale[2], 1.0);
    CHECK_NEAR(found.shift[1], 0.7, 1e-15);
  }
}

TEST(weights_without_a_sum_and_float32_are_refused) {
  const Matrix<double> X = columns();
  const Matrix<float> narrow = naive::normal<float>(2, 2, 1);
  const std::vector<double> zeros(static_cast<std::size_t>(n), 0.0);
  CHECK_THROWS(std::invalid_argument, column_scaling(Points(X.view), zeros.data()));
  CHECK_THROWS(std::invalid_argument, column_scaling(Points(narrow.view)));
}

TEST_MAIN

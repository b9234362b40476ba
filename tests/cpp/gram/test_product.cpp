// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/product.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using gramian::Index;
using gramian::Kernel;
using gramian::MatrixView;
using gramian::product;
using gramian::set_num_threads;
using naive::Matrix;

namespace {

constexpr double width = 0.4;

/// out(i, c) against the double loop; errors are measured against sum_j |k_ij v_jc|, as any order of summation would be.
template <class T>
double worst_error(MatrixView<T> X, MatrixView<T> Y, MatrixView<T> V, MatrixView<T> out) {
  double worst = 0.0;
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index c = 0; c < V.cols(); ++c) {
      double sum = 0.0, size = 0.0;
      for (Index j = 0; j < Y.rows(); ++j) {
        const double term = naive::gaussian(X, i, Y, j, width) * static_cast<double>(V(j, c));
        sum += term;
        size += std::fabs(term);
      }
      worst = std::fmax(worst, std::fabs(static_cast<double>(out(i, c)) - sum) / (size + 1e-30));
    }
  }
  return worst;
}

template <class T>
void compare_with_double_loop(Index n, Index m, Index d, Index vectors) {
  // Values err by about 4 gamma |x|^2 (2 + sqrt d) u, a tile's sum by 192 u at worst and far less in practice.
  const double u = std::is_same_v<T, double> ? 0x1p-53 : 0x1p-24;
  const double tol =
      u * (8.0 + 4.0 * width * (4.0 * static_cast<double>(d) + 20.0) * (2.0 + std::sqrt(static_cast<double>(d))) + 192.0);
  const auto X = naive::normal<T>(n, d, 1), Y = naive::normal<T>(m, d, 2), V = naive::normal<T>(m, vectors, 3),
             W = naive::normal<T>(n, vectors, 4);
  const Kernel kernel("gaussian", {width});
  Matrix<T> cross(n, vectors), symmetric(n, vectors);
  product(kernel, X.view, Y.view, V.view, cross.view);
  product(kernel, X.view, W.view, symmetric.view);
  CHECK(worst_error(X.view, Y.view, V.view, cross.view) <= tol);
  CHECK(worst_error(X.view, X.view, W.view, symmetric.view) <= tol);
}

}  // namespace

TEST(values_are_those_of_the_double_loop_at_any_size) {
  for (const Index n : {1, 2, 3, 5, 10, 50, 95, 96, 97, 300}) {
    compare_with_double_loop<double>(n, n / 2 + 1, 3, 2);
    compare_with_double_loop<float>(n, n / 2 + 1, 3, 2);
  }
}

TEST(values_are_those_of_the_double_loop_at_any_width) {
  for (Index vectors = 1; vectors <= 23; ++vectors) {
    compare_with_double_loop<double>(130, 110, 4, vectors);
    compare_with_double_loop<float>(130, 110, 4, vectors);
  }
}

void compare_some_rows(Index n, Index vectors) {
  const auto X = naive::normal<double>(n, 3, 5), V = naive::normal<double>(n, vectors, 6);
  Matrix<double> out(n, vectors);
  product(Kernel("gaussian", {width}), X.view, V.view, out.view);
  for (const Index i : {Index(0), Index(191), Index(192), n / 2, n - 1}) {
    const MatrixView<const double> x(&X.view(i, 0), 1, 3), o(&out(i, 0), 1, vectors);
    CHECK(worst_error<const double>(x, X.view, V.view, o) <= 1e-13);
  }
}

TEST(large_problems_use_large_tiles) { compare_some_rows(3001, 3); }

// More than 262 144 sums take the rounds of a tournament: with an odd number of tiles, and with several tiles a block.
TEST(wide_problems_share_one_set_of_sums) {
  compare_some_rows(3200, 90);
  compare_some_rows(12500, 25);
}

TEST(nothing_times_anything_is_zero) {
  Matrix<double> X(3, 2), Y(0, 2), V(0, 2), out(3, 2), none(3, 0);
  out(1, 1) = 5.0;
  const Kernel kernel("gaussian", {1.0});
  product(kernel, X.view, Y.view, V.view, out.view);
  for (const double o : out.numbers) CHECK_EQ(o, 0.0);
  product(kernel, X.view, none.view, none.view);
  product(kernel, Y.view, V.view, V.view);
}

TEST(one_row_gives_the_bits_of_a_batch) {
  const auto X = naive::normal<double>(220, 4, 7), Y = naive::normal<double>(333, 4, 8), V = naive::normal<double>(333, 6, 9);
  const Kernel kernel("gaussian", {width});
  Matrix<double> batch(220, 6), row(1, 6);
  product(kernel, X.view, Y.view, V.view, batch.view);
  for (const Index i : {0, 5, 95, 96, 219}) {
    product(kernel, MatrixView<const double>(&X.view(i, 0), 1, 4), Y.view, V.view, row.view);
    for (Index c = 0; c < 6; ++c) CHECK_EQ(row(0, c), batch(i, c));
  }
}

template <class T>
void compare_numbers_of_threads(Index n, Index vectors) {
  const auto X = naive::normal<T>(n, 4, 10), V = naive::normal<T>(n, vectors, 11);
  Matrix<T> one(n, vectors), other(n, vectors), one_cross(n, vectors), other_cross(n, vectors);
  const Kernel kernel("gaussian", {width});
  set_num_threads(1);
  product(kernel, X.view, V.view, one.view);
  product(kernel, X.view, X.view, V.view, one_cross.view);
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    product(kernel, X.view, V.view, other.view);
    product(kernel, X.view, X.view, V.view, other_cross.view);
    CHECK(one.numbers == other.numbers);
    CHECK(one_cross.numbers == other_cross.numbers);
  }
  set_num_threads(0);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  compare_numbers_of_threads<double>(1000, 5);
  compare_numbers_of_threads<float>(1000, 5);
  compare_numbers_of_threads<double>(3500, 80);
}

TEST(float32_is_summed_in_float64_between_tiles) {
  // Equal terms: a float32 sum of 200 000 of them would be off by far more than a tile's rounding.
  const Index n = 200000;
  Matrix<float> X(1, 1), Y(n, 1), V(n, 1), out(1, 1);
  for (float& v : V.numbers) v = 0.1f;
  product(Kernel("gaussian", {1.0}), X.view, Y.view, V.view, out.view);
  CHECK_NEAR(static_cast<double>(out(0, 0)) / (0.1f * static_cast<double>(n)), 1.0, 192 * 0x1p-24);
}

TEST(views_of_any_strides_are_read_and_written) {
  const Index n = 120;
  const auto X = naive::normal<double>(n, 3, 12), V = naive::normal<double>(n, 4, 13);
  Matrix<double> plain(n, 4), out(4, 2 * n), columns(4, n);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < 4; ++c) columns(c, i) = V.view(i, c);
  }
  const Kernel kernel("gaussian", {width});
  product(kernel, X.view, V.view, plain.view);
  const MatrixView<double> strided(out.numbers.data(), n, 4, 2, 2 * n);
  product(kernel, X.view, MatrixView<const double>(columns.numbers.data(), n, 4, 1, n), strided);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < 4; ++c) CHECK_EQ(strided(i, c), plain(i, c));
  }
}

TEST(bad_arguments_are_refused) {
  const Kernel kernel("gaussian", {1.0});
  const auto X = naive::normal<double>(4, 2, 14), Y = naive::normal<double>(3, 2, 15), Z = naive::normal<double>(3, 5, 16);
  auto V = naive::normal<double>(4, 2, 17);
  Matrix<double> out(4, 2), narrow(4, 1);
  CHECK_THROWS(std::invalid_argument, product(kernel, X.view, Y.view, out.view));
  CHECK_THROWS(std::invalid_argument, product(kernel, X.view, V.view, narrow.view));
  CHECK_THROWS(std::invalid_argument, product(kernel, X.view, Z.view, Y.view, out.view));
  const auto other = naive::normal<double>(4, 2, 18), between = naive::normal<double>(4, 4, 19),
             squares = naive::normal<double>(4, 1, 20);
  const gramian::InnerProducts<double> two_sets(between.view, squares.view, squares.view);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    V(3, 1) = bad;
    CHECK_THROWS(std::invalid_argument, product(kernel, X.view, V.view, out.view));
    CHECK_THROWS(std::invalid_argument, product(kernel, other.view, X.view, V.view, out.view));
    CHECK_THROWS(std::invalid_argument, product(Kernel("linear", {}), two_sets, V.view, out.view));
  }
}

TEST_MAIN

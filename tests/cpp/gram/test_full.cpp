// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/full.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/message.hpp"
#include "support/naive.hpp"

using gramian::full;
using gramian::Index;
using gramian::Kernel;
using gramian::MatrixView;
using gramian::set_num_threads;
using naive::Matrix;

namespace {

constexpr double width = 0.3;

/// |x|^2 / 2 is computed with a relative error of about d u and cancels: exponents are off by 2 gamma |x|^2 d u, so are values.
template <class T>
double tolerance(Index d, double largest_norm2) {
  const double u = std::is_same_v<T, double> ? 0x1p-53 : 0x1p-24;
  return u * (8.0 + 4.0 * width * largest_norm2 * (2.0 + std::sqrt(static_cast<double>(d))));
}

template <class T>
void compare_with_double_loop(Index n, Index m, Index d) {
  const auto X = naive::normal<T>(n, d, 1), Y = naive::normal<T>(m, d, 2);
  const double tol = tolerance<T>(d, 4.0 * static_cast<double>(d) + 20.0);
  const Kernel kernel("gaussian", {width});
  Matrix<T> S(n, n), C(n, m);
  full(kernel, X.view, S.view);
  full(kernel, X.view, Y.view, C.view);
  double worst = 0.0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) worst = std::fmax(worst, std::fabs(S(i, j) - naive::gaussian(X.view, i, X.view, j, width)));
    for (Index j = 0; j < m; ++j) worst = std::fmax(worst, std::fabs(C(i, j) - naive::gaussian(X.view, i, Y.view, j, width)));
  }
  CHECK(worst <= tol);
}

}  // namespace

TEST(values_are_those_of_the_double_loop) {
  for (const Index n : {0, 1, 2, 3, 5, 10, 50, 191, 192, 193, 400}) {
    for (const Index d : {1, 2, 8, 33}) {
      compare_with_double_loop<double>(n, n / 2 + 1, d);
      compare_with_double_loop<float>(n, n / 2 + 1, d);
    }
  }
}

TEST(many_features_take_several_passes) {
  compare_with_double_loop<double>(30, 25, 784);
  compare_with_double_loop<double>(300, 25, 700);  // packed in several pieces
  for (const Index d : {64, 65, 128, 130}) compare_with_double_loop<double>(30, 25, d);
  compare_with_double_loop<double>(30, 25, 2001);
  compare_with_double_loop<float>(30, 25, 784);
}

TEST(no_features_is_a_matrix_of_ones) {
  Matrix<double> X(3, 0), K(3, 3);
  full(Kernel("gaussian", {1.0}), X.view, K.view);
  for (const double k : K.numbers) CHECK_EQ(k, 1.0);
}

TEST(the_matrix_is_exactly_symmetric_with_ones_on_the_diagonal) {
  const auto X = naive::normal<double>(500, 7, 3, 1000.0);
  Matrix<double> K(500, 500);
  full(Kernel("gaussian", {width}), X.view, K.view);
  bool symmetric = true;
  for (Index i = 0; i < 500; ++i) {
    CHECK_EQ(K(i, i), 1.0);
    for (Index j = 0; j < i; ++j) symmetric = symmetric && K(i, j) == K(j, i);
  }
  CHECK(symmetric);
}

TEST(an_offset_of_the_data_costs_no_digits) {
  // The shift is a power of two and the coordinates are multiples of 2^-20: the shifted points are exact.
  const Index n = 60, d = 4;
  Matrix<double> X(n, d), shifted(n, d), K(n, n), L(n, n);
  const gramian::RandomStream random(4);
  for (Index i = 0; i < n * d; ++i) {
    const double x = std::floor(random.normal(static_cast<std::uint64_t>(i)) * 0x1p20) * 0x1p-20;
    X.numbers[static_cast<std::size_t>(i)] = x;
    shifted.numbers[static_cast<std::size_t>(i)] = x + 0x1p27;
  }
  full(Kernel("gaussian", {width}), X.view, K.view);
  full(Kernel("gaussian", {width}), shifted.view, L.view);
  for (std::size_t i = 0; i < K.numbers.size(); ++i) CHECK_NEAR(K.numbers[i], L.numbers[i], 1e-13);
}

TEST(far_points_give_zero_and_never_less) {
  Matrix<double> X(2, 1), K(2, 2);
  for (const double distance : {20.0, 26.0, 27.2, 38.0, 1e3, 1e150}) {
    X(0, 0) = 0.0;
    X(1, 0) = distance;
    full(Kernel("gaussian", {1.0}), X.view, K.view);
    const double exact = std::exp(-distance * distance);
    CHECK(K(1, 0) >= 0.0);
    CHECK_NEAR(K(1, 0), exact, 1e-12 * exact + std::numeric_limits<double>::min() * 4);
  }
}

TEST(one_row_gives_the_bits_of_a_batch) {
  const auto X = naive::normal<double>(300, 9, 5), Y = naive::normal<double>(250, 9, 6);
  const Kernel kernel("gaussian", {width});
  Matrix<double> batch(300, 250), row(1, 250);
  full(kernel, X.view, Y.view, batch.view);
  for (const Index i : {0, 1, 7, 191, 192, 299}) {
    full(kernel, MatrixView<const double>(&X.view(i, 0), 1, 9), Y.view, row.view);
    for (Index j = 0; j < 250; ++j) CHECK_EQ(row(0, j), batch(i, j));
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const auto X = naive::normal<double>(700, 5, 7);
  Matrix<double> one(700, 700), other(700, 700);
  set_num_threads(1);
  full(Kernel("gaussian", {width}), X.view, one.view);
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    full(Kernel("gaussian", {width}), X.view, other.view);
    CHECK(one.numbers == other.numbers);
  }
  set_num_threads(0);
}

TEST(views_of_any_strides_are_read_and_written) {
  const Index n = 230, d = 3;
  const auto X = naive::normal<double>(n, d, 8);
  const Kernel kernel("gaussian", {width});
  Matrix<double> plain(n, n), big(2 * n, 3 * n), transposed_points(d, n);
  full(kernel, X.view, plain.view);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < d; ++k) transposed_points(k, n - 1 - i) = X.view(i, k);
  }
  const MatrixView<const double> points(&transposed_points(0, n - 1), n, d, -1, n);  // columns, backwards
  const MatrixView<double> wanted[] = {MatrixView<double>(big.numbers.data(), n, n, 1, 2 * n),
                                       MatrixView<double>(big.numbers.data(), n, n, 6 * n, 3),
                                       MatrixView<double>(big.numbers.data() + 1, n, n, 3 * n, 1)};
  for (const MatrixView<double>& K : wanted) {
    full(kernel, points, K);
    bool equal = true;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) equal = equal && K(i, j) == plain(i, j);
    }
    CHECK(equal);
    full(kernel, points, X.view, K);
    for (Index i = 0; i < n; i += 17) {
      for (Index j = 0; j < n; ++j) CHECK_NEAR(K(i, j), plain(i, j), 1e-13);
    }
  }
}

TEST(large_results_are_written_past_the_cache_at_any_alignment) {
  const Index n = 1501;  // 18 MB, rows at odd addresses
  const auto X = naive::normal<double>(n, 2, 9);
  Matrix<double> K(n, n);
  full(Kernel("gaussian", {width}), X.view, K.view);
  for (Index i = 0; i < n; i += 13) {
    for (Index j = 0; j < n; j += 7) CHECK_NEAR(K(i, j), naive::gaussian(X.view, i, X.view, j, width), 1e-13);
  }
}

// Of no coordinates all points are equal; panels have no numbers, and loops begin in the middle of them.
TEST(points_may_have_no_coordinates) {
  const Matrix<double> X(5, 0), Y(3, 0);
  for (const gramian::KernelInfo& info : gramian::kernel_registry()) {
    const Kernel kernel(info.name, info.samples.front());
    Matrix<double> K(5, 3), zero(1, 1), value(1, 1);
    full(kernel, X.view, Y.view, K.view);
    full(kernel, zero.view, value.view);
    for (Index i = 0; i < 5; ++i) {
      for (Index j = 0; j < 3; ++j) CHECK_EQ(K(i, j), value(0, 0));
    }
  }
}

TEST(bad_arguments_are_refused_by_name) {
  const Kernel kernel("gaussian", {1.0});
  auto X = naive::normal<double>(4, 2, 10);
  Matrix<double> Y(3, 3), K(4, 4);
  Matrix<float> F(4, 4);
  CHECK_THROWS(std::invalid_argument, full(kernel, X.view, Y.view));
  CHECK_THROWS(std::invalid_argument, full(kernel, X.view, Y.view, K.view));
  CHECK_THROWS(std::invalid_argument, full(kernel, X.view, F.view));
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e200}) {
    X(2, 1) = bad;
    CHECK_THROWS(std::invalid_argument, full(kernel, X.view, K.view));
  }
}

// Points are centred by their mean, which is no number then for any of them.
TEST(the_row_that_is_to_blame_is_named) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e200, -1e300}) {
    auto X = naive::normal<double>(100, 3, 10);
    X(57, 1) = bad;
    Matrix<double> K(100, 100);
    for (const Kernel& kernel : {Kernel("gaussian", {1.0}), Kernel("linear", {}), Kernel("laplacian", {1.0})}) {
      const std::string said = check::message_of([&] { full(kernel, X.view, K.view); });
      CHECK(said.find("X has a coordinate in row 57") == 0);
    }
  }
}

TEST_MAIN

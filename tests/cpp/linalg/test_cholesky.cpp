// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/cholesky.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/families.hpp"
#include "support/message.hpp"

using gramian::cholesky;
using gramian::Cholesky;
using gramian::cholesky_in_place;
using gramian::CholeskyOptions;
using gramian::Index;
using gramian::MatrixView;
using gramian::NumericalError;
using naive::Matrix;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Matrix<double> copy(MatrixView<const double> A) {
  Matrix<double> B(A.rows(), A.cols());
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j) B(i, j) = A(i, j);
  }
  return B;
}

Matrix<double> transpose(MatrixView<const double> A) {
  return copy({A.data(), A.cols(), A.rows(), A.col_stride(), A.row_stride()});
}

Matrix<double> with_jitter(const Matrix<double>& A, double jitter) {
  auto B = copy(A.view);
  for (Index i = 0; i < B.view.rows(); ++i) B(i, i) += jitter;
  return B;
}

/// |A - L Lᵀ| / (n |A| u)
double factor_ratio(const Matrix<double>& A, MatrixView<const double> L) {
  auto residual = families::times(L, transpose(L).view);
  const std::size_t count = A.numbers.size();
  for (std::size_t i = 0; i < count; ++i) residual.numbers[i] -= A.numbers[i];
  const double error = families::norm(residual.view);
  return error == 0.0 ? 0.0 : error / (static_cast<double>(L.rows()) * families::norm(A.view) * families::unit);
}

std::string message_of(const Matrix<double>& A, const CholeskyOptions& options = {}) {
  return check::message_of<std::exception>([&] { Cholesky(A.view, options); });
}

using check::contains;

/// Two equal points and a third one: exactly singular.
Matrix<double> singular(Index n) { return families::gram(n, n - 1, 0.0, 0.0); }

}  // namespace

TEST(residuals_are_those_of_a_backward_stable_method) {
  for (const auto& family : families::all()) {
    for (const Index n : families::sizes()) {
      const auto A = family.make(n);
      const Cholesky factor(A.view);
      const auto B = with_jitter(A, factor.jitter());
      const double ratio = factor_ratio(B, factor.factor());
      if (!(ratio < families::largest_ratio)) std::cout << family.name << ", n = " << n << '\n';
      CHECK(ratio < families::largest_ratio);

      const auto right = naive::normal<double>(n, 3, 44);
      auto X = copy(right.view);
      factor.solve(X.view);
      const double solved = families::solve_ratio(B.view, X.view, right.view);
      if (!(solved < families::largest_ratio)) std::cout << family.name << ", n = " << n << '\n';
      CHECK(solved < families::largest_ratio);
    }
  }
}

TEST(the_ratio_notices_a_wrong_factor) {
  const auto A = families::random_spd(50);
  const Cholesky factor(A.view);
  auto L = copy(factor.factor());
  L(40, 7) += 1e-11;
  CHECK(factor_ratio(A, L.view) > families::largest_ratio);
  auto X = naive::normal<double>(50, 3, 44);
  const auto right = copy(X.view);
  factor.solve(X.view);
  X(3, 1) *= 1.0 + 1e-10;
  CHECK(families::solve_ratio(A.view, X.view, right.view) > families::largest_ratio);
}

TEST(sizes_around_panels_and_tiles) {
  for (const Index n : {7, 8, 9, 23, 24, 25, 47, 48, 49, 95, 96, 97, 191, 192, 193, 200, 288, 289, 391}) {
    const auto A = families::random_spd(n);
    const Cholesky factor(A.view);
    CHECK_EQ(factor.jitter(), 0.0);
    CHECK(factor_ratio(A, factor.factor()) < families::largest_ratio);
    for (Index i = 0; i < n; ++i) {
      for (Index j = i + 1; j < n; ++j) CHECK_EQ(factor.factor()(i, j), 0.0);
    }
  }
}

TEST(large_matrices_take_large_tiles) {
  // G Gᵀ of 3100 rows by a naive loop would take seconds: a tridiagonal matrix has a known factor.
  const Index n = 3100;
  Matrix<double> A(n, n);
  for (Index i = 0; i < n; ++i) {
    A(i, i) = 2.0;
    if (i > 0) A(i, i - 1) = -1.0;
  }
  cholesky_in_place(A.view);
  for (Index i = 1; i < n; ++i) {
    const double k = static_cast<double>(i);
    CHECK_NEAR(A(i, i), std::sqrt((k + 2.0) / (k + 1.0)), 1e-13);
    CHECK_NEAR(A(i, i - 1), -std::sqrt(k / (k + 1.0)), 1e-13);
    if (i > 1) CHECK_EQ(A(i, i - 2), 0.0);
    if (i > 200) CHECK_EQ(A(i, i - 200), 0.0);
  }
}

TEST(only_the_lower_triangle_is_used) {
  for (const Index n : {3, 30, 230}) {
    const auto A = families::random_spd(n);
    auto B = copy(A.view);
    for (Index i = 0; i < n; ++i) {
      for (Index j = i + 1; j < n; ++j) B(i, j) = not_a_number;
    }
    Matrix<double> L(n, n), M(n, n);
    cholesky(A.view, L.view);
    cholesky(B.view, M.view);
    CHECK(L.numbers == M.numbers);
  }
}

TEST(any_strides_and_in_place_give_the_same_bits) {
  const Index n = 250;
  const auto A = families::random_spd(n);
  Matrix<double> L(n, n), wide(2 * n, 2 * n), out(n, 3 * n);
  cholesky(A.view, L.view);
  auto B = copy(A.view);
  cholesky_in_place(B.view);
  CHECK(L.numbers == B.numbers);

  const MatrixView<double> strided(wide.numbers.data(), n, n, 4 * n, 2), by_columns(out.numbers.data(), n, n, 1, 3 * n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) strided(i, j) = A.view(i, j);
  }
  cholesky(strided, by_columns);
  cholesky_in_place(strided);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      CHECK_EQ(by_columns(i, j), L(i, j));
      CHECK_EQ(strided(i, j), L(i, j));
    }
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const auto A = families::gram(1100, 1100, 0.0, 0.1);
  Matrix<double> one(1100, 1100), other(1100, 1100);
  gramian::set_num_threads(1);
  cholesky(A.view, one.view);
  for (const int threads : {2, 7}) {
    gramian::set_num_threads(threads);
    cholesky(A.view, other.view);
    CHECK(one.numbers == other.numbers);
  }
  gramian::set_num_threads(0);
}

TEST(singular_matrices_get_the_least_jitter_that_works) {
  for (const Index n : {3, 40, 300}) {
    auto A = singular(n);
    A(n - 1, n - 1) -= 1e-14;  // on the wrong side of zero, further than rounding reaches
    const auto given = A.numbers;
    const Cholesky factor(A.view);
    CHECK(factor.jitter() > 0.0 && factor.jitter() <= 1e-8);
    CHECK(A.numbers == given);
    CHECK(factor_ratio(with_jitter(A, factor.jitter()), factor.factor()) < families::largest_ratio);
    // The jitter is a power of ten times u times the mean of the diagonal, and the one before it was not enough.
    const double power = std::log10(factor.jitter() / families::unit);
    CHECK_NEAR(power, std::round(power), 1e-6);
    CHECK_THROWS(NumericalError, Cholesky(A.view, CholeskyOptions{factor.jitter() / 10.0}));
  }
}

TEST(jitter_has_a_bound_that_can_be_raised) {
  auto A = families::random_spd(20);
  double smallest = 0.0, mean = 0.0;
  for (Index i = 0; i < 20; ++i) mean += A(i, i) / 20.0;
  // A - s I with the smallest s that breaks it, plus a little: needs a jitter of about 1e-6 times the mean.
  for (double low = 0.0, high = mean; high - low > 1e-12;) {
    smallest = 0.5 * (low + high);
    const auto shifted = with_jitter(A, -smallest);
    (message_of(shifted, {0.0}).empty() ? low : high) = smallest;
  }
  const auto indefinite = with_jitter(A, -smallest - 1e-6 * mean);
  CHECK_THROWS(NumericalError, Cholesky(indefinite.view));
  const Cholesky factor(indefinite.view, CholeskyOptions{1e-5});
  CHECK_NEAR(factor.jitter() / (1e-5 * (mean - smallest)), 1.0, 1e-4);
  CHECK_THROWS(std::invalid_argument, Cholesky(A.view, CholeskyOptions{-1.0}));
  CHECK_THROWS(std::invalid_argument, Cholesky(A.view, CholeskyOptions{not_a_number}));
}

TEST(indefinite_matrices_are_refused_with_the_figures) {
  const auto minus = families::fill(5, [](Index i, Index j) { return families::if_equal(i, j, -1.0); });
  CHECK_THROWS(NumericalError, Cholesky(minus.view));
  CHECK(contains(message_of(minus), "size 5"));
  CHECK(contains(message_of(minus), "pivot 0 is -1"));
  CHECK(contains(message_of(minus), "No jitter was tried"));
  auto A = families::random_spd(200);
  A(150, 150) = -3.0;
  const std::string message = message_of(A);
  CHECK(contains(message, "size 200") && contains(message, "pivot 150 is -"));
  CHECK(contains(message, "Adding up to") && contains(message, "max_jitter"));
  CHECK_THROWS(NumericalError, cholesky_in_place(A.view));
  CHECK_EQ(A(150, 150), -3.0);  // a failure leaves the matrix as it was
}

TEST(what_is_not_finite_has_a_message_of_its_own) {
  for (const double bad : {not_a_number, infinity, -infinity}) {
    for (const Index row : {0, 3, 149}) {
      auto A = families::random_spd(150);
      A(row, row / 2) = bad;
      CHECK_THROWS(std::invalid_argument, Cholesky(A.view));
      CHECK(contains(message_of(A), std::isnan(bad) ? "contains NaN" : "contains infinity"));
    }
  }
}

TEST(log_determinants_and_inverse_diagonals) {
  const Index n = 230;
  const auto A = families::random_spd(n);
  const Cholesky factor(A.view);
  double sum = 0.0;
  for (Index i = 0; i < n; ++i) sum += 2.0 * std::log(factor.factor()(i, i));
  CHECK_NEAR(factor.log_determinant(), sum, 1e-10);
  Matrix<double> inverse(n, n), diagonal(1, n);
  for (Index i = 0; i < n; ++i) inverse(i, i) = 1.0;
  factor.solve(inverse.view);
  factor.inverse_diagonal(diagonal.numbers.data());
  for (Index i = 0; i < n; ++i) CHECK_NEAR(diagonal(0, i) / inverse(i, i), 1.0, 1e-12);
}

TEST(halves_of_a_solve) {
  const auto A = families::random_spd(110);
  const Cholesky factor(A.view);
  auto whole = naive::normal<double>(110, 4, 5), halves = copy(whole.view);
  factor.solve(whole.view);
  factor.solve_lower(halves.view);
  factor.solve_lower_transposed(halves.view);
  CHECK(whole.numbers == halves.numbers);
}

TEST(nothing_and_wrong_shapes) {
  Matrix<double> none(0, 0), empty(0, 3), wide(2, 3), A(2, 2);
  const Cholesky factor(none.view);
  CHECK_EQ(factor.size(), 0);
  CHECK_EQ(factor.log_determinant(), 0.0);
  factor.solve(empty.view);
  CHECK_THROWS(std::invalid_argument, Cholesky(wide.view));
  CHECK_THROWS(std::invalid_argument, cholesky(A.view, wide.view));
  const auto B = families::random_spd(3);
  CHECK_THROWS(std::invalid_argument, Cholesky(B.view).solve(A.view));
}

TEST_MAIN

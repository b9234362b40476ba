// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/triangular.hpp"

#include <limits>
#include <stdexcept>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "support/check.hpp"
#include "support/families.hpp"

using gramian::Index;
using gramian::MatrixView;
using gramian::transposed;
using naive::Matrix;

namespace {

using Solve = void (*)(MatrixView<const double>, MatrixView<double>);

struct Case {
  Solve solve;
  bool upper;
  bool transpose;
};
const Case cases[] = {{gramian::solve_lower, false, false},
                      {gramian::solve_lower_transposed, false, true},
                      {gramian::solve_upper, true, false},
                      {gramian::solve_upper_transposed, true, true}};

/// A well-conditioned triangle with NaN in the other one.
Matrix<double> triangle(Index n, bool upper) {
  const auto G = naive::normal<double>(n, n, 31);
  return families::fill(n, [&](Index i, Index j) {
    if (i == j) return 1.0 + 0.1 * static_cast<double>(i % 3);
    if (upper ? j < i : j > i) return std::numeric_limits<double>::quiet_NaN();
    return G.view(i, j) / static_cast<double>(n);
  });
}

/// The matrix that a case solves with.
Matrix<double> matrix_of(const Matrix<double>& T, const Case& c) {
  return families::fill(T.view.rows(), [&](Index i, Index j) {
    const Index row = c.transpose ? j : i, col = c.transpose ? i : j;
    return (c.upper ? col < row : col > row) ? 0.0 : T.view(row, col);
  });
}

void check_case(const Case& c, Index n, Index m) {
  const auto T = triangle(n, c.upper), right = naive::normal<double>(n, m, 32);
  const auto A = matrix_of(T, c);
  auto X = naive::normal<double>(n, m, 32);
  c.solve(T.view, X.view);
  CHECK(families::solve_ratio(A.view, X.view, right.view) < families::largest_ratio);
  // The same numbers with other strides give the same bits, but for a few columns, which are solved along the matrix's rows.
  Matrix<double> columns(m, n), turned(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) turned(j, i) = T.view(i, j);
    for (Index j = 0; j < m; ++j) columns(j, i) = right.view(i, j);
  }
  c.solve(transposed(turned.view), transposed(columns.view));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) CHECK_NEAR(columns(j, i), X(i, j), m > 4 ? 0.0 : 1e-13);
  }
}

}  // namespace

TEST(every_form_at_every_size) {
  for (const Case& c : cases) {
    for (const Index n : {1, 2, 3, 5, 8, 10, 24, 25, 50, 96, 97, 200}) {
      for (const Index m : {1, 2, 7, 8, 9, 16, 17, 24, 25, 49}) check_case(c, n, m);
    }
    for (const Index m : {96, 97, 200}) check_case(c, 210, m);
    check_case(c, 500, 10);
    check_case(c, 500, 1);
  }
}

// From 4096 rows on one right-hand side is solved for in larger blocks, several threads to each.
TEST(large_systems_with_one_side) {
  const Index n = 4100;
  Matrix<double> T(n, n), X(n, 1), first(n, 1);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) T(i, j) = static_cast<double>((i + 3 * j) % 7 - 3) / static_cast<double>(n);
    T(i, i) = 1.0;
  }
  for (const bool transpose : {false, true}) {
    for (const int threads : {1, 2, 7}) {
      gramian::set_num_threads(threads);
      // The right-hand side of x = (1, ..., 1).
      for (double& x : X.numbers) x = 0.0;
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j <= i; ++j) X(transpose ? j : i, 0) += T(i, j);
      }
      transpose ? gramian::solve_lower_transposed(T.view, X.view) : gramian::solve_lower(T.view, X.view);
      for (const double x : X.numbers) CHECK_NEAR(x, 1.0, 1e-12);
      if (threads == 1) first.numbers = X.numbers;
      CHECK(X.numbers == first.numbers);
    }
  }
  gramian::set_num_threads(0);
}

TEST(factors_of_every_family) {
  for (const auto& family : families::all()) {
    for (const Index n : families::sizes()) {
      const auto A = family.make(n);
      const gramian::Cholesky factor(A.view);
      for (const Index m : {1, 10, 100}) {
        if (n == 500 && m == 100) continue;
        const auto right = naive::normal<double>(n, m, 33);
        auto X = naive::normal<double>(n, m, 33), Y = naive::normal<double>(n, m, 33);
        gramian::solve_lower(factor.factor(), X.view);
        gramian::solve_lower_transposed(factor.factor(), Y.view);
        CHECK(families::solve_ratio(factor.factor(), X.view, right.view) < families::largest_ratio);
        CHECK(families::solve_ratio(transposed(factor.factor()), Y.view, right.view) < families::largest_ratio);
      }
    }
  }
}

TEST(the_ratio_notices_a_wrong_solution) {
  const auto T = triangle(60, false), right = naive::normal<double>(60, 2, 34);
  auto X = naive::normal<double>(60, 2, 34);
  gramian::solve_lower(T.view, X.view);
  X(30, 1) += 1e-10;
  CHECK(families::solve_ratio(matrix_of(T, cases[0]).view, X.view, right.view) > families::largest_ratio);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Index n = 1500;
  const auto T = triangle(n, false);
  for (const Index m : {40, 300}) {
    gramian::set_num_threads(1);
    auto one = naive::normal<double>(n, m, 35);
    gramian::solve_lower(T.view, one.view);
    for (const int threads : {2, 7}) {
      gramian::set_num_threads(threads);
      auto other = naive::normal<double>(n, m, 35);
      gramian::solve_lower(T.view, other.view);
      CHECK(one.numbers == other.numbers);
    }
  }
  gramian::set_num_threads(0);
}

TEST(bad_arguments_are_refused) {
  auto T = triangle(4, false);
  Matrix<double> wide(4, 5), B(3, 2), X(4, 2), none(4, 0), empty(0, 0);
  for (const Case& c : cases) {
    CHECK_THROWS(std::invalid_argument, c.solve(wide.view, X.view));
    CHECK_THROWS(std::invalid_argument, c.solve(T.view, B.view));
    c.solve(T.view, none.view);
    c.solve(empty.view, empty.view);
  }
  T(2, 2) = 0.0;
  CHECK_THROWS(gramian::NumericalError, gramian::solve_lower(T.view, X.view));
  CHECK_THROWS(gramian::NumericalError, gramian::solve_lower_transposed(T.view, X.view));
}

TEST_MAIN

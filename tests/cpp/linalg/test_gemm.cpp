// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/gemm.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using gramian::gemm;
using gramian::gemm_symmetric;
using gramian::Index;
using gramian::MatrixView;
using gramian::transposed;
using gramian::Triangle;
using naive::Matrix;

namespace {

/// The largest error of out = alpha A B + beta C, relative to what any order of summation may lose.
double worst_error(double alpha, MatrixView<const double> A, MatrixView<const double> B, double beta, MatrixView<const double> C,
                   MatrixView<const double> out) {
  double worst = 0.0;
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index j = 0; j < out.cols(); ++j) {
      double sum = 0.0, size = 0.0;
      for (Index k = 0; k < A.cols(); ++k) {
        sum += A(i, k) * B(k, j);
        size += std::fabs(A(i, k) * B(k, j));
      }
      const double expected = alpha * sum + beta * C(i, j);
      const double bound = std::fabs(alpha) * size + std::fabs(beta * C(i, j)) + 1e-300;
      const double error = std::fabs(out(i, j) - expected) / (bound * static_cast<double>(A.cols() + 2) * 0x1p-53);
      if (!(error <= worst)) worst = error;
    }
  }
  return worst;
}

/// rows x cols numbers in one of four layouts: by rows, by columns, and both with gaps.
struct Layout {
  Layout(Index rows, Index cols, int kind, std::uint64_t seed)
      : numbers(naive::normal<double>(2 * rows + 1, 2 * cols + 1, seed)) {
    double* data = numbers.numbers.data();
    const Index gap = kind >= 2 ? 2 : 1;
    view = kind % 2 == 0 ? MatrixView<double>(data, rows, cols, gap * cols, gap)
                         : MatrixView<double>(data, rows, cols, gap, gap * rows);
  }
  Matrix<double> numbers;
  MatrixView<double> view;
};

void check_product(Index m, Index n, Index k, int a, int b, int c, double alpha, double beta) {
  const Layout A(m, k, a, 1), B(k, n, b, 2), before(m, n, c, 3);
  const Layout C(m, n, c, 3);
  gemm(alpha, A.view, B.view, beta, C.view);
  CHECK(worst_error(alpha, A.view, B.view, beta, before.view, C.view) <= 2.0);
}

}  // namespace

TEST(every_layout_of_every_matrix) {
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      for (int c = 0; c < 4; ++c) {
        check_product(5, 4, 3, a, b, c, 1.0, 0.0);
        check_product(37, 41, 29, a, b, c, -0.5, 2.0);
      }
    }
  }
}

TEST(odd_sizes) {
  for (const Index n : {1, 2, 3, 7, 8, 23, 24, 25, 100, 191, 192, 193, 385}) {
    check_product(n, 17, 33, 0, 0, 0, 1.0, 0.0);
    check_product(19, n, 31, 0, 0, 0, 1.0, 1.0);
    check_product(21, 18, n, 0, 0, 0, 2.0, -1.0);
  }
  check_product(250, 210, 900, 0, 1, 0, 1.0, 0.5);
}

TEST(few_entries_of_many_summands) {
  check_product(10, 12, 20000, 1, 0, 0, 1.0, 0.0);
  check_product(200, 3, 7001, 0, 0, 1, 1.5, 0.5);
}

TEST(zero_factors) {
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  const Index n = 60;
  const auto A = naive::normal<double>(n, n, 4);
  Matrix<double> C(n, n), none(n, 0), D(n, n);
  for (double& c : C.numbers) c = not_a_number;
  gemm(1.0, A.view, A.view, 0.0, C.view);  // overwritten, not multiplied
  for (const double c : C.numbers) CHECK(std::isfinite(c));
  for (double& d : D.numbers) d = 3.0;
  gemm(1.0, none.view, transposed(none.view), 0.5, D.view);
  for (const double d : D.numbers) CHECK_EQ(d, 1.5);
  gemm(0.0, A.view, A.view, 2.0, D.view);
  for (const double d : D.numbers) CHECK_EQ(d, 3.0);
  gemm(1.0, none.view, transposed(none.view), 0.0, D.view);
  for (const double d : D.numbers) CHECK_EQ(d, 0.0);
  gemm(1.0, transposed(none.view), A.view, 0.0, transposed(none.view));
}

TEST(symmetric_products) {
  for (const Index n : {1, 3, 24, 50, 193, 400}) {
    for (const Index k : {1, 5, 200, 4000}) {
      if (n > 200 && k > 200) continue;
      for (int kind = 0; kind < 4; ++kind) {
        const Layout A(n, k, kind, 5);
        Matrix<double> C(n, n), lower(n, n), zero(n, n);
        for (double& l : lower.numbers) l = 7.0;
        gemm_symmetric(2.0, A.view, 0.0, C.view);
        CHECK(worst_error(2.0, A.view, transposed(A.view), 0.0, zero.view, C.view) <= 2.0);
        gemm_symmetric(2.0, A.view, 0.0, lower.view, Triangle::lower);
        for (Index i = 0; i < n; ++i) {
          for (Index j = 0; j < n; ++j) {
            CHECK_EQ(lower(i, j), j <= i ? C(i, j) : 7.0);
            CHECK_EQ(C(i, j), C(j, i));
          }
        }
      }
    }
  }
}

TEST(lower_triangles_of_products) {
  for (const Index n : {1, 3, 24, 50, 193, 400}) {
    for (const Index k : {0, 1, 5, 200, 4000}) {
      if (n > 200 && k > 200) continue;
      const Layout A(n, k, n % 4, 11), B(k, n, (n + 1) % 4, 12);
      Matrix<double> full(n, n), lower(n, n);
      for (double& number : full.numbers) number = 7.0;
      lower.numbers = full.numbers;
      gemm(-1.5, A.view, B.view, 0.5, full.view);
      gramian::gemm_lower(-1.5, A.view, B.view, 0.5, lower.view);
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
          if (j > i) CHECK_EQ(lower(i, j), 7.0);
          if (j <= i) CHECK_NEAR(lower(i, j), full(i, j), 1e-11);
        }
      }
    }
  }
  const Matrix<double> wide(3, 4);
  CHECK_THROWS(std::invalid_argument, gramian::gemm_lower(1.0, wide.view, transposed(wide.view), 0.0, wide.view));
}

TEST(the_comparison_notices_an_error) {
  const auto A = naive::normal<double>(40, 30, 6), B = naive::normal<double>(30, 20, 7);
  Matrix<double> C(40, 20), zero(40, 20);
  gemm(1.0, A.view, B.view, 0.0, C.view);
  C(7, 7) += 1e-12;
  CHECK(worst_error(1.0, A.view, B.view, 0.0, zero.view, C.view) > 2.0);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const auto A = naive::normal<double>(600, 1000, 8), B = naive::normal<double>(1000, 500, 9),
             tall = naive::normal<double>(90000, 12, 10);
  Matrix<double> product(600, 500), symmetric(600, 600), small(12, 12);
  std::vector<double> first;
  for (const int threads : {1, 2, 7}) {
    gramian::set_num_threads(threads);
    gemm(1.0, A.view, B.view, 0.0, product.view);
    gemm_symmetric(1.0, A.view, 0.0, symmetric.view);
    gemm(1.0, transposed(tall.view), tall.view, 0.0, small.view);
    std::vector<double> all = product.numbers;
    all.insert(all.end(), symmetric.numbers.begin(), symmetric.numbers.end());
    all.insert(all.end(), small.numbers.begin(), small.numbers.end());
    if (first.empty()) first = all;
    CHECK(all == first);
  }
  gramian::set_num_threads(0);
}

TEST(shapes_that_do_not_fit_are_refused) {
  Matrix<double> A(3, 4), B(5, 2), C(3, 2), D(4, 2), E(4, 4);
  CHECK_THROWS(std::invalid_argument, gemm(1.0, A.view, B.view, 0.0, C.view));
  CHECK_THROWS(std::invalid_argument, gemm(1.0, A.view, D.view, 0.0, D.view));
  CHECK_THROWS(std::invalid_argument, gemm_symmetric(1.0, A.view, 0.0, E.view));
}

TEST_MAIN

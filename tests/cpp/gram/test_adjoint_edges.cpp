// SPDX-License-Identifier: BSD-3-Clause
// The adjoint where kernels have kinks, on points without coordinates, in float32, in parallel, and on bad input.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/full.hpp"
#include "support/check.hpp"
#include "support/finite_difference.hpp"
#include "support/gram_problem.hpp"
#include "support/kernel_samples.hpp"
#include "support/naive.hpp"
#include "support/naive_kernels.hpp"

using gramian::adjoint;
using gramian::GramGradient;
using gramian::Index;
using gramian::InnerProducts;
using gramian::Kernel;
using gramian::MatrixView;
using gramian::set_num_threads;
using gramian::SparseRows;
using naive::Expression;
using naive::leaf;
using naive::Matrix;
using naive::Real;

namespace {

constexpr Real roundings = 0x1p14L * 0x1p-53L;  // as in test_adjoint.cpp

template <class Numbers>
bool all_finite(const Numbers& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}
template <class T>
double largest(const Matrix<T>& A) {
  double most = 0.0;
  for (const T x : A.numbers) most = std::fmax(most, std::fabs(static_cast<double>(x)));
  return most;
}

Matrix<float> narrowed(const Matrix<double>& A) {
  Matrix<float> out(A.view.rows(), A.view.cols());
  std::transform(A.numbers.begin(), A.numbers.end(), out.numbers.begin(), [](double x) { return static_cast<float>(x); });
  return out;
}

void set_row(Matrix<double>& X, Index i, const std::vector<double>& numbers) {
  for (std::size_t k = 0; k < numbers.size(); ++k) X(i, static_cast<Index>(k)) = numbers[k];
}

}  // namespace

TEST(coincident_points_give_no_push) {
  const std::vector<double> here = {0.7, -1.3, 2.9};
  for (const Expression& e : naive::all_samples(3)) {
    // What grows with the points is not stationary where they meet.
    if (naive::any_leaf(e, [](const Expression& l) { return !std::isfinite(naive::kernel_of(l).supremum()); })) continue;
    const Kernel kernel = naive::kernel_of(e);
    Matrix<double> X(5, 3), Y(4, 3), Xbar(5, 3), Ybar(4, 3), Kbar(5, 4), square(5, 5);
    for (Index i = 0; i < 5; ++i) set_row(X, i, here);
    for (Index j = 0; j < 4; ++j) set_row(Y, j, here);
    std::fill(Kbar.numbers.begin(), Kbar.numbers.end(), 1.5);
    std::fill(square.numbers.begin(), square.numbers.end(), -2.5);
    // All of these are stationary where points meet, or have a kink there.
    CHECK(all_finite(adjoint(kernel, X.view, GramGradient<double>(square.view), Xbar.view)));
    check::that(largest(Xbar) <= 1e-13, e.name + ", one set: " + check::show(largest(Xbar)), __FILE__, __LINE__);
    CHECK(all_finite(adjoint(kernel, X.view, Y.view, GramGradient<double>(Kbar.view), Xbar.view, Ybar.view)));
    check::that(largest(Xbar) <= 1e-13 && largest(Ybar) <= 1e-13, e.name + ", two sets: " + check::show(largest(Xbar)), __FILE__,
                __LINE__);
  }
}

TEST(duplicates_leave_the_other_gradients_as_they_are) {
  // Two copies of a point, with half the weight each, push the others as one does.
  const Index n = 9, d = 3;
  const auto X = naive::points_apart(n, d, 101), P = naive::normal<double>(n, 2, 102), Q = naive::normal<double>(n, 2, 103);
  Matrix<double> twice(n + 1, d), P2(n + 1, 2), Q2(n + 1, 2), Xbar(n, d), twice_bar(n + 1, d);
  for (Index i = 0; i <= n; ++i) {
    const Index from = std::min(i, n - 1);
    for (Index k = 0; k < d; ++k) twice(i, k) = X.view(from, k);
    for (Index c = 0; c < 2; ++c) {
      P2(i, c) = P.view(from, c) * (i >= n - 1 ? 0.5 : 1.0);
      Q2(i, c) = Q.view(from, c) * (i >= n - 1 ? 0.5 : 1.0);
    }
  }
  for (const Expression& e : naive::all_samples(d)) {
    const Kernel kernel = naive::kernel_of(e);
    const std::vector<double> one = adjoint(kernel, X.view, GramGradient<double>(P.view, Q.view), Xbar.view);
    const std::vector<double> two = adjoint(kernel, twice.view, GramGradient<double>(P2.view, Q2.view), twice_bar.view);
    for (std::size_t p = 0; p < one.size(); ++p) CHECK_NEAR(one[p], two[p], 1e-11 * (1.0 + std::fabs(one[p])));
    double worst = 0.0;
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < d; ++k) {
        const double sum = twice_bar(i, k) + (i == n - 1 ? twice_bar(n, k) : 0.0);
        worst = std::fmax(worst, std::fabs(sum - Xbar(i, k)) / (1.0 + largest(Xbar)));
      }
    }
    check::that(worst <= 1e-11, e.name + ": a duplicate changes gradients by " + check::show(worst), __FILE__, __LINE__);
  }
}

TEST(parallel_and_opposite_vectors_do_not_turn_each_other) {
  // The angle has a kink at 0 and at pi; along the vectors themselves nothing changes.
  Matrix<double> X(3, 3), Y(2, 3), Xbar(3, 3), Ybar(2, 3), Kbar(3, 2);
  set_row(X, 0, {0.1, 0.7, -0.3}), set_row(X, 1, {-0.3, -2.1, 0.9}), set_row(X, 2, {0.2, 1.4, -0.6});
  set_row(Y, 0, {0.7, 4.9, -2.1}), set_row(Y, 1, {-0.01, -0.07, 0.03});
  std::fill(Kbar.numbers.begin(), Kbar.numbers.end(), 1.0);
  for (const char* name : {"arc_cosine0", "cosine"}) {
    adjoint(Kernel(name, {}), X.view, Y.view, GramGradient<double>(Kbar.view), Xbar.view, Ybar.view);
    check::that(largest(Xbar) <= 1e-13 && largest(Ybar) <= 1e-12,
                std::string(name) + ": " + check::show(largest(Xbar)) + ", " + check::show(largest(Ybar)), __FILE__, __LINE__);
  }
}

TEST(zero_rows_are_finite_and_push_nothing_where_that_is_the_rule) {
  auto X = naive::points_apart(8, 3, 104), P = naive::normal<double>(8, 2, 105);
  set_row(X, 2, {0, 0, 0}), set_row(X, 5, {0, 0, 0});
  for (const Expression& e : naive::all_samples(3)) {
    Matrix<double> Xbar(8, 3), Ybar(8, 3);
    const std::vector<double> one = adjoint(naive::kernel_of(e), X.view, GramGradient<double>(P.view, P.view), Xbar.view);
    check::that(all_finite(one) && all_finite(Xbar.numbers), e.name + " is not finite at zero rows", __FILE__, __LINE__);
    const std::vector<double> two =
        adjoint(naive::kernel_of(e), X.view, X.view, GramGradient<double>(P.view, P.view), Xbar.view, Ybar.view);
    check::that(all_finite(two) && all_finite(Xbar.numbers) && all_finite(Ybar.numbers), e.name + " is not finite at zero rows",
                __FILE__, __LINE__);
    if (e.name != "cosine" && e.name != "tanimoto" && e.name.rfind("arc_cosine", 0) != 0) continue;
    for (Index k = 0; k < 3; ++k) CHECK_EQ(Xbar(2, k), 0.0);
  }
}

TEST(far_points_are_finite) {
  for (const double distance : {1e3, 1e18, 1e105, 1e150}) {
    for (const Expression& e : naive::all_samples(2)) {
      if (!std::isfinite(naive::kernel_of(e).supremum())) continue;
      Matrix<double> X(3, 2), Xbar(3, 2), Kbar(3, 3);
      set_row(X, 0, {distance, -distance}), set_row(X, 1, {-distance, distance / 2}), set_row(X, 2, {0.3, 0.4});
      std::fill(Kbar.numbers.begin(), Kbar.numbers.end(), 1.0);
      const std::vector<double> theta = adjoint(naive::kernel_of(e), X.view, GramGradient<double>(Kbar.view), Xbar.view);
      check::that(all_finite(theta) && all_finite(Xbar.numbers), e.name + " is not finite at " + check::show(distance), __FILE__,
                  __LINE__);
    }
  }
}

TEST(mixtures_of_scales_near_the_gaussian_have_accurate_parameters) {
  // dk/dalpha = -k x^2 / 2 + ..., x = |x - y|^2 / (2 alpha l^2): nothing is left of it where logarithms are subtracted.
  const auto X = naive::points_apart(9, 2, 106), Kbar = naive::normal<double>(9, 9, 107);
  const auto F = narrowed(X), Fbar = narrowed(Kbar);
  for (const double alpha : {0.01, 1.0, 30.0, 1e3, 1e6}) {
    const Expression e = leaf("rational_quadratic", {alpha, 1.3});
    const naive::GramProblem problem{e, true, naive::points(X.view), {}, Kbar.view};
    const Real wanted = problem.parameter_slope(0, static_cast<Real>(alpha) * 1e-2L).value;
    CHECK_NEAR(adjoint(naive::kernel_of(e), X.view, GramGradient<double>(Kbar.view), {})[0], static_cast<double>(wanted),
               1e-6 * static_cast<double>(std::fabs(wanted)));
    CHECK_NEAR(adjoint(naive::kernel_of(e), F.view, GramGradient<float>(Fbar.view), {})[0], static_cast<double>(wanted),
               1e-3 * static_cast<double>(std::fabs(wanted)));
  }
}

TEST(inner_products_have_a_gradient) {
  for (const Expression& e : naive::inner_product_samples()) {
    for (const Index n : {1, 2, 13, 200}) {
      const auto X = naive::points_apart(n, 3, 111), P = naive::normal<double>(n, 2, 112), Q = naive::normal<double>(n, 2, 113);
      const auto Kbar = naive::dense_product(P, Q);
      Matrix<double> inner(n, n), inner_bar(n, n), Xbar(n, 3);
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
          for (Index k = 0; k < 3; ++k) inner(i, j) += X.view(i, k) * X.view(j, k);
        }
      }
      const Kernel kernel = naive::kernel_of(e);
      const std::vector<double> theta =
          adjoint(kernel, InnerProducts<double>(inner.view), GramGradient<double>(P.view, Q.view), inner_bar.view);
      const std::vector<double> wanted = adjoint(kernel, X.view, GramGradient<double>(P.view, Q.view), Xbar.view);
      // With inner = X X^T, every change of X is a symmetric change of the inner products: Xbar = 2 inner_bar X.
      double worst = 0.0, asymmetry = 0.0;
      for (Index i = 0; i < n; ++i) {
        for (Index k = 0; k < 3; ++k) {
          double sum = 0.0, size = 1.0;
          for (Index j = 0; j < n; ++j)
            sum += 2.0 * inner_bar(i, j) * X.view(j, k), size += std::fabs(2.0 * inner_bar(i, j) * X.view(j, k));
          worst = std::fmax(worst, std::fabs(sum - Xbar(i, k)) / size);
        }
        for (Index j = 0; j < i; ++j) asymmetry = std::fmax(asymmetry, std::fabs(inner_bar(i, j) - inner_bar(j, i)));
      }
      check::that(worst <= 1e-11, e.name + ": inner_bar, " + check::show(worst), __FILE__, __LINE__);
      CHECK_EQ(asymmetry, 0.0);
      for (std::size_t p = 0; p < theta.size(); ++p) CHECK_NEAR(theta[p], wanted[p], 1e-10 * (1.0 + std::fabs(wanted[p])));
    }
  }
}

// Entries that no X X^T of few features has: the engine's own K, of which the values are proved elsewhere, moved symmetrically.
TEST(inner_products_move_one_by_one) {
  const Index n = 7;
  const auto X = naive::normal<double>(n, 12, 114), Kbar = naive::normal<double>(n, n, 115);
  Matrix<double> inner(n, n), inner_bar(n, n), K(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j)
      inner(i, j) = static_cast<double>(naive::facts_of(naive::point(X.view, i), naive::point(X.view, j)).inner);
  }
  for (const Expression& e : naive::inner_product_samples()) {
    const Kernel kernel = naive::kernel_of(e);
    adjoint(kernel, InnerProducts<double>(inner.view), GramGradient<double>(Kbar.view), inner_bar.view);
    for (const auto& [i, j] : {std::pair<Index, Index>{0, 0}, {2, 5}, {6, 1}, {3, 3}}) {
      const double exact = inner(i, j);
      const auto f = [&, i = i, j = j](Real t) {
        inner(i, j) = inner(j, i) = exact + static_cast<double>(t);
        gramian::full(kernel, InnerProducts<double>(inner.view), K.view);
        inner(i, j) = inner(j, i) = exact;
        return difference::dot(K.numbers, Kbar.numbers);
      };
      // In float64 values: u / h = 1e-13, times the size of sum Kbar o K.
      const Real size = difference::dot(K.numbers, K.numbers) + difference::dot(Kbar.numbers, Kbar.numbers);
      const difference::Slope wanted = difference::slope(f, 0x1p-8L, 0);
      const Real got = (i == j ? 1 : 2) * inner_bar(i, j);
      check::that(std::fabs(got - wanted.value) <= wanted.error + 1e-12L * size && wanted.error <= 1e-4L * size,
                  e.name + ": inner_bar " + check::show(got) + " and " + check::show(wanted.value), __FILE__, __LINE__);
    }
  }
}

TEST(float32_gradients_are_those_of_float64) {
  const Index n = 113, m = 60, d = 3;
  const auto X = narrowed(naive::points_apart(n, d, 121)), Y = narrowed(naive::points_apart(m, d, 122));
  const auto P = narrowed(naive::normal<double>(n, 2, 123)), Q = narrowed(naive::normal<double>(m, 2, 124)),
             R = narrowed(naive::normal<double>(n, 2, 125));
  const auto wide = [](const Matrix<float>& A) {
    Matrix<double> out(A.view.rows(), A.view.cols());
    std::copy(A.numbers.begin(), A.numbers.end(), out.numbers.begin());
    return out;
  };
  const auto WX = wide(X), WY = wide(Y), WP = wide(P), WQ = wide(Q), WR = wide(R);
  for (const Expression& e : naive::all_samples(d)) {
    const Kernel kernel = naive::kernel_of(e);
    Matrix<float> one(n, d), two(n, d), three(m, d);
    Matrix<double> wanted_one(n, d), wanted_two(n, d), wanted_three(m, d);
    std::vector<double> a = adjoint(kernel, X.view, GramGradient<float>(P.view, R.view), one.view);
    std::vector<double> b = adjoint(kernel, WX.view, GramGradient<double>(WP.view, WR.view), wanted_one.view);
    const std::vector<double> c = adjoint(kernel, X.view, Y.view, GramGradient<float>(P.view, Q.view), two.view, three.view);
    const std::vector<double> g =
        adjoint(kernel, WX.view, WY.view, GramGradient<double>(WP.view, WQ.view), wanted_two.view, wanted_three.view);
    a.insert(a.end(), c.begin(), c.end());
    b.insert(b.end(), g.begin(), g.end());
    const auto gap = [](const Matrix<float>& got, const Matrix<double>& wanted) {
      double most = 0.0;
      for (std::size_t i = 0; i < got.numbers.size(); ++i)
        most = std::fmax(most, std::fabs(static_cast<double>(got.numbers[i]) - wanted.numbers[i]));
      return most / (1.0 + largest(wanted));
    };
    // u = 6e-8, 113 terms that cancel, at distances whose squares have lost two digits.
    const double worst = std::fmax(gap(one, wanted_one), std::fmax(gap(two, wanted_two), gap(three, wanted_three)));
    check::that(worst <= 1e-4, e.name + ": float32 gradients are off by " + check::show(worst), __FILE__, __LINE__);
    for (std::size_t p = 0; p < a.size(); ++p) {
      check::that(std::fabs(a[p] - b[p]) <= 1e-4 * (10.0 + std::fabs(b[p])),
                  e.name + ": float32 parameter " + check::show(a[p]) + " and " + check::show(b[p]), __FILE__, __LINE__);
    }
  }
}

TEST(threads_change_no_bit_of_any_schedule) {
  struct Size {
    Index n, m, d;
  };
  for (const Size& size : {Size{410, 310, 3}, Size{300, 500, 600}}) {
    const auto X = naive::normal<double>(size.n, size.d, 131), Y = naive::normal<double>(size.m, size.d, 132);
    const auto P = naive::normal<double>(size.n, 3, 133), Q = naive::normal<double>(size.m, 3, 134);
    const double width = 1.0 / static_cast<double>(size.d);
    const Expression e =
        2.0 * (leaf("gaussian", {width}) + leaf("cosine")) * leaf("matern32", {1.0 / width}) + leaf("laplacian_l1", {width});
    const Kernel kernel = naive::kernel_of(e);
    std::vector<std::vector<double>> seen;
    for (const int threads : {1, 2, 7}) {
      set_num_threads(threads);
      Matrix<double> one(size.n, size.d), two(size.n, size.d), three(size.m, size.d);
      std::vector<double> all = adjoint(kernel, X.view, GramGradient<double>(P.view, P.view), one.view);
      const std::vector<double> more =
          adjoint(kernel, X.view, Y.view, GramGradient<double>(P.view, Q.view), two.view, three.view);
      for (const std::vector<double>& part : {more, one.numbers, two.numbers, three.numbers})
        all.insert(all.end(), part.begin(), part.end());
      seen.push_back(std::move(all));
    }
    set_num_threads(0);
    CHECK(seen[0] == seen[1]);
    CHECK(seen[0] == seen[2]);
  }
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Hessian-vector products against differences of the adjoint (which test_adjoint.cpp proves), and <Hv, w> = <v, Hw>.
#include "gramian/gram/hessian_vector.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/gram_problem.hpp"
#include "support/hessian_check.hpp"
#include "support/kernel_samples.hpp"

using gramian::adjoint;
using gramian::GramGradient;
using gramian::hessian_vector;
using gramian::Index;
using gramian::Kernel;
using gramian::MatrixView;
using naive::Matrix;

namespace {

constexpr Index d = 3, r = 2;

Matrix<double> part(const Matrix<double>& all, Index first, Index rows) {
  Matrix<double> out(rows, d);
  std::copy_n(all.numbers.data() + first * d, rows * d, out.numbers.data());
  return out;
}

/// Everything that moves, and where to.
struct Problem {
  // Both sets are apart in every coordinate, so that no step crosses a kink.
  Problem(Index rows, Index cols, std::uint64_t seed)
      : n(rows),
        m(cols),
        X(part(naive::points_apart(n + m, d, seed), 0, n)),
        Y(part(naive::points_apart(n + m, d, seed), n, m)),
        P(naive::normal<double>(n, r, seed + 2)),
        Q(naive::normal<double>(m, r, seed + 3)),
        Xdot(naive::normal<double>(n, d, seed + 4)),
        Ydot(naive::normal<double>(m, d, seed + 5)),
        Pdot(naive::normal<double>(n, r, seed + 6)),
        Qdot(naive::normal<double>(m, r, seed + 7)) {}

  Index n, m;
  Matrix<double> X, Y, P, Q, Xdot, Ydot, Pdot, Qdot;
};

Matrix<double> moved(const Matrix<double>& at, const Matrix<double>& along, double t) {
  Matrix<double> out(at.view.rows(), at.view.cols());
  for (std::size_t i = 0; i < out.numbers.size(); ++i) out.numbers[i] = at.numbers[i] + t * along.numbers[i];
  return out;
}

Matrix<double> beside(const Matrix<double>& A, const Matrix<double>& B) {
  Matrix<double> out(A.view.rows(), 2 * r);
  for (Index i = 0; i < A.view.rows(); ++i) {
    for (Index c = 0; c < r; ++c) out(i, c) = A.view(i, c), out(i, r + c) = B.view(i, c);
  }
  return out;
}

using Numbers = std::vector<double>;

/// adjoint() with everything moved by t: the gradients of the first set and, of two, of the second behind it.
Numbers gradient_at(const Kernel& kernel, const Problem& p, bool same, double t) {
  const Matrix<double> X = moved(p.X, p.Xdot, t), Y = moved(p.Y, p.Ydot, t), P = moved(p.P, p.Pdot, t), Q = moved(p.Q, p.Qdot, t);
  Matrix<double> Xbar(p.n, d), Ybar(p.m, d);
  const GramGradient<double> Kbar(P.view, Q.view);
  if (same) {
    adjoint(kernel, X.view, Kbar, Xbar.view);
    return Xbar.numbers;
  }
  adjoint(kernel, X.view, Y.view, Kbar, Xbar.view, Ybar.view);
  Xbar.numbers.insert(Xbar.numbers.end(), Ybar.numbers.begin(), Ybar.numbers.end());
  return Xbar.numbers;
}

Numbers product_of(const Kernel& kernel, const Problem& p, bool same) {
  const Matrix<double> left = beside(p.Pdot, p.P), right = beside(p.Q, p.Qdot);
  const GramGradient<double> Kbar(p.P.view, p.Q.view), Kbar_dot(left.view, right.view);
  Matrix<double> X_out(p.n, d), Y_out(p.m, d);
  if (same) {
    hessian_vector(kernel, p.X.view, p.Xdot.view, Kbar, Kbar_dot, X_out.view);
    return X_out.numbers;
  }
  hessian_vector(kernel, p.X.view, p.Y.view, p.Xdot.view, p.Ydot.view, Kbar, Kbar_dot, X_out.view, Y_out.view);
  X_out.numbers.insert(X_out.numbers.end(), Y_out.numbers.begin(), Y_out.numbers.end());
  return X_out.numbers;
}

void compare_with_differences(const naive::Expression& e, const Problem& p, bool same) {
  const Kernel kernel = naive::kernel_of(e);
  check::hessian_along(e.name + (same ? ", one set" : ", two sets"), product_of(kernel, p, same),
                       [&](double t) { return gradient_at(kernel, p, same, t); });
}

double inner(const Numbers& a, const Numbers& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// H v for sum Kbar o K with a Kbar that stays.
Numbers hessian_times(const Kernel& kernel, const Problem& p, const Matrix<double>& v) {
  Matrix<double> out(p.n, d);
  const Matrix<double> none(p.n, 1);
  hessian_vector(kernel, p.X.view, v.view, GramGradient<double>(p.P.view, p.Pdot.view),
                 GramGradient<double>(none.view, none.view), out.view);
  return out.numbers;
}

}  // namespace

TEST(every_kernel_agrees_with_differences_of_the_adjoint) {
  const Problem p(13, 9, 40), square(11, 11, 50);
  for (const naive::Expression& e : naive::all_samples(d)) {
    compare_with_differences(e, p, false);
    compare_with_differences(e, square, true);
  }
}

TEST(tiles_fit_together) {
  const Problem p(200, 101, 60);
  const naive::Expression smooth =
      2.0 * (naive::leaf("gaussian", {0.3}) + naive::leaf("linear")) * naive::leaf("matern52", {1.3});
  compare_with_differences(smooth, p, false);
  Problem square(205, 205, 70);
  compare_with_differences(smooth, square, true);
}

TEST(the_hessian_is_symmetric) {
  const Problem p(40, 40, 80);
  for (const naive::Expression& e : naive::all_samples(d)) {
    const Kernel kernel = naive::kernel_of(e);
    const Numbers Hv = hessian_times(kernel, p, p.Xdot), Hw = hessian_times(kernel, p, p.Ydot);
    const double left = inner(Hv, p.Ydot.numbers), right = inner(p.Xdot.numbers, Hw);
    const double size = std::sqrt(inner(Hv, Hv) * inner(p.Ydot.numbers, p.Ydot.numbers)) + 1e-12;
    if (!(std::fabs(left - right) <= 1e-10 * size))
      check::fail(__FILE__, __LINE__, e.name + ": " + check::show(left) + " and " + check::show(right));
  }
}

TEST(coincident_points_stay_finite) {
  Problem p(8, 8, 100);
  for (Index k = 0; k < d; ++k) p.X(3, k) = p.X(2, k), p.X(5, k) = 0.0;
  for (const naive::Expression& e : naive::all_samples(d)) {
    for (const double value : product_of(naive::kernel_of(e), p, true)) CHECK(std::isfinite(value));
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Problem p(400, 300, 110);
  const Kernel kernel = naive::kernel_of(naive::leaf("matern52", {1.1}) * naive::leaf("tensor_matern3", {0.5}));
  gramian::set_num_threads(1);
  const Numbers one = product_of(kernel, p, false);
  for (const int threads : {2, 7}) {
    gramian::set_num_threads(threads);
    CHECK(product_of(kernel, p, false) == one);
  }
  gramian::set_num_threads(0);
}

TEST(bad_arguments_are_refused) {
  const Problem p(6, 5, 120);
  Matrix<double> out(6, d), narrow(6, 2), direction(5, d);
  const Kernel kernel("gaussian", {1.0});
  const GramGradient<double> Kbar(p.P.view, p.Pdot.view);
  CHECK_THROWS(std::invalid_argument, hessian_vector(kernel, p.X.view, direction.view, Kbar, Kbar, out.view));
  CHECK_THROWS(std::invalid_argument, hessian_vector(kernel, p.X.view, p.Xdot.view, Kbar, Kbar, narrow.view));
  CHECK_THROWS(std::invalid_argument,
               hessian_vector(kernel, p.X.view, p.Xdot.view, GramGradient<double>(p.Q.view, p.Q.view), Kbar, out.view));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// tr(Hᵀ K H) / 2: gradient against double loops, its derivative against differences of it, and a Hessian that is symmetric.
#include "gramian/gram/plan.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/product.hpp"
#include "support/check.hpp"
#include "support/gram_problem.hpp"
#include "support/hessian_check.hpp"
#include "support/kernel_samples.hpp"

using gramian::GramPlan;
using gramian::Index;
using gramian::Kernel;
using gramian::TileStorage;
using naive::Matrix;

namespace {

constexpr Index d = 3, s = 2;
using Numbers = std::vector<double>;

struct Problem {
  Problem(Index n, std::uint64_t seed)
      : X(naive::points_apart(n, d, seed)),
        H(naive::normal<double>(n, s, seed + 1)),
        Xdot(naive::normal<double>(n, d, seed + 2)),
        Hdot(naive::normal<double>(n, s, seed + 3)) {}
  Index n() const { return X.view.rows(); }
  Matrix<double> X, H, Xdot, Hdot;
};

Matrix<double> moved(const Matrix<double>& at, const Matrix<double>& along, double t) {
  Matrix<double> out(at.view.rows(), at.view.cols());
  for (std::size_t i = 0; i < out.numbers.size(); ++i) out.numbers[i] = at.numbers[i] + t * along.numbers[i];
  return out;
}

Numbers joined(Numbers a, const Numbers& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// [H_bar, X_bar]
Numbers gradient_at(GramPlan& plan, const Matrix<double>& X, const Matrix<double>& H) {
  Matrix<double> H_bar(X.view.rows(), s), X_bar(X.view.rows(), d);
  plan.move_to(X.view);
  plan.trace_gradient(H.view, H_bar.view, X_bar.view);
  return joined(H_bar.numbers, X_bar.numbers);
}

Numbers hessian_times(GramPlan& plan, const Problem& p, const Matrix<double>& Hdot, const Matrix<double>& Xdot) {
  Matrix<double> H_bar(p.n(), s), X_bar(p.n(), d);
  plan.move_to(p.X.view);
  plan.trace_hessian(p.H.view, Hdot.view, Xdot.view, H_bar.view, X_bar.view);
  return joined(H_bar.numbers, X_bar.numbers);
}

double largest(const Numbers& a) {
  double most = 0.0;
  for (const double x : a) most = std::max(most, std::fabs(x));
  return most;
}

double inner(const Numbers& a, const Numbers& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The product, and half of both roles of the adjoint: for a symmetric Kbar that is the first role.
void compare_gradient(const naive::Expression& e, const Problem& p) {
  const Kernel kernel = naive::kernel_of(e);
  GramPlan plan(kernel, p.n(), d, TileStorage::recompute);
  const Numbers got = gradient_at(plan, p.X, p.H);
  Matrix<double> H_bar(p.n(), s), X_bar(p.n(), d);
  product(kernel, p.X.view, p.H.view, H_bar.view);
  adjoint(kernel, p.X.view, gramian::GramGradient<double>(p.H.view, p.H.view), X_bar.view);
  for (double& x : X_bar.numbers) x *= 0.5;
  const Numbers expected = joined(H_bar.numbers, X_bar.numbers);
  const double scale = largest(expected) + 1e-3;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!(std::fabs(got[i] - expected[i]) <= 1e-12 * scale))
      return check::fail(__FILE__, __LINE__, e.name + ": " + check::show(got[i]) + " and " + check::show(expected[i]));
  }
}

void compare_hessian(const naive::Expression& e, const Problem& p) {
  GramPlan plan(naive::kernel_of(e), p.n(), d, TileStorage::keep);
  check::hessian_along(e.name, hessian_times(plan, p, p.Hdot, p.Xdot),
                       [&](double t) { return gradient_at(plan, moved(p.X, p.Xdot, t), moved(p.H, p.Hdot, t)); });
}

}  // namespace

TEST(every_kernel_has_the_gradient_of_product_and_adjoint) {
  const Problem p(13, 10), large(205, 20);
  for (const naive::Expression& e : naive::all_samples(d)) {
    compare_gradient(e, p);
    compare_gradient(e, large);
  }
}

TEST(every_kernel_agrees_with_differences_of_the_gradient) {
  const Problem p(11, 30);
  for (const naive::Expression& e : naive::all_samples(d)) compare_hessian(e, p);
}

TEST(tiles_fit_together) {
  const Problem p(205, 40);
  compare_hessian(naive::leaf("gaussian", {0.3}), p);
  compare_hessian(naive::leaf("gaussian", {0.3}, naive::sample_scales(d)), p);
  compare_hessian(2.0 * (naive::leaf("gaussian", {0.3}) + naive::leaf("linear")) * naive::leaf("matern52", {1.3}), p);
}

TEST(the_hessian_is_symmetric) {
  const Problem p(60, 50), other(60, 60);
  for (const naive::Expression& e : naive::all_samples(d)) {
    GramPlan plan(naive::kernel_of(e), p.n(), d, TileStorage::recompute);
    const Numbers Av = hessian_times(plan, p, p.Hdot, p.Xdot), Aw = hessian_times(plan, p, other.Hdot, other.Xdot);
    const Numbers v = joined(p.Hdot.numbers, p.Xdot.numbers), w = joined(other.Hdot.numbers, other.Xdot.numbers);
    const double size = std::sqrt(inner(Av, Av) * inner(w, w)) + 1e-12;
    if (!(std::fabs(inner(Av, w) - inner(v, Aw)) <= 1e-11 * size)) check::fail(__FILE__, __LINE__, e.name);
    // Without what flows from the features to the points the two would differ.
    Numbers half = Av;
    std::fill(half.begin() + p.n() * s, half.end(), 0.0);
    if (e.name == "gaussian") CHECK(std::fabs(inner(half, w) - inner(v, Aw)) > 1e-6 * size);
  }
}

TEST(any_number_of_threads_and_either_storage_give_the_same_bits) {
  const Problem p(700, 70);
  for (const naive::Expression& e : {naive::leaf("gaussian", {0.4}), naive::leaf("polynomial", {3, 0.5, 1.2})}) {
    Numbers first;
    for (const TileStorage storage : {TileStorage::keep, TileStorage::recompute}) {
      for (const int threads : {1, 2, 7}) {
        gramian::set_num_threads(threads);
        GramPlan plan(naive::kernel_of(e), p.n(), d, storage);
        const Numbers all = joined(gradient_at(plan, p.X, p.H), hessian_times(plan, p, p.Hdot, p.Xdot));
        if (first.empty()) first = all;
        CHECK(all == first);
      }
    }
    gramian::set_num_threads(0);
  }
}

TEST(points_that_stay_have_features_alone) {
  const Problem p(50, 80);
  GramPlan plan(Kernel("gaussian", {0.4}), gramian::Points(p.X.view), TileStorage::keep);
  Matrix<double> got(50, s), expected(50, s), X_bar(50, d);
  plan.trace_gradient(p.H.view, got.view, {});
  plan.product(p.H.view, expected.view);
  CHECK(got.numbers == expected.numbers);
  plan.trace_hessian(p.H.view, p.Hdot.view, {}, got.view, {});
  plan.product(p.Hdot.view, expected.view);
  CHECK(got.numbers == expected.numbers);
  CHECK_THROWS(std::invalid_argument, plan.trace_gradient(p.H.view, got.view, X_bar.view));
  CHECK_THROWS(std::invalid_argument, plan.trace_hessian(p.H.view, p.Hdot.view, p.Xdot.view, got.view, X_bar.view));
}

TEST(bad_arguments_are_refused) {
  const Problem p(9, 90);
  GramPlan plan(Kernel("gaussian", {0.4}), 9, d, TileStorage::keep);
  Matrix<double> H_bar(9, s), X_bar(9, d), narrow(9, 1);
  CHECK_THROWS(std::invalid_argument, plan.trace_gradient(p.H.view, H_bar.view, X_bar.view));  // no positions yet
  plan.move_to(p.X.view);
  CHECK_THROWS(std::invalid_argument, plan.trace_gradient(p.H.view, narrow.view, X_bar.view));
  CHECK_THROWS(std::invalid_argument, plan.trace_gradient(p.H.view, H_bar.view, narrow.view));
  CHECK_THROWS(std::invalid_argument, plan.trace_hessian(p.H.view, narrow.view, p.Xdot.view, H_bar.view, X_bar.view));
  CHECK_THROWS(std::invalid_argument, plan.trace_hessian(p.H.view, p.Hdot.view, narrow.view, H_bar.view, X_bar.view));
}

TEST_MAIN

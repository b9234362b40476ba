// SPDX-License-Identifier: BSD-3-Clause
// The reverse step of a plan: against differences of the double loop, by adjointness, and against product() and adjoint().
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/plan.hpp"
#include "gramian/gram/product.hpp"
#include "support/check.hpp"
#include "support/finite_difference.hpp"
#include "support/gram_problem.hpp"
#include "support/kernel_samples.hpp"
#include "support/naive.hpp"
#include "support/naive_kernels.hpp"

using gramian::GramGradient;
using gramian::GramPlan;
using gramian::Index;
using gramian::Kernel;
using gramian::MatrixView;
using gramian::set_num_threads;
using gramian::TileStorage;
using naive::Expression;
using naive::GramProblem;
using naive::Matrix;
using naive::Real;

namespace {

constexpr TileStorage storages[] = {TileStorage::keep, TileStorage::recompute};
const MatrixView<double> none;

// As in test_adjoint.cpp, where they are derived: a step for differences of these points, and the roundings of a gradient.
constexpr Real step = 2e-5L;
constexpr Real roundings = 0x1p14L * 0x1p-53L;

struct Problem {
  Problem(Matrix<double> points, Index vectors, Index rank)
      : n(points.view.rows()),
        X(std::move(points)),
        V(naive::normal<double>(n, vectors, 221)),
        P(naive::normal<double>(n, rank, 222)),
        Q(naive::normal<double>(n, rank, 223)) {}
  Index n;
  Matrix<double> X, V, P, Q;
};

struct Result {
  Result(const Problem& p) : out(p.n, p.V.view.cols()), Xbar(p.n, p.X.view.cols()) {
    for (Matrix<double>* A : {&out, &Xbar})
      std::fill(A->numbers.begin(), A->numbers.end(), std::numeric_limits<double>::quiet_NaN());
  }
  Matrix<double> out, Xbar;
};
bool same_bits(const Result& a, const Result& b) { return a.out.numbers == b.out.numbers && a.Xbar.numbers == b.Xbar.numbers; }

Result reverse(GramPlan& plan, const Problem& p) {
  Result r(p);
  plan.product_and_adjoint(p.V.view, r.out.view, p.P.view, p.Q.view, r.Xbar.view);
  return r;
}
Result reverse(const Kernel& kernel, const Problem& p, TileStorage storage) {
  GramPlan plan(kernel, p.n, p.X.view.cols(), storage);
  plan.move_to(p.X.view);
  return reverse(plan, p);
}

double largest(const Matrix<double>& A) {
  double most = 0.0;
  for (const double x : A.numbers) most = std::fmax(most, std::fabs(x));
  return most;
}
double gap(const Matrix<double>& a, const Matrix<double>& b) {
  double worst = 0.0;
  for (std::size_t i = 0; i < a.numbers.size(); ++i) {
    const double difference = std::fabs(a.numbers[i] - b.numbers[i]);
    if (!(difference <= worst)) worst = difference;  // NaN stays
  }
  return worst / (1.0 + largest(b));
}

/// Against the two calls that a plan replaces.
void compare_with_calls(const Kernel& kernel, const Problem& p, const Result& got, const std::string& what) {
  Result wanted(p);
  gramian::product(kernel, p.X.view, p.V.view, wanted.out.view);
  gramian::adjoint(kernel, p.X.view, GramGradient<double>(p.P.view, p.Q.view), wanted.Xbar.view);
  const double product_gap = gap(got.out, wanted.out), adjoint_gap = gap(got.Xbar, wanted.Xbar);
  check::that(product_gap <= 1e-12 && adjoint_gap <= 1e-12,
              what + ": off by " + check::show(product_gap) + " and " + check::show(adjoint_gap), __FILE__, __LINE__);
}

void check_points(const GramProblem& problem, const Matrix<double>& Xbar) {
  const Index n = Xbar.view.rows(), d = Xbar.view.cols();
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < d; ++k) {
      const auto at = static_cast<std::size_t>(i);
      const difference::Slope wanted = problem.point_slope(false, at, static_cast<std::size_t>(k), step);
      const Real got = Xbar.view(i, k), scale = problem.magnitude(false, at), allowed = roundings * scale;
      check::that(difference::agrees(got, wanted, allowed, scale),
                  label(problem) + ", Xbar " + std::to_string(i) + ": " + check::show(got) + " and " + check::show(wanted.value),
                  __FILE__, __LINE__);
      // Were it wrong in the sixth digit, it would not pass.
      CHECK(!difference::agrees(got + 1e-6L * scale, wanted, allowed, scale));
    }
  }
}

/// <J v, Kbar> = <v, Xbar>
void check_adjointness(const GramProblem& problem, const Matrix<double>& Xbar) {
  const std::vector<naive::Numbers> along = naive::points(naive::normal<double>(Xbar.view.rows(), Xbar.view.cols(), 224).view);
  naive::Numbers v, back(Xbar.numbers.begin(), Xbar.numbers.end()), w;
  for (const naive::Numbers& row : along) v.insert(v.end(), row.begin(), row.end());
  for (Index i = 0; i < Xbar.view.rows(); ++i) {
    for (Index j = 0; j < Xbar.view.rows(); ++j) w.push_back(problem.Kbar(i, j));
  }
  const std::vector<difference::Slope> rates = problem.gram_along(along, {}, step / 4);
  const Real allowed = 8 * roundings * problem.magnitude();
  check::that(difference::adjoint_pair(rates, w, v, back, allowed), label(problem) + ": <Jv, w> is not <v, J'w>", __FILE__,
              __LINE__);
  back[0] += 1e-6L * problem.magnitude() / v[0];
  CHECK(!difference::adjoint_pair(rates, w, v, back, allowed));
}

}  // namespace

TEST(a_symmetric_gradient_needs_half) {
  for (const Kernel& kernel :
       {Kernel("gaussian", {0.4}), Kernel("polynomial", {3.0, 1.0, 0.5}), Kernel("laplacian_l1", {0.3}),
        Kernel("tensor_matern2", {0.5}), Kernel("gaussian", {0.4}) + 0.5 * Kernel("laplacian_l1", {0.3})}) {
    for (const Index n : {1, 40, 120}) {
      Problem p(naive::normal<double>(n, 2, 230), 1, 3);
      for (std::size_t i = 0; i < p.P.numbers.size(); ++i) p.Q.numbers[i] = -0.3 * p.P.numbers[i];
      const Result both = reverse(kernel, p, TileStorage::keep);
      Result half(p);
      GramPlan plan(kernel, n, 2, TileStorage::keep);
      plan.move_to(p.X.view);
      plan.adjoint_of_symmetric(p.P.view, p.Q.view, half.Xbar.view);
      CHECK(gap(half.Xbar, both.Xbar) <= 1e-13);
    }
  }
}

TEST(gradients_are_those_of_differences) {
  for (const Index n : {1, 2, 13}) {
    for (const Index d : {1, 3}) {
      const Problem p(naive::points_apart(n, d, 225), 2, 2);
      const auto Kbar = naive::dense_product(p.P, p.Q);
      for (const Expression& e : naive::all_samples(d)) {
        const Result got = reverse(naive::kernel_of(e), p, TileStorage::recompute);
        const GramProblem problem{e, true, naive::points(p.X.view), {}, Kbar.view};
        check_points(problem, got.Xbar);
        if (n > 1 && d > 1) check_adjointness(problem, got.Xbar);
      }
    }
  }
}

TEST(both_halves_are_those_of_the_calls) {
  for (const Index n : {1, 3, 49, 110}) {
    const Problem p(naive::points_apart(n, 3, 226), 2, 2);
    for (const Expression& e : naive::all_samples(3)) {
      const Kernel kernel = naive::kernel_of(e);
      const Result kept = reverse(kernel, p, TileStorage::keep), anew = reverse(kernel, p, TileStorage::recompute);
      compare_with_calls(kernel, p, anew, e.name);
      check::that(same_bits(kept, anew), e.name + ": kept tiles change bits", __FILE__, __LINE__);
    }
  }
}

TEST(the_order_of_sweeps_changes_no_bit) {
  const Problem p(naive::normal<double>(130, 2, 227), 3, 2);
  for (const Expression& e : naive::all_samples(2)) {
    for (const TileStorage storage : storages) {
      GramPlan forward(naive::kernel_of(e), p.n, 2, storage), backward(naive::kernel_of(e), p.n, 2, storage);
      Matrix<double> first(p.n, 3), last(p.n, 3);
      forward.move_to(p.X.view);
      forward.product(p.V.view, first.view);
      const Result after = reverse(forward, p);
      backward.move_to(p.X.view);
      const Result before = reverse(backward, p);
      backward.product(p.V.view, last.view);
      check::that(same_bits(after, before) && first.numbers == last.numbers, e.name + ": the order matters", __FILE__, __LINE__);
      CHECK(same_bits(reverse(backward, p), before));
    }
  }
}

TEST(sizes_widths_and_dimensions_agree_with_the_calls) {
  const Kernel gaussian("gaussian", {0.4}), laplacian("laplacian", {0.7});
  for (const Index n : {47, 48, 49, 96, 97, 200, 400, 401, 409, 1000}) {
    for (const Index width : {1, 2, 3, 4, 5, 12}) {
      const Problem p(naive::normal<double>(n, width < 5 ? 5 - width : width, 228), width, width);
      for (const Kernel& kernel : {gaussian, laplacian})
        compare_with_calls(kernel, p, reverse(kernel, p, TileStorage::keep), "n = " + std::to_string(n));
    }
  }
}

TEST(large_problems_use_large_tiles) {
  const Problem p(naive::normal<double>(3001, 2, 236), 3, 1);
  for (const Kernel& kernel : {Kernel("gaussian", {0.4}), Kernel("laplacian", {0.7}), Kernel("laplacian_l1", {0.3})}) {
    const Result anew = reverse(kernel, p, TileStorage::recompute);
    compare_with_calls(kernel, p, anew, "n = 3001");
    CHECK(same_bits(anew, reverse(kernel, p, TileStorage::keep)));
  }
}

TEST(points_that_move_give_fresh_gradients) {
  const Index n = 110;
  const Problem p(naive::points_apart(n, 2, 229), 2, 2), q(naive::normal<double>(n, 2, 230, 1.0), 2, 2);
  for (const Expression& e : naive::all_samples(2)) {
    for (const TileStorage storage : storages) {
      GramPlan plan(naive::kernel_of(e), n, 2, storage);
      plan.move_to(p.X.view);
      const Result first = reverse(plan, p);
      plan.move_to(q.X.view);
      const Result second = reverse(plan, q);
      check::that(same_bits(second, reverse(naive::kernel_of(e), q, storage)), e.name + ": not those of the new positions",
                  __FILE__, __LINE__);
      // Stale tiles or points would give these.
      check::that(!same_bits(first, second) || e.name == "delta", e.name + ": the move changes nothing", __FILE__, __LINE__);
      plan.move_to(p.X.view);
      CHECK(same_bits(first, reverse(plan, p)));
    }
  }
}

TEST(coincident_points_give_what_the_calls_give) {
  for (const Index n : {4, 60, 130}) {
    auto X = naive::points_apart(n, 2, 231);
    for (Index i = 1; i < n; i += 2) {
      for (Index k = 0; k < 2; ++k) X(i, k) = X(i - 1, k);
    }
    const Problem p(std::move(X), 2, 2);
    for (const Expression& e : naive::all_samples(2)) {
      for (const TileStorage storage : storages)
        compare_with_calls(naive::kernel_of(e), p, reverse(naive::kernel_of(e), p, storage), e.name);
    }
  }
}

TEST(without_vectors_there_is_the_adjoint_alone) {
  const Problem p(naive::normal<double>(110, 3, 232), 2, 2);
  Matrix<double> no_columns(110, 0);
  for (const Expression& e : naive::all_samples(3)) {
    for (const TileStorage storage : storages) {
      GramPlan plan(naive::kernel_of(e), p.n, 3, storage);
      plan.move_to(p.X.view);
      const Result wanted = reverse(naive::kernel_of(e), p, storage);
      Result alone(p), thin(p);
      plan.product_and_adjoint({}, {}, p.P.view, p.Q.view, alone.Xbar.view);
      plan.product_and_adjoint(no_columns.view, no_columns.view, p.P.view, p.Q.view, thin.Xbar.view);
      check::that(gap(alone.Xbar, wanted.Xbar) <= 1e-13, e.name + ": not the same without V", __FILE__, __LINE__);
      CHECK(alone.Xbar.numbers == thin.Xbar.numbers);
      // What follows is as if nothing had been before.
      CHECK(same_bits(reverse(plan, p), wanted));
    }
  }
}

TEST(nothing_gives_nothing) {
  const Problem nobody(naive::normal<double>(0, 3, 233), 2, 2), of_rank_zero(naive::normal<double>(70, 3, 234), 2, 0);
  for (const Expression& e : naive::all_samples(3)) {
    for (const TileStorage storage : storages) {
      reverse(naive::kernel_of(e), nobody, storage);
      for (const double x : reverse(naive::kernel_of(e), of_rank_zero, storage).Xbar.numbers) CHECK_EQ(x, 0.0);
    }
  }
}

TEST(threads_change_no_bit) {
  struct Size {
    Index n, d, vectors;
  };
  // Pieces with sums of their own, and a tournament for sums that are too many for that.
  for (const Size& size : {Size{130, 1, 2}, Size{1100, 2, 3}, Size{900, 200, 150}}) {
    const Problem p(naive::normal<double>(size.n, size.d, 235), size.vectors, 2);
    const double width = 1.0 / static_cast<double>(size.d);
    const Kernel gaussian("gaussian", {width}), matern("matern52", {1.0 / width}), tensor("tensor_matern2", {width});
    for (const Kernel& kernel : {gaussian, matern, tensor, 2.0 * (gaussian + matern) * tensor}) {
      for (const TileStorage storage : storages) {
        set_num_threads(1);
        GramPlan plan(kernel, size.n, size.d, storage);
        plan.move_to(p.X.view);
        const Result one = reverse(plan, p);
        for (const int threads : {2, 7}) {
          set_num_threads(threads);
          CHECK(same_bits(one, reverse(plan, p)));
        }
        set_num_threads(0);
      }
    }
  }
}

TEST_MAIN

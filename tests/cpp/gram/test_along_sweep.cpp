// SPDX-License-Identifier: BSD-3-Clause
// The quick way of a Gaussian along directions against the general one, which a dense Kbar takes. test_hessian_vector.cpp and
// test_plan_trace.cpp have both against differences.
#include "gram/along_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/gram_problem.hpp"
#include "support/kernel_samples.hpp"

using namespace gramian;

namespace {

constexpr Index d = 3;
using Numbers = std::vector<double>;
using View = MatrixView<const double>;

struct Problem {
  Problem(Index n, Index m)
      : X(naive::normal<double>(n, d, 1)),
        Y(naive::normal<double>(m, d, 2)),
        Xdot(naive::normal<double>(n, d, 3)),
        Ydot(naive::normal<double>(m, d, 4)),
        P(naive::normal<double>(n, 2, 5)),
        Q(naive::normal<double>(m, 2, 6)),
        Pdot(naive::normal<double>(n, 2, 7)),
        H(naive::normal<double>(n, 2, 8)),
        Hdot(naive::normal<double>(n, 2, 9)) {}
  naive::Matrix<double> X, Y, Xdot, Ydot, P, Q, Pdot, H, Hdot;
};

/// The gradients' derivatives of both sets, or of one with K Hdot + Kdot H.
Numbers along(AlongSweep& sweep, const Problem& p, bool dense) {
  const bool same = sweep.source().same();
  const Index n = p.X.view.rows(), m = p.Y.view.rows();
  naive::Matrix<double> first(n, d), second(same ? n : m, same ? 2 : d);
  AlongSweep::Directions directions{p.Xdot.view, same ? p.Xdot.view : p.Ydot.view};
  if (same) directions.H = p.H.view, directions.Hdot = p.Hdot.view;
  // Of one set a symmetric Kbar in the first role, as a trace has it.
  const naive::Matrix<double>& Q = same ? p.P : p.Q;
  const naive::Matrix<double> Kbar = naive::dense_product(p.P, Q), Kbar_dot = naive::dense_product(p.Pdot, Q);
  if (dense) {
    sweep.along(GramGradient<double>(View(Kbar.view)), false, GramGradient<double>(View(Kbar_dot.view)), directions);
  } else {
    sweep.along(GramGradient<double>(p.P.view, Q.view), false, GramGradient<double>(p.Pdot.view, Q.view), directions);
  }
  sweep.write_points_along(first.view, true);
  same ? sweep.write_product_along(second.view) : sweep.write_points_along(second.view, false);
  first.numbers.insert(first.numbers.end(), second.numbers.begin(), second.numbers.end());
  return first.numbers;
}

bool near(const Numbers& a, const Numbers& b) {
  double size = 1e-3;
  for (const double x : b) size = std::max(size, std::fabs(x));
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](double x, double y) { return std::fabs(x - y) <= 1e-12 * size; });
}

}  // namespace

TEST(both_ways_give_the_same) {
  for (const Index n : {11, 205, 410}) {
    const Problem p(n, n), two(n, 97);
    for (const Kernel& kernel : {Kernel("gaussian", {0.4}), Kernel("gaussian", {0.4}, naive::sample_scales(d))}) {
      const KernelTiles<double> one_set(kernel, PairSource<double>(Points(p.X.view))),
          two_sets(kernel, PairSource<double>(Points(two.X.view), Points(two.Y.view)));
      AlongSweep of_one(one_set), of_two(two_sets);
      CHECK(near(along(of_one, p, false), along(of_one, p, true)));
      CHECK(near(along(of_two, two, false), along(of_two, two, true)));
    }
  }
}

TEST(an_adjoint_in_between_changes_nothing) {
  const Problem p(205, 205);
  const KernelTiles<double> tiles(Kernel("matern52", {0.4}), PairSource<double>(Points(p.X.view)));
  AlongSweep sweep(tiles);
  const Numbers expected = along(sweep, p, false);
  sweep.whole_adjoint(GramGradient<double>(p.P.view, p.Q.view), {}, {});
  CHECK(along(sweep, p, false) == expected);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Problem p(500, 300);
  for (const char* name : {"gaussian", "laplacian_l1"}) {
    const KernelTiles<double> one(Kernel(name, {0.4}), PairSource<double>(Points(p.X.view))),
        two(Kernel(name, {0.4}), PairSource<double>(Points(p.X.view), Points(p.Y.view)));
    AlongSweep cross(two);
    CHECK(check::same_for_any_threads([&] { return along(cross, p, false); }));
  }
}

TEST_MAIN

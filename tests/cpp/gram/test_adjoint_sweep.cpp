// SPDX-License-Identifier: BSD-3-Clause
// The ways of an adjoint against each other: with parameters each kernel goes leaf by leaf, without them by its own way.
// test_adjoint.cpp has the first against differences.
#include "gram/adjoint_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/product.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/gram_problem.hpp"
#include "support/kernel_samples.hpp"

using namespace gramian;

namespace {

constexpr Index d = 3;
using Numbers = std::vector<double>;

bool near(const Numbers& a, const Numbers& b, double relative) {
  double size = 1e-3;
  for (const double x : b) size = std::max(size, std::fabs(x));
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](double x, double y) { return std::fabs(x - y) <= relative * size; });
}

struct Problem {
  explicit Problem(Index n)
      : X(naive::points_apart(n, d, 1)),
        P(naive::normal<double>(n, 2, 2)),
        Q(naive::normal<double>(n, 2, 3)),
        V(naive::normal<double>(n, 3, 4)) {}
  Index n() const { return X.view.rows(); }
  GramGradient<double> Kbar() const { return {P.view, Q.view}; }
  naive::Matrix<double> X, P, Q, V;
};

/// [Xbar, K V]
Numbers by_its_own_way(AdjointSweep<double>& sweep, const Problem& p, const GramGradient<double>& Kbar, bool both_roles) {
  naive::Matrix<double> Xbar(p.n(), d), out(p.n(), 3);
  sweep.adjoint(Kbar, both_roles, {}, p.V.view);
  sweep.write_product(out.view);
  sweep.write_points(Xbar.view, true);
  Xbar.numbers.insert(Xbar.numbers.end(), out.numbers.begin(), out.numbers.end());
  return Xbar.numbers;
}

Numbers leaf_by_leaf(const Kernel& kernel, const Problem& p) {
  naive::Matrix<double> Xbar(p.n(), d), out(p.n(), 3);
  adjoint(kernel, p.X.view, p.Kbar(), Xbar.view);
  product(kernel, p.X.view, p.V.view, out.view);
  Xbar.numbers.insert(Xbar.numbers.end(), out.numbers.begin(), out.numbers.end());
  return Xbar.numbers;
}

}  // namespace

TEST(every_way_gives_the_same) {
  for (const Index n : {11, 205, 410}) {
    const Problem p(n);
    const naive::Matrix<double> dense = naive::dense_product(p.P, p.Q);
    for (const naive::Expression& e : naive::all_samples(d)) {
      const Kernel kernel = naive::kernel_of(e);
      const KernelTiles<double> tiles(kernel, PairSource<double>(Points(p.X.view)));
      KeptTiles kept(n);
      AdjointSweep<double> sweep(tiles), keeping(tiles, &kept);
      const Numbers expected = leaf_by_leaf(kernel, p), got = by_its_own_way(sweep, p, p.Kbar(), true);
      const Numbers of_dense = by_its_own_way(sweep, p, GramGradient<double>(MatrixView<const double>(dense.view)), true);
      if (!near(got, expected, 1e-12) || !near(of_dense, expected, 1e-12)) check::fail(__FILE__, __LINE__, e.name);
      CHECK(by_its_own_way(keeping, p, p.Kbar(), true) == got);
      CHECK(by_its_own_way(keeping, p, p.Kbar(), true) == got);
    }
  }
}

TEST(a_symmetric_gradient_is_twice_its_first_role) {
  const Problem p(205);
  for (const naive::Expression& e : naive::all_samples(d)) {
    const KernelTiles<double> tiles(naive::kernel_of(e), PairSource<double>(Points(p.X.view)));
    AdjointSweep<double> sweep(tiles);
    const GramGradient<double> symmetric(p.P.view, p.P.view);
    Numbers both = by_its_own_way(sweep, p, symmetric, true), first = by_its_own_way(sweep, p, symmetric, false);
    for (std::size_t i = 0; i < static_cast<std::size_t>(p.n() * d); ++i) first[i] *= 2.0;
    if (!near(first, both, 1e-12)) check::fail(__FILE__, __LINE__, e.name);
  }
}

TEST(parameters_alone_are_those_that_come_with_the_points) {
  const Problem p(205);
  for (const naive::Expression& e : naive::all_samples(d)) {
    const Kernel kernel = naive::kernel_of(e);
    naive::Matrix<double> Xbar(p.n(), d);
    const Numbers with = adjoint(kernel, p.X.view, p.Kbar(), Xbar.view), alone = adjoint(kernel, p.X.view, p.Kbar(), {});
    if (!near(alone, with, 1e-13)) check::fail(__FILE__, __LINE__, e.name);
  }
}

TEST(moved_points_are_seen_once_they_are_forgotten) {
  Problem p(130);
  const Kernel kernel("gaussian", {0.4});
  KernelTiles<double> tiles(kernel, PairSource<double>(Points(p.X.view)));
  AdjointSweep<double> sweep(tiles);
  by_its_own_way(sweep, p, p.Kbar(), true);
  for (double& x : p.X.numbers) x = 0.5 * x + 0.1;
  tiles.update();
  CHECK(!near(by_its_own_way(sweep, p, p.Kbar(), true), leaf_by_leaf(kernel, p), 1e-6));
  sweep.forget_points();
  CHECK(near(by_its_own_way(sweep, p, p.Kbar(), true), leaf_by_leaf(kernel, p), 1e-12));
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Problem p(700);
  for (const char* name : {"gaussian", "matern52", "laplacian_l1"}) {
    const KernelTiles<double> tiles(Kernel(name, {0.4}), PairSource<double>(Points(p.X.view)));
    AdjointSweep<double> sweep(tiles);
    CHECK(check::same_for_any_threads([&] { return by_its_own_way(sweep, p, p.Kbar(), true); }));
  }
}

TEST_MAIN

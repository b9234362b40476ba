// SPDX-License-Identifier: BSD-3-Clause
// A kernel that moves: each evaluation against the functions that know nothing of the one before.
#include "gram/learned_gram.hpp"

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

bool near(const Numbers& a, const Numbers& b) {
  double size = 1e-3;
  for (const double x : b) size = std::max(size, std::fabs(x));
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](double x, double y) { return std::fabs(x - y) <= 1e-12 * size; });
}

struct Problem {
  Problem(Index n, Index columns)
      : X(naive::points_apart(n, d, 1)),
        V(naive::normal<double>(n, 2, 2)),
        P(naive::normal<double>(n, 2, 3)),
        Q(naive::normal<double>(n, 2, 4)) {
    std::fill(Q.numbers.begin() + columns * 2, Q.numbers.end(), 0.0);  // rows beyond what is wanted
    std::fill(V.numbers.begin() + columns * 2, V.numbers.end(), 0.0);
  }
  naive::Matrix<double> X, V, P, Q;
};

void compare(LearnedGram& gram, const naive::Expression& e, const Problem& p, Index columns) {
  const Kernel kernel = naive::kernel_of(e);
  const Index n = p.X.view.rows();
  naive::Matrix<double> out(n, 2), expected(n, 2), Xbar(n, d), expected_bar(n, d);
  gram.evaluate(kernel, p.X.view, columns);
  gram.product(p.V.view, out.view);
  product(kernel, p.X.view, p.V.view, expected.view);
  const GramGradient<double> Kbar(p.P.view, p.Q.view);
  const Numbers parameters = adjoint(kernel, p.X.view, Kbar, expected_bar.view);
  const bool right = near(out.numbers, expected.numbers) && near(gram.adjoint(p.P.view, p.Q.view, {}), parameters) &&
                     near(gram.adjoint(p.P.view, p.Q.view, Xbar.view), parameters) && near(Xbar.numbers, expected_bar.numbers);
  if (!right) check::fail(__FILE__, __LINE__, e.name + ", " + std::to_string(n) + " points, " + std::to_string(columns));
}

}  // namespace

TEST(every_kernel_in_one_workspace) {
  LearnedGram gram;
  for (const Index n : {205, 30, 410}) {
    const Problem all(n, n), some(n, n / 3);
    for (const naive::Expression& e : naive::all_samples(d)) {
      compare(gram, e, all, n);
      compare(gram, e, some, n / 3);
      compare(gram, 1.7 * e, all, n);
    }
  }
}

TEST(tiles_and_diagonal_are_those_of_the_last_kernel) {
  const Problem p(100, 100);
  LearnedGram gram;
  for (const double factor : {1.0, 2.5}) {
    gram.evaluate(factor * Kernel("gaussian", {0.4}), p.X.view, 100);
    CHECK_EQ(gram.diagonal(7), factor);
    const Index i = 60, j = 10, step = gram.step();
    const MatrixView<const double> X = p.X.view;
    const double expected = factor * naive::gaussian(X, i, X, j, 0.4);
    CHECK_NEAR(gram.tile(i / step, j / step)[i % step * isa::tile_size + j % step], expected, 1e-15);
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Problem p(700, 700);
  for (const char* name : {"gaussian", "matern52"}) {
    CHECK(check::same_for_any_threads([&] {
      LearnedGram gram;
      gram.evaluate(2.0 * Kernel(name, {0.4}, naive::sample_scales(d)), p.X.view, 700);
      naive::Matrix<double> out(700, 2);
      gram.product(p.V.view, out.view);
      Numbers all = gram.adjoint(p.P.view, p.Q.view, {});
      all.insert(all.end(), out.numbers.begin(), out.numbers.end());
      return all;
    }));
  }
}

TEST_MAIN

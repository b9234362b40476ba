// SPDX-License-Identifier: BSD-3-Clause
// The distribution of an output given an input, without Python: two branches, whose mean says nothing of either.
#include <cmath>
#include <cstdio>
#include <vector>

#include "gramian/gramian.hpp"

namespace {

using gramian::Index;
using gramian::MatrixView;

/// How far from 0 both branches are.
double height(double x) { return 1.0 + std::sin(x); }

struct Pairs {
  std::vector<double> x, y;
  MatrixView<const double> X() const { return {x.data(), static_cast<Index>(x.size()), 1}; }
  MatrixView<const double> Y() const { return {y.data(), static_cast<Index>(y.size()), 1}; }
};

/// Outputs around one of the two branches, each as often as the other.
Pairs draw(Index count, std::uint64_t seed) {
  const gramian::RandomStream random(seed);
  Pairs out;
  std::uint64_t next = 0;
  for (Index i = 0; i < count; ++i) {
    const double x = 3.0 * random.uniform(next++), side = random.uniform(next++) < 0.5 ? 1.0 : -1.0;
    out.x.push_back(x);
    out.y.push_back(side * height(x) + 0.1 * random.normal(next++));
  }
  return out;
}

}  // namespace

int main() {
  const Pairs data = draw(800, 1);
  const Index n = data.X().rows();
  const gramian::Kernel inputs("gaussian", {10.0}), outputs("gaussian", {10.0});
  const gramian::conditional_mean::Model model(gramian::GramSource(inputs, data.X()), {1e-4});
  const gramian::conditional_mean::Predictor mean(gramian::conditional_mean::parts_of(
      model, inputs, gramian::Samples::copy_of(data.X()), outputs, gramian::Samples::copy_of(data.Y())));

  const std::vector<double> at = {0.3, 1.5, 2.7};
  const Index q = static_cast<Index>(at.size());
  const MatrixView<const double> fresh(at.data(), q, 1);

  // E[Y | x] and E[Y^2 | x]
  gramian::Matrix G(n, 2), expected(q, 2);
  for (Index i = 0; i < n; ++i) {
    const double y = data.Y()(i, 0);
    G(i, 0) = y;
    G(i, 1) = y * y;
  }
  mean.expectation(fresh, G.view(), expected.view());

  // Samples of P(Y | x): outputs that the embedding is herded to.
  constexpr Index count = 20;
  const std::vector<Index> drawn = mean.sample(fresh, count);

  bool good = true;
  for (Index i = 0; i < q; ++i) {
    const double h = height(at[static_cast<std::size_t>(i)]);
    Index above = 0, near = 0;
    for (Index k = 0; k < count; ++k) {
      const double y = data.Y()(drawn[static_cast<std::size_t>(i * count + k)], 0);
      above += y > 0.0 ? 1 : 0;
      near += std::fabs(std::fabs(y) - h) < 0.4 ? 1 : 0;
    }
    std::printf(
        "x = %.1f: mean %5.2f, root of the mean square %.2f (%.2f is right); of %d samples %d are above, %d near a branch\n",
        at[static_cast<std::size_t>(i)], expected(i, 0), std::sqrt(expected(i, 1)), std::sqrt(h * h + 0.01),
        static_cast<int>(count), static_cast<int>(above), static_cast<int>(near));
    good = good && std::fabs(expected(i, 0)) < 0.5 && std::fabs(std::sqrt(expected(i, 1)) - std::sqrt(h * h + 0.01)) < 0.15;
    good = good && above >= 6 && above <= 14 && near >= 18;
  }
  return good ? 0 : 1;
}

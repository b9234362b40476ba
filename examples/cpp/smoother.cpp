// SPDX-License-Identifier: BSD-3-Clause
// A Gaussian kernel smoother over 20 000 noisy samples of a curve, without Python and without ever storing a Gram matrix:
//   f(x) = sum_j k(x, x_j) y_j / sum_j k(x, x_j)
#include <cmath>
#include <cstdio>
#include <vector>

#include "gramian/gramian.hpp"

int main() {
  const gramian::Index samples = 20000, queries = 9;
  const double length_scale = 0.05;

  // Plain arrays of the program's own; the library only sees views of them.
  std::vector<double> x(samples), targets(2 * samples), at(queries), sums(2 * queries);
  const gramian::RandomStream random(7);
  for (gramian::Index j = 0; j < samples; ++j) {
    x[j] = 6.0 * random.uniform(2 * j);
    targets[2 * j] = std::sin(x[j]) + 0.3 * random.normal(2 * j + 1);
    targets[2 * j + 1] = 1.0;  // the second column sums the weights
  }
  for (gramian::Index i = 0; i < queries; ++i) at[i] = 1.0 + 0.5 * static_cast<double>(i);

  const gramian::Kernel kernel("gaussian", {0.5 / (length_scale * length_scale)});
  const gramian::MatrixView<const double> X(at.data(), queries, 1), Y(x.data(), samples, 1), V(targets.data(), samples, 2);
  gramian::product(kernel, X, Y, V, gramian::MatrixView<double>(sums.data(), queries, 2));

  std::printf("gramian %s, %d threads (%s)\n", gramian::build_report().version.c_str(), gramian::thread_report().threads,
              gramian::thread_report().backend.c_str());
  bool good = true;
  for (gramian::Index i = 0; i < queries; ++i) {
    const double smooth = sums[2 * i] / sums[2 * i + 1];
    std::printf("x = %.1f   smoothed %+.3f   sine %+.3f\n", at[i], smooth, std::sin(at[i]));
    good = good && std::fabs(smooth - std::sin(at[i])) < 0.1;
  }
  return good ? 0 : 1;
}

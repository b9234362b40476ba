// SPDX-License-Identifier: BSD-3-Clause
// Kernels with other lengths, for every kernel of the registry.
#include "models/embedding/lengths.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "gramian/gram/full.hpp"
#include "support/check.hpp"
#include "support/kernel_samples.hpp"
#include "support/naive.hpp"

using namespace gramian;
using naive::Expression;

namespace {

constexpr Index d = 3;

/// K on points that are divided by c.
std::vector<double> gram(const Kernel& kernel, double c) {
  auto X = naive::normal<double>(12, d, 51);
  for (double& x : X.numbers) x /= c;
  naive::Matrix<double> K(12, 12);
  full(kernel, X.view, K.view);
  return K.numbers;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::fmax(most, std::fabs(a[i] - b[i]) / (1.0 + std::fabs(b[i])));
  return most;
}

bool has_length(const Expression& leaf) { return !leaf.scales.empty() || naive::info_of(leaf.name).width.exists(); }
bool every_part_has_a_length(const Expression& e) {
  return !naive::any_leaf(e, [](const Expression& leaf) { return !has_length(leaf); });
}

}  // namespace

TEST(scaled_lengths_are_those_of_shrunk_points) {
  int seen = 0;
  for (const Expression& e : naive::all_samples(d)) {
    const Kernel kernel = naive::kernel_of(e), scaled = embedding::with_scaled_lengths(kernel, 1.7);
    if (every_part_has_a_length(e)) {
      const double off = largest_difference(gram(scaled, 1.0), gram(kernel, 1.7));
      // Where an angle is all there is, lengths change it only if they differ: coincident points are its one sharp place.
      check::that(off <= (e.name == "arc_cosine0" ? 1e-7 : 1e-12), e.name + " is off by " + check::show(off), __FILE__, __LINE__);
      ++seen;
    } else if (e.kind == Expression::leaf) {
      CHECK(scaled.parameters() == kernel.parameters());
    }
  }
  CHECK(seen > 20);
}

TEST(a_length_is_that_of_all_features) {
  for (const KernelInfo& info : kernel_registry()) {
    if (!info.width.exists()) continue;
    for (const std::vector<double>& sample : info.samples) {
      const Kernel plain(info.name, sample), stretched(info.name, sample, naive::sample_scales(d));
      const Kernel wanted = embedding::with_lengths(plain, 0.8);
      const double off = largest_difference(gram(embedding::with_lengths(stretched, 0.8), 1.0), gram(wanted, 1.0));
      check::that(off <= 1e-12, info.name + " is off by " + check::show(off), __FILE__, __LINE__);
      CHECK(largest_difference(gram(embedding::with_lengths(plain, 1.6), 0.5), gram(wanted, 1.0)) <= 1e-12);
      CHECK(largest_difference(gram(embedding::with_lengths(plain, 1.6), 1.0), gram(wanted, 1.0)) > 1e-3);
    }
  }
}

TEST(a_width_beside_lengths_is_found) {
  for (const Expression& e : naive::scaled_samples(d)) {
    const KernelInfo& info = naive::info_of(e.name);
    const std::vector<bool> found = embedding::widths_beside_lengths(2.0 * naive::kernel_of(e));
    for (std::size_t p = 0; p < found.size(); ++p)
      CHECK_EQ(found[p], info.width.exists() && p == 1 + static_cast<std::size_t>(info.width.parameter));
  }
  for (const bool width : embedding::widths_beside_lengths(Kernel("gaussian", {0.5}))) CHECK(!width);
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Random Fourier features against their formula, with frequencies read off the features themselves, and its differences.
#include "gramian/layers/random_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/linalg/gemm.hpp"
#include "support/check.hpp"
#include "support/feature_gradient.hpp"
#include "support/kernel_samples.hpp"

using namespace gramian;
using features::both_passes;
using features::Numbers;
using features::Real;
using naive::Expression;
using naive::leaf;
using naive::normal;

namespace {

constexpr Real unit = 0x1p-53L;

struct Case {
  Expression kernel;
  Real power;  ///< of the kernel's own parameter, in the frequencies
};

std::vector<Case> cases() {
  const std::vector<double> scales = {0.8, 1.5, 1.1};
  std::vector<Case> all = {{1.7 * leaf("matern32", {0.9}), -1}, {2.0 * (0.4 * leaf("tensor_matern2", {0.9}, scales)), 1}};
  for (const KernelInfo& info : kernel_registry()) {
    if (!info.spectrum.exists()) continue;
    const Real power = -1 / static_cast<Real>(info.width.power);
    all.push_back({leaf(info.name, info.samples.front()), power});
    all.push_back({leaf(info.name, info.samples.back(), scales), power});
  }
  return all;
}

/// Frequencies from the angles of points that are so near 0 that no angle is beyond half a turn.
std::vector<Numbers> frequencies_of(FeatureMap& map) {
  const double small = 1e-4;
  const Index d = map.inputs(), half = map.outputs() / 2;
  naive::Matrix<double> X(d, d), Z(d, 2 * half);
  for (Index k = 0; k < d; ++k) X(k, k) = small;
  map.forward(map.start(0).data(), X.view, Z.view, {});
  std::vector<Numbers> out;
  for (Index j = 0; j < half; ++j) {
    out.emplace_back();
    for (Index k = 0; k < d; ++k)
      out.back().push_back(std::atan2(static_cast<Real>(Z(k, half + j)), static_cast<Real>(Z(k, j))) / static_cast<Real>(small));
  }
  return out;
}

/// The formula: log parameters move frequencies and height as the kernel's own formula says.
Numbers formula(const Case& c, const std::vector<Numbers>& frequencies, const std::vector<double>& start, const Numbers& theta,
                MatrixView<const double> X) {
  const std::size_t d = static_cast<std::size_t>(X.cols()), half = frequencies.size();
  const std::size_t scales = naive::has_scales(c.kernel) ? d : 0, own = start.size() - 1 - scales;
  Real log_height = 0;
  for (std::size_t p = 0; p < own; ++p) log_height += theta[p];
  const Real amplitude = std::sqrt(std::exp(log_height) / static_cast<Real>(half));
  const Real rate = std::exp(c.power * (theta[own] - static_cast<Real>(start[own])));
  Numbers out;
  for (Index i = 0; i < X.rows(); ++i) {
    Numbers sines;
    for (const Numbers& w : frequencies) {
      Real angle = 0;
      for (std::size_t k = 0; k < d; ++k) {
        const Real scale = scales == 0 ? 1 : std::exp(static_cast<Real>(start[own + 1 + k]) - theta[own + 1 + k]);
        angle += rate * scale * w[k] * static_cast<Real>(X(i, static_cast<Index>(k)));
      }
      out.push_back(amplitude * std::cos(angle));
      sines.push_back(amplitude * std::sin(angle));
    }
    out.insert(out.end(), sines.begin(), sines.end());
  }
  return out;
}

/// Angles: a frequency times 4 in each coordinate at most.
Real largest_angle(const std::vector<Numbers>& frequencies) {
  Real largest = 1;
  for (const Numbers& w : frequencies) {
    Real sum = 0;
    for (const Real x : w) sum += 4 * std::fabs(x);
    largest = std::max(largest, sum);
  }
  return largest;
}

}  // namespace

TEST(features_and_their_gradient_are_those_of_the_formula) {
  for (const Case& c : cases()) {
    const auto map = random_fourier_features(naive::kernel_of(c.kernel), 3, 12, 81);
    const std::vector<double> start = map->start(5);
    const std::vector<Numbers> frequencies = frequencies_of(*map);
    const Real angle = largest_angle(frequencies);
    const auto X = normal<double>(6, 3, 82);
    std::vector<double> theta = start;
    for (std::size_t p = 0; p < theta.size(); ++p) theta[p] += 0.1 * static_cast<double>(p % 3) - 0.05;

    const auto by_formula = [&](const Numbers& at) { return formula(c, frequencies, start, at, X.view); };
    // What is read off has an absolute error of some ulps over 1e-4.
    const Real known = 1e5L * unit + 16 * unit * angle;
    const std::vector<double> got = both_passes(*map, theta, X.view);
    const Numbers wanted = by_formula(features::wide(theta));
    for (std::size_t i = 0; i < wanted.size(); ++i) CHECK_NEAR(static_cast<Real>(got[theta.size() + i]), wanted[i], 12 * known);
    features::check_reverse(c.kernel.name, *map, theta, X.view, {}, 1e6L + 64 * angle,
                            features::Reference{by_formula, 2e-4L / angle, 64 * std::numeric_limits<Real>::epsilon() * angle});
  }
}

TEST(inner_products_approach_the_kernel) {
  const Index n = 12, count = 8192;
  for (const Case& c : cases()) {
    const Kernel kernel = naive::kernel_of(c.kernel);
    const auto map = random_fourier_features(kernel, 3, count, 83);
    CHECK(map->bounded());
    const auto X = normal<double>(n, 3, 84);
    naive::Matrix<double> Z(n, count), K(n, n);
    map->forward(map->start(0).data(), X.view, Z.view, {});
    gemm_symmetric(1.0, Z.view, 0.0, K.view);
    const std::vector<Numbers> points = naive::points(X.view);
    const Numbers p = naive::parameters_of(c.kernel);
    const Numbers zero(3, 0);
    const double height = static_cast<double>(naive::evaluate(c.kernel, p, zero, zero));
    for (Index i = 0; i < n; ++i) {
      CHECK_NEAR(K(i, i), height, 1e-12 * height);
      for (Index j = 0; j < i; ++j) {
        const Numbers &x = points[static_cast<std::size_t>(i)], &y = points[static_cast<std::size_t>(j)];
        const double exact = static_cast<double>(naive::evaluate(c.kernel, p, x, y));
        Numbers twice;
        for (std::size_t k = 0; k < 3; ++k) twice.push_back(2 * (x[k] - y[k]));
        // Five deviations: a term's variance is (height^2 + height k(2 (x - y))) / 2 - k^2.
        const double variance =
            height * (height + static_cast<double>(naive::evaluate(c.kernel, p, twice, zero))) / 2.0 - exact * exact;
        CHECK_NEAR(K(i, j), exact, 5.0 * std::sqrt(variance / static_cast<double>(count / 2)));
      }
    }
  }
}

TEST(cosine_and_sine_are_accurate_for_all_angles) {
  const auto map = random_fourier_features(Kernel("gaussian", {0.5}), 1, 2, 3);
  std::vector<double> points = {0.0, -0.0, 1e-300, 0.1, 2e6, 1e9, -1e15, 1e18};
  for (int k = 0; k < 4000; ++k) points.push_back((k % 2 == 0 ? 1.0 : -1.0) * std::exp(-14.0 + 0.007 * k));
  const auto n = static_cast<Index>(points.size());
  naive::Matrix<double> Z(n, 2), unit_Z(1, 2);
  map->forward(map->start(0).data(), {points.data(), n, 1}, Z.view, {});
  // The rate of this kernel is 1, so that the angle of a tiny point is its frequency times the point, rounded once.
  double frequency = 0.0, tiny = 0x1p-60;
  map->forward(map->start(0).data(), {&tiny, 1, 1}, unit_Z.view, {});
  frequency = unit_Z(0, 1) / tiny;
  for (Index i = 0; i < n; ++i) {
    const double angle = points[static_cast<std::size_t>(i)] * frequency;
    CHECK_NEAR(static_cast<Real>(Z(i, 0)), std::cos(static_cast<Real>(angle)), 2 * unit);
    CHECK_NEAR(static_cast<Real>(Z(i, 1)), std::sin(static_cast<Real>(angle)),
               std::min(2 * unit, 4 * unit * std::fabs(static_cast<Real>(angle))));
  }
}

TEST(what_is_not_finite_stays_so) {
  const auto map = random_fourier_features(Kernel("gaussian", {0.5}), 1, 8, 3);
  const double x[] = {std::nan(""), std::numeric_limits<double>::infinity(), 1.0};
  naive::Matrix<double> Z(3, 8);
  map->forward(map->start(0).data(), {x, 3, 1}, Z.view, {});
  for (Index j = 0; j < 8; ++j) {
    CHECK(std::isnan(Z(0, j)));
    CHECK(std::isnan(Z(1, j)));
    CHECK(std::isfinite(Z(2, j)));
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  struct Reset {
    ~Reset() { set_num_threads(0); }
  } reset;
  const auto X = normal<double>(6000, 3, 85);
  for (const Case& c : cases()) {
    const auto map = random_fourier_features(naive::kernel_of(c.kernel), 3, 96, 86);
    const std::vector<double> theta = map->start(0);
    set_num_threads(1);
    const std::vector<double> one = both_passes(*map, theta, X.view);
    for (const int threads : {2, 7}) {
      set_num_threads(threads);
      CHECK(both_passes(*map, theta, X.view) == one);
    }
  }
}

TEST(strides_and_earlier_passes_change_nothing) {
  for (const Case& c : cases()) {
    const auto map = random_fourier_features(naive::kernel_of(c.kernel), 3, 34, 87),
               fresh = random_fourier_features(naive::kernel_of(c.kernel), 3, 34, 87);
    const auto X = normal<double>(300, 3, 88), few = normal<double>(5, 3, 89);
    const std::vector<double> theta = map->start(0);
    const std::vector<double> plain = both_passes(*map, theta, X.view);
    const std::vector<double> strided = features::both_passes_strided(*map, theta, X.view);
    CHECK(std::equal(plain.begin() + static_cast<Index>(theta.size()), plain.end(),
                     strided.begin() + static_cast<Index>(theta.size())));
    for (std::size_t p = 0; p < theta.size(); ++p) CHECK_NEAR(plain[p], strided[p], 1e-12 * std::fabs(plain[p]));
    CHECK(both_passes(*map, theta, few.view) == both_passes(*fresh, theta, few.view));
  }
}

TEST(a_pass_that_does_not_fit_is_refused_and_leaves_nothing_to_reverse) {
  struct Reset {
    ~Reset() { set_memory_limit(0); }
  } reset;
  const auto map = random_fourier_features(Kernel("gaussian", {0.3}), 2, 8, 1);
  const auto X = normal<double>(4000, 2, 90);
  naive::Matrix<double> Z(4000, 8);
  double bar = 0.0;
  map->forward(map->start(0).data(), X.view, Z.view, {});
  set_memory_limit(4000 * 4 * sizeof(double) - 1);
  CHECK_THROWS(MemoryLimitError, map->forward(map->start(0).data(), X.view, Z.view, {}));
  CHECK_THROWS(std::invalid_argument, map->reverse(Z.view, &bar));
}

TEST(wrong_arguments) {
  const Kernel gaussian("gaussian", {0.3});
  CHECK_THROWS(std::invalid_argument, random_fourier_features(gaussian, 0, 8, 1));
  for (const Index count : {-2, 0, 7}) CHECK_THROWS(std::invalid_argument, random_fourier_features(gaussian, 2, count, 1));
  CHECK_THROWS(std::invalid_argument, random_fourier_features(Kernel("linear", {}), 2, 8, 1));
  const auto map = random_fourier_features(gaussian, 2, 8, 1);
  naive::Matrix<double> X(3, 2), Z(3, 8), wrong(3, 7);
  double bar = 0.0;
  CHECK_THROWS(std::invalid_argument, map->reverse(Z.view, &bar));
  CHECK_THROWS(std::invalid_argument, map->forward(map->start(0).data(), wrong.view, Z.view, {}));
  CHECK_THROWS(std::invalid_argument, map->forward(map->start(0).data(), X.view, wrong.view, {}));
  map->forward(map->start(0).data(), X.view, Z.view, {});
  CHECK_THROWS(std::invalid_argument, map->reverse(wrong.view, &bar));
}

TEST_MAIN

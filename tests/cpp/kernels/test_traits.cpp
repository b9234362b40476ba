// SPDX-License-Identifier: BSD-3-Clause
// What each kernel of the registry states, measured on its formula; and what follows for combinations.
#include "gramian/kernels/traits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/check.hpp"
#include "support/kernel_samples.hpp"
#include "support/naive.hpp"

using gramian::Index;
using gramian::Kernel;
using gramian::kernel_registry;
using gramian::KernelInfo;
using gramian::KernelTraits;
using gramian::PointKind;
using naive::Expression;
using naive::leaf;
using naive::Numbers;
using naive::Real;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const std::vector<Numbers> points = naive::points(naive::normal<double>(40, 3, 61).view);

Numbers sum(const Numbers& x, Real factor, const Numbers& direction) {
  Numbers out = x;
  for (std::size_t k = 0; k < x.size(); ++k) out[k] += factor * direction[k];
  return out;
}

/// |phi(x) - phi(y)|^2
Real squared_distance(const Expression& e, const Numbers& x, const Numbers& y) {
  return naive::evaluate(e, x, x) + naive::evaluate(e, y, y) - 2 * naive::evaluate(e, x, y);
}

/// The largest |phi(x) - phi(y)|^2 / |x - y|^2 between points at these distances from 0 and from each other.
Real steepest(const Expression& e, const std::vector<Real>& sizes, const std::vector<Real>& distances) {
  Real most = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    for (const Real size : sizes) {
      for (const Real distance : distances) {
        const Numbers x = sum(Numbers(3, 0), size, points[i]), y = sum(x, distance, points[i + 1]);
        most = std::max(most, squared_distance(e, x, y) / naive::facts_of(x, y).square);
      }
    }
  }
  return most;
}

/// Of the kernel at x towards both sides: 0 for one that has a derivative there.
Real kink(const Expression& e, const Numbers& x, const Numbers& direction) {
  const Real h = 1e-5L, k = naive::evaluate(e, x, x);
  return std::fabs(naive::evaluate(e, x, sum(x, h, direction)) + naive::evaluate(e, x, sum(x, -h, direction)) - 2 * k) /
         (h * (1 + k));
}

/// By how much k(x / c, y / c) is another kernel than the one with c times the length, if this is what the width says.
Real off_by_width(const KernelInfo& info, const std::vector<double>& sample, double power) {
  const double c = 1.7;
  std::vector<double> longer = sample;
  longer[static_cast<std::size_t>(info.width.parameter)] *= std::pow(c, power);
  Real worst = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Numbers x = sum(Numbers(3, 0), 1 / static_cast<Real>(c), points[i]),
                  y = sum(Numbers(3, 0), 1 / static_cast<Real>(c), points[i + 1]);
    const Real wanted = naive::evaluate(leaf(info.name, sample), x, y);
    worst = std::max(worst, std::fabs(naive::evaluate(leaf(info.name, longer), points[i], points[i + 1]) - wanted));
  }
  return worst;
}

}  // namespace

TEST(a_width_is_the_power_of_a_length) {
  for (const KernelInfo& info : kernel_registry()) {
    if (!info.width.exists()) continue;
    CHECK(static_cast<std::size_t>(info.width.parameter) < info.parameters.size());
    for (const std::vector<double>& sample : info.samples) {
      check::that(off_by_width(info, sample, info.width.power) <= 1e-13L, info.name + " has another width", __FILE__, __LINE__);
      check::that(off_by_width(info, sample, 0.5 * info.width.power) > 1e-3L, info.name + ": any width passes", __FILE__,
                  __LINE__);
    }
  }
}

TEST(a_kernel_without_a_width_has_no_parameter_that_is_one) {
  for (const KernelInfo& info : kernel_registry()) {
    if (info.width.exists()) continue;
    for (const auto& p : info.parameters) CHECK(p.name != "gamma" && p.name != "length_scale");
  }
}

TEST(kernels_are_as_smooth_as_they_say) {
  for (const Expression& e : naive::leaf_samples()) {
    Real most = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) most = std::max(most, kink(e, points[i], points[i + 1]));
    const bool smooth = naive::info_of(e.name).traits.smooth_at_coincidence;
    check::that(smooth ? most <= 1e-2L : most >= 1e-1L,
                e.name + (smooth ? " is not smooth, its kink is " : " is smooth, its kink is ") + check::show(most), __FILE__,
                __LINE__);
  }
}

TEST(explicit_features_are_the_coordinates) {
  for (const Expression& e : naive::leaf_samples()) {
    bool equal = true;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const Real inner = naive::facts_of(points[i], points[i + 1]).inner;
      equal = equal && std::fabs(naive::evaluate(e, points[i], points[i + 1]) - inner) <= 1e-15L * (1 + std::fabs(inner));
    }
    CHECK_EQ(naive::info_of(e.name).traits.explicit_features, equal);
  }
}

TEST(labels_are_only_compared) {
  for (const Expression& e : naive::leaf_samples()) {
    bool compared = true;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      compared = compared && naive::evaluate(e, points[i], points[i + 1]) == naive::evaluate(e, points[0], points[1]) &&
                 naive::evaluate(e, points[i], points[i]) == naive::evaluate(e, points[0], points[0]);
    }
    CHECK_EQ(naive::info_of(e.name).traits.points == PointKind::labels, compared);
  }
}

TEST(kernels_of_sets_compare_what_these_have_in_common) {
  const Numbers set{1, 1, 0, 1}, other{0, 1, 1, 1}, one{0, 1, 0, 0};
  for (const Expression& e : naive::leaf_samples()) {
    const bool common = std::fabs(naive::evaluate(e, set, other) - 2 / Real(4)) < 1e-15L &&
                        std::fabs(naive::evaluate(e, set, one) - 1 / Real(3)) < 1e-15L;
    CHECK_EQ(naive::info_of(e.name).traits.points == PointKind::sets, common);
  }
}

TEST(a_proportional_slope_is_one) {
  // d log k / d|x - y|^2 is the same wherever it is measured.
  for (const Expression& e : naive::leaf_samples()) {
    const Numbers x(3, 0), along = {1, 0, 0};
    std::vector<Real> slopes;
    for (const Real r : {0.3L, 0.9L, 1.4L}) {
      const Real here = naive::evaluate(e, x, sum(x, r, along)), there = naive::evaluate(e, x, sum(x, r + 1e-3L, along));
      slopes.push_back(here > 0 && there > 0 ? std::log(there / here) / (2 * r + 1e-3L) : 0);
    }
    const bool same =
        slopes[0] < 0 && std::fabs(slopes[1] / slopes[0] - 1) < 1e-9L && std::fabs(slopes[2] / slopes[0] - 1) < 1e-9L;
    check::that(naive::info_of(e.name).traits.proportional_slope == same, e.name + ": another slope", __FILE__, __LINE__);
  }
}

TEST(lipschitz_constants_bound_and_are_reached) {
  const std::vector<Real> distances = {1e-4L, 1e-2L, 0.3L, 1, 4};
  for (const std::vector<Expression>& some : {naive::leaf_samples(), naive::scaled_samples(3)}) {
    for (const Expression& e : some) {
      const double constant = naive::kernel_of(e).traits().squared_lipschitz;
      if (std::isfinite(constant)) {
        const Real most = steepest(e, {0, 1}, distances);
        check::that(most <= constant * (1 + 1e-6L) && most >= 0.5L * constant,
                    e.name + ": " + check::show(most) + " and " + check::show(constant), __FILE__, __LINE__);
      } else if (e.parameters.empty() || e.parameters == naive::info_of(e.name).samples.front()) {
        const Real most = std::max(steepest(e, {0, 1e-6L, 1}, {1e-6L}), steepest(e, {1e4L}, distances));
        check::that(most >= 1e4L, e.name + " has a Lipschitz constant: " + check::show(most), __FILE__, __LINE__);
      }
    }
  }
}

TEST(combinations_derive_their_traits) {
  const Kernel gaussian("gaussian", {0.5}), linear("linear", {}), rough("laplacian", {1.0});
  for (const Kernel& kernel : {gaussian + rough, gaussian * rough, 2.0 * (linear + 3.0 * rough)}) {
    CHECK(!kernel.traits().smooth_at_coincidence);
  }
  CHECK((2.0 * (gaussian + linear) * gaussian).traits().smooth_at_coincidence);
  CHECK((2.0 * (0.5 * Kernel("linear", {}, {1.0, 2.0}))).traits().explicit_features);
  CHECK(linear.traits().inner_product && !Kernel("linear", {}, {1.0, 2.0}).traits().inner_product);
  CHECK(!(2.0 * linear).traits().inner_product);
  CHECK(!(linear + linear).traits().explicit_features && !(linear * linear).traits().explicit_features);
  CHECK(gaussian.traits().proportional_slope && !(2.0 * gaussian).traits().proportional_slope);
  CHECK_NEAR((3.0 * gaussian + linear).traits().squared_lipschitz, 4.0, 1e-14);
  CHECK_NEAR(Kernel("gaussian", {0.5}, {2.0, 0.5}).traits().squared_lipschitz, 4.0, 1e-14);
  CHECK_EQ((linear * gaussian).traits().squared_lipschitz, infinity);
  const Kernel labels("delta", {}), sets("tanimoto", {});
  CHECK((2.0 * labels).traits().points == PointKind::labels && (labels * labels).traits().points == PointKind::labels);
  CHECK((labels + sets).traits().points == PointKind::sets && (labels * gaussian).traits().points == PointKind::vectors);
  for (const Expression& e : naive::combined_samples(3)) {
    const KernelTraits traits = naive::kernel_of(e).traits();
    CHECK_EQ(traits.smooth_at_coincidence,
             !naive::any_leaf(e, [](const Expression& l) { return !naive::info_of(l.name).traits.smooth_at_coincidence; }));
    CHECK(steepest(e, {0, 1}, {1e-3L, 0.3L, 1}) <= traits.squared_lipschitz * (1 + 1e-6L));
  }
  const Expression product = leaf("gaussian", {0.3}) * leaf("matern52", {0.8});
  const double bound = naive::kernel_of(product).traits().squared_lipschitz;
  CHECK(std::isfinite(bound) && steepest(product, {1}, {1e-3L, 0.3L}) > 0.2L * bound);
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// The objective of deep kernel PCA with weights: the definition for samples that are repeated, in long double, and differences of
// it.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gramian/models/deep_pca/objective.hpp"
#include "support/check.hpp"
#include "support/deep_pca_problem.hpp"
#include "support/finite_difference.hpp"
#include "support/repeated_rows.hpp"

using namespace gramian;
using naive::Real;
using Numbers = std::vector<double>;

namespace {

constexpr Index n = 6, d = 3;

struct Case {
  const char* name;
  std::vector<naive::PcaLevel> levels;
  bool centred = false;
  bool joint = false;
};

std::vector<Case> cases() {
  const naive::Expression gaussian = naive::leaf("gaussian", {0.3}), linear = naive::leaf("linear");
  const naive::Expression cubic = naive::leaf("polynomial", {3, 0.7, 1.1});
  return {{"one level", {{gaussian, 3, 0.7}}},
          {"gaussian, gaussian", naive::gaussian_levels()},
          {"negative eta", naive::gaussian_levels(-0.6)},
          {"gaussian, linear", {{gaussian, 3, 1.0}, {linear, 2, -0.5}}},
          {"linear, gaussian", {{linear, 2, 1.0}, {gaussian, 2, 1.0}}},
          {"three levels", {{gaussian, 3, 1.2}, {linear, 2, -0.7}, {cubic, 2, 0.9}}},
          {"centred", naive::gaussian_levels(0.7), true},
          {"centred, one level", {{cubic, 2, 0.7}}, true},
          {"centred, three", {{gaussian, 3, 1.2}, {cubic, 2, -0.7}, {linear, 2, 0.9}}, true},
          {"eigenvalues of their own", naive::gaussian_levels(0.8), false, true},
          {"all of it", {{gaussian, 3, 1.2}, {linear, 2, -0.7}, {cubic, 2, 0.9}}, true, true}};
}

/// x has scaled rows; the definition sees each row unscaled, as often as it is there.
struct Setup {
  explicit Setup(const Case& which)
      : counts(repeated::counts(n)),
        X(naive::normal<double>(n, d, 11)),
        all(repeated::rows(X.view, counts)),
        problem{naive::pca_rows(view(all)), which.levels, which.centred},
        objective(Points(X.view), naive::engine_levels(which.levels),
                  {which.joint ? deep_pca::Eigenvalues::joint : deep_pca::Eigenvalues::eliminated, which.centred,
                   std::uint64_t(1) << 30, counts}),
        x(naive::normal<double>(objective.size(), 1, 12).numbers),
        gradient(x.size()) {
    for (double& number : x) number *= 0.4;
    value = objective.evaluate(x.data(), gradient.data());
  }

  naive::Numbers repeated_rows(const naive::Numbers& scaled) const {
    naive::Numbers out;
    std::size_t first = 0;
    for (const naive::PcaLevel& level : problem.levels) {
      for (std::size_t i = 0; i < counts.size(); ++i) {
        for (int copy = 0; copy < static_cast<int>(counts[i]); ++copy) {
          for (std::size_t c = 0; c < level.components; ++c) {
            out.push_back(scaled[first + i * level.components + c] / std::sqrt(static_cast<Real>(counts[i])));
          }
        }
      }
      first += counts.size() * level.components;
    }
    out.insert(out.end(), scaled.begin() + static_cast<std::ptrdiff_t>(first), scaled.end());
    return out;
  }

  std::vector<double> counts;
  naive::Matrix<double> X;
  repeated::Dense all;
  naive::PcaProblem problem;
  deep_pca::TrainingObjective objective;
  Numbers x, gradient;
  double value;
};

naive::Numbers moved(const Numbers& from, std::size_t which, Real t) {
  naive::Numbers x(from.begin(), from.end());
  x[which] += t;
  return x;
}

/// Partial derivatives within J are accurate to 1e-15 of it.
constexpr Real noise = 1e5L;

void check_gradient(const Case& which) {
  const Setup at(which);
  const auto f = [&](const naive::Numbers& x) { return at.problem.value(at.repeated_rows(x), which.joint); };
  const Real expected = f(moved(at.x, 0, 0));
  const std::string name = which.name;
  check::that(std::fabs(static_cast<Real>(at.value) - expected) <= 1e-12L * expected,
              name + ": " + check::show(at.value) + " and " + check::show(static_cast<double>(expected)), __FILE__, __LINE__);
  Real scale = 0;
  for (const double g : at.gradient) scale = std::max(scale, std::fabs(static_cast<Real>(g)));
  bool good = true, seen = true;
  for (std::size_t i = 0; i < at.x.size(); ++i) {
    const auto slope = difference::slope([&](Real t) { return f(moved(at.x, i, t)); }, 2e-3L, noise * expected);
    good = good && difference::agrees(at.gradient[i], slope, 1e-11L * scale, scale);
    seen = seen && !difference::agrees(at.gradient[i] + 1e-4L * scale, slope, 1e-11L * scale, scale);
  }
  check::that(good, name + ": a derivative differs", __FILE__, __LINE__);
  check::that(seen, name + ": a wrong derivative passes", __FILE__, __LINE__);
}

}  // namespace

TEST(value_and_gradient_are_those_of_the_definition) {
  for (const Case& which : cases()) check_gradient(which);
}

TEST(the_energy_is_that_of_the_definition) {
  for (const Case& which : cases()) {
    Setup at(which);
    const naive::Numbers x = at.repeated_rows(moved(at.x, 0, 0));
    const Real energy = at.problem.energy(x);
    CHECK_NEAR(static_cast<Real>(at.objective.describe(at.x.data()).energy), energy, 1e-12L * (1 + std::fabs(energy)));
  }
}

TEST(weights_that_are_no_counts_have_the_gradient_of_differences) {
  const naive::Matrix<double> X = naive::normal<double>(20, d, 3);
  Numbers weights = naive::normal<double>(20, 1, 4).numbers;
  for (double& w : weights) w = 0.2 + w * w;
  for (const bool centred : {false, true}) {
    const deep_pca::ObjectiveOptions options{deep_pca::Eigenvalues::eliminated, centred, 0, weights};
    deep_pca::TrainingObjective objective(Points(X.view), naive::engine_levels(naive::gaussian_levels(-0.8)), options);
    Numbers x = naive::normal<double>(objective.size(), 1, 5).numbers, gradient(x.size());
    for (double& number : x) number *= 0.3;
    const Real value = objective.evaluate(x.data(), gradient.data());
    const Numbers v = naive::normal<double>(objective.size(), 1, 6).numbers;
    const auto along = [&](Real t) {
      Numbers at = x;
      for (std::size_t i = 0; i < at.size(); ++i) at[i] += static_cast<double>(t) * v[i];
      return Real(objective.evaluate(at.data(), nullptr));
    };
    const Real found = difference::dot(gradient, v);
    const auto slope = difference::slope(along, 1e-3L, value * 4096);
    CHECK(difference::agrees(found, slope, 1e-9L * std::fabs(found), std::fabs(found)));
    CHECK(!difference::agrees(1.01L * found, slope, 1e-9L * std::fabs(found), std::fabs(found)));
  }
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Objectives of deep kernel PCA, and the comparison of one with its definition: value and gradient at a point.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/check.hpp"
#include "support/deep_pca_problem.hpp"
#include "support/finite_difference.hpp"

namespace naive {

struct PcaCase {
  const char* name;
  std::vector<PcaLevel> levels;
  bool centred = false;
  bool joint = false;

  gramian::deep_pca::Eigenvalues eigenvalues() const {
    return joint ? gramian::deep_pca::Eigenvalues::joint : gramian::deep_pca::Eigenvalues::eliminated;
  }
};

/// All options, each on its own and all together.
inline std::vector<PcaCase> pca_cases() {
  const Expression gaussian = leaf("gaussian", {0.3}), linear = leaf("linear"), cubic = leaf("polynomial", {3, 0.7, 1.1});
  const Expression quadratic = leaf("rational_quadratic", {0.8, 1.2});
  return {{"gaussian, gaussian", gaussian_levels()},
          {"one level", {{gaussian, 3, 0.7}}},
          {"negative eta", gaussian_levels(-0.6)},
          {"gaussian, linear", {{gaussian, 3, 1.0}, {linear, 2, -0.5}}},
          {"linear, gaussian", {{linear, 2, 1.0}, {gaussian, 2, 1.0}}},
          {"three levels", {{gaussian, 3, 1.2}, {quadratic, 2, -0.7}, {cubic, 2, 0.9}}},
          {"centred", gaussian_levels(0.7), true},
          {"centred, three", {{gaussian, 3, 1.2}, {cubic, 2, -0.7}, {linear, 2, 0.9}}, true},
          {"eigenvalues of their own", gaussian_levels(0.8), false, true},
          {"all of it", {{gaussian, 3, 1.2}, {quadratic, 2, -0.7}, {cubic, 2, 0.9}}, true, true}};
}

/// The one of this name.
inline PcaCase pca_case(const std::string& name) {
  for (const PcaCase& which : pca_cases()) {
    if (which.name == name) return which;
  }
  throw std::invalid_argument("there is no case " + name);
}

/// x, and the objective that was evaluated there.
struct PcaPoint {
  std::vector<double> x;
  double value;
  std::vector<double> gradient;
};

inline PcaPoint point_of(gramian::deep_pca::TrainingObjective& objective) {
  PcaPoint at{normal<double>(objective.size(), 1, 12).numbers, 0.0,
              std::vector<double>(static_cast<std::size_t>(objective.size()))};
  for (double& number : at.x) number *= 0.4;
  at.value = objective.evaluate(at.x.data(), at.gradient.data());
  return at;
}

/// Value and gradient are those of f, the definition, and a wrong gradient is seen. Partial derivatives of f are accurate to
/// 1e-15 of it.
template <class F>
void check_value_and_gradient(const std::string& name, const PcaPoint& at, const F& f) {
  const auto moved = [&](std::size_t which, Real t) {
    Numbers x(at.x.begin(), at.x.end());
    x[which] += t;
    return f(x);
  };
  constexpr Real noise = 1e5L;
  const Real expected = moved(0, 0);
  check::that(std::fabs(static_cast<Real>(at.value) - expected) <= 1e-12L * expected,
              name + ": " + check::show(at.value) + " and " + check::show(static_cast<double>(expected)), __FILE__, __LINE__);
  Real scale = 0;
  for (const double g : at.gradient) scale = std::max(scale, std::fabs(static_cast<Real>(g)));
  bool good = true, seen = true;
  for (std::size_t i = 0; i < at.x.size(); ++i) {
    const auto slope = difference::slope([&](Real t) { return moved(i, t); }, 2e-3L, noise * expected);
    good = good && difference::agrees(at.gradient[i], slope, 1e-11L * scale, scale);
    seen = seen && !difference::agrees(at.gradient[i] + 1e-4L * scale, slope, 1e-11L * scale, scale);
  }
  check::that(good, name + ": a derivative differs", __FILE__, __LINE__);
  check::that(seen, name + ": a wrong derivative passes", __FILE__, __LINE__);
}

}  // namespace naive

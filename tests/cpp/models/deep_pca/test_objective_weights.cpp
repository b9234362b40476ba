// SPDX-License-Identifier: BSD-3-Clause
// The objective of deep kernel PCA with weights: the definition for samples that are repeated, in long double, and differences of
// it.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gramian/models/deep_pca/objective.hpp"
#include "support/check.hpp"
#include "support/deep_pca_cases.hpp"
#include "support/finite_difference.hpp"
#include "support/repeated_rows.hpp"

using namespace gramian;
using naive::Real;
using Numbers = std::vector<double>;

namespace {

constexpr Index n = 6, d = 3;

using naive::PcaCase;

std::vector<PcaCase> cases() {
  std::vector<PcaCase> all = naive::pca_cases();
  all.push_back({"centred, one level", {{naive::leaf("polynomial", {3, 0.7, 1.1}), 2, 0.7}}, true});
  return all;
}

/// x has scaled rows; the definition sees each row unscaled, as often as it is there.
struct Setup : naive::PcaPoint {
  explicit Setup(const PcaCase& which)
      : counts(repeated::counts(n)),
        X(naive::normal<double>(n, d, 11)),
        all(repeated::rows(X.view, counts)),
        problem{naive::pca_rows(view(all)), which.levels, which.centred},
        objective(Points(X.view), naive::engine_levels(which.levels),
                  {which.eigenvalues(), which.centred, std::uint64_t(1) << 30, counts}) {
    static_cast<naive::PcaPoint&>(*this) = naive::point_of(objective);
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
};

}  // namespace

TEST(value_and_gradient_are_those_of_the_definition) {
  for (const PcaCase& which : cases()) {
    const Setup at(which);
    naive::check_value_and_gradient(which.name, at,
                                    [&](const naive::Numbers& x) { return at.problem.value(at.repeated_rows(x), which.joint); });
  }
}

TEST(the_energy_is_that_of_the_definition) {
  for (const PcaCase& which : cases()) {
    Setup at(which);
    const naive::Numbers x = at.repeated_rows({at.x.begin(), at.x.end()});
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

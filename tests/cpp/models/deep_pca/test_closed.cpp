// SPDX-License-Identifier: BSD-3-Clause
// Eigenproblems in turn. What a whole fit does with them is tested in test_train.cpp.
#include <cmath>
#include <vector>

#include "models/deep_pca/start.hpp"
#include "support/check.hpp"
#include "support/deep_pca_data.hpp"

using namespace gramian;

namespace {

OptimResult in_turn(const std::vector<deep_pca::Level>& levels, Index iterations, std::vector<double>& x,
                    Observer* observer = nullptr) {
  const naive::Matrix<double> X = pca::two_classes(40, 4);
  deep_pca::TrainingObjective objective(Points(X.view), levels, {});
  x.resize(static_cast<std::size_t>(objective.size()));
  deep_pca::start_at_random(objective, 2, 0, x.data());
  deep_pca::SelfConsistent options;
  options.max_iterations = iterations;
  options.gradient_tolerance = 1e-9;
  OptimResult found = deep_pca::solve_self_consistently(objective, options, x.data(), observer);
  CHECK_NEAR(objective.evaluate(x.data(), nullptr), found.value, 1e-15);
  return found;
}

class Never final : public Observer {
 public:
  bool observe(const Iteration&, const double*) override { return false; }
};

}  // namespace

TEST(a_random_start_leads_to_a_solution_of_either_sign) {
  for (const double eta : {0.8, -0.6}) {
    std::vector<double> x;
    const OptimResult found = in_turn(pca::with_linear(eta), 1000, x);
    CHECK(found.stop_reason == StopReason::gradient);
    CHECK(found.value <= 1e-14);
    CHECK(found.iterations >= 1);
    CHECK(found.history.back().gradient_norm <= 1e-9);
  }
}

TEST(limits_and_observers_end_it) {
  std::vector<double> x;
  CHECK(in_turn(pca::with_linear(0.8), 1, x).stop_reason == StopReason::max_iterations);
  Never never;
  CHECK(in_turn(pca::with_linear(0.8), 1000, x, &never).stop_reason == StopReason::observer);
}

TEST_MAIN

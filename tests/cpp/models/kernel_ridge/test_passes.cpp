// SPDX-License-Identifier: BSD-3-Clause
// Passes over the samples: what an observer sees, and how they end.
#include "models/kernel_ridge/passes.hpp"

#include <vector>

#include "gramian/gram/full.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using dependency_data::gaussian;
using gramian::view;
using Dense = spectral::Matrix;

namespace {

const dependency_data::Samples data = dependency_data::samples(80, 1, 2);
const Dense landmarks = data.X.topRows(12), inner = dependency_data::gram(gaussian(), landmarks, landmarks);
const LandmarkBasis basis(view(inner));

kernel_ridge::PassProblem problem() {
  kernel_ridge::PassProblem problem;
  problem.system = [](const LandmarkBasis& coordinates, double alpha) {
    return LandmarkSystem(gaussian(), Points(view(data.X)), Points(view(landmarks)), coordinates, alpha);
  };
  problem.sketch = [](Index rows) { return sketched_rows(gaussian(), Points(view(data.X)), Points(view(landmarks)), rows); };
  problem.targets = view(data.Y);
  problem.square = data.Y.squaredNorm();
  return problem;
}

kernel_ridge::LandmarkOptions options(Index iterations) {
  kernel_ridge::LandmarkOptions options;
  options.alphas = {1e-6};
  options.max_iterations = iterations;
  return options;
}

/// Keeps the values, and ends after some of them.
class Values final : public Observer {
 public:
  explicit Values(std::size_t most) : most_(most) {}
  bool observe(const Iteration& iteration, const double*) override {
    values.push_back(iteration.value);
    return values.size() < most_;
  }
  std::vector<double> values{};

 private:
  std::size_t most_;
};

}  // namespace

TEST(too_few_passes_are_told) {
  const auto fit = kernel_ridge::solve_by_passes(basis, problem(), options(1), nullptr);
  CHECK(fit.stop_reason == SolverStop::max_iterations);
  CHECK_EQ(fit.iterations, 1);
  CHECK_EQ(fit.history.size(), 2);
  const double square = data.Y.squaredNorm();
  CHECK_NEAR(fit.history.front().value, square, 1e-12 * square);
  CHECK(fit.objective < square);
}

TEST(an_observer_sees_the_objective_and_may_end_it) {
  Values all(1000), two(2);
  const auto whole = kernel_ridge::solve_by_passes(basis, problem(), options(100), &all);
  CHECK(all.values.size() > 2);
  CHECK_EQ(all.values.size() + 1, whole.history.size());
  for (std::size_t i = 0; i < all.values.size(); ++i) CHECK_EQ(all.values[i], whole.history[i + 1].value);
  const auto ended = kernel_ridge::solve_by_passes(basis, problem(), options(100), &two);
  CHECK(ended.stop_reason == SolverStop::observer);
  CHECK_EQ(ended.iterations, 2);
}

TEST_MAIN

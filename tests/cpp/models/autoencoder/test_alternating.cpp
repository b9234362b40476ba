// SPDX-License-Identifier: BSD-3-Clause
// Alternation on an objective of its own. That it ends where the eliminated form does is tested with the fit.
#include "models/autoencoder/alternating.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "models/layered/training.hpp"
#include "support/autoencoder_data.hpp"
#include "support/check.hpp"

using namespace gramian;

namespace {

struct Problem {
  naive::Matrix<double> X = autoencoder_data::samples("moons", 20);
  LayeredTask task = [this] {
    LayeredTask made{Points(X.view), X.view};
    made.mean = true;
    made.loss = squared_loss();
    made.layers = {KernelLayer::scalar(Kernel("gaussian", {1.0}), 1, 1e-3),
                   KernelLayer::scalar(Kernel("gaussian", {1.0}), 2, 1e-3)};
    made.thetas.resize(2);
    return made;
  }();
  LayeredShare share{task, 1};
  LayeredObjective objective = share.objective(task);
  std::vector<double> start = naive::normal<double>(objective.size(), 1, 7).numbers;

  OptimResult run(const autoencoder::AlternatingOptions& options, Observer* observer = nullptr) {
    return autoencoder::alternate(objective, start.data(), options, observer);
  }
};

autoencoder::AlternatingOptions epochs(Index count, Index inner_steps = 1) {
  autoencoder::AlternatingOptions options;
  options.max_iterations = count;
  options.inner_steps = inner_steps;
  return options;
}

class StopAt final : public Observer {
 public:
  explicit StopAt(Index last) : last_(last) {}
  bool observe(const Iteration& iteration, const double*) override { return iteration.number < last_; }

 private:
  Index last_;
};

}  // namespace

TEST(values_never_rise) {
  Problem problem;
  const OptimResult found = problem.run(epochs(30, 2));
  CHECK(found.history.size() > 5);
  for (std::size_t i = 1; i < found.history.size(); ++i) CHECK(found.history[i].value <= found.history[i - 1].value);
  CHECK(found.value < found.history.front().value);
  std::vector<double> gradient(found.x.size());
  CHECK_EQ(problem.objective.evaluate(found.x.data(), gradient.data()), found.value);
}

TEST(it_ends_for_each_reason) {
  Problem problem;
  CHECK(problem.run(epochs(0)).stop_reason == StopReason::max_iterations);
  CHECK_EQ(problem.run(epochs(0)).history.size(), std::size_t(1));
  CHECK(problem.run(epochs(4)).stop_reason == StopReason::max_iterations);
  autoencoder::AlternatingOptions easy = epochs(50);
  easy.value_tolerance = 0.5;
  CHECK(problem.run(easy).stop_reason == StopReason::value);
  easy = epochs(50);
  easy.gradient_tolerance = 1e6;
  CHECK(problem.run(easy).stop_reason == StopReason::gradient);
  StopAt third(3);
  const OptimResult stopped = problem.run(epochs(50), &third);
  CHECK(stopped.stop_reason == StopReason::observer);
  CHECK_EQ(stopped.iterations, 3);
}

TEST(bad_options_are_refused) {
  Problem problem;
  CHECK_THROWS(std::invalid_argument, problem.run(epochs(-1)));
  autoencoder::AlternatingOptions options = epochs(1);
  options.step = 0.0;
  CHECK_THROWS(std::invalid_argument, problem.run(options));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Searches for losses with kinks, which go through losses without.
#include "models/deep_regression/search.hpp"

#include <cmath>
#include <vector>

#include "models/deep_regression/samples.hpp"
#include "models/deep_regression/start.hpp"
#include "support/check.hpp"
#include "support/deep_fits.hpp"

using namespace deep;

namespace {

class Numbers final : public Observer {
 public:
  explicit Numbers(Index last = 1 << 20) : last_(last) {}
  bool observe(const Iteration& iteration, const double*) override {
    seen.push_back(iteration.number);
    return iteration.number < last_;
  }
  std::vector<Index> seen;

 private:
  Index last_;
};

/// One layer with the absolute loss, trained jointly.
struct Kinked {
  Data data = ridge_data(20);
  deep_regression::Options options;
  std::vector<LayerPlan> plans = {layer(hill, 1, 0.1)};
  deep_regression::DistinctSamples samples;
  LayeredTask task;
  LayeredShare share;
  LayeredObjective objective;
  std::vector<double> x;

  explicit Kinked(std::shared_ptr<const Loss> loss)
      : options(made(std::move(loss))),
        samples(Points(data.X.view()), data.Y.view(), plans, options),
        task(deep_regression::make_task(samples, plans, options, deep_regression::decided_layers(samples, plans, options), true)),
        share(task, 1),
        objective(share.objective(task)),
        x(static_cast<std::size_t>(objective.size()), 0.0) {}

  static deep_regression::Options made(std::shared_ptr<const Loss> loss) {
    deep_regression::Options options;
    regression(options).joint = true;
    regression(options).loss = std::move(loss);
    stop_at(options, 70);
    return options;
  }
  OptimResult run(Observer* observer = nullptr) { return search(task, share, options, objective, x, observer); }
};

}  // namespace

TEST(several_searches_are_one_that_goes_on) {
  Kinked problem(epsilon_insensitive_loss(0.1));
  Numbers numbers;
  const OptimResult found = problem.run(&numbers);
  CHECK(found.iterations <= 70);
  for (std::size_t i = 1; i < found.history.size(); ++i) CHECK_EQ(found.history[i].number, static_cast<Index>(i));
  for (std::size_t i = 1; i < numbers.seen.size(); ++i) CHECK(numbers.seen[i] > numbers.seen[i - 1]);
  std::vector<double> gradient(found.x.size());
  CHECK_EQ(problem.objective.evaluate(found.x.data(), gradient.data()), found.value);  // of the loss itself
  CHECK(found.value < problem.objective.evaluate(problem.x.data(), gradient.data()));
}

TEST(an_observer_ends_all_of_them) {
  Kinked problem(epsilon_insensitive_loss(0.1));
  Numbers third(3);
  const OptimResult found = problem.run(&third);
  CHECK(found.stop_reason == StopReason::observer);
  CHECK_EQ(found.iterations, 3);
}

TEST(a_smooth_loss_takes_one_search) {
  Kinked problem(squared_loss());
  const OptimResult found = problem.run();
  std::vector<double> x = problem.x;
  const OptimResult once = std::get<LbfgsOptions>(problem.options.solver).minimise({problem.objective, x.data(), nullptr});
  CHECK(found.x == once.x);
  CHECK_EQ(found.iterations, once.iterations);
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Estimates from batches. That they are without bias is tested with the objective, in tests/cpp/models/layered.
#include "models/autoencoder/batches.hpp"

#include <cmath>
#include <vector>

#include "models/layered/training.hpp"
#include "support/autoencoder_data.hpp"
#include "support/check.hpp"

using namespace gramian;

namespace {

LayeredTask task_on(MatrixView<const double> X) {
  LayeredTask task{Points(X), X};
  task.mean = task.joint = true;
  task.loss = squared_loss();
  task.layers = {KernelLayer::scalar(Kernel("gaussian", {1.0}), 1, 0.1), KernelLayer::scalar(Kernel("gaussian", {1.0}), 2, 0.1)};
  task.thetas.resize(2);
  return task;
}

std::vector<double> some_numbers(Index count) { return naive::normal<double>(count, 1, 5).numbers; }

}  // namespace

TEST(batches_of_one_have_the_objective_for_a_mean) {
  const naive::Matrix<double> X = autoencoder_data::samples("moons", 3);
  const LayeredTask task = task_on(X.view);
  const LayeredShare share(task, 1);
  LayeredObjective whole = share.objective(task);
  autoencoder::BatchObjective single(whole, 1);
  const std::vector<double> x = some_numbers(single.size());
  std::vector<double> gradient(x.size());
  const double value = single.evaluate(x.data(), gradient.data());
  // Every sample is drawn in some step; the three estimates are different, and their mean is the objective.
  std::vector<double> seen;
  for (std::uint64_t step = 0; step < 200 && seen.size() < 3; ++step) {
    const double own = single.sample(x.data(), 1, step, gradient.data());
    bool fresh = true;
    for (const double before : seen) fresh = fresh && std::fabs(before - own) > 1e-12;
    if (fresh) seen.push_back(own);
  }
  CHECK_EQ(seen.size(), std::size_t(3));
  CHECK_NEAR((seen[0] + seen[1] + seen[2]) / 3.0, value, 1e-12 * value);
}

TEST(a_batch_of_all_samples_is_the_objective) {
  const naive::Matrix<double> X = autoencoder_data::samples("circles", 6);
  const LayeredTask task = task_on(X.view);
  const LayeredShare share(task, 1);
  LayeredObjective whole = share.objective(task);
  for (const Index size : {0, 6, 7}) {
    autoencoder::BatchObjective all(whole, size);
    const std::vector<double> x = some_numbers(all.size());
    std::vector<double> gradient(x.size()), estimate(x.size());
    const double value = all.evaluate(x.data(), gradient.data());
    CHECK_EQ(all.sample(x.data(), 3, 4, estimate.data()), value);
    CHECK(estimate == gradient);
  }
}

TEST(out_of_the_domain_an_estimate_is_infinite) {
  const naive::Matrix<double> X = autoencoder_data::samples("circles", 6);
  const LayeredTask task = task_on(X.view);
  const LayeredShare share(task, 1);
  LayeredObjective whole = share.objective(task);
  autoencoder::BatchObjective batches(whole, 2);
  const std::vector<double> x(static_cast<std::size_t>(batches.size()), 1e300);
  std::vector<double> gradient(x.size());
  CHECK(!std::isfinite(batches.sample(x.data(), 1, 1, gradient.data())));
}

TEST_MAIN

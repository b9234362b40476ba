// SPDX-License-Identifier: BSD-3-Clause
// Cross-validation over length scales and lambda.
#include <vector>

#include "models/embedding/training.hpp"
#include "support/check.hpp"
#include "support/embedding_data.hpp"

using namespace gramian;
using namespace embedding_data;

namespace {

const Sample data(90, 3, 4, 0.35, 1);

embedding::Options learning(embedding::Learning how) { return learning_by(std::move(how), 150); }

/// Losses, accuracies and what is chosen for a linear kernel, in coordinates or with all samples.
embedding::Fit linear_grid(const Sample& sample, const Kernel& kernel, bool keep_samples) {
  embedding::GridSearch grid;
  grid.scale_grid = {0.5, 2.0};
  grid.lambda_grid = {1e-4, 1e-2, 1.0};
  embedding::Options options = learning(grid);
  options.keep_samples = keep_samples;
  return embedding::fit(sample.view(), &kernel, nullptr, options);
}

}  // namespace

TEST(cross_validation_of_a_linear_kernel_is_the_same_in_coordinates) {
  Sample sample = data;
  for (Index i = 0; i < sample.size(); ++i) sample.weights.push_back(i % 7 == 0 ? 0.0 : 1.0 + static_cast<double>(i % 3));
  for (const Kernel& kernel : {Kernel("linear", {}), 2.5 * Kernel("linear", {}, {1.0, 0.5, 2.0, 3.0})}) {
    const embedding::Fit one = linear_grid(sample, kernel, false), other = linear_grid(sample, kernel, true);
    CHECK_EQ(one.history.size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK_NEAR(one.history[i].value, other.history[i].value, 1e-10 * other.history[i].value);
      CHECK_EQ(one.history[i].terms.accuracy, other.history[i].terms.accuracy);
    }
    CHECK_EQ(one.model.lambda, other.model.lambda);
    CHECK(one.model.kernel->parameters() == other.model.kernel->parameters());
  }
}

TEST(cross_validation_takes_the_lowest_loss) {
  embedding::GridSearch grid;
  grid.scale_grid = {0.1, 1.0, 10.0};
  grid.lambda_grid = {1e-4, 1e-1};
  const Kernel start("matern52", {1.0});
  const embedding::Fit fit = embedding::fit(data.view(), &start, nullptr, learning(grid));
  CHECK_EQ(fit.history.size(), 6u);
  std::size_t best = 0;
  for (std::size_t i = 0; i < 6; ++i) best = fit.history[i].value < fit.history[best].value ? i : best;
  CHECK_NEAR(fit.model.kernel->parameters()[0], grid.scale_grid[best / 2], 1e-12);
  CHECK_EQ(fit.model.lambda, grid.lambda_grid[best % 2]);
  CHECK_EQ(fit.result.value, fit.history[best].value);
  CHECK_EQ(fit.fold_losses.cols(), static_cast<Index>(fit.fold_weights.size()));
  for (Index i = 0; i < 6; ++i) {
    double sum = 0.0, weight = 0.0;
    for (std::size_t f = 0; f < fit.fold_weights.size(); ++f) {
      sum += fit.fold_weights[f] * fit.fold_losses(i, static_cast<Index>(f));
      weight += fit.fold_weights[f];
    }
    CHECK_NEAR(sum / weight, fit.history[static_cast<std::size_t>(i)].value, 1e-12);
  }

  // One point of the grid by hand, leaving one out.
  Sample few(12, 2, 4, 0.5, 3);
  grid.folds = 12;
  grid.scale_grid = {1.0};
  grid.lambda_grid = {0.05};
  const Kernel gauss("gaussian", {0.5}, {1.0, 1.0, 1.0, 1.0});
  const embedding::Fit one = embedding::fit(few.view(), &gauss, nullptr, learning(grid));
  double loss = 0.0;
  for (Index left = 0; left < 12; ++left) {
    Sample rest(11, 2, 4, 0.5, 3);
    for (Index i = 0, r = 0; i < 12; ++i) {
      if (i == left) continue;
      rest.X.row(r) = few.X.row(i);
      rest.labels[static_cast<std::size_t>(r++)] = few.labels[static_cast<std::size_t>(i)];
    }
    const Dense row = few.X.row(left), f = decision(gaussian(1.0, {1, 1, 1, 1}), rest, 0.05, row);
    Dense y = Dense::Zero(1, 2);
    y(0, few.labels[static_cast<std::size_t>(left)]) = 1.0;
    loss += (f - y).squaredNorm() / 12.0;
  }
  CHECK_NEAR(one.result.value, loss, 1e-12);
}

TEST(a_grid_says_what_its_model_is_made_of) {
  embedding::GridSearch grid;
  grid.scale_grid = {0.5, 2.0};
  grid.lambda_grid = {1e-3, 1e-2};
  const Kernel start("gaussian", {0.5});
  const embedding::Options options = learning(grid);
  const embedding::Choice choice = embedding::search(data.view(), start, options, grid, nullptr);
  const embedding::Fit fit = embedding::fit(data.view(), &start, nullptr, options);
  CHECK(choice.kernel->parameters() == fit.model.kernel->parameters());
  CHECK_EQ(choice.lambda, fit.model.lambda);
  CHECK_EQ(choice.result.value, fit.result.value);
  CHECK_EQ(choice.history.size(), std::size_t(4));
  for (std::size_t i = 0; i < 4; ++i) CHECK_EQ(choice.history[i].number, static_cast<Index>(i));
}

TEST_MAIN

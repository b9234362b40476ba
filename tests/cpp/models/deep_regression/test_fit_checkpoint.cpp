// SPDX-License-Identifier: BSD-3-Clause
// Trainings and validations in many processes: starts side by side and in turn, searches through smooth losses, walks over
// penalties.
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/losses/loss.hpp"
#include "gramian/models/deep_regression.hpp"
#include "support/checkpoints.hpp"
#include "support/deep_fits.hpp"

using namespace deep;
using checkpoints::in_processes;

namespace {

const Data data = ridge_data(24);
const std::vector<LayerPlan> two_layers = {layer(line, 2, 0.1), layer(hill, 1, 0.05)};

deep_regression::Options short_options(Index restarts) {
  deep_regression::Options options;
  options.restarts = restarts;
  options.seed = 3;
  stop_at(options, 12);
  return options;
}

void check_same_fit(const deep_regression::Fit& a, const deep_regression::Fit& b) {
  checkpoints::check_same(a.result, b.result);
  CHECK_EQ(a.objective, b.objective);
  CHECK(a.restart_values == b.restart_values);
  CHECK(a.restart_reasons == b.restart_reasons);
  for (std::size_t l = 0; l < a.model.coefficients.size(); ++l) {
    const Matrix &one = a.model.coefficients[l], &other = b.model.coefficients[l];
    CHECK(std::equal(one.data(), one.data() + one.size(), other.data()));
  }
}

void check_in_pieces(const std::vector<LayerPlan>& layers, const deep_regression::Options& options, Index life, int threads) {
  const Points X(data.X.view());
  const deep_regression::Fit whole = deep_regression::fit(X, data.Y.view(), layers, options);
  set_num_threads(threads);
  Index processes = 0;
  const deep_regression::Fit pieces = in_processes(
      life, [&](Observer* observer) { return deep_regression::fit(X, data.Y.view(), layers, options, {}, observer); }, processes);
  set_num_threads(0);
  check_same_fit(whole, pieces);
  CHECK(processes > 3);
}

}  // namespace

TEST(starts_that_run_side_by_side_go_on) {
  for (const int threads : {1, 3}) check_in_pieces(two_layers, short_options(6), 7, threads);
}

TEST(starts_from_the_best_one_go_on) {
  deep_regression::Options options = short_options(6);
  options.refined_share = 0.5;
  check_in_pieces(two_layers, options, 7, 1);
}

TEST(searches_through_smooth_losses_go_on) {
  deep_regression::Options options = short_options(2);
  regression(options).joint = true;
  regression(options).loss = epsilon_insensitive_loss(0.05);
  stop_at(options, 40);
  check_in_pieces(two_layers, options, 5, 1);
}

TEST(validations_go_on) {
  deep_regression::Grid grid;
  grid.last_penalties = {1e-1, 1e-3};
  grid.inner_penalties = {1e-1, 1e-2};
  grid.folds = 2;
  const deep_regression::Options options = short_options(2);
  const Points X(data.X.view());
  const deep_regression::Validation whole = deep_regression::validate(X, data.Y.view(), two_layers, options, grid);
  for (const int threads : {1, 2}) {
    set_num_threads(threads);
    Index processes = 0;
    const deep_regression::Validation pieces = in_processes(
        9, [&](Observer* observer) { return deep_regression::validate(X, data.Y.view(), two_layers, options, grid, observer); },
        processes);
    set_num_threads(0);
    CHECK(processes > 3);
    CHECK(std::equal(whole.fold_errors.data(), whole.fold_errors.data() + whole.fold_errors.size(), pieces.fold_errors.data()));
    CHECK_EQ(whole.last_penalty, pieces.last_penalty);
  }
}

TEST(a_validation_that_the_clock_stopped_goes_on_as_if_it_had_not_been) {
  deep_regression::Grid grid;
  grid.last_penalties = {1e-1, 1e-3};
  grid.inner_penalties = {1e-1};
  grid.folds = 2;
  const deep_regression::Options options = short_options(1);
  const Points X(data.X.view());
  const deep_regression::Validation whole = deep_regression::validate(X, data.Y.view(), two_layers, options, grid);
  checkpoints::InMemory first;
  TimeLimit over(0.0);
  Checkpointed stopped(&over, first.whole());
  deep_regression::validate(X, data.Y.view(), two_layers, options, grid, &stopped);
  CHECK(first.stopped());
  checkpoints::InMemory second(0, first.written);
  Checkpointed resumed(nullptr, second.whole());
  const deep_regression::Validation rest = deep_regression::validate(X, data.Y.view(), two_layers, options, grid, &resumed);
  CHECK(std::equal(whole.fold_errors.data(), whole.fold_errors.data() + whole.fold_errors.size(), rest.fold_errors.data()));
}

TEST_MAIN

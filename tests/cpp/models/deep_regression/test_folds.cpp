// SPDX-License-Identifier: BSD-3-Clause
// Folds of a cross-validation, one by one. Their sums are compared with fits in test_validation.cpp.
#include "models/deep_regression/folds.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "support/check.hpp"
#include "support/deep_fits.hpp"

using namespace deep;

TEST(drawn_folds_hold_every_row_once) {
  deep_regression::Grid grid;
  grid.folds = 4;
  const std::vector<std::vector<Index>> folds = deep_regression::test_rows_of(grid, 18, 3);
  std::set<Index> seen;
  for (const std::vector<Index>& rows : folds) {
    CHECK(std::is_sorted(rows.begin(), rows.end()));
    CHECK(rows.size() == 4 || rows.size() == 5);
    seen.insert(rows.begin(), rows.end());
  }
  CHECK_EQ(seen.size(), std::size_t(18));
  CHECK(deep_regression::test_rows_of(grid, 18, 3) == folds);
  CHECK(deep_regression::test_rows_of(grid, 18, 4) != folds);
}

TEST(given_folds_are_taken_and_checked) {
  deep_regression::Grid grid;
  grid.test_rows = {{4, 1}, {0}};
  CHECK(deep_regression::test_rows_of(grid, 6, 0)[0] == std::vector<Index>({1, 4}));
  const auto message = [&](std::vector<std::vector<Index>> rows) {
    grid.test_rows = std::move(rows);
    return message_of([&] { deep_regression::test_rows_of(grid, 3, 0); });
  };
  CHECK(says(message({{}}), "leaves nothing out"));
  CHECK(says(message({{0, 1, 2}}), "leaves all rows out"));
  CHECK(says(message({{3}}), "test_rows"));
  grid.test_rows.clear();
  grid.folds = 1;
  CHECK(says(message_of([&] { deep_regression::test_rows_of(grid, 3, 0); }), "folds must be 2 or more"));
}

TEST(the_loss_is_that_of_weighted_rows_that_were_left_out) {
  const Data data = ridge_data(10);
  deep_regression::Options options;
  for (Index i = 0; i < 10; ++i) regression(options).sample_weight.push_back(1.0 + static_cast<double>(i % 3));
  const std::vector<LayerPlan> layers = {layer(hill, 1, 1.0)};
  const std::vector<Index> test = {2, 5};
  const deep_regression::Fold fold(Points(data.X.view()), data.Y.view(), layers, options, test, false, 1);
  CHECK(!fold.trains());
  CHECK_EQ(fold.weight(), 3.0 + 3.0);
  const LayeredTask task = fold.task(0.1, 1.0);
  CHECK_EQ(task.targets.rows(), 8);
  CHECK_EQ(task.layers[0].penalty, 0.1);
  const LayeredFit fit = single_layer(task);
  std::vector<Index> train;
  for (Index i = 0; i < 10; ++i) {
    if (i != 2 && i != 5) train.push_back(i);
  }
  const Matrix rest = rows_of(data.X, train), left = rows_of(data.X, test);
  Matrix out(2, 1);
  apply_layers(fit.model, 1, 1, Points(left.view()), Points(rest.view()), out.view());
  double loss = 0.0;
  for (Index i = 0; i < 2; ++i) loss += 3.0 * std::pow(out(i, 0) - data.Y(test[static_cast<std::size_t>(i)], 0), 2);
  CHECK_NEAR(fold.loss(fit.model), loss, 1e-12 * loss);
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Cross-validation against fits and predictions one by one.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "gramian/base/parallel.hpp"
#include "gramian/base/random.hpp"
#include "gramian/models/deep_regression.hpp"
#include "support/check.hpp"
#include "support/composition_problem.hpp"

using namespace gramian;

namespace {

const Kernel line("polynomial", {1, 1.0, 1.0}), hill("gaussian", {0.8});

LayerPlan layer(const Kernel& kernel, Index outputs) { return {{{kernel, OutputOperator::identity(outputs)}}, outputs, 1.0}; }

deep_regression::Regression& regression(deep_regression::Options& options) {
  return std::get<deep_regression::Regression>(options.mode);
}

naive::Matrix<double> targets(MatrixView<const double> X) {
  naive::Matrix<double> Y(X.rows(), 1);
  for (Index i = 0; i < X.rows(); ++i)
    Y(i, 0) = std::sin(2.0 * X(i, 0)) + 0.1 * RandomStream(5).normal(static_cast<std::uint64_t>(i));
  return Y;
}

/// Sum of squares of the rows that are left out, of a fit on the others. x: where it begins, unless empty, and ends.
double left_out(const naive::Matrix<double>& X, const naive::Matrix<double>& Y, std::vector<LayerPlan> layers,
                const deep_regression::Options& options, const std::vector<Index>& test, double last, double inner,
                std::vector<double>& x) {
  const Index n = X.view.rows(), d = X.view.cols(), q = static_cast<Index>(test.size());
  naive::Matrix<double> train_X(n - q, d), train_Y(n - q, 1), test_X(q, d), out(q, 1);
  Index t = 0, s = 0;
  std::vector<Index> places;
  for (Index i = 0; i < n; ++i) {
    const bool out_of_it = std::find(test.begin(), test.end(), i) != test.end();
    for (Index k = 0; k < d; ++k) (out_of_it ? test_X(s, k) : train_X(t, k)) = X.view(i, k);
    if (out_of_it) {
      places.push_back(i);
      ++s;
    } else {
      train_Y(t++, 0) = Y.view(i, 0);
    }
  }
  for (LayerPlan& one : layers) one.penalty = inner;
  layers.back().penalty = last;
  const deep_regression::Fit fit =
      deep_regression::fit(Points(train_X.view), train_Y.view, layers, options, x.empty() ? WarmStart() : x);
  x = fit.result.x;
  apply_layers(fit.model, 1, static_cast<Index>(layers.size()), Points(test_X.view), Points(train_X.view), out.view);
  double sum = 0.0;
  for (Index i = 0; i < q; ++i) sum += std::pow(out(i, 0) - Y.view(places[static_cast<std::size_t>(i)], 0), 2);
  return sum;
}

deep_regression::Grid some_grid(Index n) {
  deep_regression::Grid grid;
  grid.last_penalties = {1e-2, 10.0};
  grid.inner_penalties = {1e-3, 1e-1};
  for (Index f = 0; f < 3; ++f) {
    grid.test_rows.emplace_back();
    for (Index i = f; i < n; i += 3) grid.test_rows.back().push_back(i);
  }
  return grid;
}

}  // namespace

TEST(errors_are_those_of_fits_one_by_one) {
  const auto X = naive::normal<double>(24, 2, 1), Y = targets(X.view);
  const deep_regression::Grid grid = some_grid(24);
  deep_regression::Options options;
  options.restarts = 1;
  options.solver = TrainingLimits{5000, 1e-5, 1e-13}.solver<LbfgsOptions>();
  for (const bool single : {true, false}) {
    std::vector<LayerPlan> layers = {layer(line, 2), layer(hill, 1)};
    if (single) layers.erase(layers.begin());
    const deep_regression::Validation got = deep_regression::validate(Points(X.view), Y.view, layers, options, grid);
    for (Index j = 0; j < 2; ++j) {
      double sums[2] = {0.0, 0.0};
      for (const std::vector<Index>& rows : grid.test_rows) {
        std::vector<double> x;  // a path goes from the larger last penalty to the smaller one
        for (const std::size_t i : {1, 0}) {
          const double sum =
              left_out(X, Y, layers, options, rows, grid.last_penalties[i], grid.inner_penalties[static_cast<std::size_t>(j)], x);
          const auto fold = static_cast<Index>(&rows - grid.test_rows.data());
          CHECK_NEAR(got.fold_errors(fold, 2 * static_cast<Index>(i) + j), sum / 8.0, 1e-8 * sum / 8.0);
          sums[i] += sum;
        }
      }
      for (Index i = 0; i < 2; ++i) CHECK_NEAR(got.errors(i, j), sums[i] / 24.0, 1e-8 * sums[i] / 24.0);
    }
    CHECK(got.last_penalty == 1e-2);
    CHECK(got.errors(0, 0) < got.errors(1, 0));
  }
}

TEST(any_input_gives_the_same_errors) {
  const problem::Input input(problem::input_rows(18, 2));
  const auto Y = targets(input.dense.view);
  deep_regression::Options options;
  options.restarts = 2;
  options.start_at_identity = false;  // which needs coordinates
  const deep_regression::Grid grid = some_grid(18);
  std::vector<Matrix> errors;
  for (const PointSource& form : input.forms()) {
    errors.push_back(deep_regression::validate(form, Y.view, {layer(line, 2), layer(hill, 1)}, options, grid).errors);
  }
  for (Index i = 0; i < 4; ++i) {
    CHECK_NEAR(errors[1].data()[i], errors[0].data()[i], 1e-3 * errors[0].data()[i]);
    CHECK_NEAR(errors[2].data()[i], errors[0].data()[i], 1e-3 * errors[0].data()[i]);
  }
}

TEST(weights_landmarks_and_drawn_folds) {
  const auto X = naive::normal<double>(30, 2, 1), Y = targets(X.view);
  deep_regression::Options options;
  options.restarts = 1;
  for (Index i = 0; i < 30; ++i)
    regression(options).sample_weight.push_back(i % 5 == 0 ? 0.0 : 1.0 + 0.1 * static_cast<double>(i));
  for (Index i = 0; i < 30; i += 2) regression(options).landmarks.push_back(i);
  deep_regression::Grid grid;
  grid.last_penalties = {1e-2, 1e2};
  grid.inner_penalties = {1e-2};
  const deep_regression::Validation got =
      deep_regression::validate(Points(X.view), Y.view, {layer(line, 2), layer(hill, 1)}, options, grid);
  CHECK(std::isfinite(got.errors(0, 0)));
  CHECK_EQ(got.last_penalty, 1e-2);
  CHECK_EQ(got.inner_penalty, 1e-2);
}

TEST(the_same_bits_for_any_number_of_threads) {
  const auto X = naive::normal<double>(30, 2, 1), Y = targets(X.view);
  deep_regression::Options options;
  options.restarts = 3;
  deep_regression::Grid grid = some_grid(30);
  grid.test_rows.clear();
  std::vector<Matrix> errors;
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    errors.push_back(deep_regression::validate(Points(X.view), Y.view, {layer(line, 2), layer(hill, 1)}, options, grid).errors);
  }
  set_num_threads(0);
  for (Index i = 0; i < 4; ++i) {
    CHECK_EQ(errors[0].data()[i], errors[1].data()[i]);
    CHECK_EQ(errors[0].data()[i], errors[2].data()[i]);
  }
}

TEST(fits_of_a_choice_are_short) {
  deep_regression::Options options;
  options.restarts = 9;
  const deep_regression::Options few = deep_regression::options_of_a_choice(options);
  CHECK_EQ(few.restarts, 2);
  CHECK_EQ(few.refined_share, 0.0);
  CHECK_EQ(std::get<LbfgsOptions>(few.solver).max_iterations, 100);
  CHECK_EQ(std::get<LbfgsOptions>(few.solver).value_tolerance, 1e-5);
  options.restarts = 1;
  options.solver = AdamOptions();
  std::get<AdamOptions>(options.solver).max_iterations = 20;
  const deep_regression::Options shorter = deep_regression::options_of_a_choice(options);
  CHECK_EQ(shorter.restarts, 1);
  CHECK_EQ(std::get<AdamOptions>(shorter.solver).max_iterations, 20);
  CHECK_EQ(std::get<AdamOptions>(shorter.solver).value_tolerance, 0.0);
}

TEST(grids_and_folds_are_checked) {
  const auto X = naive::normal<double>(12, 2, 1), Y = targets(X.view);
  const std::vector<LayerPlan> layers = {layer(line, 2), layer(hill, 1)};
  const auto validate = [&](const deep_regression::Grid& grid, const deep_regression::Options& options = {}) {
    return deep_regression::validate(Points(X.view), Y.view, layers, options, grid);
  };
  deep_regression::Grid grid = some_grid(12);
  grid.last_penalties.clear();
  CHECK_THROWS(std::invalid_argument, validate(grid));
  grid = some_grid(12);
  grid.inner_penalties[0] = 0.0;
  CHECK_THROWS(std::invalid_argument, validate(grid));
  grid = some_grid(12);
  grid.test_rows[1].push_back(12);
  CHECK_THROWS(std::invalid_argument, validate(grid));
  grid = some_grid(12);
  grid.test_rows[1].push_back(1);
  CHECK_THROWS(std::invalid_argument, validate(grid));
  grid = some_grid(12);
  grid.test_rows[1].clear();
  CHECK_THROWS(std::invalid_argument, validate(grid));
  grid = some_grid(12);
  grid.test_rows.clear();
  grid.folds = 13;
  CHECK_THROWS(std::invalid_argument, validate(grid));
  deep_regression::Options options;
  options.mode = deep_regression::Interpolation();
  CHECK_THROWS(std::invalid_argument, validate(some_grid(12), options));
}

TEST_MAIN

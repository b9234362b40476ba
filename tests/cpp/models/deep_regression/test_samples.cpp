// SPDX-License-Identifier: BSD-3-Clause
// Samples that do not count, that count more, and that are the same.
#include <cmath>

#include "gramian/base/error.hpp"
#include "support/check.hpp"
#include "support/deep_fits.hpp"

using namespace deep;

TEST(samples_of_weight_zero_are_not_there) {
  const Data data = ridge_data(20);
  std::vector<Index> kept;
  deep_regression::Options options;
  options.restarts = 2;
  for (Index i = 0; i < 20; ++i) {
    regression(options).sample_weight.push_back(i % 4 == 1 ? 0.0 : 1.0);
    if (i % 4 != 1) kept.push_back(i);
  }
  const std::vector<LayerPlan> layers = {layer(line, 2, 0.01), layer(hill, 1, 0.1)};
  const deep_regression::Fit weighted = deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options);
  regression(options).sample_weight.clear();
  const Matrix X = rows_of(data.X, kept), Y = rows_of(data.Y, kept);
  const deep_regression::Fit fewer = deep_regression::fit(Points(X.view()), Y.view(), layers, options);
  CHECK_EQ(weighted.objective, fewer.objective);
  CHECK(weighted.result.x == fewer.result.x);
  CHECK(weighted.rows == kept);
  CHECK(weighted.model.landmarks == kept);
  CHECK_EQ(weighted.outputs[0].rows(), static_cast<Index>(kept.size()));
}

TEST(weights_are_a_measure) {
  const Data data = ridge_data(15);
  Data twice{Matrix(20, 2), Matrix(20, 1)};
  deep_regression::Options options;
  options.restarts = 1;
  for (Index i = 0; i < 15; ++i) regression(options).sample_weight.push_back(i < 5 ? 2.0 : 1.0);
  for (Index i = 0; i < 20; ++i) {
    for (Index k = 0; k < 2; ++k) twice.X(i, k) = data.X(i % 15, k);
    twice.Y(i, 0) = data.Y(i % 15, 0);
  }
  for (const bool joint : {false, true}) {
    regression(options).joint = joint;
    stop_at(options, 0);  // at the start, which the weights do not move
    const std::vector<LayerPlan> layers = {layer(line, 2, 0.01), layer(hill, 1, 0.1)};
    const std::vector<double> weights = regression(options).sample_weight;
    const deep_regression::Fit weighted = deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options);
    if (joint) {
      double loss = 0.0;
      const Matrix f = predict(weighted, data.X.view(), data.X.view());
      for (Index i = 0; i < 15; ++i) loss += weights[static_cast<std::size_t>(i)] * std::pow(f(i, 0) - data.Y(i, 0), 2);
      CHECK_NEAR(weighted.loss, loss, 1e-10 * loss);
      continue;
    }
    regression(options).sample_weight.clear();
    const deep_regression::Fit repeated = deep_regression::fit(Points(twice.X.view()), twice.Y.view(), layers, options);
    regression(options).sample_weight = weights;
    CHECK_NEAR(weighted.objective, repeated.objective, 1e-6 * repeated.objective);
  }
}

TEST(equal_samples_are_merged_or_refused) {
  Data data = ridge_data(12);
  for (Index k = 0; k < 2; ++k) data.X(9, k) = data.X(2, k);
  data.Y(9, 0) = data.Y(2, 0);
  deep_regression::Options options;
  options.mode = deep_regression::Interpolation();
  options.restarts = 2;
  const std::vector<LayerPlan> layers = {layer(line, 2, 1.0), layer(tent, 1, 1.0)};
  const deep_regression::Fit fit = deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options);
  CHECK(fit.merged == std::vector<Index>{9});
  CHECK_EQ(static_cast<Index>(fit.rows.size()), 11);
  const Matrix supports = rows_of(data.X, fit.model.landmarks);
  CHECK(sum_of_squares(predict(fit, data.X.view(), supports.view()).view(), data.Y.view()) < 1e-8);
  data.Y(9, 0) += 0.1;
  const std::string message = message_of([&] { deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options); });
  CHECK(says(message, "rows 2 and 9"));
  // What a kernel can't tell apart need not be equal: the square of <x, y> has the same value for x and -x.
  for (Index k = 0; k < 2; ++k) data.X(9, k) = -data.X(2, k);
  const std::vector<LayerPlan> even = {layer(Kernel("polynomial", {2, 1.0, 0.0}), 2, 1.0), layer(tent, 1, 1.0)};
  CHECK(says(message_of([&] { deep_regression::fit(Points(data.X.view()), data.Y.view(), even, options); }), "rows 2 and 9"));
  CHECK(deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options).merged.empty());
}

TEST(samples_far_from_the_origin_are_told_by_their_coordinates) {
  const Kernel plain("linear", {}), square("polynomial", {2, 1.0, 1.0});
  deep_regression::Options options;
  options.mode = deep_regression::Interpolation();
  options.restarts = 1;
  stop_at(options, 0);
  for (const double offset : {1e3, 1e5, 1e7, 1e8}) {
    Data data = ridge_data(6);
    for (Index i = 0; i < 6; ++i) {
      for (Index k = 0; k < 2; ++k) data.X(i, k) += i % 2 == 0 ? offset : -offset;
      data.Y(i, 0) = i % 2 == 0 ? 1.0 : 2.0;
    }
    for (const Kernel& kernel : {plain, square}) {
      const std::vector<LayerPlan> layers = {layer(kernel, 2, 1.0), layer(tent, 1, 1.0)};
      // Whether their images can be told apart is another question.
      std::string message;
      std::vector<Index> merged;
      try {
        merged = deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options).merged;
      } catch (const NumericalError& error) {
        message = error.what();
      }
      CHECK(merged.empty());
      CHECK(!says(message, "they are the same"));
    }
    for (Index k = 0; k < 2; ++k) data.X(4, k) = data.X(0, k);
    data.Y(4, 0) = 7.0;
    const std::vector<LayerPlan> layers = {layer(plain, 2, 1.0), layer(tent, 1, 1.0)};
    CHECK(says(message_of([&] { deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options); }), "rows 0 and 4"));
  }
}

TEST(samples_that_are_all_the_same_leave_nothing_to_search) {
  Data data = ridge_data(8);
  for (Index i = 0; i < 8; ++i) data.X(i, 0) = data.X(i, 1) = 0.0;
  const Kernel plain("linear", {});
  deep_regression::Options options;
  options.restarts = 3;
  double mean = 0.0;
  for (Index i = 0; i < 8; ++i) mean += data.Y(i, 0) / 8.0;
  const deep_regression::Fit fit =
      deep_regression::fit(Points(data.X.view()), data.Y.view(), {layer(plain, 2, 0.1), layer(hill, 1, 1e-6)}, options);
  CHECK(fit.parameters == deep_regression::InnerParameters::features);
  CHECK_EQ(fit.inner_rank, 0);
  CHECK_EQ(fit.stationarity, 0.0);
  for (Index i = 0; i < 8; ++i) CHECK_NEAR(predict(fit, data.X.view(), data.X.view())(i, 0), mean, 1e-6);
  regression(options).sample_weight.assign(8, 0.0);
  regression(options).sample_weight[5] = 1.0;
  for (Index i = 0; i < 8; ++i) data.X(i, 0) = static_cast<double>(i);
  const deep_regression::Fit one =
      deep_regression::fit(Points(data.X.view()), data.Y.view(), {layer(plain, 2, 0.1), layer(hill, 1, 1e-6)}, options);
  CHECK_NEAR(one.objective, 1e-6 * data.Y(5, 0) * data.Y(5, 0), 1e-8 * one.objective + 1e-11);
}

TEST(columns_that_spread_unevenly_are_described_by_coefficients) {
  Data data = ridge_data(20);
  deep_regression::Options options;
  options.restarts = 1;
  stop_at(options, 1);
  const auto parameters = [&](const Kernel& kernel) {
    const std::vector<LayerPlan> layers = {layer(kernel, 2, 1.0), layer(hill, 1, 1.0)};
    return deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options).parameters;
  };
  CHECK(parameters(line) == deep_regression::InnerParameters::features);
  for (Index i = 0; i < 20; ++i) data.X(i, 1) = 1e5 + 1e3 * data.X(i, 1);
  CHECK(parameters(line) == deep_regression::InnerParameters::coefficients);
  CHECK(parameters(hill) == deep_regression::InnerParameters::features);  // it sees distances alone
  options.parameters = deep_regression::InnerParameters::features;
  CHECK(parameters(line) == deep_regression::InnerParameters::features);
}

TEST_MAIN

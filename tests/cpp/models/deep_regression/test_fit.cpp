// SPDX-License-Identifier: BSD-3-Clause
// Fits: special cases with a closed form, samples that do not count, starts, and what is said of the result.
#include "gramian/models/deep_regression.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "gramian/base/parallel.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/base/error.hpp"
#include "support/check.hpp"
#include "support/composition_problem.hpp"
#include "support/deep_fits.hpp"

using namespace deep;

namespace {

/// (K + lambda I)^-1 Y and lambda <Y, alpha>, or <Y, alpha> for lambda = 0.
struct Ridge {
  Matrix alpha;
  double value;
};
Ridge kernel_ridge(const Kernel& kernel, const Data& data, double lambda) {
  const Index n = data.X.rows();
  Matrix K(n, n);
  full(kernel, Points(data.X.view()), K.view());
  for (Index i = 0; i < n; ++i) K(i, i) += lambda;
  Ridge out{data.Y.clone(), 0.0};
  cholesky_in_place(K.view());
  cholesky_solve(K.view(), out.alpha.view());
  for (Index i = 0; i < n; ++i) out.value += (lambda > 0.0 ? lambda : 1.0) * data.Y(i, 0) * out.alpha(i, 0);
  return out;
}

}  // namespace

TEST(one_layer_is_kernel_ridge_regression_or_interpolation) {
  const Data data = ridge_data(30);
  for (const bool interpolate : {false, true}) {
    const Ridge wanted = kernel_ridge(hill, data, interpolate ? 0.0 : 0.1);
    deep_regression::Options options;
    if (interpolate) options.mode = deep_regression::Interpolation();
    const deep_regression::Fit fit = deep_regression::fit(Points(data.X.view()), data.Y.view(), {layer(hill, 1, 0.1)}, options);
    CHECK_NEAR(fit.objective, wanted.value, 1e-5 * wanted.value);
    CHECK_NEAR(fit.loss + fit.penalties[0], fit.objective, 1e-9 * fit.objective);
    if (!interpolate) {
      for (Index i = 0; i < 30; ++i) CHECK_NEAR(fit.model.coefficients[0](i, 0), wanted.alpha(i, 0), 1e-9);
    } else {
      CHECK(sum_of_squares(predict(fit, data.X.view(), data.X.view()).view(), data.Y.view()) < 1e-8);
    }
    CHECK_EQ(fit.stationarity, 0.0);
    CHECK(!fit.joint);
  }
  deep_regression::Options joint;
  regression(joint).joint = true;
  stop_at(joint, 2000, 1e-14);
  const deep_regression::Fit searched = deep_regression::fit(Points(data.X.view()), data.Y.view(), {layer(hill, 1, 0.1)}, joint);
  const double wanted = kernel_ridge(hill, data, 0.1).value;
  CHECK(searched.joint);
  CHECK_NEAR(searched.objective, wanted, 1e-6 * wanted);
  CHECK(searched.stationarity < 1e-2);
}

TEST(one_layer_takes_any_input) {
  const problem::Input input(problem::input_rows(20, 3));
  const auto Y = naive::normal<double>(20, 2, 4);
  for (const std::vector<Index>& landmarks : {std::vector<Index>{}, std::vector<Index>{0, 5, 6, 13}}) {
    deep_regression::Options options;
    regression(options).landmarks = landmarks;
    std::vector<double> values;
    for (const PointSource& form : input.forms()) {
      values.push_back(deep_regression::fit(form, Y.view, {layer(hill, 2, 0.1)}, options).objective);
    }
    CHECK_NEAR(values[1], values[0], 1e-10 * values[0]);
    CHECK_NEAR(values[2], values[0], 1e-10 * values[0]);
  }
}

TEST(two_layers_are_never_worse_than_one_if_the_inner_kernel_has_the_identity) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Data data = ridge_data(60, seed);
    for (const double lambda : {1e-3, 0.1}) {
      deep_regression::Options options;
      options.restarts = 1;
      const deep_regression::Fit two =
          deep_regression::fit(Points(data.X.view()), data.Y.view(), {layer(line, 2, 1e-4), layer(hill, 1, lambda)}, options);
      // The identity of two coordinates has the norm sqrt(2) in the space of 1 + <x, y>.
      const double one = kernel_ridge(hill, data, lambda).value;
      CHECK(two.objective < one + 1e-4 * 2.0);
      CHECK(two.result.history.front().value <= one + 1e-4 * 2.0 + 1e-6 * one);
      CHECK(two.objective < 0.95 * one);  // and here they are better
    }
  }
}

TEST(a_linear_outer_kernel_is_a_sum_of_kernels) {
  // [DKL] Sec. 4.2.3: RLS2 learns d in kernel ridge regression with sum_m d_m k_m.
  const Data data = ridge_data(25);
  const Kernel narrow("gaussian", {8.0}), wide("gaussian", {0.3});
  LayerPlan inner;
  inner.terms = {{narrow, OutputOperator::diagonal({1.0, 0.0})}, {wide, OutputOperator::diagonal({0.0, 1.0})}};
  inner.outputs = 2;
  inner.penalty = 0.05;
  deep_regression::Options options;
  options.restarts = 6;
  stop_at(options, 3000, 1e-13);
  const double lambda = 0.05;
  const deep_regression::Fit fit =
      deep_regression::fit(Points(data.X.view()), data.Y.view(), {inner, layer(Kernel("linear", {}), 1, lambda)}, options);
  // f = sum f_m, f_m = c_m g_m, costs lambda c_m^2 + mu |f_m|^2 / c_m^2: 2 sqrt(lambda mu) |f_m| at the best c_m. And |f_m| is
  // the minimum over d_m of (|f_m|^2 / d_m + d_m) / 2.
  const double weight = 2.0 * std::sqrt(lambda * inner.penalty);
  double best = INFINITY;
  for (int a = -24; a <= 24; ++a) {
    for (int b = -24; b <= 24; ++b) {
      const double da = std::exp(0.25 * a), db = std::exp(0.25 * b);
      best = std::min(best, kernel_ridge(da * narrow + db * wide, data, weight / 2.0).value + weight / 2.0 * (da + db));
    }
  }
  CHECK(fit.objective < 1.01 * best);
  CHECK(fit.objective > 0.97 * best);
}

TEST(all_parametrisations_and_solvers_find_the_same_minimum) {
  const Data data = ridge_data(40);
  std::vector<double> values;
  const TrainingLimits limits{5000, 1e-5, 1e-13};
  const std::vector<decltype(deep_regression::Options::solver)> solvers = {
      limits.solver<LbfgsOptions>(), limits.solver<BfgsOptions>(), limits.solver<AdamOptions>()};
  for (const auto& solver : solvers) {
    for (const deep_regression::InnerParameters parameters :
         {deep_regression::InnerParameters::features, deep_regression::InnerParameters::coefficients}) {
      deep_regression::Options options;
      options.solver = solver;
      options.parameters = parameters;
      options.restarts = 1;
      const deep_regression::Fit fit =
          deep_regression::fit(Points(data.X.view()), data.Y.view(), {layer(line, 2, 0.01), layer(hill, 1, 0.1)}, options);
      CHECK(fit.parameters == parameters);
      CHECK_EQ(fit.inner_rank, parameters == deep_regression::InnerParameters::features ? 3 : 0);
      CHECK_NEAR(fit.loss + fit.penalties[0] + fit.penalties[1], fit.objective, 1e-9 * fit.objective);
      values.push_back(fit.objective);
    }
  }
  for (const double value : values) CHECK_NEAR(value, values[0], 1e-3 * values[0]);
  CHECK(deep_regression::fit(Points(data.X.view()), data.Y.view(), {layer(line, 2, 0.01), layer(hill, 1, 0.1)}).parameters ==
        deep_regression::InnerParameters::features);
}

TEST(at_a_minimum_the_certificate_is_small) {
  const Data data = ridge_data(40);
  for (const bool joint : {false, true}) {
    deep_regression::Options options;
    options.restarts = 1;
    regression(options).joint = joint;
    stop_at(options, 0, 0.0, 1e-9);
    const std::vector<LayerPlan> layers = {layer(line, 2, 0.05), layer(hill, 1, 0.1)};
    const double at_start = deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options).stationarity;
    stop_at(options, 20000, 0.0, 1e-9);
    const double at_end = deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options).stationarity;
    CHECK(at_end < 1e-3 * at_start);
  }
}

TEST(deeper_compositions_and_open_kernels_are_fitted) {
  const Data data = ridge_data(50);
  std::vector<LayerPlan> layers(3);
  layers[0] = {{}, 2, 0.01};
  layers[1] = {{}, 3, 0.01};
  layers[2] = {{}, 1, 0.01};
  deep_regression::Options options;
  options.restarts = 4;
  options.refined_share = 0.0;
  for (const std::vector<Index>& landmarks : {std::vector<Index>{}, std::vector<Index>{0, 4, 9, 13, 20, 27, 33, 41, 48}}) {
    regression(options).landmarks = landmarks;
    const deep_regression::Fit fit = deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options);
    CHECK_EQ(fit.outputs.size(), 2u);
    CHECK_EQ(fit.outputs[1].cols(), 3);
    CHECK(fit.result.history.back().value < fit.result.history.front().value);
    const Matrix supports = landmarks.empty() ? data.X.clone() : rows_of(data.X, landmarks);
    const double error = sum_of_squares(predict(fit, data.X.view(), supports.view()).view(), data.Y.view());
    CHECK_NEAR(error, fit.loss, 1e-6 * (1.0 + fit.loss));
    Matrix zero = Matrix::filled(50, 1, 0.0);
    CHECK(error < 0.1 * sum_of_squares(zero.view(), data.Y.view()));
    for (const KernelLayer& made : fit.model.layers) CHECK(made.terms.front().kernel.info().name == "gaussian");
    CHECK_EQ(fit.restart_values.size(), 4u);
    CHECK_EQ(*std::min_element(fit.restart_values.begin(), fit.restart_values.end()), fit.result.value);
  }
}

TEST(classes_are_learned_with_the_logistic_loss) {
  Data data = ridge_data(60);
  Matrix classes = Matrix::filled(60, 2, 0.0);
  for (Index i = 0; i < 60; ++i) classes(i, data.X(i, 0) * data.X(i, 1) > 0.0 ? 1 : 0) = 1.0;
  const std::shared_ptr<const Loss> loss = logistic_loss();
  deep_regression::Options options;
  regression(options).loss = loss;
  options.restarts = 2;
  const deep_regression::Fit fit =
      deep_regression::fit(Points(data.X.view()), classes.view(), {layer(line, 2, 1e-3), layer(hill, 2, 1e-3)}, options);
  CHECK(fit.joint);
  const Matrix f = predict(fit, data.X.view(), data.X.view());
  Index right = 0;
  for (Index i = 0; i < 60; ++i) right += (f(i, 1) > f(i, 0)) == (classes(i, 1) == 1.0) ? 1 : 0;
  CHECK(right >= 58);
}

TEST(the_distance_penalty_keeps_images_apart) {
  const Data data = ridge_data(20);
  const auto nearest = [](const Matrix& Z) {
    double least = INFINITY;
    for (Index i = 0; i < Z.rows(); ++i) {
      for (Index j = 0; j < i; ++j) least = std::min(least, std::hypot(Z(i, 0) - Z(j, 0), Z(i, 1) - Z(j, 1)));
    }
    return least;
  };
  deep_regression::Options options;
  options.mode = deep_regression::Interpolation();
  options.restarts = 1;
  const std::vector<LayerPlan> layers = {layer(line, 2, 1.0), layer(tent, 1, 1.0)};
  const double without = nearest(deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options).outputs[0]);
  options.distance_penalty = 0.1;
  CHECK(nearest(deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options).outputs[0]) > without);
}

TEST(the_deep_kernel_is_the_outer_kernel_of_images) {
  const Data data = ridge_data(30), fresh = ridge_data(5, 2);
  deep_regression::Options options;
  options.restarts = 1;
  const deep_regression::Fit fit =
      deep_regression::fit(Points(data.X.view()), data.Y.view(), {layer(line, 2, 0.01), layer(hill, 1, 0.1)}, options);
  Matrix train(30, 2), test(5, 2), K(5, 30), square(30, 30), by_kernel(5, 1);
  apply_layers(fit.model, 1, 1, Points(data.X.view()), Points(data.X.view()), train.view());
  apply_layers(fit.model, 1, 1, Points(fresh.X.view()), Points(data.X.view()), test.view());
  deep_regression::deep_gram(fit.model, Points(test.view()), Points(train.view()), K.view());
  deep_regression::deep_gram(fit.model, Points(train.view()), square.view());
  // h = sum_j alpha_j K^2(x_j, .), [DKL] (11): a kernel ridge regression with the deep kernel.
  gemm(1.0, K.view(), fit.model.coefficients[1].view(), 0.0, by_kernel.view());
  const Matrix wanted = predict(fit, fresh.X.view(), data.X.view());
  for (Index i = 0; i < 5; ++i) CHECK_NEAR(by_kernel(i, 0), wanted(i, 0), 1e-10);
  for (Index i = 0; i < 30; ++i) square(i, i) += 0.1;
  Matrix alpha = data.Y.clone();
  cholesky_in_place(square.view());
  cholesky_solve(square.view(), alpha.view());
  for (Index i = 0; i < 30; ++i) CHECK_NEAR(alpha(i, 0), fit.model.coefficients[1](i, 0), 1e-8);
}

TEST(an_observer_ends_all_starts_and_a_warm_start_goes_on) {
  struct Stop final : Observer {
    bool observe(const Iteration& iteration, const double*) override { return ++seen, iteration.number < 3; }
    int seen = 0;
  } stop;
  const Data data = ridge_data(40);
  const std::vector<LayerPlan> layers = {layer(line, 2, 0.01), layer(hill, 1, 0.1)};
  const deep_regression::Fit stopped = deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, {}, {}, &stop);
  CHECK_EQ(stop.seen, 3);
  CHECK(stopped.result.stop_reason == StopReason::observer);
  deep_regression::Options options;
  options.restarts = 1;
  const deep_regression::Fit more = deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options, stopped.result.x);
  CHECK_NEAR(more.result.history.front().value, stopped.objective, 1e-12 * stopped.objective);
  CHECK(more.objective < stopped.objective);
  const std::vector<double> wrong(3);
  CHECK(says(message_of([&] { deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options, wrong); }),
             "warm_start"));
}

TEST(the_same_bits_for_any_number_of_threads) {
  const Data data = ridge_data(60);
  std::vector<deep_regression::Fit> fits;
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    deep_regression::Options options;
    options.restarts = 12;
    options.mode = deep_regression::Interpolation();
    fits.push_back(
        deep_regression::fit(Points(data.X.view()), data.Y.view(), {layer(line, 2, 1.0), layer(tent, 1, 1.0)}, options));
  }
  set_num_threads(0);
  for (const std::size_t other : {1, 2}) {
    CHECK(fits[0].restart_values == fits[other].restart_values);
    CHECK(fits[0].result.x == fits[other].result.x);
    CHECK_EQ(fits[0].objective, fits[other].objective);
  }
}

TEST(restarts_that_refine_are_not_worse) {
  const Data data = ridge_data(60);
  deep_regression::Options options;
  options.mode = deep_regression::Interpolation();
  options.restarts = 12;
  const std::vector<LayerPlan> layers = {layer(Kernel("polynomial", {2, 1.0, 1.0}), 2, 1.0), layer(tent, 1, 1.0)};
  const deep_regression::Fit refined = deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options);
  options.refined_share = 0.0;
  options.restarts = 9;
  const deep_regression::Fit plain = deep_regression::fit(Points(data.X.view()), data.Y.view(), layers, options);
  CHECK_EQ(refined.restart_values.size(), 12u);
  CHECK(std::equal(plain.restart_values.begin(), plain.restart_values.end(), refined.restart_values.begin()));
  CHECK(refined.objective <= plain.objective);
}

TEST(where_no_start_is_finite_the_reason_is_told) {
  Data data = ridge_data(12);
  const std::vector<LayerPlan> layers = {layer(line, 2, 0.1), layer(hill, 1, 0.05)};
  const auto fit = [&](const std::vector<LayerPlan>& used, const deep_regression::Options& options) {
    try {
      deep_regression::fit(Points(data.X.view()), data.Y.view(), used, options);
    } catch (const NumericalError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  deep_regression::Options options;
  options.restarts = 4;
  CHECK_EQ(fit(layers, options), "");
  std::vector<LayerPlan> steep = layers;
  steep[0].theta = power_penalty(1.0, 1e6);
  CHECK(says(fit(steep, options), "theta"));
  options.start_at_identity = false;
  options.init_scale = 1e200;
  CHECK(says(fit(layers, options), "init_scale"));
  options = {};
  options.distance_penalty = 0.1;
  for (Index k = 0; k < 2; ++k) data.X(9, k) = data.X(2, k);
  CHECK(says(fit(layers, options), "distance_penalty"));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Interpolation and regression by two concatenated functions, without Python: a kink along the diagonal, which a kernel that is a
// product over the coordinates can't see until an inner function has turned the plane.
#include <cmath>
#include <cstdio>
#include <vector>

#include "gramian/gramian.hpp"

namespace {

using gramian::Index;
using gramian::Kernel;
using gramian::MatrixView;

double kink(double x, double y) { return 1.0 / (0.1 + std::fabs(x - y)); }

gramian::LayerPlan layer(const Kernel& kernel, Index outputs, double penalty) {
  return {{{kernel, gramian::OutputOperator::identity(outputs)}}, outputs, penalty};
}

/// Of the errors on a grid.
double root_mean_square(const gramian::deep_regression::Fit& fit, MatrixView<const double> X) {
  // A fit becomes a value that predicts and needs nothing else.
  const gramian::deep_regression::Predictor model(gramian::deep_regression::parts_of(fit, gramian::Samples::copy_of(X)));
  constexpr Index side = 51;
  gramian::Matrix grid(side * side, 2), values(side * side, 1);
  for (Index i = 0; i < grid.rows(); ++i) {
    grid(i, 0) = -1.0 + 2.0 * static_cast<double>(i % side) / (side - 1);
    grid(i, 1) = -1.0 + 2.0 * static_cast<double>(i / side) / (side - 1);
  }
  model.apply(gramian::Verb::predict, grid.view(), values.view());
  double sum = 0.0;
  for (Index i = 0; i < grid.rows(); ++i) sum += std::pow(values(i, 0) - kink(grid(i, 0), grid(i, 1)), 2);
  return std::sqrt(sum / static_cast<double>(grid.rows()));
}

}  // namespace

int main() {
  const Index samples = 100;
  const gramian::RandomStream random(1);
  gramian::Matrix X(samples, 2), Y(samples, 1);
  random.fill_uniform(X.view());
  for (Index i = 0; i < samples; ++i) {
    for (Index k = 0; k < 2; ++k) X(i, k) = 2.0 * X(i, k) - 1.0;
    Y(i, 0) = kink(X(i, 0), X(i, 1)) + 0.01 * random.normal(static_cast<std::uint64_t>(1000 + i));
  }
  const gramian::Points points(X.view());
  const Kernel outer("laplacian_l1", {1.0}), inner("polynomial", {1, 1.0, 1.0});

  // L-BFGS to the end: further than the engine goes unless it is asked.
  gramian::LbfgsOptions solver;
  solver.max_iterations = 500;
  solver.gradient_tolerance = 1e-5;
  solver.value_tolerance = 2.2e-9;
  gramian::deep_regression::Options options;
  options.mode = gramian::deep_regression::Interpolation();
  options.solver = solver;
  options.restarts = 32;
  const gramian::deep_regression::Fit one = gramian::deep_regression::fit(points, Y.view(), {layer(outer, 1, 1.0)}, options);
  const gramian::deep_regression::Fit two =
      gramian::deep_regression::fit(points, Y.view(), {layer(inner, 2, 1.0), layer(outer, 1, 1.0)}, options);
  const double error_of_one = root_mean_square(one, X.view()), error_of_two = root_mean_square(two, X.view());
  std::printf("gramian %s: interpolation of %lld samples\n", gramian::build_report().version.c_str(),
              static_cast<long long>(samples));
  std::printf("one layer:  objective %8.3f, error %.4f\n", one.objective, error_of_one);
  std::printf("two layers: objective %8.3f, error %.4f; best of %zu starts after %lld iterations\n", two.objective, error_of_two,
              two.restart_values.size(), static_cast<long long>(two.result.iterations));

  // Regression: penalties by cross-validation, then one fit with them.
  gramian::deep_regression::Options regression;
  regression.solver = solver;
  regression.restarts = 4;
  gramian::deep_regression::Grid grid;
  grid.last_penalties = {1e-3, 1e-2, 1e-1, 1.0};
  grid.inner_penalties = {1e-3, 1e-1};
  std::vector<gramian::LayerPlan> layers = {layer(inner, 2, 1.0), layer(Kernel("gaussian", {2.0}), 1, 1.0)};
  const gramian::deep_regression::Validation chosen =
      gramian::deep_regression::validate(points, Y.view(), layers, regression, grid);
  layers[0].penalty = chosen.inner_penalty;
  layers[1].penalty = chosen.last_penalty;
  regression.restarts = 16;
  const gramian::deep_regression::Fit fit = gramian::deep_regression::fit(points, Y.view(), layers, regression);
  std::printf("regression: penalties %g and %g by cross-validation, error %.4f\n", chosen.inner_penalty, chosen.last_penalty,
              root_mean_square(fit, X.view()));
  return error_of_two < 0.5 * error_of_one ? 0 : 1;
}

// SPDX-License-Identifier: BSD-3-Clause
// [KAE] (7) and Thm. 1: layers in balls of their spaces.
#include "models/autoencoder/constraint.hpp"

#include <algorithm>

#include "support/autoencoder_data.hpp"
#include "support/check.hpp"

using namespace gramian;
using namespace autoencoder_data;

namespace {

/// A penalised fit, and the bounds that its norms are.
struct Penalised {
  Penalised(std::vector<Index> sizes, double penalty) : X(samples("moons", 30)), layers(open_layers(sizes, penalty)) {
    fit = autoencoder::fit(Points(X.view), X.view, layers, options_of(false, limits_of(5000, 1e-10, 0.0)));
    for (std::size_t l = 0; l < layers.size(); ++l) {
      layers[l].terms = fit.model.layers[l].terms;
      layers[l].penalty = 0.0;
      norms.push_back(std::sqrt(fit.squared_norms[l]));
      const MatrixView<const double> Phi = fit.model.coefficients[l].view();
      for (Index i = 0; i < Phi.rows(); ++i) {
        for (Index j = 0; j < Phi.cols(); ++j) x.push_back(Phi(i, j));
      }
    }
  }

  naive::Matrix<double> X;
  std::vector<LayerPlan> layers;  // with the kernels of the fit, and no penalties
  autoencoder::Fit fit;
  std::vector<double> norms, x;
};

GradientDescentOptions descent(Index iterations) { return limits_of(iterations, 1e-6, 0.0).solver<GradientDescentOptions>(); }

autoencoder::Options constrained(const std::vector<double>& max_norm, Index iterations) {
  autoencoder::Options options;
  options.training = autoencoder::ConstrainedTraining{max_norm, descent(iterations)};
  return options;
}

std::vector<KernelLayer> kernels_of(const std::vector<LayerPlan>& layers) {
  std::vector<KernelLayer> out;
  for (const LayerPlan& layer : layers) out.push_back({layer.terms, layer.penalty});
  return out;
}

}  // namespace

// [KAE] Thm. 1: what minimises the penalised problem minimises the loss among functions of no larger norm. At it the gradient
// of the loss is -lambda_l times that of |f_l|^2: the multipliers are the penalties.
TEST(a_penalised_fit_is_stationary_for_its_norms) {
  for (const std::vector<Index>& sizes : {std::vector<Index>{2, 2}, std::vector<Index>{2, 1, 2}}) {
    const double lambda = 5e-3;
    const Penalised penalised(sizes, lambda);
    CHECK(penalised.fit.stationarity <= 5e-5);
    const autoencoder::Fit fit = autoencoder::fit(Points(penalised.X.view), penalised.X.view, penalised.layers,
                                                  constrained(penalised.norms, 0), penalised.x);
    CHECK(fit.stationarity <= 1e-4);
    CHECK_NEAR(fit.objective, penalised.fit.loss, 1e-8);
    for (const double multiplier : fit.multipliers) CHECK_NEAR(multiplier, lambda, 1e-3 * lambda);

    // Going on changes nothing to speak of.
    const autoencoder::Fit further = autoencoder::fit(Points(penalised.X.view), penalised.X.view, penalised.layers,
                                                      constrained(penalised.norms, 50), penalised.x);
    CHECK_NEAR(further.objective, fit.objective, 1e-6);
    for (std::size_t l = 0; l < sizes.size(); ++l)
      CHECK(std::sqrt(further.squared_norms[l]) <= penalised.norms[l] * (1.0 + 1e-9));

    // The loss alone is not stationary there, and neither is the point for other bounds.
    autoencoder::Options unconstrained;
    unconstrained.training = autoencoder::JointTraining{descent(0)};
    CHECK(
        autoencoder::fit(Points(penalised.X.view), penalised.X.view, penalised.layers, unconstrained, penalised.x).stationarity >
        1e-2);
    std::vector<double> wider = penalised.norms;
    wider[0] *= 1.5;
    CHECK(autoencoder::fit(Points(penalised.X.view), penalised.X.view, penalised.layers, constrained(wider, 0), penalised.x)
              .stationarity > 1e-3);
  }
}

TEST(norms_never_exceed_their_bounds) {
  const auto X = samples("circles", 40);
  const std::vector<double> most = {1.5, 2.0};
  for (const Index iterations : {0, 1, 5, 60}) {
    const autoencoder::Fit fit =
        autoencoder::fit(Points(X.view), X.view, open_layers({2, 2}, 0.0), constrained(most, iterations));
    for (std::size_t l = 0; l < 2; ++l) CHECK(std::sqrt(fit.squared_norms[l]) <= most[l] * (1.0 + 1e-9));
    CHECK(fit.joint);
    CHECK_EQ(fit.objective, fit.loss);
    if (iterations == 60) CHECK(fit.objective < 0.9 * fit.result.history.front().value);
  }
}

TEST(a_bound_of_infinity_is_none) {
  const auto X = samples("circles", 40);
  const autoencoder::Fit fit =
      autoencoder::fit(Points(X.view), X.view, open_layers({2, 2}, 0.0), constrained({1.5, INFINITY}, 30));
  CHECK(std::sqrt(fit.squared_norms[0]) <= 1.5 * (1.0 + 1e-9));
  CHECK_EQ(fit.multipliers[1], 0.0);
}

TEST(the_projection_keeps_what_is_inside_and_scales_the_rest) {
  const auto X = samples("moons", 20);
  Composition layers(Points(X.view),
                     kernels_of(layers_with({Kernel("gaussian", {0.5}), Kernel("gaussian", {1.0})}, {2, 2}, {0.0, 0.0})));
  std::vector<double> x = naive::normal<double>(80, 1, 4).numbers, inside = x, outside = x;
  layers.forward(x.data());
  const double first = std::sqrt(layers.squared_norm(1)), second = std::sqrt(layers.squared_norm(2));
  autoencoder::NormBalls(layers, {1.01 * first, 1.01 * second}).project(inside.data());
  CHECK(inside == x);
  autoencoder::NormBalls(layers, {0.5 * first, 0.5 * second}).project(outside.data());
  for (std::size_t i = 0; i < 40; ++i) CHECK_NEAR(outside[i], 0.5 * x[i], 1e-12);
  layers.forward(outside.data());
  CHECK_NEAR(std::sqrt(layers.squared_norm(1)), 0.5 * first, 1e-12 * first);
  CHECK(std::sqrt(layers.squared_norm(2)) <= 0.5 * second * (1.0 + 1e-12));
  std::vector<double> again = outside;
  autoencoder::NormBalls(layers, {0.5 * first * (1.0 + 1e-12), 0.5 * second * (1.0 + 1e-12)}).project(again.data());
  CHECK(again == outside);
}

// Along the balls the gradient is that of the loss after the projection.
TEST(the_gradient_is_that_of_the_loss_along_the_balls) {
  const auto X = samples("moons", 16);
  const std::vector<KernelLayer> kernels = kernels_of(
      layers_with({Kernel("gaussian", {0.5}), Kernel("gaussian", {1.0}), Kernel("gaussian", {0.7})}, {2, 1, 2}, {0.0, 0.0, 0.0}));
  LayeredTask task{Points(X.view), X.view};
  task.mean = task.joint = true;
  task.loss = squared_loss();
  task.layers = kernels;
  task.thetas.resize(3);
  LayeredObjective joint(task, Composition(Points(X.view), kernels));
  const std::size_t size = static_cast<std::size_t>(joint.size());
  std::vector<double> x = naive::normal<double>(joint.size(), 1, 4).numbers, g(size), plain(size);
  for (double& phi : x) phi *= 0.3;
  joint.evaluate(x.data(), plain.data());
  std::vector<double> most;
  for (Index l = 1; l <= 3; ++l) most.push_back(std::sqrt(joint.layers().squared_norm(l)) * (1.0 - 1e-12));
  autoencoder::NormBalls balls(joint.layers(), most);
  balls.project(x.data());
  autoencoder::ConstrainedObjective objective(joint, most);
  objective.evaluate(x.data(), g.data());
  int active = 0;
  double square = 0.0, plain_product = 0.0;
  for (const double multiplier : joint.multipliers()) active += multiplier > 0.0 ? 1 : 0;
  for (std::size_t i = 0; i < size; ++i) square += g[i] * g[i], plain_product += plain[i] * g[i];
  CHECK(active >= 1 && active <= 3);
  // d/dt loss(P(x - t g)) = -|g|^2 at t = 0; the plain gradient has another product with g.
  const auto value = [&](double t) {
    std::vector<double> moved = x;
    for (std::size_t i = 0; i < size; ++i) moved[i] -= t * g[i];
    balls.project(moved.data());
    return joint.evaluate(moved.data(), nullptr);
  };
  const double t = 1e-5 / std::sqrt(square), slope = (4.0 * value(t) - value(2.0 * t) - 3.0 * value(0.0)) / (2.0 * t);
  CHECK_NEAR(slope, -square, 1e-4 * square);
  CHECK(std::fabs(plain_product - square) > 1e-3 * square);
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Starts: no iteration is made, so that the result is where training would begin.
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "gramian/gram/full.hpp"
#include "gramian/gram/median_width.hpp"
#include "support/autoencoder_data.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using namespace autoencoder_data;
using Dense = spectral::Matrix;
using spectral::Vector;

namespace {

autoencoder::Fit start_of(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers,
                          autoencoder::Options options = iterations_of(0)) {
  return autoencoder::fit(input, targets, layers, options);
}

autoencoder::Options random_start(std::uint64_t seed, Index iterations = 0) {
  autoencoder::Options options = iterations_of(iterations);
  options.start = autoencoder::Start::random;
  options.seed = seed;
  return options;
}

std::vector<LayerPlan> one_term(const Kernel& kernel, const OutputOperator& A) {
  std::vector<LayerPlan> layers = open_layers({A.size(), 2}, 1e-3);
  layers[0].terms.push_back({kernel, A});
  return layers;
}

double gamma_of(const autoencoder::Fit& fit, std::size_t l) { return fit.model.layers[l].terms[0].kernel.parameters()[0]; }

/// The leading components of the centred Gram matrix, of unit variance.
Dense components(const Dense& K, Index count) {
  const Index n = K.rows();
  const Dense H = Dense::Identity(n, n) - Dense::Constant(n, n, 1.0 / static_cast<double>(n));
  const Eigen::SelfAdjointEigenSolver<Dense> eigen(H * K * H);
  return std::sqrt(static_cast<double>(n)) * eigen.eigenvectors().rightCols(count).rowwise().reverse();
}

Dense centred(MatrixView<const double> codes) {
  Dense out = as_eigen(codes);
  out.rowwise() -= out.colwise().mean().eval();
  return out;
}

}  // namespace

TEST(kernels_are_as_wide_as_the_median_distance_of_their_inputs) {
  const auto X = samples("moons", 41);
  const autoencoder::Fit fit = start_of(Points(X.view), X.view, open_layers({1, 3, 2}, 1e-3));
  CHECK_EQ(gamma_of(fit, 0), median_gamma(Points(X.view)));
  for (std::size_t l = 1; l < 3; ++l) {
    const double of_codes = median_gamma(Points(fit.outputs[l - 1].view()));
    CHECK_NEAR(gamma_of(fit, l), of_codes, 1e-9 * of_codes);
  }
}

TEST(the_first_start_decides_the_widths) {
  const auto X = samples("circles", 40);
  autoencoder::Options options = iterations_of(0);
  options.restarts = 3;
  const autoencoder::Fit one = start_of(Points(X.view), X.view, open_layers({1, 2}, 1e-3));
  const autoencoder::Fit three = start_of(Points(X.view), X.view, open_layers({1, 2}, 1e-3), options);
  CHECK_EQ(gamma_of(one, 1), gamma_of(three, 1));
  CHECK_EQ(three.restart_values.size(), 3u);
  CHECK_EQ(three.restart_values[0], one.restart_values[0]);
}

TEST(codes_begin_as_principal_components) {
  const auto X = samples("moons", 60);
  const Kernel kernel("gaussian", {0.7});
  Dense K(60, 60);
  full(kernel, Points(X.view), view(K));
  const Dense expected = components(K, 3);
  const autoencoder::Fit fit = start_of(Points(X.view), X.view, one_term(kernel, OutputOperator::identity(3)));
  const Dense codes = centred(fit.outputs[0].view());
  for (Index j = 0; j < 3; ++j) {
    CHECK_NEAR(std::fabs(codes.col(j).dot(expected.col(j))) / 60.0, 1.0, 1e-8);
    CHECK_NEAR(codes.col(j).norm(), expected.col(j).norm(), 1e-7);
  }
}

TEST(operators_only_turn_the_first_codes) {
  const auto X = samples("moons", 50);
  Dense A(3, 3);
  A << 2.0, 0.3, 0.1, 0.3, 1.0, 0.2, 0.1, 0.2, 0.5;
  const Kernel kernel("gaussian", {0.7});
  const Dense plain = centred(start_of(Points(X.view), X.view, one_term(kernel, OutputOperator::identity(3))).outputs[0].view());
  for (const OutputOperator& B : {OutputOperator::full(view(A)), OutputOperator::diagonal({4.0, 0.1, 1.0})}) {
    const Dense turned = centred(start_of(Points(X.view), X.view, one_term(kernel, B)).outputs[0].view());
    // The same inner products of rows: an orthogonal map of the columns.
    CHECK((turned * turned.transpose() - plain * plain.transpose()).norm() <= 1e-8 * plain.squaredNorm());
  }
}

TEST(a_singular_operator_gets_as_many_directions_as_it_has) {
  const auto X = samples("moons", 50);
  const Vector u = Vector::Constant(3, 1.0 / std::sqrt(3.0));
  const Dense A = u * u.transpose();
  const Kernel kernel("gaussian", {0.7});
  const Dense full_codes =
      centred(start_of(Points(X.view), X.view, one_term(kernel, OutputOperator::full(view(A)))).outputs[0].view());
  CHECK_NEAR(full_codes.norm(), std::sqrt(50.0), 1e-7);  // one direction of unit variance
  CHECK((full_codes - full_codes * A).norm() <= 1e-9);
  const autoencoder::Fit fit = start_of(Points(X.view), X.view, one_term(kernel, OutputOperator::diagonal({0.0, 3.0, 1.0})));
  CHECK_EQ(variance(fit.outputs[0].view(), 0), 0.0);
  CHECK_NEAR(variance(fit.outputs[0].view(), 1), 1.0, 1e-7);
  CHECK_NEAR(variance(fit.outputs[0].view(), 2), 1.0, 1e-7);
}

TEST(a_sum_of_terms_begins_with_unit_variance) {
  const auto X = samples("circles", 50);
  std::vector<LayerPlan> layers = open_layers({2, 2}, 1e-3);
  layers[0].terms.push_back({Kernel("gaussian", {2.0}), OutputOperator::diagonal({1.0, 0.0})});
  layers[0].terms.push_back({Kernel("matern32", {0.7}), OutputOperator::diagonal({0.0, 3.0})});
  const autoencoder::Fit apart = start_of(Points(X.view), X.view, layers);
  for (Index j = 0; j < 2; ++j) CHECK_NEAR(variance(apart.outputs[0].view(), j), 1.0, 1e-9);
  Dense A(2, 2);
  A << 1.0, 0.5, 0.5, 1.0;
  layers[0].terms[1].A = OutputOperator::full(view(A));
  const autoencoder::Fit mixed = start_of(Points(X.view), X.view, layers);
  CHECK_NEAR(variance(mixed.outputs[0].view(), 0) + variance(mixed.outputs[0].view(), 1), 2.0, 1e-9);
}

TEST(random_starts_differ_and_have_unit_variance) {
  const auto X = samples("circles", 60);
  const autoencoder::Fit one = start_of(Points(X.view), X.view, open_layers({2, 3, 2}, 1e-3), random_start(1));
  const autoencoder::Fit again = start_of(Points(X.view), X.view, open_layers({2, 3, 2}, 1e-3), random_start(1));
  const autoencoder::Fit other = start_of(Points(X.view), X.view, open_layers({2, 3, 2}, 1e-3), random_start(2));
  CHECK(one.result.x == again.result.x);
  CHECK(largest_difference(one.outputs[0].view(), other.outputs[0].view()) > 0.1);
  for (const autoencoder::Fit* fit : {&one, &other}) {
    for (Index j = 0; j < 2; ++j) CHECK_NEAR(variance(fit->outputs[0].view(), j), 1.0, 1e-7);
    for (Index j = 0; j < 3; ++j) CHECK_NEAR(variance(fit->outputs[1].view(), j), 1.0, 1e-6);
  }
}

TEST(a_kernel_of_low_rank_is_filled_up) {
  const auto X = naive::normal<double>(30, 2, 5);
  for (const bool random : {false, true}) {
    autoencoder::Options options = random_start(4);
    if (!random) options.start = autoencoder::Start::principal;
    const autoencoder::Fit fit =
        start_of(Points(X.view), X.view, one_term(Kernel("linear", {}), OutputOperator::identity(5)), options);
    for (Index j = 0; j < 5; ++j) {
      const double size = variance(fit.outputs[0].view(), j);
      CHECK(size > 1e-3 && size < 1.0 + 1e-9);
    }
    CHECK(std::isfinite(fit.objective));
  }
}

TEST(few_or_equal_samples_begin_with_finite_numbers) {
  for (const Index n : {1, 2, 3}) {
    const auto X = naive::normal<double>(n, 2, 6);
    const autoencoder::Fit fit = start_of(Points(X.view), X.view, open_layers({2, 2}, 1e-3));
    CHECK(std::isfinite(fit.objective) && std::isfinite(fit.stationarity));
  }
  auto X = samples("gaussians", 20);
  for (Index i = 10; i < 20; ++i) X(i, 0) = X(i - 10, 0), X(i, 1) = X(i - 10, 1);
  CHECK(std::isfinite(start_of(Points(X.view), X.view, open_layers({2, 2}, 1e-3)).objective));
  for (Index i = 0; i < 20; ++i) X(i, 1) = 5.0;  // a constant column
  CHECK(std::isfinite(start_of(Points(X.view), X.view, open_layers({2, 2}, 1e-3)).objective));
  for (Index i = 0; i < 20; ++i) X(i, 0) = -1.0;  // all samples equal
  const autoencoder::Fit equal = start_of(Points(X.view), X.view, open_layers({2, 2}, 1e-3));
  CHECK(std::isfinite(equal.objective));
  CHECK_NEAR(variance(equal.outputs[0].view(), 0), 0.0, 1e-20);
}

TEST(of_many_samples_some_are_enough) {
  const Index n = 1500;
  const auto X = samples("moons", n);
  const autoencoder::Fit fit = start_of(Points(X.view), X.view, open_layers({2, 2}, 1e-5), options_of(true, limits_of(0)));
  Index used = 0;
  for (Index i = 0; i < n; ++i) used += fit.model.coefficients[0](i, 0) != 0.0 ? 1 : 0;
  CHECK(used <= 1000 && used > 900);
  for (Index j = 0; j < 2; ++j) CHECK_NEAR(variance(fit.outputs[0].view(), j), 1.0, 0.1);
  // Of the other samples the components are estimates; the last layer, fitted to some rows, reconstructs all of them.
  CHECK(fit.loss < 0.1 * (variance(X.view, 0) + variance(X.view, 1)));
}

TEST(a_joint_start_solves_for_the_last_layer) {
  const auto X = samples("circles", 60);
  for (const bool landmarks : {false, true}) {
    autoencoder::Options options = iterations_of(0);
    for (Index i = 0; landmarks && i < 60; i += 3) options.landmarks.push_back(i);
    // From this penalty on the ridge is the penalty itself.
    const autoencoder::Fit eliminated = start_of(Points(X.view), X.view, open_layers({2, 2}, 0.01), options);
    options.training = autoencoder::JointTraining{limits_of(0).solver<LbfgsOptions>()};
    const autoencoder::Fit joint = start_of(Points(X.view), X.view, open_layers({2, 2}, 0.01), options);
    CHECK_NEAR(joint.objective, eliminated.objective, 1e-10);
    CHECK(largest_difference(joint.outputs[0].view(), eliminated.outputs[0].view()) <= 1e-12);
    // Below it coefficients stay small, at the price of some distortion.
    const autoencoder::Fit light = start_of(Points(X.view), X.view, open_layers({2, 2}, 1e-8), options);
    CHECK(largest_difference(light.model.coefficients[1].view(), joint.model.coefficients[1].view()) <= 1e-10);
  }
}

/// From small coefficients, which a plain recipe would begin with, the same number of iterations leads less far.
TEST(starts_are_better_than_collapsed_ones) {
  for (const std::string name : {"circles", "moons", "gaussians"}) {
    const auto X = samples(name, 90);
    const autoencoder::Options options = iterations_of(50);
    const autoencoder::Fit principal = autoencoder::fit(Points(X.view), X.view, open_layers({1, 2}, 1e-5), options);
    const autoencoder::Fit random = autoencoder::fit(Points(X.view), X.view, open_layers({1, 2}, 1e-5), random_start(2, 50));
    std::vector<LayerPlan> layers = open_layers({1, 2}, 1e-5);
    for (std::size_t l = 0; l < 2; ++l) layers[l].terms = principal.model.layers[l].terms;
    std::vector<double> small = naive::normal<double>(90, 1, 8).numbers;
    for (double& phi : small) phi *= 1e-6;
    const autoencoder::Fit collapsed = autoencoder::fit(Points(X.view), X.view, layers, options, small);
    CHECK(principal.objective < collapsed.objective);
    CHECK(random.objective < collapsed.result.history.front().value);
    for (const autoencoder::Fit* fit : {&principal, &random}) {
      CHECK(variance(fit->outputs[0].view(), 0) > 0.05);
      CHECK(fit->objective < 0.5 * fit->result.history.front().value);
    }
    CHECK(collapsed.result.history.front().value > 2.0 * principal.result.history.front().value);
  }
}

TEST_MAIN

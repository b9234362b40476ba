// SPDX-License-Identifier: BSD-3-Clause
// Weights of training samples in reconstructions, and the distortion in a feature space.
#include "models/autoencoder/reconstruction.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "base/view_ops.hpp"
#include "gramian/gram/full.hpp"
#include "support/autoencoder_data.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using namespace autoencoder_data;
using autoencoder::Reconstruction;
using Dense = spectral::Matrix;

namespace {

autoencoder::Fit some_fit(const naive::Matrix<double>& X, const std::vector<LayerPlan>& layers,
                          std::vector<Index> landmarks = {}) {
  autoencoder::Options options = iterations_of(10);
  options.landmarks = std::move(landmarks);
  return autoencoder::fit(Points(X.view), X.view, layers, options);
}

Dense gaussian_gram(const Dense& X, const Dense& Y, double gamma) {
  Dense K(X.rows(), Y.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < Y.rows(); ++j) K(i, j) = std::exp(-gamma * (X.row(i) - Y.row(j)).squaredNorm());
  }
  return K;
}

naive::Matrix<double> rows_of(const naive::Matrix<double>& X, const std::vector<Index>& rows) {
  naive::Matrix<double> out(static_cast<Index>(rows.size()), X.view.cols());
  for (Index i = 0; i < out.view.rows(); ++i) {
    for (Index j = 0; j < out.view.cols(); ++j) out(i, j) = X.view(rows[static_cast<std::size_t>(i)], j);
  }
  return out;
}

}  // namespace

// [KAE] App. B.7: with k_L(code, codes) W^-1 by a dense inverse. In coordinates weights reconstruct as the last layer does.
TEST(weights_reconstruct_as_the_last_layer_does) {
  const auto X = samples("circles", 25), Y = samples("circles", 6, 78);
  const std::vector<Index> some = {0, 3, 7, 12, 18, 24};
  for (const bool landmarks : {false, true}) {
    const autoencoder::Fit fit = some_fit(X, open_layers({2, 2}, 1e-3), landmarks ? some : std::vector<Index>{});
    const auto supports = rows_of(X, some);
    const Points first = landmarks ? Points(supports.view) : Points(X.view);
    naive::Matrix<double> codes(6, 2), decoded(6, 2), weights(6, 25);
    apply_layers(fit.model, 1, 1, Points(Y.view), first, codes.view);
    apply_layers(fit.model, 1, 2, Points(Y.view), first, decoded.view);
    const KernelLayer& last = fit.model.layers[1];
    const Dense Z = as_eigen(fit.outputs[0].view()), S = as_eigen(fit.model.supports[0].view()), z = as_eigen(codes.view);
    const double gamma = last.terms[0].kernel.parameters()[0];
    Dense expected;
    if (landmarks) {
      Reconstruction(last, fit.outputs[0].view(), fit.model.supports[0].view(), {}).weights(codes.view, weights.view);
      const Dense C = gaussian_gram(Z, S, gamma);
      expected =
          gaussian_gram(z, S, gamma) * (C.transpose() * C + 25.0 * 1e-3 * gaussian_gram(S, S, gamma)).inverse() * C.transpose();
    } else {
      Reconstruction(last, fit.outputs[0].view(), {}, {}).weights(codes.view, weights.view);
      expected = gaussian_gram(z, Z, gamma) * (gaussian_gram(Z, Z, gamma) + 25.0 * 1e-3 * Dense::Identity(25, 25)).inverse();
    }
    CHECK((as_eigen(weights.view) - expected).norm() <= 1e-8 * expected.norm());
    const Dense reconstructed = as_eigen(weights.view) * as_eigen(X.view);
    CHECK((reconstructed - as_eigen(decoded.view)).norm() <= 1e-8);
  }
}

TEST(sample_weights_are_those_of_the_last_layers_regression) {
  const auto X = samples("circles", 25), Y = samples("circles", 6, 78);
  std::vector<double> weights(25, 1.0);
  for (std::size_t i = 0; i < weights.size(); i += 3) weights[i] = 2.5;
  const Dense D = Eigen::Map<const Eigen::VectorXd>(weights.data(), 25).asDiagonal();
  const std::vector<Index> some = {0, 3, 7, 12, 18, 24};
  for (const bool landmarks : {false, true}) {
    autoencoder::Options options;
    options.weights = weights;
    if (landmarks) options.landmarks = some;
    const autoencoder::Fit fit = autoencoder::fit(Points(X.view), X.view, open_layers({2, 2}, 1e-3), options);
    const Dense images = as_eigen(fit.outputs[0].view());
    const KernelLayer& last = fit.model.layers[1];
    naive::Matrix<double> out(25, 25);
    if (landmarks) {
      Reconstruction(last, fit.outputs[0].view(), fit.model.supports[0].view(), weights).weights(fit.outputs[0].view(), out.view);
    } else {
      Reconstruction(last, fit.outputs[0].view(), {}, weights).weights(fit.outputs[0].view(), out.view);
    }
    const Dense left = as_eigen(out.view) * as_eigen(X.view) - as_eigen(X.view);
    // The loss is the weighted mean, for a solution that is the weighted ridge regression.
    CHECK_NEAR(fit.loss, (D * left).cwiseProduct(left).sum() / D.trace(), 1e-8);
    options.weights.front() = 0.0;
    CHECK_THROWS(std::invalid_argument, autoencoder::fit(Points(X.view), X.view, open_layers({2, 2}, 1e-3), options));
  }
}

// |phi(y) - sum_j w_j phi(x_j)|^2 by its definition from three Gram matrices.
TEST(distortion_in_a_feature_space_is_that_of_the_definition) {
  const auto X = naive::normal<double>(20, 3, 5), Y = naive::normal<double>(7, 3, 6), W = naive::normal<double>(7, 20, 7);
  const Dense K = gaussian_gram(as_eigen(X.view), as_eigen(X.view), 0.3),
              cross = gaussian_gram(as_eigen(Y.view), as_eigen(X.view), 0.3);
  const Dense C = Eigen::LLT<Dense>(K).matrixL(), diagonal = Dense::Ones(7, 1);
  naive::Matrix<double> out(7, 1), itself(20, 1);
  autoencoder::feature_distortion(W.view, view(cross), view(diagonal), view(C), out.view);
  for (Index i = 0; i < 7; ++i) {
    double expected = 1.0;
    for (Index j = 0; j < 20; ++j) {
      expected -= 2.0 * W.view(i, j) * cross(i, j);
      for (Index k = 0; k < 20; ++k) expected += W.view(i, j) * W.view(i, k) * K(j, k);
    }
    CHECK_NEAR(out(i, 0), expected, 1e-12 * (1.0 + std::fabs(expected)));
  }
  // A sample that is its own reconstruction has none, and never less.
  const Dense own = Dense::Identity(20, 20), ones = Dense::Ones(20, 1);
  autoencoder::feature_distortion(view(own), view(K), view(ones), view(C), itself.view);
  for (Index i = 0; i < 20; ++i) CHECK(itself(i, 0) >= 0.0 && itself(i, 0) <= 1e-14);
  CHECK_THROWS(std::invalid_argument, autoencoder::feature_distortion(W.view, view(K), view(diagonal), view(C), out.view));
}

// K2AE: the mean distortion of the training samples in the space of the input kernel is that of the fit.
TEST(the_distortion_of_training_samples_is_that_of_the_fit) {
  const auto X = samples("moons", 20);
  Dense K = gaussian_gram(as_eigen(X.view), as_eigen(X.view), 2.0);
  K.diagonal().array() += 1e-10;
  const Dense C = Eigen::LLT<Dense>(K).matrixL();
  std::vector<LayerPlan> layers = open_layers({2, 20}, 1e-2);
  const autoencoder::Options options = iterations_of(8);
  const autoencoder::Fit fit = autoencoder::fit(InnerProducts<double>(view(K)), view(C), layers, options);
  naive::Matrix<double> weights(20, 20), out(20, 1);
  const Dense diagonal = K.diagonal();
  Reconstruction(fit.model.layers[1], fit.outputs[0].view(), {}, {}).weights(fit.outputs[0].view(), weights.view);
  autoencoder::feature_distortion(weights.view, view(K), view(diagonal), view(C), out.view);
  double mean = 0.0;
  for (Index i = 0; i < 20; ++i) mean += out(i, 0) / 20.0;
  CHECK_NEAR(mean, fit.loss, 1e-10);
}

TEST(weights_need_a_last_layer_of_one_kernel) {
  const auto Z = naive::normal<double>(5, 2, 1);
  const Kernel kernel("gaussian", {1.0});
  KernelLayer layer = KernelLayer::scalar(kernel, 2, 0.0);
  CHECK_THROWS(std::invalid_argument, Reconstruction(layer, Z.view, {}, {}));
  layer.penalty = 1.0;
  layer.terms.push_back(layer.terms.front());
  CHECK_THROWS(std::invalid_argument, Reconstruction(layer, Z.view, {}, {}));
  layer.terms = {{kernel, OutputOperator::diagonal({1.0, 2.0})}};
  CHECK_THROWS(std::invalid_argument, Reconstruction(layer, Z.view, {}, {}));
}

TEST(weights_of_samples_that_can_not_be_are_refused) {
  const auto Z = naive::normal<double>(5, 2, 1);
  const KernelLayer layer = KernelLayer::scalar(Kernel("gaussian", {1.0}), 5, 1.0);
  CHECK_THROWS(std::invalid_argument, Reconstruction(layer, Z.view, {}, {1.0, 1.0}));
  CHECK_THROWS(std::invalid_argument, Reconstruction(layer, Z.view, {}, {1.0, 1.0, 0.0, 1.0, 1.0}));
  naive::Matrix<double> narrow(2, 4);
  CHECK_THROWS(std::invalid_argument, Reconstruction(layer, Z.view, {}, {}).weights(Z.view, narrow.view));
}

TEST_MAIN

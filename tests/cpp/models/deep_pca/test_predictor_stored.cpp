// SPDX-License-Identifier: BSD-3-Clause
// Principal components on levels through a file.
#include <vector>

#include <utility>

#include "gramian/models/deep_pca/landmarks.hpp"
#include "gramian/models/deep_pca/predictor.hpp"
#include "serving/stored/writer.hpp"
#include "support/deep_pca_data.hpp"
#include "support/sparse_copy.hpp"
#include "support/stored_model.hpp"

using namespace gramian;
using pca::two_classes;
using pca::two_gaussians;

namespace {

deep_pca::Predictor trained(const Points& X, bool known = true) {
  deep_pca::Options options;
  options.centred = true;
  options.solver = pca::lbfgs(100);
  auto levels = two_gaussians();
  if (!known) levels[0].kernel = Kernel("linear", {});
  deep_pca::Parts parts = deep_pca::parts_of(deep_pca::fit(PointSource(X), levels, options).model,
                                             known ? Samples::copy_of(X) : Samples::counted(X.size()));
  parts.inverse.ridge = 1e-3;
  parts.transform.extension = deep_pca::Extension::equations;
  return deep_pca::Predictor(std::move(parts));
}

}  // namespace

TEST(every_form_comes_back) {
  const naive::Matrix<double> X = two_classes(40, 4), Z = two_classes(9, 4, 9), codes(9, 2);
  const deep_pca::Predictor model = trained(Points(X.view));
  support::check_stored(model, Points(Z.view), {Verb::transform});
  support::check_stored(model, Points(codes.view), {Verb::inverse_transform});
  const auto sparse = naive::sparse_of(X);
  support::check_stored(trained(Points(sparse.rows())), Points(sparse.rows()), {Verb::transform});
  const naive::Matrix<double> cross = naive::normal<double>(5, 40, 3);
  support::check_stored(trained(Points(X.view), false), Points(cross.view), {Verb::transform});
}

TEST(landmarks_come_back) {
  const naive::Matrix<double> X = two_classes(40, 4), C = two_classes(12, 4, 5), Z = two_classes(9, 4, 9), codes(9, 3);
  const deep_pca::Level level{Kernel("gaussian", {0.3}), 3, 1.0};
  deep_pca::Fit fit = deep_pca::fit_landmarks(Points(X.view), Points(C.view), level, true);
  const deep_pca::Predictor model(deep_pca::parts_of(std::move(fit.model), Samples::copy_of(Points(C.view))));
  support::check_stored(model, Points(Z.view), {Verb::transform});
  support::check_stored(model, Points(codes.view), {Verb::inverse_transform});
}

TEST(weights_come_back) {
  const naive::Matrix<double> X = two_classes(40, 4), Z = two_classes(9, 4, 9), codes(9, 2);
  deep_pca::Options options;
  options.solver = pca::lbfgs(100);
  for (Index i = 0; i < 40; ++i) options.weights.push_back(0.5 + static_cast<double>(i % 3));
  deep_pca::Fit fit = deep_pca::fit(PointSource(Points(X.view)), two_gaussians(), options);
  deep_pca::Parts parts = deep_pca::parts_of(std::move(fit.model), Samples::copy_of(Points(X.view)));
  CHECK_EQ(parts.weights.view().rows(), 40);
  const deep_pca::Predictor model(parts);
  support::check_stored(model, Points(Z.view), {Verb::transform});
  support::check_stored(model, Points(codes.view), {Verb::inverse_transform});
  for (const double wrong : {0.0, -1.0}) {
    parts.weights = SharedMatrix(Matrix::filled(40, 1, wrong));
    CHECK_THROWS(std::invalid_argument, deep_pca::Predictor(parts));
  }
  parts.weights = SharedMatrix(Matrix::filled(39, 1, 1.0));
  CHECK_THROWS(std::invalid_argument, deep_pca::Predictor(parts));
}

TEST(maps_come_back) {
  const naive::Matrix<double> X = two_classes(40, 5);
  const std::vector<DenseLayer> there = {{4, Activation::tanh, 0.0}}, back = {{5, Activation::identity, 0.0}};
  const FixedFeatures phi(NetworkFeatures{there}, 5, feature_network(5, there)->start(1));
  const FixedFeatures psi(NetworkFeatures{back}, 4, feature_network(4, back)->start(2));
  naive::Matrix<double> features(40, 4), codes(3, 2);
  phi.apply(X.view, features.view);
  const deep_pca::ParametricPredictor model(phi, psi, trained(Points(features.view)));
  support::check_stored(model, Points(X.view), {Verb::transform});
  support::check_stored(model, Points(codes.view), {Verb::inverse_transform});
}

TEST(a_damaged_description_is_refused) {
  const naive::Matrix<double> X = two_classes(40, 4);
  const deep_pca::Predictor model = trained(Points(X.view));
  CHECK(!support::message_of_model(model, "\"equations\"", "\"equation\"").empty());
  CHECK(!support::message_of_model(model, "\"levels\":2", "\"levels\":3").empty());
  CHECK(!support::message_of_model(model, "\"levels\":2", "\"levels\":1").empty());
  CHECK(!support::message_of_model(model, "\"level.1.eta\":1", "\"level.1.eta\":0").empty());
  CHECK(!support::message_of_model(model, "\"ridge\":0.001", "\"ridge\":-1").empty());
  CHECK(!support::message_of_model(model, "\"dense\"", "\"count\"").empty());
}

TEST_MAIN

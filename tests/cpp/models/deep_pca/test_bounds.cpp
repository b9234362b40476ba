// SPDX-License-Identifier: BSD-3-Clause
// [DKPCA] Lemma 4.1: on many random problems, against stored matrices, and where it fails as printed.
#include "gramian/models/deep_pca/train.hpp"

#include <cmath>
#include <stdexcept>

#include "gramian/gram/full.hpp"
#include "support/deep_pca_data.hpp"

using namespace gramian;
using pca::with_linear;

namespace {

/// |K_1 / eta_1 - H_1 Lambda_1 H_1ᵀ| by the definition.
double error_of(MatrixView<const double> X, const deep_pca::Model& model) {
  const Index n = X.rows();
  naive::Matrix<double> K(n, n);
  full(model.levels[0].kernel, Points(X), K.view);
  double sum = 0.0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      double entry = K(i, j) / model.levels[0].eta;
      for (Index c = 0; c < model.features[0].cols(); ++c) {
        entry -= model.features[0](i, c) * model.eigenvalues[0][static_cast<std::size_t>(c)] * model.features[0](j, c);
      }
      sum += entry * entry;
    }
  }
  return std::sqrt(sum);
}

/// The lower bound with everything under one root, as it can be read.
double one_root(MatrixView<const double> X, const deep_pca::Model& model) {
  const Index n = X.rows();
  naive::Matrix<double> M(n, n);
  full(model.levels[0].kernel, Points(X), M.view);
  const double eta2 = model.levels[1].eta;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      for (Index c = 0; c < model.features[1].cols(); ++c) M(i, j) += model.features[1](i, c) * model.features[1](j, c) / eta2;
    }
  }
  double rest = 0.0;
  for (const double entry : M.numbers) rest += entry * entry;
  for (const double value : model.eigenvalues[0]) rest -= value * value;
  return std::sqrt(std::max(0.0, rest - std::sqrt(static_cast<double>(model.features[1].cols())) / std::fabs(eta2)));
}

}  // namespace

TEST(the_error_is_between_its_bounds) {
  Index one_root_fails = 0, without_upper = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const RandomStream random(seed);
    const Index n = 12 + random.below(0, 10), s1 = 1 + random.below(1, 5), s2 = 1 + random.below(2, 7);
    const double eta2 = (random.uniform(3) < 0.5 ? -1.0 : 1.0) * std::exp(4.0 * random.uniform(4) - 2.0);
    const naive::Matrix<double> X = naive::normal<double>(n, 2, seed);
    const deep_pca::Fit fit = deep_pca::fit(Points(X.view), with_linear(eta2, s1, s2));
    const deep_pca::Bounds bounds = deep_pca::bounds(Points(X.view), fit.model);
    CHECK_NEAR(bounds.error, error_of(X.view, fit.model), 1e-7);
    CHECK(bounds.lower <= bounds.error + 1e-7);
    bool negative = false;
    for (const double value : fit.model.eigenvalues[0]) negative = negative || value < 0.0;
    CHECK_EQ(std::isnan(bounds.upper), negative);
    without_upper += negative ? 1 : 0;
    if (!negative) CHECK(bounds.error <= bounds.upper + 1e-7);
    one_root_fails += one_root(X.view, fit.model) > bounds.error + 1e-7 ? 1 : 0;
  }
  CHECK(one_root_fails > 0);
  CHECK(without_upper > 0 && without_upper < 120);
}

TEST(more_samples_than_a_block_of_columns) {
  const naive::Matrix<double> X = pca::two_classes(300, 4);
  const deep_pca::Fit fit = deep_pca::fit(Points(X.view), with_linear(2.0));
  const deep_pca::Bounds bounds = deep_pca::bounds(Points(X.view), fit.model);
  CHECK_NEAR(bounds.error, error_of(X.view, fit.model), 1e-8);
  CHECK(bounds.lower > 0.0 && bounds.lower <= bounds.error && bounds.error <= bounds.upper);
}

TEST(other_models_are_refused) {
  const naive::Matrix<double> X = pca::two_classes(30, 4);
  deep_pca::Options options;
  options.solver = pca::lbfgs(3);
  const deep_pca::Fit nonlinear = deep_pca::fit(Points(X.view), pca::two_gaussians(), options);
  CHECK_THROWS(std::invalid_argument, deep_pca::bounds(Points(X.view), nonlinear.model));
  options.solver = deep_pca::Levelwise{};
  const deep_pca::Fit alone = deep_pca::fit(Points(X.view), with_linear(1.0), options);
  CHECK_THROWS(std::invalid_argument, deep_pca::bounds(Points(X.view), alone.model));
  const deep_pca::Fit fit = deep_pca::fit(Points(X.view), with_linear(1.0));
  const naive::Matrix<double> other = pca::two_classes(20, 4);
  CHECK_THROWS(std::invalid_argument, deep_pca::bounds(Points(other.view), fit.model));
}

TEST_MAIN

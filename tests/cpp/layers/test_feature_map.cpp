// SPDX-License-Identifier: BSD-3-Clause
// Features of one's own, as an embedder writes them.
#include "gramian/layers/feature_map.hpp"

#include <cmath>
#include <memory>
#include <vector>

#include "support/check.hpp"
#include "support/feature_gradient.hpp"

using namespace gramian;

namespace {

/// z_j = sin(theta_j <x, 1>)
class Waves final : public FeatureMap {
 public:
  Index inputs() const override { return 2; }
  Index outputs() const override { return 3; }
  Index parameter_count() const override { return 3; }
  std::vector<double> start(std::uint64_t seed) const override { return {1.0, 2.0, static_cast<double>(seed)}; }

  void forward(const double* theta, MatrixView<const double> X, MatrixView<double> Z, const FeaturePass&) override {
    theta_.assign(theta, theta + 3);
    X_ = X;
    for (Index i = 0; i < X.rows(); ++i) {
      for (Index j = 0; j < 3; ++j) Z(i, j) = std::sin(theta[j] * (X(i, 0) + X(i, 1)));
    }
  }
  void reverse(MatrixView<const double> Zbar, double* theta_bar) override {
    for (Index j = 0; j < 3; ++j) {
      theta_bar[j] = 0.0;
      for (Index i = 0; i < X_.rows(); ++i) {
        const double sum = X_(i, 0) + X_(i, 1);
        theta_bar[j] += Zbar(i, j) * sum * std::cos(theta_[static_cast<std::size_t>(j)] * sum);
      }
    }
  }

 private:
  std::vector<double> theta_;
  MatrixView<const double> X_;
};

}  // namespace

TEST(features_of_ones_own_are_used_through_the_interface) {
  const std::unique_ptr<FeatureMap> map = std::make_unique<Waves>();
  const std::vector<double> theta = map->start(3);
  const auto X = naive::normal<double>(5, 2, 61);
  const auto formula = [&](const features::Numbers& at) {
    features::Numbers Z;
    for (Index i = 0; i < 5; ++i) {
      for (const features::Real t : at) Z.push_back(std::sin(t * (static_cast<features::Real>(X.view(i, 0)) + X.view(i, 1))));
    }
    return Z;
  };
  features::check_reverse("waves", *map, theta, X.view, {}, 64, features::Reference{formula, 1e-4L, 1e-18L});
}

TEST(a_pass_is_for_use_unless_said_otherwise) {
  const FeaturePass pass;
  CHECK(!pass.training);
  CHECK_EQ(pass.seed, 0u);
  CHECK_EQ(pass.step, 0u);
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// From a point of the optimiser to a model: order, signs, means and offsets.
#include "models/deep_pca/model.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gramian/eigen.hpp"
#include "gramian/gram/full.hpp"
#include "models/deep_pca/start.hpp"
#include "support/check.hpp"
#include "support/deep_pca_data.hpp"

using namespace gramian;

namespace {

constexpr Index n = 30;

struct Made {
  naive::Matrix<double> X = pca::two_classes(n, 4);
  std::vector<double> x;
  deep_pca::State state;
  deep_pca::Model model;

  Made(const std::vector<deep_pca::Level>& levels, bool centred, bool coupled) {
    deep_pca::ObjectiveOptions options;
    options.centred = centred;
    deep_pca::TrainingObjective objective(Points(X.view), levels, options);
    x.resize(static_cast<std::size_t>(objective.size()));
    deep_pca::start_at_random(objective, 1, 0, x.data());
    objective.evaluate(x.data(), nullptr);
    state = objective.describe(x.data());
    model = deep_pca::make_model(objective, x.data(), state, coupled);
  }
};

}  // namespace

TEST(components_are_sorted_and_their_largest_entries_are_positive) {
  const Made made(pca::two_gaussians(), false, true);
  for (std::size_t j = 0; j < 2; ++j) {
    const std::vector<double>& values = made.model.eigenvalues[j];
    CHECK(std::is_sorted(values.rbegin(), values.rend()));
    std::vector<double> before = made.state.eigenvalues[j];
    std::sort(before.rbegin(), before.rend());
    CHECK(values == before);
    for (Index c = 0; c < made.model.features[j].cols(); ++c) {
      Index largest = 0;
      as_eigen(made.model.features[j].view()).col(c).cwiseAbs().maxCoeff(&largest);
      CHECK(made.model.features[j](largest, c) > 0.0);
    }
  }
}

TEST(below_a_kernel_with_length_scales_the_order_is_kept) {
  const std::vector<deep_pca::Level> levels = pca::gaussian_and(Kernel("gaussian", {1.0}, {0.5, 1.0, 2.0}), 1.0);
  const Made made(levels, false, true);
  CHECK(made.model.eigenvalues[0] == made.state.eigenvalues[0]);
}

TEST(means_offsets_and_inputs_are_those_of_the_formulas) {
  const Made made(pca::two_gaussians(), true, true);
  const auto H = as_eigen(made.model.features[0].view());
  Eigen::MatrixXd K(n, n);
  naive::Matrix<double> values(n, n);
  full(made.model.levels[0].kernel, Points(made.X.view), values.view);
  K = as_eigen(MatrixView<const double>(values.view));
  const Eigen::MatrixXd C = Eigen::MatrixXd::Identity(n, n) - Eigen::MatrixXd::Constant(n, n, 1.0 / n);
  const Eigen::RowVectorXd means = H.colwise().mean();
  const Eigen::RowVectorXd offsets = (K * Eigen::VectorXd::Ones(n)).transpose() * (C * H) / static_cast<double>(n);
  for (Index c = 0; c < H.cols(); ++c) {
    CHECK_NEAR(made.model.means[0][static_cast<std::size_t>(c)], means(c), 1e-14);
    CHECK_NEAR(made.model.offsets[0][static_cast<std::size_t>(c)], offsets(c), 1e-12);
  }
  CHECK((as_eigen(made.model.inputs.view()) - C * K * C * H).norm() <= 1e-11);
}

TEST(an_uncoupled_model_has_eigenvalues_of_its_own_and_no_inputs) {
  const Made made(pca::two_gaussians(), false, false);
  CHECK(!made.model.coupled);
  CHECK(made.model.inputs.empty());
  CHECK(made.model.eigenvalues[0] != made.state.eigenvalues[0]);
  for (const double zero : made.model.offsets[0]) CHECK_EQ(zero, 0.0);
}

TEST_MAIN

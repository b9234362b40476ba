// SPDX-License-Identifier: BSD-3-Clause
// From features back to the input.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "gramian/gram/full.hpp"
#include "support/deep_pca_data.hpp"

using namespace gramian;
using pca::largest_difference;
using pca::two_classes;

namespace {

constexpr Index n = 60;

double mean_square(MatrixView<const double> A, MatrixView<const double> B) {
  double sum = 0.0;
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index k = 0; k < A.cols(); ++k) sum += (A(i, k) - B(i, k)) * (A(i, k) - B(i, k));
  }
  return sum / static_cast<double>(A.rows());
}

double spread(MatrixView<const double> X) {
  naive::Matrix<double> mean(X.rows(), X.cols());
  for (Index k = 0; k < X.cols(); ++k) {
    double sum = 0.0;
    for (Index i = 0; i < X.rows(); ++i) sum += X(i, k) / static_cast<double>(X.rows());
    for (Index i = 0; i < X.rows(); ++i) mean(i, k) = sum;
  }
  return mean_square(X, mean.view);
}

deep_pca::Fit levelwise(MatrixView<const double> X, const std::vector<deep_pca::Level>& levels, bool centred = true) {
  deep_pca::Options options;
  options.solver = deep_pca::Levelwise{};
  options.centred = centred;
  return deep_pca::fit(Points(X), levels, options);
}

}  // namespace

TEST(a_full_decomposition_with_linear_kernels_has_no_error) {
  const naive::Matrix<double> X = two_classes(n, 4);
  for (const bool centred : {false, true}) {
    deep_pca::Options options;
    options.centred = centred;
    const std::vector<deep_pca::Level> levels = {{Kernel("linear", {}), 4, 1.0}, {Kernel("linear", {}), 4, 1.0}};
    const deep_pca::Fit fit = deep_pca::fit(Points(X.view), levels, options);
    for (const Index level : {1, 2}) {
      const deep_pca::LevelPreimages found =
          deep_pca::inverse_transform(fit.model, level, fit.model.features[static_cast<std::size_t>(level - 1)].view(), X.view);
      CHECK(largest_difference(found.points.view(), X.view) <= 1e-9);
      CHECK_EQ(static_cast<Index>(found.levels.size()), level - 1);
    }
    // With fewer components something is lost, and less the more there are.
    double last = 1e300;
    for (const Index s : {1, 2, 3}) {
      const deep_pca::Fit fewer =
          deep_pca::fit(Points(X.view), {{Kernel("linear", {}), 4, 1.0}, {Kernel("linear", {}), s, 1.0}}, options);
      const double error =
          mean_square(deep_pca::inverse_transform(fewer.model, 2, fewer.model.features[1].view(), X.view).points.view(), X.view);
      CHECK(error > 1e-6 && error < last);
      last = error;
    }
  }
}

TEST(gaussian_features_lead_back_to_their_points) {
  const naive::Matrix<double> X = two_classes(n, 3);
  for (const bool centred : {false, true}) {
    for (const bool scaled : {false, true}) {
      const Kernel kernel("gaussian", {0.5}, scaled ? std::vector<double>{0.9, 1.2, 1.1} : std::vector<double>{});
      const deep_pca::Fit fit = levelwise(X.view, {{kernel, 25, 1.0}}, centred);
      for (const deep_pca::Inverse method : {deep_pca::Inverse::fixed_point, deep_pca::Inverse::ridge}) {
        deep_pca::InverseOptions options;
        options.method = method;
        const deep_pca::LevelPreimages found =
            deep_pca::inverse_transform(fit.model, 1, fit.model.features[0].view(), X.view, options);
        const double error = mean_square(found.points.view(), X.view);
        check::that(
            error <= 0.05 * spread(X.view),
            check::show(error) + " of " + check::show(spread(X.view)) + ", method " + std::to_string(static_cast<int>(method)),
            __FILE__, __LINE__);
        if (method == deep_pca::Inverse::fixed_point)
          CHECK(std::count(found.converged.begin(), found.converged.end(), 1) >= n - 2);
      }
    }
  }
}

TEST(two_nonlinear_levels_lead_back_too) {
  const naive::Matrix<double> X = two_classes(n, 3);
  const Kernel second("gaussian", {20.0});
  const deep_pca::Fit fit = levelwise(X.view, {{Kernel("gaussian", {0.5}), 8, 1.0}, {second, 8, 1.0}});
  deep_pca::InverseOptions options;
  options.method = deep_pca::Inverse::ridge;
  const deep_pca::LevelPreimages found = deep_pca::inverse_transform(fit.model, 2, fit.model.features[1].view(), X.view, options);
  const double error = mean_square(found.points.view(), X.view);
  check::that(error <= 0.25 * spread(X.view), check::show(error) + " of " + check::show(spread(X.view)), __FILE__, __LINE__);
  CHECK_EQ(found.levels.size(), std::size_t(1));
  CHECK_EQ(found.levels[0].cols(), 8);
}

TEST(weights_are_those_of_w) {
  const naive::Matrix<double> X = two_classes(n, 3), codes = naive::normal<double>(4, 5, 8);
  for (const bool centred : {false, true}) {
    const deep_pca::Fit fit = levelwise(X.view, {{Kernel("gaussian", {0.5}), 5, 0.7}}, centred);
    naive::Matrix<double> weights(4, n);
    deep_pca::weights(fit.model, 1, codes.view, weights.view);
    for (Index i = 0; i < 4; ++i) {
      for (Index m = 0; m < n; ++m) {
        double sum = centred ? 1.0 / static_cast<double>(n) : 0.0;
        for (Index c = 0; c < 5; ++c)
          sum += (fit.model.features[0](m, c) - fit.model.means[0][static_cast<std::size_t>(c)]) * codes.view(i, c) / 0.7;
        CHECK_NEAR(weights(i, m), sum, 1e-12);
      }
    }
  }
}

TEST(bad_arguments_are_refused) {
  const naive::Matrix<double> X = two_classes(n, 3), narrow = naive::normal<double>(4, 2, 8);
  const deep_pca::Fit fit = levelwise(X.view, {{Kernel("matern52", {1.0}), 5, 1.0}});
  const MatrixView<const double> H = fit.model.features[0].view();
  CHECK_THROWS(std::invalid_argument, deep_pca::inverse_transform(fit.model, 2, H, X.view));
  CHECK_THROWS(std::invalid_argument, deep_pca::inverse_transform(fit.model, 1, narrow.view, X.view));
  CHECK_THROWS(std::invalid_argument, deep_pca::inverse_transform(fit.model, 1, H, narrow.view));
  deep_pca::InverseOptions options;
  options.method = deep_pca::Inverse::fixed_point;
  CHECK_THROWS(std::invalid_argument, deep_pca::inverse_transform(fit.model, 1, H, X.view, options));
  options.method = deep_pca::Inverse::ridge;
  options.ridge = 0.0;
  CHECK_THROWS(std::invalid_argument, deep_pca::inverse_transform(fit.model, 1, H, X.view, options));
  naive::Matrix<double> weights(4, 3);
  CHECK_THROWS(std::invalid_argument, deep_pca::weights(fit.model, 1, H, weights.view));
}

TEST_MAIN

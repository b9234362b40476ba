// SPDX-License-Identifier: BSD-3-Clause
// First steps from training samples: those of Newton's method, with the same bits for any company.
#include "models/deep_pca/first_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gramian/models/deep_pca/train.hpp"
#include "models/deep_pca/newton.hpp"
#include "support/deep_pca_data.hpp"

using namespace gramian;

namespace {

deep_pca::Fit fitted() {
  std::vector<deep_pca::Level> three = pca::two_gaussians();
  three.push_back({Kernel("gaussian", {0.8}), 2, 1.5});
  deep_pca::Options options;
  options.solver = pca::lbfgs(400, 1e-10, 0.0);
  return deep_pca::fit(Points(pca::two_classes(40, 4).view), three, options);
}

/// Near those of the training samples.
Matrix first_of(const deep_pca::Fit& fit, const std::vector<Index>& samples) {
  Matrix F(static_cast<Index>(samples.size()), fit.model.inputs.cols());
  for (Index i = 0; i < F.rows(); ++i) {
    for (Index k = 0; k < F.cols(); ++k)
      F(i, k) = fit.model.inputs(samples[static_cast<std::size_t>(i)], k) + 1e-2 * std::sin(static_cast<double>(3 * i + k));
  }
  return F;
}

const std::vector<Index> some = {3, 7, 8, 21, 39}, of_rows = {7, 7, 39, 3, 21, 8, 3};

}  // namespace

TEST(steps_are_those_of_newton) {
  const deep_pca::Fit fit = fitted();
  const deep_pca::Equations equations(fit.model);
  const Matrix F = first_of(fit, of_rows);
  std::vector<double> sizes;
  const Matrix steps = deep_pca::FirstSteps(equations, some).take(F, of_rows, sizes);
  const deep_pca::Linearised at = deep_pca::linearised(equations, F, equations.training(of_rows));
  const Matrix expected = deep_pca::newton_steps(equations, at);
  for (Index i = 0; i < F.rows(); ++i) {
    CHECK_NEAR(sizes[static_cast<std::size_t>(i)], at.sizes[static_cast<std::size_t>(i)], 1e-13);
    double size = 0.0, error = 0.0;
    for (Index k = 0; k < steps.cols(); ++k) {
      size = std::max(size, std::fabs(expected(i, k)));
      error = std::max(error, std::fabs(steps(i, k) - expected(i, k)));
    }
    CHECK(size > 0.0 && error <= 1e-9 * size);
  }
}

TEST(a_row_has_its_bits_in_any_company) {
  const deep_pca::Fit fit = fitted();
  const deep_pca::Equations equations(fit.model);
  const Matrix F = first_of(fit, of_rows);
  std::vector<double> sizes, own_sizes;
  std::vector<Index> all;
  for (Index i = 0; i < 40; ++i) all.push_back(i);
  const Matrix steps = deep_pca::FirstSteps(equations, all).take(F, of_rows, sizes);
  for (Index i = 0; i < F.rows(); ++i) {
    const std::vector<Index> sample = {of_rows[static_cast<std::size_t>(i)]};
    Matrix one(1, F.cols());
    for (Index k = 0; k < F.cols(); ++k) one(0, k) = F(i, k);
    const Matrix own = deep_pca::FirstSteps(equations, sample).take(one, sample, own_sizes);
    CHECK_EQ(own_sizes.front(), sizes[static_cast<std::size_t>(i)]);
    for (Index k = 0; k < steps.cols(); ++k) CHECK_EQ(own(0, k), steps(i, k));
  }
}

TEST(a_row_that_is_not_finite_stays) {
  const deep_pca::Fit fit = fitted();
  const deep_pca::Equations equations(fit.model);
  Matrix F = first_of(fit, of_rows);
  F(2, 1) = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sizes;
  const Matrix steps = deep_pca::FirstSteps(equations, some).take(F, of_rows, sizes);
  CHECK(std::isinf(sizes[2]) && std::isfinite(sizes[1]));
  for (Index k = 0; k < steps.cols(); ++k) CHECK_EQ(steps(2, k), 0.0);
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// The equations of new samples, row by row.
#include "models/deep_pca/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gramian/models/deep_pca/train.hpp"
#include "support/deep_pca_data.hpp"

using namespace gramian;

namespace {

/// The residuals of all rows are below the bound.
bool small(const std::vector<double>& residuals, double bound) {
  return std::all_of(residuals.begin(), residuals.end(), [&](double own) { return own <= bound; });
}

deep_pca::Fit solved(const std::vector<deep_pca::Level>& levels) {
  deep_pca::Options options;
  options.solver = pca::lbfgs(40000, 1e-10, 0.0);
  return deep_pca::fit(Points(pca::two_classes(40, 4).view), levels, options);
}

}  // namespace

TEST(linear_levels_are_solved_in_one_step) {
  const deep_pca::Fit fit = solved(pca::with_linear(0.8));
  const deep_pca::Equations equations(fit.model);
  Matrix F = Matrix::filled(3, 3, 0.0);
  for (Index i = 0; i < 3; ++i) F(i, i) = 0.5 + static_cast<double>(i);
  CHECK(small(equations.residuals(F, equations.solve_linear(F)), 1e-12));
  CHECK(!small(equations.residuals(F, equations.pass(F)), 1e-6));  // without the way back
}

// In units of Lambda_1, by all distances; a row of which nothing is known has the first sample.
TEST(the_nearest_sample_is_that_of_all_distances) {
  const deep_pca::Fit fit = solved(pca::two_gaussians());
  const deep_pca::Equations equations(fit.model);
  const naive::Matrix<double> noise = naive::normal<double>(50, 3, 8);
  Matrix F(50, 3);
  for (Index i = 0; i < 50; ++i) {
    for (Index k = 0; k < 3; ++k) F(i, k) = 0.1 * noise.view(i, k) + (i < 40 ? fit.model.inputs(i, k) : 0.0);
  }
  F(7, 1) = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Index> found = equations.nearest(F);
  for (Index i = 0; i < 50; ++i) {
    Index expected = 0;
    double least = std::numeric_limits<double>::infinity();
    for (Index t = 0; t < 40; ++t) {
      double square = 0.0;
      for (Index k = 0; k < 3; ++k) {
        const double off = (F(i, k) - fit.model.inputs(t, k)) / fit.model.eigenvalues[0][static_cast<std::size_t>(k)];
        square += off * off;
      }
      if (square < least) least = square, expected = t;
    }
    CHECK_EQ(found[static_cast<std::size_t>(i)], expected);
  }
  const std::vector<Index> own = equations.nearest(fit.model.inputs);
  for (Index i = 0; i < 40; ++i) CHECK_EQ(own[static_cast<std::size_t>(i)], i);
}

TEST(a_row_that_is_not_finite_is_not_solved) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const deep_pca::Fit fit = solved(pca::two_gaussians());
  const deep_pca::Equations equations(fit.model);
  Matrix F = fit.model.inputs.clone();
  deep_pca::Features h = equations.training(equations.nearest(F));
  const std::vector<double> before = equations.residuals(F, h);
  h[1](3, 0) = nan;
  h[0](7, 1) = infinity;
  F(11, 0) = nan;
  for (Index c = 0; c < 3; ++c) F(12, c) = h[0](12, c) = nan;
  for (Index c = 0; c < 2; ++c) h[1](12, c) = nan;
  const std::vector<double> after = equations.residuals(F, h);
  for (std::size_t i = 0; i < 40; ++i) {
    if (i == 3 || i == 7 || i == 11 || i == 12) {
      CHECK_EQ(after[i], infinity);
    } else {
      CHECK_NEAR(after[i], before[i], 1e-13);
    }
  }
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Weights as a distribution, against definitions that are written down in another way.
#include "gramian/models/conditional_mean/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using gramian::view;
using spectral::normal;
using Dense = spectral::Matrix;

namespace {

Dense on_simplex(Dense W) {
  conditional_mean::project_on_simplex(view(W));
  return W;
}

const Dense weights = on_simplex(0.3 * normal(5, 40, 1)), outputs = normal(40, 1, 2);

}  // namespace

// The projection is the point w of the simplex from which no other point of it is nearer: (v - w) · (u - w) <= 0 for its corners
// u.
TEST(projections_are_the_nearest_points) {
  for (const double scale : {1e-8, 0.1, 1.0, 1e3}) {
    const Dense V = scale * normal(20, 30, 3), W = on_simplex(V);
    for (Index i = 0; i < V.rows(); ++i) {
      CHECK(W.row(i).minCoeff() >= 0.0);
      CHECK_NEAR(W.row(i).sum(), 1.0, 1e-12 * std::max(1.0, scale));
      const Dense gap = V.row(i) - W.row(i);
      const double own = (gap * W.row(i).transpose())(0, 0);
      for (Index k = 0; k < V.cols(); ++k) CHECK(gap(0, k) - own <= 1e-10 * std::max(1.0, scale));
    }
    CHECK((on_simplex(W) - W).norm() <= 1e-12 * std::max(1.0, scale));
  }
  CHECK_EQ(on_simplex(Dense::Constant(1, 1, -5.0))(0, 0), 1.0);
  CHECK((on_simplex(Dense::Constant(1, 4, -2.0)) - Dense::Constant(1, 4, 0.25)).norm() <= 1e-15);
}

TEST(deviations_are_roots_of_variances) {
  const Dense Y = normal(40, 3, 4);
  Dense out(5, 3);
  conditional_mean::deviations(view(weights), view(Y), view(out));
  const Dense mean = weights * Y, square = weights * Dense(Y.cwiseProduct(Y));
  CHECK((out - Dense((square - Dense(mean.cwiseProduct(mean))).cwiseSqrt())).norm() <= 1e-12);
  const Dense equal = Dense::Constant(40, 1, 1e8);
  Dense none(5, 1);
  conditional_mean::deviations(view(weights), view(equal), view(none));
  CHECK(none.maxCoeff() <= 1e-4);
}

TEST(quantiles_are_where_the_distribution_function_reaches_the_level) {
  const std::vector<double> levels = {0.0, 0.05, 0.5, 0.95, 1.0};
  Dense out(5, 5);
  conditional_mean::quantiles(view(weights), view(outputs), levels, view(out));
  for (Index i = 0; i < 5; ++i) {
    for (Index l = 0; l < 5; ++l) {
      double upto = 0.0, below = 0.0;
      for (Index k = 0; k < 40; ++k) {
        if (outputs(k, 0) <= out(i, l)) upto += weights(i, k);
        if (outputs(k, 0) < out(i, l)) below += weights(i, k);
      }
      const double level = levels[static_cast<std::size_t>(l)];
      CHECK(upto >= level - 1e-11 && (below < level || level == 0.0));
    }
  }
}

TEST(distribution_values_count_half_of_equal_outputs) {
  Dense y(3, 1), W(4, 3), at(4, 1), out(4, 1);
  y << 2.0, 1.0, 2.0;
  W << 0.5, 0.3, 0.2, 0.5, 0.3, 0.2, 0.5, 0.3, 0.2, 0.5, 0.3, 0.2;
  at << 0.0, 1.0, 2.0, 3.0;
  conditional_mean::distribution_values(view(W), view(y), view(at), view(out));
  const double expected[] = {0.0, 0.15, 0.65, 1.0};
  for (Index i = 0; i < 4; ++i) CHECK_NEAR(out(i, 0), expected[i], 1e-15);
}

TEST(densities_are_mixtures_and_integrate_to_one) {
  const Index grid = 4001;
  Dense at(grid, 1), given(5, grid), chosen(5, grid);
  for (Index g = 0; g < grid; ++g) at(g, 0) = -20.0 + 40.0 * static_cast<double>(g) / static_cast<double>(grid - 1);
  conditional_mean::densities(view(weights), view(outputs), view(at), 0.3, view(given));
  conditional_mean::densities(view(weights), view(outputs), view(at), 0.0, view(chosen));
  for (Index i = 0; i < 5; ++i) {
    CHECK_NEAR(given.row(i).sum() * 40.0 / static_cast<double>(grid - 1), 1.0, 1e-9);
    CHECK_NEAR(chosen.row(i).sum() * 40.0 / static_cast<double>(grid - 1), 1.0, 1e-9);
    double naive = 0.0;
    for (Index k = 0; k < 40; ++k) {
      const double z = (at(2100, 0) - outputs(k, 0)) / 0.3;
      naive += weights(i, k) * std::exp(-0.5 * z * z) / (0.3 * std::sqrt(2.0 * std::acos(-1.0)));
    }
    CHECK_NEAR(given(i, 2100), naive, 1e-13);
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Dense V = 0.1 * normal(300, 500, 5), y = normal(500, 1, 6);
  CHECK(check::same_for_any_threads([&] {
    const Dense W = on_simplex(V);
    Dense out(300, 2);
    conditional_mean::quantiles(view(W), view(y), {0.1, 0.9}, view(out));
    Dense both(300, 502);
    both << W, out;
    return both;
  }));
}

TEST(bad_input_is_refused) {
  Dense none(3, 0), broken = Dense::Constant(2, 2, std::numeric_limits<double>::quiet_NaN()), out(5, 1), two(5, 2);
  CHECK_THROWS(std::invalid_argument, conditional_mean::project_on_simplex(view(none)));
  CHECK_THROWS(std::invalid_argument, conditional_mean::project_on_simplex(view(broken)));
  CHECK_THROWS(std::invalid_argument, conditional_mean::deviations(view(weights), view(two), view(two)));
  for (const double level : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS(std::invalid_argument, conditional_mean::quantiles(view(weights), view(outputs), {level}, view(out)));
  }
  CHECK_THROWS(std::invalid_argument, conditional_mean::quantiles(view(weights), view(outputs), {0.5}, view(two)));
  CHECK_THROWS(std::invalid_argument, conditional_mean::distribution_values(view(weights), view(outputs), view(two), view(out)));
  CHECK_THROWS(std::invalid_argument, conditional_mean::densities(view(weights), view(outputs), view(out), -1.0, view(two)));
  const Dense certain = Dense::Identity(2, 2), y = Dense::Zero(2, 1);
  Dense at = Dense::Zero(1, 1), density(2, 1);
  CHECK_THROWS(std::invalid_argument, conditional_mean::densities(view(certain), view(y), view(at), 0.0, view(density)));
}

TEST_MAIN

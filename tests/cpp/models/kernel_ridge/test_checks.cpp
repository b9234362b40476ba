// SPDX-License-Identifier: BSD-3-Clause
// Arguments that do not belong together, and roots of weights.
#include "models/kernel_ridge/checks.hpp"

#include <limits>
#include <vector>

#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using dependency_data::gaussian;
using gramian::view;
using Dense = spectral::Matrix;

namespace {

const dependency_data::Samples data = dependency_data::samples(9, 1, 2);

void check_fit(const Dense& targets, const std::vector<double>& weights, double least = 0.0) {
  kernel_ridge::check_data({gaussian(), Points(view(data.X))}, view(targets), weights, least);
}

}  // namespace

TEST(data_that_fits_passes) {
  check_fit(data.Y, {});
  check_fit(data.Y, std::vector<double>(9, 2.0));
  check_fit(data.Y, std::vector<double>(9, 0.0));
}

TEST(shapes_and_numbers_are_checked) {
  const Dense few = data.Y.topRows(8), none(9, 0);
  Dense infinite = data.Y;
  infinite(3, 1) = std::numeric_limits<double>::infinity();
  for (const Dense& wrong : {few, none, infinite}) CHECK_THROWS(std::invalid_argument, check_fit(wrong, {}));
}

TEST(weights_are_checked) {
  std::vector<double> weights(9, 1.0);
  CHECK_THROWS(std::invalid_argument, check_fit(data.Y, std::vector<double>(8, 1.0)));
  weights[2] = -1.0;
  CHECK_THROWS(std::invalid_argument, check_fit(data.Y, weights));
  weights[2] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, check_fit(data.Y, weights));
  weights[2] = 0.0;
  CHECK_THROWS(std::invalid_argument, check_fit(data.Y, weights, 1e-300));
}

TEST(rows_take_the_roots_of_their_weights) {
  CHECK(kernel_ridge::roots_of({}).empty());
  const std::vector<double> roots = kernel_ridge::roots_of({4.0, 0.25, 0.0});
  CHECK(roots == std::vector<double>({2.0, 0.5, 0.0}));
  Dense A = Dense::Ones(3, 2);
  kernel_ridge::scale_rows(roots, view(A));
  CHECK(A == Dense(Eigen::Vector3d(2.0, 0.5, 0.0) * Eigen::RowVector2d::Ones()));
  kernel_ridge::scale_rows({}, view(A));
  CHECK_EQ(A(0, 0), 2.0);
}

TEST_MAIN

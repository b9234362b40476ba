// SPDX-License-Identifier: BSD-3-Clause
// Losses of held-out samples in the span of landmarks: against Gram matrices, and with weights.
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/models/conditional_mean/landmarks.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using dependency_data::gaussian;
using dependency_data::gram;
using gramian::view;
using support::relative;
using Dense = spectral::Matrix;

namespace {

const Kernel output_kernel("laplacian", {0.7});

}  // namespace

TEST(losses_of_all_samples_are_those_of_gram_matrices) {
  const dependency_data::Samples p = dependency_data::samples(50, 13);
  std::vector<conditional_mean::ValidationSplit> splits(3);
  for (Index i = 0; i < 50; ++i) {
    for (Index s = 0; s < 3; ++s)
      (i % 3 == s ? splits[static_cast<std::size_t>(s)].held_out : splits[static_cast<std::size_t>(s)].training).push_back(i);
  }
  splits[2].training = {0, 1, 1, 2, 3, 4, 5, 5};  // rows may be drawn twice
  const LandmarkFeatures inputs(gaussian(), Points(view(p.X))), outputs(output_kernel, Points(view(p.Y)));
  const Dense K = gram(gaussian(), p.X, p.X), L = gram(output_kernel, p.Y, p.Y);
  for (const bool regularised : {false, true}) {
    conditional_mean::Grid grid;
    grid.regularised = regularised;
    const Index count = static_cast<Index>(grid.lambdas.size());
    Dense some(3, count), all(3, count);
    conditional_mean::cross_validation_losses(inputs, Points(view(p.X)), outputs, Points(view(p.Y)), {}, splits, grid,
                                              view(some));
    conditional_mean::cross_validation_losses(view(K), view(L), splits, grid, view(all));
    CHECK(relative(some, all) <= 1e-8);
  }
}

TEST(weighted_losses_count_samples) {
  const dependency_data::Samples p = dependency_data::samples(40, 14);
  const Dense Z = p.X.topRows(12);
  const LandmarkFeatures inputs(gaussian(), Points(view(Z))), outputs(output_kernel, Points(view(p.Y)));
  std::vector<conditional_mean::ValidationSplit> once(1), twice(1);
  Dense w = Dense::Ones(40, 1);
  for (Index i = 0; i < 40; ++i) {
    auto& part = i < 30 ? once[0].training : once[0].held_out;
    auto& repeated = i < 30 ? twice[0].training : twice[0].held_out;
    part.push_back(i);
    repeated.push_back(i);
    if (i % 4 == 0) {
      w(i, 0) = 2.0;
      repeated.push_back(i);
    }
  }
  const conditional_mean::Grid grid;
  Dense weighted(1, 7), counted(1, 7);
  const Points X(view(p.X)), Y(view(p.Y));
  conditional_mean::cross_validation_losses(inputs, X, outputs, Y, view(w), once, grid, view(weighted));
  conditional_mean::cross_validation_losses(inputs, X, outputs, Y, {}, twice, grid, view(counted));
  CHECK(relative(weighted, counted) <= 1e-10);
}

TEST(what_does_not_fit_is_refused) {
  const dependency_data::Samples p = dependency_data::samples(20, 15);
  const LandmarkFeatures inputs(gaussian(), Points(view(p.X))), outputs(output_kernel, Points(view(p.Y)));
  const Points X(view(p.X)), Y(view(p.Y));
  Dense out(1, 7);
  const auto losses = [&](const std::vector<conditional_mean::ValidationSplit>& splits, const Dense& weights) {
    conditional_mean::cross_validation_losses(inputs, X, outputs, Y, view(weights), splits, {}, view(out));
  };
  losses({{{0, 1, 2}, {3, 4}}}, Dense::Ones(20, 1));
  CHECK_THROWS(std::invalid_argument, losses({{{0, 1}, {}}}, Dense::Ones(20, 1)));
  CHECK_THROWS(std::invalid_argument, losses({{{0, 1}, {20}}}, Dense::Ones(20, 1)));
  CHECK_THROWS(std::invalid_argument, losses({{{0, 1}, {2}}}, Dense::Ones(19, 1)));
  CHECK_THROWS(std::invalid_argument, losses({{{0, 1}, {2}}}, Dense::Zero(20, 1)));
}

TEST_MAIN

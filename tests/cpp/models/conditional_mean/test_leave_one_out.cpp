// SPDX-License-Identifier: BSD-3-Clause
// Losses of samples that are left out one at a time: against as many splits, with weights, on landmarks.
#include <cmath>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/models/conditional_mean/landmarks.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using dependency_data::gaussian;
using dependency_data::gram;
using gramian::view;
using Dense = spectral::Matrix;

namespace {

const Kernel output_kernel("laplacian", {0.7});

std::vector<conditional_mean::ValidationSplit> one_each(Index n) {
  std::vector<conditional_mean::ValidationSplit> splits(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    for (Index s = 0; s < n; ++s)
      (i == s ? splits[static_cast<std::size_t>(s)].held_out : splits[static_cast<std::size_t>(s)].training).push_back(i);
  }
  return splits;
}

/// Means over splits, whose parts have the weights of their samples.
Dense mean_of(const Dense& losses, const Dense& weights) {
  Dense out = Dense::Zero(1, losses.cols());
  for (Index s = 0; s < losses.rows(); ++s) out += weights(s, 0) * losses.row(s);
  return out / weights.sum();
}

double largest_ratio(const Dense& A, const Dense& B) { return ((A - B).array() / B.array()).abs().maxCoeff(); }

}  // namespace

TEST(losses_of_gram_matrices_are_those_of_as_many_splits) {
  const Index n = 40;
  const dependency_data::Samples p = dependency_data::samples(n, 21);
  const Dense K = gram(gaussian(), p.X, p.X), L = gram(output_kernel, p.Y, p.Y);
  const conditional_mean::Grid grid;
  Dense each(n, 7), once(1, 7);
  conditional_mean::cross_validation_losses(view(K), view(L), one_each(n), grid, view(each));
  conditional_mean::leave_one_out_losses(view(K), view(L), {}, grid, view(once));
  CHECK(largest_ratio(once, mean_of(each, Dense::Ones(n, 1))) <= 1e-8);
}

TEST(losses_on_landmarks_are_those_of_as_many_splits) {
  const Index n = 60;
  const dependency_data::Samples p = dependency_data::samples(n, 22);
  const Dense Z = p.X.topRows(15), T = p.Y.topRows(15);
  const LandmarkFeatures inputs(gaussian(), Points(view(Z))), outputs(output_kernel, Points(view(T)));
  const Points X(view(p.X)), Y(view(p.Y));
  Dense weights(n, 1);
  for (Index i = 0; i < n; ++i) weights(i, 0) = 0.5 + static_cast<double>(i % 5);
  const conditional_mean::Grid grid;
  for (const bool weighted : {false, true}) {
    const Dense given = weighted ? weights : Dense(Dense::Ones(n, 1));
    const MatrixView<const double> w = weighted ? view(weights) : MatrixView<const double>();
    Dense each(n, 7), once(1, 7);
    conditional_mean::cross_validation_losses(inputs, X, outputs, Y, w, one_each(n), grid, view(each));
    conditional_mean::leave_one_out_losses(inputs, X, outputs, Y, w, grid, view(once));
    CHECK(largest_ratio(once, mean_of(each, given)) <= 1e-8);
  }
}

TEST(all_samples_for_landmarks_are_the_gram_matrices) {
  const Index n = 45;
  const dependency_data::Samples p = dependency_data::samples(n, 23);
  const LandmarkFeatures inputs(gaussian(), Points(view(p.X))), outputs(output_kernel, Points(view(p.Y)));
  const Dense K = gram(gaussian(), p.X, p.X), L = gram(output_kernel, p.Y, p.Y);
  Dense weights(n, 1);
  for (Index i = 0; i < n; ++i) weights(i, 0) = static_cast<double>(i % 3);
  const conditional_mean::Grid grid;
  Dense some(1, 7), all(1, 7);
  conditional_mean::leave_one_out_losses(inputs, Points(view(p.X)), outputs, Points(view(p.Y)), view(weights), grid, view(some));
  conditional_mean::leave_one_out_losses(view(K), view(L), view(weights), grid, view(all));
  CHECK(largest_ratio(some, all) <= 1e-6);
}

TEST(many_samples_are_summed_in_chunks_with_the_same_bits_for_any_threads) {
  const Index n = 3200;
  const dependency_data::Samples p = dependency_data::samples(n, 24);
  const Dense Z = p.X.topRows(8), T = p.Y.topRows(8);
  const LandmarkFeatures inputs(gaussian(), Points(view(Z))), outputs(output_kernel, Points(view(T)));
  const conditional_mean::Grid grid;
  Dense first(1, 7), again(1, 7);
  set_num_threads(1);
  conditional_mean::leave_one_out_losses(inputs, Points(view(p.X)), outputs, Points(view(p.Y)), {}, grid, view(first));
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    conditional_mean::leave_one_out_losses(inputs, Points(view(p.X)), outputs, Points(view(p.Y)), {}, grid, view(again));
    CHECK(first == again);
  }
  set_num_threads(0);
  // Of so many samples one counts for little: the losses are those of two halves, nearly.
  std::vector<conditional_mean::ValidationSplit> halves(2);
  for (Index i = 0; i < n; ++i) {
    for (Index s = 0; s < 2; ++s)
      (i % 2 == s ? halves[static_cast<std::size_t>(s)].held_out : halves[static_cast<std::size_t>(s)].training).push_back(i);
  }
  Dense split(2, 7);
  conditional_mean::cross_validation_losses(inputs, Points(view(p.X)), outputs, Points(view(p.Y)), {}, halves, grid, view(split));
  CHECK(largest_ratio(first, mean_of(split, Dense::Ones(2, 1))) <= 0.02);
}

TEST(what_does_not_fit_is_refused) {
  const dependency_data::Samples p = dependency_data::samples(20, 25);
  const LandmarkFeatures inputs(gaussian(), Points(view(p.X))), outputs(output_kernel, Points(view(p.Y)));
  const Points X(view(p.X)), Y(view(p.Y));
  Dense out(1, 7), wrong(2, 7);
  const auto losses = [&](const Dense& weights, const conditional_mean::Grid& grid, Dense& to) {
    conditional_mean::leave_one_out_losses(inputs, X, outputs, Y, view(weights), grid, view(to));
  };
  Dense single = Dense::Zero(20, 1), negative = Dense::Ones(20, 1);
  single(3, 0) = 1.0;
  negative(3, 0) = -1.0;
  conditional_mean::Grid regularised, empty;
  regularised.regularised = true;
  empty.lambdas.clear();
  losses(Dense::Ones(20, 1), {}, out);
  CHECK_THROWS(std::invalid_argument, losses(single, {}, out));
  CHECK_THROWS(std::invalid_argument, losses(negative, {}, out));
  CHECK_THROWS(std::invalid_argument, losses(Dense::Ones(19, 1), {}, out));
  CHECK_THROWS(std::invalid_argument, losses(Dense::Ones(20, 1), {}, wrong));
  CHECK_THROWS(std::invalid_argument, losses(Dense::Ones(20, 1), regularised, out));
  CHECK_THROWS(std::invalid_argument, losses(Dense::Ones(20, 1), empty, out));
  const Dense K = gram(gaussian(), p.X, p.X), L = gram(output_kernel, p.Y, p.Y);
  const Dense few = L.topLeftCorner(19, 19);
  CHECK_THROWS(std::invalid_argument, conditional_mean::leave_one_out_losses(view(K), view(few), {}, {}, view(out)));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Fits from factors of low rank: exact at full rank, and the same wherever entries come from.
#include <cmath>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using namespace dependency_data;
using gramian::view;
using Dense = spectral::Matrix;

namespace {

/// Scores of candidates with a Gaussian kernel for outputs.
Dense scores(const dependency::Model& model, const Samples& data, const Dense& fresh, const Dense& candidates) {
  const Index n = data.X.rows();
  const Dense X = rows_of(data.X, supports(model.input_supports, n)), Y = rows_of(data.Y, supports(model.output_supports, n));
  Dense out(fresh.rows(), candidates.rows());
  dependency::scores(model, CrossSource(gaussian(), Points(view(fresh)), Points(view(X))),
                     CrossSource(gaussian(), Points(view(candidates)), Points(view(Y))), view(out));
  return out;
}

dependency::Fit fit_points(const Samples& data, const dependency::Options& options) {
  return dependency::fit(GramSource(gaussian(), Points(view(data.X))), GramSource(gaussian(), Points(view(data.Y))), options);
}

}  // namespace

TEST(full_rank_is_exact) {
  for (const Index n : {1, 2, 3, 40}) {
    Samples data = samples(n, 1);
    data.X *= 3.0;  // well apart: all of the rank is there
    const Samples fresh = samples(7, 2);
    for (const Kind kind : kinds) {
      const Dense exact = scores(fit_points(data, with(kind)).model, data, fresh.X, fresh.Y);
      const dependency::Fit fit = fit_points(data, with_ranks(with(kind), n, n));
      CHECK(relative(scores(fit.model, data, fresh.X, fresh.Y), exact) <= 1e-9);
      CHECK(fit.input_residual <= 1e-12 && fit.output_residual <= 1e-12);
    }
  }
}

TEST(singular_gram_matrices_are_exact_at_their_rank) {
  const Samples once = samples(30, 3);
  Samples data = once;
  for (Index i = 0; i < 30; ++i) {
    data.X.row(i) = once.X.row(i / 3);
    data.Y.row(i) = once.Y.row(i / 5);
  }
  data.X *= 3.0;
  const Samples fresh = samples(5, 4);
  for (const Kind kind : kinds) {
    const Dense exact = scores(fit_points(data, with(kind)).model, data, fresh.X, fresh.Y);
    const dependency::Fit fit = fit_points(data, with_ranks(with(kind), 0, 0, 1e-13));
    CHECK_EQ(fit.model.inputs(), 10);
    CHECK_EQ(fit.model.outputs(), 6);
    CHECK(relative(scores(fit.model, data, fresh.X, fresh.Y), exact) <= 1e-9);
  }
}

TEST(ranks_by_number_or_tolerance) {
  const Samples data = samples(200, 5);
  const dependency::Fit some = fit_points(data, with_ranks(with(Kind::covariance), 20, 30));
  CHECK_EQ(some.model.inputs(), 20);
  CHECK_EQ(some.model.outputs(), 30);
  CHECK(some.input_residual > 0.0 && some.output_residual > 0.0);
  const dependency::Fit close = fit_points(data, with_ranks(with(Kind::covariance), 0, 0, 1e-6));
  CHECK(close.input_residual <= 1e-6 && close.output_residual <= 1e-6);
  CHECK(close.model.inputs() < 200);
  // More of the rank, and predictions come closer to the exact ones.
  const Samples fresh = samples(20, 6);
  for (const Kind kind : kinds) {
    const Dense exact = scores(fit_points(data, with(kind)).model, data, fresh.X, fresh.Y);
    const auto error = [&](double tolerance) {
      const dependency::Fit fit = fit_points(data, with_ranks(with(kind), 0, 0, tolerance));
      return relative(scores(fit.model, data, fresh.X, fresh.Y), exact);
    };
    CHECK(error(1e-10) < 1e-3);
    CHECK(error(1e-10) < error(1e-2));
  }
}

TEST(points_and_gram_matrices_give_the_same) {
  const Samples data = samples(60, 7), fresh = samples(5, 8);
  const Dense k = gram(gaussian(), data.X, data.X), L = gram(gaussian(), data.Y, data.Y);
  const Sparse X(data.X), Y(data.Y);
  const dependency::Options options = with_ranks(with(Kind::conditional), 15, 10);
  const dependency::Fit dense = fit_points(data, options), stored = dependency::fit(view(k), view(L), options),
                        sparse = dependency::fit(GramSource(gaussian(), X.points()), GramSource(gaussian(), Y.points()), options);
  const Dense expected = scores(dense.model, data, fresh.X, fresh.Y);
  for (const dependency::Fit* fit : {&stored, &sparse}) {
    CHECK(fit->model.input_supports == dense.model.input_supports);
    CHECK(relative(scores(fit->model, data, fresh.X, fresh.Y), expected) <= 1e-9);
  }
}

TEST(leave_one_out_counts_what_the_factors_dropped) {
  const Samples data = samples(40, 9);
  for (const Kind kind : kinds) {
    dependency::Options options = with(kind);
    options.lambdas = {1e-3, 1e-1, 10.0};
    const dependency::Fit exact = fit_points(data, options), low = fit_points(data, with_ranks(options, 40, 40, 1e-12));
    for (std::size_t i = 0; i < 3; ++i) CHECK_NEAR(low.criteria[i], exact.criteria[i], 1e-6 * exact.criteria[i]);
    CHECK_EQ(low.lambda, exact.lambda);
    // Nothing is learned under a large penalty: what is left is |Phi(y)|^2 = 1, dropped or not.
    options.lambdas = {1e12};
    CHECK_NEAR(fit_points(data, with_ranks(options, 5, 5)).criteria[0], 1.0, 1e-6);
  }
}

TEST(zeros_predict_nothing) {
  const Dense zero = Dense::Zero(6, 6), one = Dense::Identity(6, 6), cross = Dense::Ones(3, 1), diagonal = Dense::Ones(3, 1);
  for (const auto& [k, L] : {std::pair<Dense, Dense>{zero, one}, {one, zero}, {zero, zero}}) {
    dependency::Options options = with_ranks(with(Kind::covariance), 4, 4);
    options.lambdas = {0.5, 0.1};
    const dependency::Fit fit = dependency::fit(view(k), view(L), options);
    CHECK_EQ(fit.lambda, 0.5);
    CHECK_EQ(fit.model.inputs(), 1);
    Dense out(3, 3);
    dependency::scores(fit.model, CrossSource(view(cross)), CrossSource(view(cross), view(diagonal)), view(out));
    CHECK(out == Dense::Ones(3, 3));
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Samples data = samples(3000, 10), fresh = samples(10, 11);
  dependency::Options options = with_ranks(with(Kind::conditional), 40, 50);
  options.lambdas = {1e-4, 1e-2};
  set_num_threads(1);
  const dependency::Fit one = fit_points(data, options);
  const Dense first = scores(one.model, data, fresh.X, fresh.Y);
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    const dependency::Fit other = fit_points(data, options);
    CHECK(one.criteria == other.criteria);
    CHECK(scores(other.model, data, fresh.X, fresh.Y) == first);
  }
  set_num_threads(0);
}

TEST_MAIN

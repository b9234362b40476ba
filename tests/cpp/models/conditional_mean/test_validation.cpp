// SPDX-License-Identifier: BSD-3-Clause
// Losses of held-out samples against the formula with one solve a lambda, and where outputs can be written down.
#include <Eigen/LU>
#include <numeric>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/models/conditional_mean.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using namespace dependency_data;
using gramian::view;
using Dense = spectral::Matrix;

namespace {

const std::vector<double> lambdas = {1e-6, 1e-3, 0.1, 10.0};

/// Gram matrices of a training part, and what they are with a part that is held out.
struct Problem {
  Dense K, L, cross, outputs, diagonal;
};

/// Of all samples; what no loss needs of the held-out part is 0.
Dense whole(const Dense& training, const Dense& cross, const Dense& diagonal) {
  const Index n = training.rows(), J = cross.rows();
  Dense all = Dense::Zero(n + J, n + J);
  all << training, cross.transpose(), cross, Dense(diagonal.col(0).asDiagonal());
  return all;
}

conditional_mean::Grid grid(const std::vector<double>& some, bool regularised) {
  conditional_mean::Grid found;
  found.lambdas = some;
  found.regularised = regularised;
  return found;
}

std::vector<double> losses_of(const Problem& p, const std::vector<double>& some, bool regularised = false) {
  const Index n = p.K.rows(), J = p.cross.rows();
  const Dense K = whole(p.K, p.cross, Dense::Zero(J, 1)), L = whole(p.L, p.outputs, p.diagonal);
  conditional_mean::ValidationSplit split;
  for (Index i = 0; i < n + J; ++i) (i < n ? split.training : split.held_out).push_back(i);
  Dense out(1, static_cast<Index>(some.size()));
  conditional_mean::cross_validation_losses(view(K), view(L), {split}, grid(some, regularised), view(out));
  return {out.data(), out.data() + out.size()};
}

Problem problem(Index n, Index J, const Kernel& output, std::uint64_t seed) {
  const Samples data = samples(n, seed), fresh = samples(J, seed + 1);
  return {gram(gaussian(), data.X, data.X), gram(output, data.Y, data.Y), gram(gaussian(), fresh.X, data.X),
          gram(output, fresh.Y, data.Y), Dense(gram(output, fresh.Y, fresh.Y).diagonal())};
}

/// One sample at a time, and |U|^2 = tr(Uᵀ U) by its matrices.
double naive_loss(const Problem& p, double lambda, bool regularised) {
  const Index n = p.K.rows(), J = p.cross.rows();
  const Dense inverse = (p.K + static_cast<double>(n) * lambda * Dense::Identity(n, n)).partialPivLu().inverse();
  double sum = 0.0;
  for (Index j = 0; j < J; ++j) {
    const spectral::Vector beta = inverse * p.cross.row(j).transpose();
    sum += p.diagonal(j, 0) - 2.0 * p.outputs.row(j).dot(beta) + beta.dot(p.L * beta);
  }
  const double norm = (p.L * inverse * p.K * inverse).trace();
  return sum / static_cast<double>(J) + (regularised ? lambda * norm : 0.0);
}

}  // namespace

// The system's condition number is up to 1 / lambda, for either way.
TEST(losses_are_those_of_the_formula) {
  for (const Kernel& output : {gaussian(), linear()}) {
    const Problem p = problem(40, 15, output, 1);
    for (const bool regularised : {false, true}) {
      const std::vector<double> losses = losses_of(p, lambdas, regularised);
      for (std::size_t i = 0; i < lambdas.size(); ++i) {
        const double expected = naive_loss(p, lambdas[i], regularised);
        CHECK_NEAR(losses[i], expected, 1e-14 * (1.0 + 1.0 / lambdas[i]) * (1.0 + std::abs(expected)));
      }
    }
  }
}

TEST(the_variant_of_song_adds_lambda_times_the_squared_norm) {
  const Problem p = problem(40, 15, gaussian(), 3);
  const std::vector<double> plain = losses_of(p, lambdas), more = losses_of(p, lambdas, true);
  for (std::size_t i = 0; i < lambdas.size(); ++i) CHECK(more[i] > plain[i]);
}

// With a linear output kernel the loss is the mean squared error of a ridge regression.
TEST(with_a_linear_output_kernel_losses_are_squared_errors) {
  const Samples data = samples(50, 5), fresh = samples(20, 6);
  const Problem p = problem(50, 20, linear(), 5);
  const double lambda = 0.01;
  Dense predicted(20, 4);
  const conditional_mean::Model mean(GramSource(view(p.K)), {lambda});
  mean.expectation(CrossSource(view(p.cross)), view(data.Y), view(predicted));
  const double expected = (predicted - fresh.Y).squaredNorm() / 20.0;
  CHECK_NEAR(losses_of(p, {lambda})[0], expected, 1e-11 * expected);
}

TEST(splits_are_of_any_rows) {
  const Samples data = samples(30, 7);
  const Dense K = gram(gaussian(), data.X, data.X), L = gram(gaussian(), data.Y, data.Y);
  std::vector<Index> rows(30);
  std::iota(rows.begin(), rows.end(), Index(0));
  // In any order, of any size, and not the complement of each other.
  const std::vector<conditional_mean::ValidationSplit> splits = {
      {{rows.begin(), rows.begin() + 20}, {rows.begin() + 20, rows.end()}}, {{29, 3, 17, 8, 11}, {0, 1}}, {{5}, {6, 7, 5}}};
  for (const bool regularised : {false, true}) {
    Dense out(3, 4);
    conditional_mean::cross_validation_losses(view(K), view(L), splits, grid(lambdas, regularised), view(out));
    for (Index s = 0; s < 3; ++s) {
      const conditional_mean::ValidationSplit& split = splits[static_cast<std::size_t>(s)];
      const Dense X = rows_of(data.X, split.training), Y = rows_of(data.Y, split.training),
                  fresh = rows_of(data.X, split.held_out), later = rows_of(data.Y, split.held_out);
      const Problem p = {gram(gaussian(), X, X), gram(gaussian(), Y, Y), gram(gaussian(), fresh, X), gram(gaussian(), later, Y),
                         Dense::Ones(later.rows(), 1)};
      for (Index i = 0; i < 4; ++i) {
        const double lambda = lambdas[static_cast<std::size_t>(i)];
        CHECK_NEAR(out(s, i), naive_loss(p, lambda, regularised), 1e-13 * (1.0 + 1.0 / lambda));
      }
    }
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Problem p = problem(300, 100, gaussian(), 9);
  std::vector<double> first;
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    const std::vector<double> losses = losses_of(p, lambdas, true);
    if (threads == 1) first = losses;
    CHECK(losses == first);
  }
  set_num_threads(0);
}

TEST(bad_input_is_refused) {
  const Problem p = problem(8, 3, gaussian(), 11);
  CHECK_THROWS(std::invalid_argument, losses_of(p, {}));
  for (const double bad : {0.0, -1.0}) CHECK_THROWS(std::invalid_argument, losses_of(p, {0.1, bad}));
  Problem bad = p;
  bad.K(1, 0) += 0.5;
  CHECK_THROWS(std::invalid_argument, losses_of(bad, lambdas));
  bad = p;
  bad.K = -bad.K;
  CHECK_THROWS(std::invalid_argument, losses_of(bad, lambdas));
  bad = p;
  bad.diagonal(0, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, losses_of(bad, lambdas));
  Dense out(1, 4);
  for (const conditional_mean::ValidationSplit& split :
       {conditional_mean::ValidationSplit{{}, {1}}, conditional_mean::ValidationSplit{{1}, {}},
        conditional_mean::ValidationSplit{{8}, {1}}, conditional_mean::ValidationSplit{{1}, {-1}}}) {
    CHECK_THROWS(std::invalid_argument,
                 conditional_mean::cross_validation_losses(view(p.K), view(p.L), {split}, grid(lambdas, false), view(out)));
  }
  CHECK_THROWS(std::invalid_argument,
               conditional_mean::cross_validation_losses(view(p.K), view(p.L), {}, grid(lambdas, false), view(out)));
}

TEST_MAIN

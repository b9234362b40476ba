// SPDX-License-Identifier: BSD-3-Clause
// Fits: what they are given, which lambda they take, components; and that all of it says what [KDE] says.
#include "gramian/models/dependency.hpp"

#include <Eigen/Eigenvalues>
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

Dense coefficients(const dependency::Fit& fit) { return as_eigen(fit.model.coefficients.view()); }

dependency::Fit fit_points(const Samples& data, const dependency::Options& options) {
  return dependency::fit(GramSource(gaussian(), Points(view(data.X))), GramSource(linear(), Points(view(data.Y))), options);
}

/// Rows of both, one below the other.
Dense stacked(const Dense& A, const Dense& B) {
  Dense out(A.rows() + B.rows(), A.cols());
  out << A, B;
  return out;
}

double mean_square(const Dense& A) { return A.squaredNorm() / static_cast<double>(A.rows()); }

}  // namespace

TEST(coefficients_are_those_of_proposition_1) {
  for (const Index n : {1, 2, 12}) {
    const Samples data = samples(n, 1);
    const Dense k = gram(gaussian(), data.X, data.X), L = gram(linear(), data.Y, data.Y);
    const Sparse X(data.X), Y(data.Y);
    for (const Kind kind : kinds) {
      const dependency::Options options = with(kind);
      const Dense expected = brute_force(k, L, operator_of(kind), options.lambda);
      CHECK(relative(coefficients(fit_points(data, options)), expected) <= 1e-10);
      CHECK(relative(coefficients(dependency::fit(view(k), view(L), options)), expected) <= 1e-10);
      CHECK(relative(coefficients(dependency::fit(GramSource(gaussian(), X.points()), GramSource(linear(), Y.points()), options)),
                     expected) <= 1e-10);
      CHECK(relative(coefficients(dependency::fit(GramSource(gaussian(), X.points()), view(L), options)), expected) <= 1e-10);
    }
  }
}

TEST(the_lambda_with_the_smallest_leave_one_out_error_is_taken) {
  const Samples data = samples(30, 2);
  const Dense k = gram(gaussian(), data.X, data.X), L = gram(linear(), data.Y, data.Y);
  for (const Kind kind : kinds) {
    dependency::Options options = with(kind);
    options.lambdas = {1e3, 1e-6, 1e-4, 1e-2, 1.0};
    const dependency::Fit fit = dependency::fit(view(k), view(L), options);
    const SeparableRidge ridge(view(k), view(L), operator_of(kind));
    std::size_t best = 0;
    for (std::size_t i = 0; i < options.lambdas.size(); ++i) {
      Dense errors(30, 1);
      ridge.leave_one_out(options.lambdas[i], view(errors));
      CHECK_NEAR(fit.criteria[i], errors.mean(), 1e-12 * errors.mean());
      if (fit.criteria[i] < fit.criteria[best]) best = i;
    }
    CHECK_EQ(fit.lambda, options.lambdas[best]);
    CHECK(best != 0);
    CHECK(relative(coefficients(fit), coefficients(fit_points(data, with(kind, fit.lambda)))) <= 1e-8);
  }
}

TEST(errors_over_held_out_samples_are_those_of_new_predictions) {
  const Samples data = samples(30, 3), fresh = samples(11, 4);
  const Samples all{stacked(data.X, fresh.X), stacked(data.Y, fresh.Y)};
  const Dense k = gram(gaussian(), all.X, all.X), L = gram(linear(), all.Y, all.Y);
  for (const Kind kind : kinds) {
    for (const char* variant : {"exact", "ranks", "components", "centred components"}) {
      dependency::Options options = with(kind);
      if (variant == std::string("ranks")) options = with_ranks(options, 12, 3);
      options.centred = variant == std::string("centred components");
      options.components = options.centred || variant == std::string("components") ? 2 : 0;
      const auto single = [&](double lambda) {
        dependency::Options one = options;
        one.lambda = lambda;
        return one;
      };
      dependency::Options several = options;
      several.lambdas = {1e-5, 1e-2, 10.0};
      for (Index i = 30; i < 41; ++i) several.held_out.push_back(i);
      const dependency::Fit by_points = fit_points(all, several), stored = dependency::fit(view(k), view(L), several);
      for (const dependency::Fit* fit : {&by_points, &stored}) {
        std::size_t best = 0;
        for (std::size_t i = 0; i < several.lambdas.size(); ++i) {
          const dependency::Fit learned = fit_points(data, single(several.lambdas[i]));
          const double expected = mean_square(fresh.Y - predictions(learned.model, data, fresh.X));
          // With ranks Phi(y) meets predictions through its own projection on the span of the pivots, which are in that span.
          CHECK_NEAR(fit->criteria[i], expected, 1e-8 * (1.0 + expected));
          if (fit->criteria[i] < fit->criteria[best]) best = i;
        }
        // The model has seen all samples.
        CHECK_EQ(fit->lambda, several.lambdas[best]);
        const dependency::Fit expected =
            fit == &stored ? dependency::fit(view(k), view(L), single(fit->lambda)) : fit_points(all, single(fit->lambda));
        CHECK(coefficients(*fit) == coefficients(expected));
      }
    }
  }
}

TEST(more_ranks_or_components_than_samples_that_are_left) {
  const Samples data = samples(12, 13);
  dependency::Options options = with(Kind::covariance);
  options.lambdas = {1e-2, 1.0};
  options.held_out = {3, 0, 7, 9};
  CHECK(std::isfinite(fit_points(data, with_ranks(options, 12, 12)).criteria[0]));
  options.components = 12;
  CHECK(std::isfinite(fit_points(data, options).criteria[0]));
}

// Weston et al. 2003, on explicit outputs: ridge regression of principal coordinates, compared among these.
TEST(components_are_principal_components) {
  const Samples data = samples(25, 5), fresh = samples(6, 6), others = samples(9, 7);
  const Dense k = gram(gaussian(), data.X, data.X), k_x = gram(gaussian(), fresh.X, data.X);
  for (const bool centred : {false, true}) {
    for (const Index count : {1, 2, 4}) {
      dependency::Options options = with(Kind::identity, 0.1);
      options.components = count;
      options.centred = centred;
      const dependency::Fit fit = fit_points(data, options);
      const Eigen::RowVectorXd mean = centred ? Eigen::RowVectorXd(data.Y.colwise().mean()) : Eigen::RowVectorXd::Zero(4);
      const Dense Y = data.Y.rowwise() - mean;
      const Eigen::SelfAdjointEigenSolver<Dense> eigen(Y.transpose() * Y);
      const Dense P = eigen.eigenvectors().rightCols(count);
      const Dense g = k_x * (k + 25 * 0.1 * Dense::Identity(25, 25)).partialPivLu().solve(Y * P);
      const Dense expected = (g * P.transpose()).rowwise() + mean;
      CHECK(relative(predictions(fit.model, data, fresh.X), expected) <= 1e-9);
      // Differences of scores between candidates are differences of squared distances.
      Dense scores(6, 9), distances(6, 9);
      dependency::scores(fit.model, CrossSource(view(k_x)), CrossSource(linear(), Points(view(others.Y)), Points(view(data.Y))),
                         view(scores));
      const Dense projected = (others.Y.rowwise() - mean) * P;
      for (Index i = 0; i < 6; ++i) {
        for (Index j = 0; j < 9; ++j) distances(i, j) = (g.row(i) - projected.row(j)).squaredNorm();
      }
      scores.colwise() -= scores.col(0).eval();
      distances.colwise() -= distances.col(0).eval();
      CHECK(relative(scores, distances) <= 1e-9);
    }
  }
}

TEST(as_many_components_as_there_are_change_nothing) {
  const Samples data = samples(20, 8), fresh = samples(5, 9);
  for (const Kind kind : kinds) {
    dependency::Options options = with(kind);
    const Dense expected = predictions(fit_points(data, options).model, data, fresh.X);
    options.components = 20;  // the rank is 4
    const dependency::Fit fit = fit_points(data, options);
    CHECK_EQ(fit.model.components.cols(), 4);
    CHECK(relative(predictions(fit.model, data, fresh.X), expected) <= 1e-8);
    options.lambdas = {1e-3, 1e-1};
    CHECK(std::isfinite(fit_points(data, options).criteria[1]));
  }
  Samples constant = data;
  constant.Y.setOnes();
  dependency::Options options = with(Kind::identity);
  options.components = 2;
  options.centred = true;
  CHECK(relative(predictions(fit_points(constant, options).model, constant, fresh.X), Dense::Ones(5, 4)) <= 1e-12);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Samples data = samples(250, 10);
  for (const Kind kind : kinds) {
    dependency::Options options = with(kind);
    options.lambdas = {1e-4, 1e-2};
    set_num_threads(1);
    const dependency::Fit one = fit_points(data, options);
    for (const int threads : {2, 7}) {
      set_num_threads(threads);
      const dependency::Fit other = fit_points(data, options);
      CHECK(coefficients(one) == coefficients(other));
      CHECK(one.criteria == other.criteria);
    }
    set_num_threads(0);
  }
}

TEST(bad_input_is_refused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Samples data = samples(8, 11);
  const Dense k = gram(gaussian(), data.X, data.X), L = gram(linear(), data.Y, data.Y), other = Dense::Identity(7, 7);
  const auto refused = [&](const dependency::Options& options) {
    CHECK_THROWS(std::invalid_argument, dependency::fit(view(k), view(L), options));
  };
  for (const double bad : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
    refused(with(Kind::covariance, bad));
    dependency::Options options = with(Kind::conditional);
    options.lambdas = {1.0, bad};
    refused(options);
    options = with(Kind::conditional);
    options.output_operator = ConditionalOperator{bad};
    refused(options);
    refused(with_ranks(options, 3, 3));
  }
  dependency::Options options;
  options.components = 9;
  refused(options);
  options.components = 2;
  refused(with_ranks(options, 3, 3));
  options.components = 0;
  options.centred = true;
  refused(options);
  CHECK_THROWS(std::invalid_argument, dependency::fit(view(k), view(other)));
  const Dense none(0, 0);
  CHECK_THROWS(std::invalid_argument, dependency::fit(view(none), view(none)));
  Dense broken = k;
  broken(2, 5) = nan;
  CHECK_THROWS(std::invalid_argument, dependency::fit(view(broken), view(L)));
  CHECK_THROWS(std::invalid_argument, dependency::fit(view(k), view(broken)));
  broken(2, 5) = k(2, 5) + 0.1;
  CHECK_THROWS(std::invalid_argument, dependency::fit(view(broken), view(L)));
  options = dependency::Options();
  options.held_out = {1, 2};
  refused(options);  // there is nothing to choose from
  options.lambdas = {1.0};
  for (const std::vector<Index>& held_out : {std::vector<Index>{8}, {-1}, {2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}}) {
    options.held_out = held_out;
    refused(options);
  }
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/ovk/low_rank_sums.hpp"

#include <limits>
#include <utility>

#include "gramian/ovk/low_rank_ridge.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/dependency_problem.hpp"

using namespace gramian;
using namespace dependency_data;
using gramian::view;

namespace {

using Dense = spectral::Matrix;

gramian::Matrix copied(const Dense& A) { return gramian::Matrix::copy_of(view(A)); }

LowRankSums sums_of(const Dense& Uc, const Dense& Vc, const Dense& weights) {
  const auto W = weights.col(0).asDiagonal();
  const Dense inputs = Uc.transpose() * W * Uc, between = Vc.transpose() * W * Uc, outputs = Vc.transpose() * W * Vc;
  return {copied(inputs), copied(between), copied(outputs), weights.sum()};
}

Dense from_sums(const LowRankSums& sums, const DependencyOperator& kind, double lambda) {
  return support::dense(low_rank_coefficients(sums, kind, lambda));
}

}  // namespace

TEST(sums_over_rows_give_the_coefficients_of_the_factors) {
  for (const Index n : {1, 2, 9, 60}) {
    for (const auto& [p, q] : {std::pair<Index, Index>{1, 1}, {3, 5}, {12, 2}}) {
      const Dense Uc = normal(n, p, 1), Vc = normal(n, q, 2), ones = Dense::Ones(n, 1);
      for (const Kind kind : kinds) {
        const DependencyOperator options = operator_of(kind, 0.1);
        Dense expected(q, p);
        LowRankRidge(view(Uc), view(Vc), options).coefficients(0.05, view(expected));
        CHECK(relative(from_sums(sums_of(Uc, Vc, ones), options, 0.05), expected) <= 1e-10);
      }
    }
  }
}

// A weight of 2 is a row that is there twice.
TEST(weights_say_how_often_rows_are_there) {
  const Dense Uc = normal(20, 4, 3), Vc = normal(20, 3, 4);
  Dense weights = Dense::Ones(20, 1), U(25, 4), V(25, 3);
  weights.topRows(5).setConstant(2.0);
  U << Uc, Uc.topRows(5);
  V << Vc, Vc.topRows(5);
  for (const Kind kind : kinds) {
    Dense expected(3, 4);
    LowRankRidge(view(U), view(V), operator_of(kind)).coefficients(0.02, view(expected));
    CHECK(relative(from_sums(sums_of(Uc, Vc, weights), operator_of(kind), 0.02), expected) <= 1e-10);
  }
}

TEST(an_operator_that_all_but_vanishes_is_no_reason_to_refuse) {
  const Dense U = normal(40, 10, 6), ones = Dense::Ones(40, 1);
  for (const double epsilon : {1e-16, 1e-12, 1e-6}) {
    CHECK(from_sums(sums_of(U, U, ones), operator_of(Kind::conditional, epsilon), 1e-3).allFinite());
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const LowRankSums sums = sums_of(normal(600, 150, 7), normal(600, 130, 8), Dense::Ones(600, 1));
  for (const Kind kind : kinds) {
    CHECK(check::same_for_any_threads([&] { return from_sums(sums, operator_of(kind), 1e-3); }));
  }
}

TEST(bad_sums_are_refused) {
  const Dense U = normal(9, 2, 9), V = normal(9, 3, 10), ones = Dense::Ones(9, 1);
  const DependencyOperator kind;
  const auto refused = [&](const auto& spoil) {
    LowRankSums sums = sums_of(U, V, ones);
    spoil(sums);
    CHECK_THROWS(std::invalid_argument, low_rank_coefficients(sums, kind, 0.1));
  };
  refused([](LowRankSums& sums) { sums.weight = 0.0; });
  refused([](LowRankSums& sums) { sums.between = gramian::Matrix::filled(2, 2, 1.0); });
  refused([](LowRankSums& sums) { sums.inputs = gramian::Matrix::filled(2, 3, 1.0); });
  refused([](LowRankSums& sums) { sums.inputs(0, 0) = -1e3; });
  refused([](LowRankSums& sums) { sums.outputs(1, 1) = -1e3; });
  refused([](LowRankSums& sums) { sums.between(0, 0) = std::numeric_limits<double>::quiet_NaN(); });
  const LowRankSums sums = sums_of(U, V, ones);
  CHECK_THROWS(std::invalid_argument, low_rank_coefficients(sums, kind, 0.0));
  CHECK_THROWS(std::invalid_argument, low_rank_coefficients(sums, operator_of(Kind::conditional, 0.0), 0.1));
}

TEST_MAIN

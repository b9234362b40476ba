// SPDX-License-Identifier: BSD-3-Clause
// Sums over predictions, against their formulas.
#include "models/embedding/objective_risk.hpp"

#include <cmath>

#include "support/check.hpp"
#include "support/embedding_data.hpp"

using namespace gramian;
using namespace embedding_data;

namespace {

/// Of three classes; the last one has a probability above 1, and one below 0.
Dense predictions() {
  Dense P(4, 3);
  P << 0.7, 0.2, 0.1,  //
      0.2, 0.5, 0.3,   //
      0.1, 0.8, 0.1,   //
      -0.1, -0.2, 1.3;
  return P;
}

constexpr Index labels[] = {0, 0, 1, 2};

}  // namespace

TEST(sums_are_those_of_the_formulas) {
  const Dense P = predictions();
  embedding::RiskSum sum(1e-3, 3);
  double slopes[4];
  const double weights[] = {1.0, 2.0, 1.0, 0.5};
  for (Index i = 0; i < 4; ++i) slopes[i] = sum.add(view(P), i, labels[i], weights[i]);
  CHECK_NEAR(sum.risk(), -std::log(0.7) - 2.0 * std::log(0.2) - std::log(0.8), 1e-15);
  CHECK_NEAR(sum.accuracy(), 2.5 / 4.5, 1e-15);
  double miss = 0.0;
  for (Index i = 0; i < 4; ++i) {
    for (Index c = 0; c < 3; ++c) miss += weights[i] * std::pow(P(i, c) - (c == labels[i] ? 1.0 : 0.0), 2);
  }
  CHECK_NEAR(sum.miss(), miss / 4.5, 1e-15);
  CHECK_EQ(sum.predicted(), 3);
  CHECK_NEAR(slopes[0], -1.0 / 0.7, 1e-15);
  CHECK_NEAR(slopes[1], -1.0 / 0.2, 1e-15);
  CHECK_EQ(slopes[3], 0.0);  // beyond 1, where the loss is clipped
}

TEST(a_sum_without_a_risk_counts_all_the_same) {
  const Dense P = predictions();
  embedding::RiskSum sum(3);
  for (Index i = 0; i < 3; ++i) CHECK_EQ(sum.add(view(P), i, labels[i], 1.0), 0.0);
  CHECK_EQ(sum.risk(), 0.0);
  CHECK_EQ(sum.predicted(), 2);
}

TEST(the_risk_of_a_batch_is_that_of_its_last_samples) {
  const Sample sample(6, 3, 2, 0.1, 1);
  embedding::Batch batch;
  batch.rows = {0, 1, 2, 3, 4, 5};
  batch.training = 2;
  batch.risk_factor = 0.25;
  batch.take(sample.view());
  embedding::Criterion criterion;
  const embedding::Point at{batch, criterion, 3, 0.1, 1.0};
  embedding::Outcome out;
  std::vector<double> slopes;
  const Dense P = predictions();
  embedding::take_risk(at, view(P), out, slopes);
  // Samples 2 .. 5 are of the classes 2, 0, 1, 2.
  CHECK_NEAR(out.terms.risk, 0.25 * (-std::log(0.1) - std::log(0.2) - std::log(0.8)), 1e-15);
  CHECK_NEAR(slopes[0], -0.25 / 0.1, 1e-14);
  CHECK_EQ(out.terms.accuracy, 0.5);
  CHECK_EQ(out.predicted, 3);
}

TEST_MAIN

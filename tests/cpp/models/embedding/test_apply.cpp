// SPDX-License-Identifier: BSD-3-Clause
// Margins and entropies.
#include <cmath>
#include <limits>
#include <stdexcept>

#include "gramian/models/embedding/classifier.hpp"
#include "support/check.hpp"
#include "support/embedding_data.hpp"

using namespace gramian;
using namespace embedding_data;

namespace {

Dense entropies(const Dense& f, embedding::EntropyMethod method) {
  Dense out(f.rows(), 1);
  embedding::entropy(view(f), method, view(out));
  return out;
}

}  // namespace

TEST(margins_are_differences_of_probabilities) {
  Dense f(5, 2), out(5, 1);
  f << 0.2, 0.3, -0.5, 0.25, 0.9, -0.1, -2.0, -1.0, -1.0, -2.0;
  embedding::margin(view(f), view(out));
  const double smallest = std::numeric_limits<double>::min();
  const double wanted[] = {0.2, 1.0, -1.0, smallest, 0.0};  // of 1 : 1 the second one, where it is the larger estimate
  for (int i = 0; i < 5; ++i) CHECK_NEAR(out(i), wanted[i], 1e-16);
  CHECK_EQ(out(3), smallest);
  Dense three(5, 3);
  CHECK_THROWS(std::invalid_argument, embedding::margin(view(three), view(out)));
  CHECK_THROWS(std::invalid_argument, embedding::margin(view(f), view(three)));
}

TEST(entropies_are_their_formulas) {
  Dense f(4, 3);
  f << 0.2, 0.3, 0.5, -0.5, 0.5, 1.5, 0.0, 1.0, 0.0, -1.0, 0.0, -2.0;
  const Dense clip = entropies(f, embedding::EntropyMethod::clip), expected = entropies(f, embedding::EntropyMethod::expected);
  const double first = -0.2 * std::log(0.2) - 0.3 * std::log(0.3) - 0.5 * std::log(0.5);
  CHECK_NEAR(clip(0), first, 1e-15);
  CHECK_NEAR(expected(0), first, 1e-15);
  CHECK_NEAR(clip(1), -0.25 * std::log(0.25) - 0.75 * std::log(0.75), 1e-15);
  CHECK_NEAR(expected(1), -0.5 * std::log(0.5) - 1.5 * std::log(1.5), 1e-15);  // (36), (37): not of probabilities
  CHECK_EQ(clip(2), 0.0);
  CHECK_EQ(expected(2), 0.0);
  CHECK_NEAR(clip(3), std::log(3.0), 1e-15);
  CHECK_EQ(expected(3), 0.0);
}

TEST(arguments_that_do_not_fit) {
  const Sample sample(20, 2, 2, 0.5, 1);
  embedding::Options options;
  options.learning = embedding::AsGiven();
  const embedding::Fit fit = embedding::fit(sample.view(), nullptr, nullptr, options);
  Dense out(20, 2);
  CHECK_THROWS(std::invalid_argument, embedding::entropy(view(out), embedding::EntropyMethod::clip, view(out)));
  CHECK_THROWS(std::invalid_argument, embedding::risk_bound(fit.model, 20, 0.0));
  CHECK_THROWS(std::invalid_argument, embedding::risk_bound(fit.model, 20, 1.0));
  CHECK_THROWS(std::invalid_argument, embedding::risk_bound(fit.model, 0, 0.1));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// What holds for every loss of the list, found by its name.
#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include "gramian/base/parallel.hpp"
#include "gramian/losses/loss.hpp"
#include "support/check.hpp"
#include "support/finite_difference.hpp"
#include "support/naive.hpp"

using gramian::all_losses;
using gramian::Index;
using gramian::Loss;
using gramian::LossEntry;
using naive::Matrix;

namespace {

std::unique_ptr<Loss> of(const LossEntry& entry) {
  std::vector<double> parameters;
  for (const auto& parameter : entry.parameters) parameters.push_back(parameter.sample);
  return gramian::make_loss(entry.name, parameters);
}

/// Rows of unit vectors, which are targets for losses of residuals and of probabilities alike.
Matrix<double> targets(Index n) {
  Matrix<double> out(n, 3);
  for (Index i = 0; i < n; ++i) out(i, i % 3) = 1.0;
  return out;
}

/// Numbers in (0.1, 0.9): probabilities, and residuals on both sides of most kinks.
Matrix<double> outputs(Index n, std::uint64_t seed) {
  Matrix<double> out = naive::normal<double>(n, 3, seed);
  for (double& number : out.numbers) number = 0.5 + 0.4 * std::tanh(number);
  return out;
}

}  // namespace

TEST(gradients_are_those_of_differences) {
  const auto target = targets(9), output = outputs(9, 1), along = naive::normal<double>(9, 3, 2);
  for (const LossEntry& entry : all_losses()) {
    const auto loss = of(entry);
    Matrix<double> bar(9, 3), moved(9, 3);
    CHECK_EQ(loss->evaluate(target.view, output.view, bar.view), loss->evaluate(target.view, output.view, {}));
    const auto at = [&](double t) {
      for (std::size_t i = 0; i < moved.numbers.size(); ++i) moved.numbers[i] = output.numbers[i] + t * along.numbers[i];
      return loss->evaluate(target.view, moved.view, {});
    };
    // Fourth order: h^4 of truncation, rounding of about 1e-15 over h.
    const double h = 1e-3, slope = (8.0 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12.0 * h);
    const double computed = static_cast<double>(difference::dot(along.numbers, bar.numbers));
    CHECK_NEAR(computed, slope, 1e-8 * (1.0 + std::fabs(slope)));
    CHECK(std::fabs(computed * 1.001 - slope) > 1e-8 * (1.0 + std::fabs(slope)));
  }
}

TEST(losses_are_sums_over_samples_with_the_same_bits_for_any_number_of_threads) {
  const auto target = targets(3000), output = outputs(3000, 3);
  for (const LossEntry& entry : all_losses()) {
    const auto loss = of(entry);
    std::vector<double> values;
    for (const int threads : {1, 2, 7}) {
      gramian::set_num_threads(threads);
      values.push_back(loss->evaluate(target.view, output.view, {}));
    }
    gramian::set_num_threads(0);
    CHECK(values[0] == values[1] && values[0] == values[2]);
    double sum = 0.0;
    for (Index i = 0; i < 3000; ++i) {
      const gramian::MatrixView<const double> t(&target.view(i, 0), 1, 3), o(&output.view(i, 0), 1, 3);
      sum += loss->evaluate(t, o, {});
    }
    CHECK_NEAR(values[0], sum, 1e-12 * (1.0 + std::fabs(sum)));
  }
}

TEST(shapes_and_nan) {
  Matrix<double> target = targets(4), output = outputs(4, 5), few(3, 3);
  output(2, 1) = std::nan("");
  for (const LossEntry& entry : all_losses()) {
    const auto loss = of(entry);
    CHECK(std::isnan(loss->evaluate(target.view, output.view, {})));
    CHECK_THROWS(std::invalid_argument, loss->evaluate(few.view, output.view, {}));
    CHECK_THROWS(std::invalid_argument, loss->evaluate(target.view, output.view, few.view));
  }
}

TEST(names_and_parameters) {
  std::set<std::string> names;
  for (const LossEntry& entry : all_losses()) {
    CHECK(names.insert(entry.name).second);
    const std::vector<double> too_many(entry.parameters.size() + 1, 0.5);
    CHECK_THROWS(std::invalid_argument, gramian::make_loss(entry.name, too_many));
    const bool needed = std::any_of(entry.parameters.begin(), entry.parameters.end(), [](const auto& p) { return !p.otherwise; });
    if (needed) CHECK_THROWS(std::invalid_argument, gramian::make_loss(entry.name));
  }
  CHECK_THROWS(std::invalid_argument, gramian::make_loss("none of them"));
  CHECK(gramian::make_loss("clipped_cross_entropy", {1e-3}) != nullptr);
}

TEST_MAIN

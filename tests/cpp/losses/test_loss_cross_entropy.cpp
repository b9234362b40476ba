// SPDX-License-Identifier: BSD-3-Clause
// The clipped cross entropy.
#include "gramian/losses/loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/finite_difference.hpp"
#include "support/naive.hpp"

using gramian::clipped_cross_entropy_loss;
using gramian::Index;
using naive::Matrix;
using Real = difference::Real;

namespace {

/// Probabilities from below 0 to above 1, and each row's class.
struct Case {
  explicit Case(Index rows, Index classes) : target(rows, classes), output(naive::normal<double>(rows, classes, 71, 0.5)) {
    for (Index i = 0; i < rows; ++i) target(i, (3 * i) % classes) = 1.0;
  }
  Real exactly(double epsilon, const std::vector<double>& along, Real t) const {
    Real sum = 0;
    for (Index i = 0; i < output.view.rows(); ++i) {
      Real p = 0;
      for (Index j = 0; j < output.view.cols(); ++j) {
        const Real moved = along.empty() ? 0 : t * along[static_cast<std::size_t>(i * output.view.cols() + j)];
        p += target.view(i, j) * (output.view(i, j) + moved);
      }
      sum -= std::log(std::min<Real>(1, std::max<Real>(epsilon, p)));
    }
    return sum;
  }
  Matrix<double> target, output;
};

}  // namespace

TEST(values_are_those_of_the_formula) {
  for (const double epsilon : {1e-15, 0.3}) {
    for (const Index rows : {1, 2, 256, 257, 2000}) {
      const Case one(rows, 3);
      const double value = clipped_cross_entropy_loss(epsilon)->evaluate(one.target.view, one.output.view, {});
      const Real wanted = one.exactly(epsilon, {}, 0);
      CHECK_NEAR(value, wanted, 1e-15 * static_cast<double>(rows) * (35 + wanted));
    }
  }
}

TEST(gradients_are_those_of_differences) {
  Case one(12, 3);
  for (double& p : one.output.numbers) p = std::fabs(std::fabs(p) - 0.3) < 0.05 ? 0.6 : p;  // away from the clip
  for (const double epsilon : {1e-15, 0.3}) {
    Matrix<double> bar(12, 3);
    clipped_cross_entropy_loss(epsilon)->evaluate(one.target.view, one.output.view, bar.view);
    for (std::uint64_t seed = 3; seed < 8; ++seed) {
      const auto along = naive::normal<double>(12, 3, seed);
      const auto slope = difference::slope([&](Real t) { return one.exactly(epsilon, along.numbers, t); }, 1e-4L, 100);
      Real largest = 1;
      for (const double b : bar.numbers) largest = std::max<Real>(largest, std::fabs(b));
      const Real computed = difference::dot(along.numbers, bar.numbers);
      CHECK(difference::agrees(computed, slope, 1e-14L * largest, largest));
      CHECK(!difference::agrees(computed + 1e-2L * largest, slope, 1e-14L * largest, largest));
    }
  }
}

TEST(beyond_the_clips_it_is_constant) {
  Matrix<double> target(4, 2), output(4, 2), bar(4, 2);
  for (Index i = 0; i < 4; ++i) target(i, 1) = 1.0;
  output(0, 1) = -3.0, output(1, 1) = 0.1, output(2, 1) = 1.5, output(3, 1) = 1.0;
  std::fill(bar.numbers.begin(), bar.numbers.end(), 7.0);
  const auto loss = clipped_cross_entropy_loss(0.2);
  CHECK_NEAR(loss->evaluate(target.view, output.view, bar.view), -2.0 * std::log(0.2), 1e-15);
  const std::vector<double> wanted = {0, 0, 0, 0, 0, 0, 0, -1};
  CHECK(bar.numbers == wanted);
  output(1, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(loss->evaluate(target.view, output.view, {})));
  CHECK(!loss->squared());
}

TEST(a_shift_is_added_to_targets_and_outputs) {
  Case one(50, 3);
  const double shift = 0.125;
  Matrix<double> target(50, 3), output(50, 3), bar(50, 3), wanted(50, 3);
  for (std::size_t e = 0; e < target.numbers.size(); ++e) {
    target.numbers[e] = one.target.numbers[e] - shift;
    output.numbers[e] = one.output.numbers[e] - shift;
  }
  const double value = clipped_cross_entropy_loss(1e-3)->evaluate(one.target.view, one.output.view, wanted.view);
  CHECK_NEAR(clipped_cross_entropy_loss(1e-3, shift)->evaluate(target.view, output.view, bar.view), value, 1e-10 * (1.0 + value));
  for (std::size_t e = 0; e < bar.numbers.size(); ++e)
    CHECK_NEAR(bar.numbers[e], wanted.numbers[e], 1e-9 * (1.0 + std::fabs(wanted.numbers[e])));
  CHECK_THROWS(std::invalid_argument, clipped_cross_entropy_loss(0.1, std::nan("")));
}

TEST(threads_change_no_bit_and_what_is_wrong_is_refused) {
  const Case one(30000, 4);
  const auto loss = clipped_cross_entropy_loss(1e-3);
  gramian::set_num_threads(1);
  const double value = loss->evaluate(one.target.view, one.output.view, {});
  for (const int threads : {2, 7}) {
    gramian::set_num_threads(threads);
    CHECK_EQ(loss->evaluate(one.target.view, one.output.view, {}), value);
  }
  gramian::set_num_threads(0);
  for (const double epsilon : {0.0, 1.0, -1.0, std::nan("")})
    CHECK_THROWS(std::invalid_argument, clipped_cross_entropy_loss(epsilon));
  Matrix<double> narrow(30000, 3);
  CHECK_THROWS(std::invalid_argument, loss->evaluate(narrow.view, one.output.view, {}));
}

TEST_MAIN

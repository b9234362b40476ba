// SPDX-License-Identifier: BSD-3-Clause
// The logistic loss against its formula in long double, and far out where e^f overflows.
#include <cmath>
#include <limits>
#include <stdexcept>

#include "gramian/base/parallel.hpp"
#include "gramian/losses/loss.hpp"
#include "support/check.hpp"
#include "support/finite_difference.hpp"
#include "support/naive.hpp"

using namespace gramian;
using naive::Matrix;
using Real = difference::Real;

namespace {

/// Targets whose rows sum to 1: unit vectors, and mixtures of classes.
Matrix<double> targets(Index rows, Index cols) {
  Matrix<double> out(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    out(i, i % cols) = cols == 1 ? static_cast<double>(i % 2) : 1.0;
    if (cols > 1 && i % 3 == 0) out(i, i % cols) = 0.25, out(i, (i + 1) % cols) = 0.75;
    if (cols == 1 && i % 3 == 0) out(i, 0) = 0.3;
  }
  return out;
}

Real exactly(MatrixView<double> target, MatrixView<double> output, MatrixView<double> along, Real t) {
  Real total = 0;
  for (Index i = 0; i < output.rows(); ++i) {
    Real sum = output.cols() == 1 ? 1 : 0, inner = 0;
    for (Index j = 0; j < output.cols(); ++j) {
      const Real f = static_cast<Real>(output(i, j)) + t * static_cast<Real>(along(i, j));
      sum += std::exp(f);
      inner += static_cast<Real>(target(i, j)) * f;
    }
    total += std::log(sum) - inner;
  }
  return total;
}

}  // namespace

TEST(values_are_those_of_the_formula) {
  for (const Index cols : {1, 2, 5}) {
    for (const Index rows : {1, 2, 255, 256, 257, 2000}) {
      const auto t = targets(rows, cols);
      const auto f = naive::normal<double>(rows, cols, 2);
      const Real expected = exactly(t.view, f.view, f.view, 0);
      CHECK_NEAR(logistic_loss()->evaluate(t.view, f.view, {}), expected, 1e-15 * static_cast<double>(rows) * (1 + expected));
    }
  }
}

TEST(gradients_are_those_of_differences) {
  for (const Index cols : {1, 2, 5}) {
    const auto t = targets(9, cols);
    const auto f = naive::normal<double>(9, cols, 2);
    Matrix<double> bar(9, cols);
    logistic_loss()->evaluate(t.view, f.view, bar.view);
    for (std::uint64_t seed = 3; seed < 8; ++seed) {
      const auto along = naive::normal<double>(9, cols, seed);
      const auto slope = difference::slope([&](Real s) { return exactly(t.view, f.view, along.view, s); }, 1e-3L, 100);
      const Real computed = difference::dot(bar.numbers, along.numbers);
      CHECK(difference::agrees(computed, slope, 1e-14L, 1));
      CHECK(!difference::agrees(computed + 1e-3L, slope, 1e-14L, 1));
    }
  }
}

TEST(large_outputs_do_not_overflow) {
  for (const Index cols : {1, 2}) {
    Matrix<double> t(2, cols), f(2, cols), bar(2, cols);
    t(0, 0) = 1.0;
    if (cols == 2) t(1, 1) = 1.0;
    f(0, 0) = -2000.0;
    f(1, 0) = 3000.0;
    CHECK_NEAR(logistic_loss()->evaluate(t.view, f.view, bar.view), 5000.0, 1e-9);
    CHECK_NEAR(bar(0, 0), -1.0, 1e-15);
    CHECK_NEAR(bar(1, 0), 1.0, 1e-15);
  }
}

TEST(nan_goes_through) {
  Matrix<double> t = targets(3, 2), f = naive::normal<double>(3, 2, 1);
  f(1, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(logistic_loss()->evaluate(t.view, f.view, {})));
  Matrix<double> t1 = targets(3, 1), f1 = naive::normal<double>(3, 1, 1);
  f1(1, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(logistic_loss()->evaluate(t1.view, f1.view, {})));
}

TEST(softmax_is_its_formula) {
  const auto f = naive::normal<double>(5, 3, 1), one = naive::normal<double>(5, 1, 2);
  Matrix<double> P(5, 3), two(5, 2);
  softmax(f.view, P.view);
  softmax(one.view, two.view);
  for (Index i = 0; i < 5; ++i) {
    double sum = 0.0;
    for (Index j = 0; j < 3; ++j) sum += std::exp(f.view(i, j));
    for (Index j = 0; j < 3; ++j) CHECK_NEAR(P(i, j), std::exp(f.view(i, j)) / sum, 1e-15);
    CHECK_NEAR(two(i, 1), 1.0 / (1.0 + std::exp(-one.view(i, 0))), 1e-15);
    CHECK_NEAR(two(i, 0) + two(i, 1), 1.0, 1e-15);
  }
  Matrix<double> far(1, 2), result(1, 2);
  far(0, 0) = 1e4;
  softmax(far.view, result.view);
  CHECK(result(0, 0) == 1.0 && result(0, 1) == 0.0);
  CHECK_THROWS(std::invalid_argument, softmax(f.view, two.view));
}

TEST(shapes_are_checked) {
  const auto t = targets(3, 2), f = naive::normal<double>(4, 2, 1);
  CHECK_THROWS(std::invalid_argument, logistic_loss()->evaluate(t.view, f.view, {}));
  Matrix<double> bar(3, 1);
  CHECK_THROWS(std::invalid_argument, logistic_loss()->evaluate(t.view, t.view, bar.view));
  CHECK(!logistic_loss()->squared());
}

TEST(the_same_bits_for_any_number_of_threads) {
  const auto t = targets(5000, 3), f = naive::normal<double>(5000, 3, 2);
  std::vector<double> values;
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    values.push_back(logistic_loss()->evaluate(t.view, f.view, {}));
  }
  set_num_threads(0);
  CHECK_EQ(values[0], values[1]);
  CHECK_EQ(values[0], values[2]);
}

TEST_MAIN

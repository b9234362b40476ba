// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/losses/loss.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/finite_difference.hpp"
#include "support/naive.hpp"

using gramian::Index;
using gramian::Loss;
using gramian::MatrixView;
using naive::Matrix;

namespace {

using Real = difference::Real;

struct Case {
  const char* name;
  std::unique_ptr<Loss> loss;
  std::function<Real(Real)> of_length;
};

/// Each loss beside its formula.
std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back({"squared", gramian::squared_loss(), [](Real r) { return r * r; }});
  for (const double e : {0.0, 0.7, 2.0}) {
    all.push_back({"epsilon", gramian::epsilon_insensitive_loss(e), [e](Real r) { return std::max<Real>(0, r - e); }});
    all.push_back({"epsilon squared", gramian::squared_epsilon_insensitive_loss(e),
                   [e](Real r) { return std::max<Real>(0, r - e) * std::max<Real>(0, r - e); }});
  }
  for (const double d : {0.5, 3.0}) {
    all.push_back({"huber", gramian::huber_loss(d), [d](Real r) { return r <= d ? r * r : 2 * d * r - Real(d) * d; }});
  }
  return all;
}

/// The loss by its formula, in long double, with output moved by t along a direction.
Real exactly(const Case& one, MatrixView<double> target, MatrixView<double> output, MatrixView<double> along, Real t) {
  Real sum = 0;
  for (Index i = 0; i < output.rows(); ++i) {
    Real square = 0;
    for (Index j = 0; j < output.cols(); ++j) {
      const Real residual =
          static_cast<Real>(output(i, j)) + t * static_cast<Real>(along(i, j)) - static_cast<Real>(target(i, j));
      square += residual * residual;
    }
    sum += one.of_length(std::sqrt(square));
  }
  return sum;
}

}  // namespace

TEST(values_are_those_of_the_formula) {
  for (const Case& one : cases()) {
    for (const Index rows : {1, 2, 255, 256, 257, 2000}) {
      const auto target = naive::normal<double>(rows, 3, 1), output = naive::normal<double>(rows, 3, 2);
      const Real expected = exactly(one, target.view, output.view, output.view, 0);
      CHECK_NEAR(one.loss->evaluate(target.view, output.view, {}), expected, 1e-15 * static_cast<double>(rows) * (1 + expected));
    }
  }
}

TEST(gradients_are_those_of_differences) {
  const auto target = naive::normal<double>(6, 3, 1), output = naive::normal<double>(6, 3, 2);
  for (const Case& one : cases()) {
    Matrix<double> bar(6, 3);
    one.loss->evaluate(target.view, output.view, bar.view);
    for (std::uint64_t seed = 3; seed < 8; ++seed) {
      const auto along = naive::normal<double>(6, 3, seed);
      const auto slope =
          difference::slope([&](Real t) { return exactly(one, target.view, output.view, along.view, t); }, 1e-4L, 100);
      const Real computed = difference::dot(along.numbers, bar.numbers);
      CHECK(difference::agrees(computed, slope, 1e-14L, 1));
      CHECK(!difference::agrees(computed + 1e-3L, slope, 1e-14L, 1));
    }
  }
}

TEST(inside_epsilon_and_at_kinks_the_gradient_is_zero) {
  Matrix<double> target(3, 2), output(3, 2), bar(3, 2);
  output(1, 0) = 0.3;                      // inside
  output(2, 0) = 3.0, output(2, 1) = 4.0;  // on the kink of epsilon = 5
  std::fill(bar.numbers.begin(), bar.numbers.end(), 7.0);
  for (const auto& loss : {gramian::epsilon_insensitive_loss(5.0), gramian::squared_epsilon_insensitive_loss(5.0)}) {
    CHECK_EQ(loss->evaluate(target.view, output.view, bar.view), 0.0);
    CHECK(bar.numbers == std::vector<double>(6));
  }
  // Without a margin the kink is at 0.
  std::fill(output.numbers.begin(), output.numbers.end(), 0.0);
  for (const auto& loss : {gramian::epsilon_insensitive_loss(0.0), gramian::squared_epsilon_insensitive_loss(0.0)}) {
    CHECK_EQ(loss->evaluate(target.view, output.view, bar.view), 0.0);
    CHECK(bar.numbers == std::vector<double>(6));
  }
}

TEST(huber_is_smooth_where_its_pieces_meet) {
  Matrix<double> target(1, 2), output(1, 2), bar(1, 2);
  const auto loss = gramian::huber_loss(5.0);
  output(0, 0) = 3.0, output(0, 1) = 4.0;
  CHECK_NEAR(loss->evaluate(target.view, output.view, bar.view), 25.0, 1e-14);
  CHECK_NEAR(bar(0, 0), 6.0, 1e-14);
  output(0, 0) *= 1.0 + 1e-9, output(0, 1) *= 1.0 + 1e-9;
  CHECK_NEAR(loss->evaluate(target.view, output.view, bar.view), 25.0, 1e-7);
  CHECK_NEAR(bar(0, 0), 6.0, 1e-7);
  output(0, 0) = 30.0, output(0, 1) = 40.0;
  CHECK_NEAR(loss->evaluate(target.view, output.view, bar.view), 2.0 * 5.0 * 50.0 - 25.0, 1e-12);
  CHECK_NEAR(bar(0, 1), 8.0, 1e-14);
}

TEST(the_squared_one_says_so) {
  CHECK(gramian::squared_loss()->squared());
  CHECK(!gramian::squared_epsilon_insensitive_loss(0.0)->squared());
  CHECK(!gramian::huber_loss(1.0)->squared());
  CHECK(!gramian::epsilon_insensitive_loss(0.0)->squared());
}

TEST(a_kink_can_be_smoothed) {
  const auto target = naive::normal<double>(400, 2, 1), output = naive::normal<double>(400, 2, 2);
  for (const double epsilon : {0.0, 0.7}) {
    const auto loss = gramian::epsilon_insensitive_loss(epsilon);
    const double value = loss->evaluate(target.view, output.view, {});
    double wider = 0.0;
    for (const double width : {1.0, 0.1, 1e-3}) {
      const auto smooth = loss->smoothed(width);
      const double below = value - smooth->evaluate(target.view, output.view, {});
      CHECK(below > 0.0 && below <= 400 * width / 2.0);
      CHECK(wider == 0.0 || below < wider);
      wider = below;
      // Its gradient has no jump where the loss has its kink, nor where the smooth piece ends.
      for (const double edge : {epsilon, epsilon + width}) {
        Matrix<double> origin(1, 1), left(1, 1), right(1, 1), left_bar(1, 1), right_bar(1, 1);
        origin.view(0, 0) = 0.0;
        left.view(0, 0) = edge - 1e-9, right.view(0, 0) = edge + 1e-9;
        smooth->evaluate(origin.view, left.view, left_bar.view);
        smooth->evaluate(origin.view, right.view, right_bar.view);
        CHECK(std::fabs(left_bar.view(0, 0) - right_bar.view(0, 0)) <= 3e-9 / width);
      }
    }
    CHECK_THROWS(std::invalid_argument, loss->smoothed(0.0));
  }
  CHECK(gramian::huber_loss(1.0)->smoothed(0.1) == nullptr);
  const auto smooth = gramian::epsilon_insensitive_loss(0.7)->smoothed(0.2);
  Matrix<double> bar(400, 2), moved(400, 2);
  smooth->evaluate(target.view, output.view, bar.view);
  const auto along = naive::normal<double>(400, 2, 3);
  const auto at = [&](double t) {
    for (std::size_t i = 0; i < moved.numbers.size(); ++i) moved.numbers[i] = output.numbers[i] + t * along.numbers[i];
    return smooth->evaluate(target.view, moved.view, {});
  };
  double slope = 0.0;
  for (std::size_t i = 0; i < bar.numbers.size(); ++i) slope += bar.numbers[i] * along.numbers[i];
  CHECK_NEAR((at(1e-5) - at(-1e-5)) / 2e-5, slope, 1e-5 * std::fabs(slope));
}

TEST(any_strides_and_the_same_bits_for_any_number_of_threads) {
  const Index n = 30000, d = 5;
  const auto target = naive::normal<double>(n, d, 1), output = naive::normal<double>(n, d, 2),
             columns = naive::normal<double>(d, n, 3);
  Matrix<double> across = naive::normal<double>(d, n, 4);
  const MatrixView<double> turned(columns.view.data(), n, d, 1, n), turned_bar(across.view.data(), n, d, 1, n);
  Matrix<double> copy(n, d);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j) copy(i, j) = turned(i, j);
  }
  for (const Case& one : cases()) {
    gramian::set_num_threads(1);
    Matrix<double> bar(n, d), other(n, d);
    const double value = one.loss->evaluate(target.view, copy.view, bar.view);
    CHECK_EQ(one.loss->evaluate(target.view, turned, turned_bar), value);
    bool same = true;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < d; ++j) same = same && turned_bar(i, j) == bar(i, j);
    }
    CHECK(same);
    for (const int threads : {2, 7}) {
      gramian::set_num_threads(threads);
      CHECK_EQ(one.loss->evaluate(target.view, copy.view, other.view), value);
      CHECK(other.numbers == bar.numbers);
    }
  }
  gramian::set_num_threads(0);
}

TEST(nothing_costs_nothing) {
  Matrix<double> none(0, 3), no_columns(4, 0);
  for (const Case& one : cases()) {
    CHECK_EQ(one.loss->evaluate(none.view, none.view, none.view), 0.0);
    CHECK_EQ(one.loss->evaluate(no_columns.view, no_columns.view, {}), 0.0);
  }
}

TEST(nan_goes_through) {
  Matrix<double> target(2, 2), output(2, 2), bar(2, 2);
  output(1, 0) = std::numeric_limits<double>::quiet_NaN();
  for (const Case& one : cases()) {
    CHECK(std::isnan(one.loss->evaluate(target.view, output.view, bar.view)));
    CHECK(std::isnan(bar(1, 0)));
    CHECK_EQ(bar(0, 0), 0.0);
  }
}

TEST(shapes_and_parameters_are_checked) {
  Matrix<double> right(4, 2), narrow(4, 1), low(3, 2);
  for (const Case& one : cases()) {
    for (Matrix<double>* wrong : {&narrow, &low}) {
      CHECK_THROWS(std::invalid_argument, one.loss->evaluate(wrong->view, right.view, right.view));
      CHECK_THROWS(std::invalid_argument, one.loss->evaluate(right.view, wrong->view, {}));
      CHECK_THROWS(std::invalid_argument, one.loss->evaluate(right.view, right.view, wrong->view));
    }
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {-1.0, nan, HUGE_VAL}) {
    CHECK_THROWS(std::invalid_argument, gramian::epsilon_insensitive_loss(bad));
    CHECK_THROWS(std::invalid_argument, gramian::squared_epsilon_insensitive_loss(bad));
    CHECK_THROWS(std::invalid_argument, gramian::huber_loss(bad));
  }
  CHECK_THROWS(std::invalid_argument, gramian::huber_loss(0.0));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// All methods on a problem whose optimum is known, seen through every point that they ask about.
#include "gramian/optim/riemannian.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "support/naive.hpp"
#include "support/optimisers.hpp"

using namespace gramian;
using Numbers = std::vector<double>;

namespace {

constexpr Index n = 24, s = 3, t = 2;

/// Brockett's function -tr(Hᵀ A H N) / 2 of two blocks with weights N = diag(3, 2, 1) and diag(2, 1), A = diag(1, 2, ..., n)
/// turned by a reflection: the optimum is -(sum of weights times the largest eigenvalues) / 2, at their eigenvectors in order.
/// Free numbers y add |y - (1, 2, ..)|^2 / 2.
class Brockett : public Objective {
 public:
  Brockett() : manifold({{n, s}, {n, t}}, s) {
    const Numbers v = naive::normal<double>(n, 1, 7).numbers;
    double square = 0.0;
    for (const double x : v) square += x * x;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        // Columns of the reflection are the eigenvectors.
        for (Index k = 0; k < n; ++k) A[i][j] += entry(v, square, i, k) * static_cast<double>(k + 1) * entry(v, square, j, k);
      }
    }
  }
  static double entry(const Numbers& v, double square, Index i, Index k) {
    return (i == k ? 1.0 : 0.0) - 2.0 * v[static_cast<std::size_t>(i)] * v[static_cast<std::size_t>(k)] / square;
  }

  Index size() const override { return manifold.size(); }
  double evaluate(const double* x, double* gradient) override {
    infeasibility = std::max(infeasibility, manifold.infeasibility(x));
    ++evaluations;
    double value = 0.0;
    for (Index b = 0; b < 2; ++b) {
      const MatrixView<const double> H = manifold.block(x, b);
      for (Index c = 0; c < H.cols(); ++c) {
        const double weight = static_cast<double>(H.cols() - c);
        for (Index i = 0; i < n; ++i) {
          double AH = 0.0;
          for (Index j = 0; j < n; ++j) AH += A[i][j] * H(j, c);
          value -= 0.5 * weight * H(i, c) * AH;
          if (gradient != nullptr) manifold.block(gradient, b)(i, c) = -weight * AH;
        }
      }
    }
    for (Index i = manifold.free_offset(); i < size(); ++i) {
      const double off = x[i] - static_cast<double>(i - manifold.free_offset() + 1);
      value += 0.5 * off * off;
      if (gradient != nullptr) gradient[i] = off;
    }
    return value;
  }

  static constexpr double optimum = -0.5 * (3.0 * 24 + 2.0 * 23 + 22 + 2.0 * 24 + 23);
  StiefelProduct manifold;
  double A[n][n] = {};
  double infeasibility = 0.0;
  Index evaluations = 0;
};

using Run = std::function<OptimResult(Objective&, StiefelProduct&, const double*, Observer*)>;

struct Method {
  const char* name;
  Run run;
  bool falls;       ///< values never rise
  double accuracy;  ///< of the value
};

const std::vector<Method>& methods() {
  static const std::vector<Method> all = {{"projected gradient",
                                           [](Objective& f, StiefelProduct& m, const double* x, Observer* o) {
                                             StiefelDescentOptions options;
                                             options.max_iterations = 4000;
                                             options.gradient_tolerance = 1e-7;
                                             options.value_tolerance = 0.0;
                                             return stiefel_projected_gradient(f, m, x, options, o);
                                           },
                                           true, 1e-9},
                                          {"adam",
                                           [](Objective& f, StiefelProduct& m, const double* x, Observer* o) {
                                             RiemannianAdamOptions options;
                                             options.max_iterations = 2000;
                                             options.step = 0.1;
                                             return riemannian_adam(f, m, x, options, o);
                                           },
                                           false, 1e-7},
                                          {"adam, qr",
                                           [](Objective& f, StiefelProduct& m, const double* x, Observer* o) {
                                             RiemannianAdamOptions options;
                                             options.max_iterations = 2000;
                                             options.step = 0.1;
                                             options.retraction = StiefelRetraction::qr;
                                             return riemannian_adam(f, m, x, options, o);
                                           },
                                           false, 1e-7},
                                          {"lbfgs",
                                           [](Objective& f, StiefelProduct& m, const double* x, Observer* o) {
                                             RiemannianLbfgsOptions options;
                                             options.max_iterations = 2000;
                                             options.gradient_tolerance = 1e-6;
                                             options.value_tolerance = 0.0;
                                             return riemannian_lbfgs(f, m, x, options, o);
                                           },
                                           true, 1e-9}};
  return all;
}

Numbers start(const Brockett& f, std::uint64_t seed = 5) { return naive::normal<double>(f.size(), 1, seed).numbers; }

/// |m|_F of a block is `step` at first, wherever the gradient leads.
double length_of_block(const StiefelProduct& m, const double* a, const double* b, Index block) {
  double sum = 0.0;
  const MatrixView<const double> A = m.block(a, block), B = m.block(b, block);
  for (Index i = 0; i < A.rows() * A.cols(); ++i) sum += (A.data()[i] - B.data()[i]) * (A.data()[i] - B.data()[i]);
  return std::sqrt(sum);
}

}  // namespace

TEST(each_method_finds_the_optimum_and_never_leaves_the_manifold) {
  for (const Method& method : methods()) {
    Brockett f;
    const Numbers x = start(f);
    problems::Watcher watcher(f.size());
    const OptimResult result = method.run(f, f.manifold, x.data(), &watcher);
    const std::string text = std::string(method.name) + ": " + check::show(result.value) + ", " + name_of(result.stop_reason);
    check::that(std::fabs(result.value - Brockett::optimum) <= method.accuracy * 100.0, text, __FILE__, __LINE__);
    check::that(f.infeasibility <= 1e-12, std::string(method.name) + " leaves the manifold", __FILE__, __LINE__);
    CHECK_EQ(result.evaluations, f.evaluations);
    CHECK_EQ(static_cast<Index>(watcher.xs.size()), result.iterations);
    for (const Numbers& seen : watcher.xs) CHECK(f.manifold.infeasibility(seen.data()) <= 1e-12);
    for (std::size_t i = 1; method.falls && i < result.history.size(); ++i) {
      // Projected gradients may stand still at rounding.
      CHECK(result.history[i].value <= result.history[i - 1].value + 1e-12);
    }
    for (Index i = 0; i < s; ++i) {
      CHECK_NEAR(result.x[static_cast<std::size_t>(f.manifold.free_offset() + i)], static_cast<double>(i + 1), 1e-4);
    }
  }
}

TEST(the_eye_for_feasibility_sees) {
  Brockett f;
  Numbers x = start(f);
  f.manifold.project(x.data());
  f.evaluate(x.data(), nullptr);
  CHECK(f.infeasibility <= 1e-12);
  x[0] += 1e-9;
  f.evaluate(x.data(), nullptr);
  CHECK(f.infeasibility > 1e-12);
}

TEST(stationary_points_are_where_the_tangent_gradient_vanishes) {
  Brockett f;
  const OptimResult result = methods()[3].run(f, f.manifold, start(f).data(), nullptr);
  CHECK(result.stop_reason == StopReason::gradient);
  CHECK(result.gradient_norm <= 1e-6);
  Numbers gradient(result.x.size());
  f.evaluate(result.x.data(), gradient.data());
  double ordinary = 0.0, tangent = 0.0;
  for (const double g : gradient) ordinary = std::max(ordinary, std::fabs(g));
  f.manifold.tangent(result.x.data(), gradient.data(), gradient.data());
  for (const double g : gradient) tangent = std::max(tangent, std::fabs(g));
  CHECK(ordinary > 1.0);
  CHECK_NEAR(tangent, result.gradient_norm, 1e-12);
}

TEST(a_first_step_of_adam_has_the_length_that_was_asked_for) {
  Brockett f;
  Numbers x = start(f);
  f.manifold.project(x.data());
  RiemannianAdamOptions options;
  options.step = 1e-3;
  problems::Watcher watcher(f.size(), 1);
  riemannian_adam(f, f.manifold, x.data(), options, &watcher);
  for (Index b = 0; b < 2; ++b) CHECK_NEAR(length_of_block(f.manifold, x.data(), watcher.xs[0].data(), b), 1e-3, 1e-8);
  for (Index i = f.manifold.free_offset(); i < f.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    CHECK_NEAR(std::fabs(watcher.xs[0][at] - x[at]), 1e-3, 1e-8);
  }
}

TEST(algorithm_1_stops_where_its_line_12_says) {
  Brockett f;
  StiefelDescentOptions options;
  options.max_iterations = 5000;
  options.gradient_tolerance = 1e-3;
  options.value_tolerance = 0.0;
  const OptimResult result = stiefel_projected_gradient(f, f.manifold, start(f).data(), options);
  CHECK(result.stop_reason == StopReason::gradient);
  CHECK(result.gradient_norm <= 1e-3);
  CHECK(result.history[result.history.size() - 2].gradient_norm > 1e-3);
}

TEST(a_long_first_step_is_no_reason_to_stop) {
  // The manifold is bounded: a projected step over its length is as small as one likes.
  for (const double step : {1e3, 1e6, 1e12}) {
    Brockett f;
    StiefelDescentOptions options;
    options.max_iterations = 5000;
    options.step = step;
    options.gradient_tolerance = 1e-3;
    options.value_tolerance = 0.0;
    const OptimResult result = stiefel_projected_gradient(f, f.manifold, start(f).data(), options);
    CHECK(result.stop_reason == StopReason::gradient);
    CHECK(result.iterations > 0);
    CHECK_NEAR(result.value, Brockett::optimum, 1e-4);
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  for (const Method& method : methods()) {
    gramian::set_num_threads(1);
    Brockett f;
    const Numbers x = start(f);
    const OptimResult one = method.run(f, f.manifold, x.data(), nullptr);
    for (const int threads : {2, 7}) {
      gramian::set_num_threads(threads);
      CHECK(method.run(f, f.manifold, x.data(), nullptr).x == one.x);
    }
    gramian::set_num_threads(0);
  }
}

TEST(somebody_may_say_stop) {
  for (const Method& method : methods()) {
    Brockett f;
    problems::Watcher watcher(f.size(), 3);
    const OptimResult result = method.run(f, f.manifold, start(f).data(), &watcher);
    CHECK(result.stop_reason == StopReason::observer);
    CHECK_EQ(result.iterations, 3);
  }
}

TEST(a_start_without_a_value_is_said_to_be_one) {
  class Nothing : public Brockett {
   public:
    double evaluate(const double* x, double* gradient) override {
      Brockett::evaluate(x, gradient);
      return std::numeric_limits<double>::quiet_NaN();
    }
  };
  for (const Method& method : methods()) {
    Nothing f;
    CHECK(method.run(f, f.manifold, start(f).data(), nullptr).stop_reason == StopReason::not_finite);
  }
}

TEST(bad_options_are_refused) {
  Brockett f;
  const Numbers x = start(f);
  StiefelDescentOptions descent;
  descent.step = 0.0;
  CHECK_THROWS(std::invalid_argument, stiefel_projected_gradient(f, f.manifold, x.data(), descent));
  RiemannianAdamOptions adam;
  adam.beta1 = 1.0;
  CHECK_THROWS(std::invalid_argument, riemannian_adam(f, f.manifold, x.data(), adam));
  RiemannianLbfgsOptions lbfgs;
  lbfgs.memory = 0;
  CHECK_THROWS(std::invalid_argument, riemannian_lbfgs(f, f.manifold, x.data(), lbfgs));
  lbfgs.memory = 3;
  lbfgs.sufficient_decrease = 0.7;
  CHECK_THROWS(std::invalid_argument, riemannian_lbfgs(f, f.manifold, x.data(), lbfgs));
  StiefelProduct other({{5, 2}});
  CHECK_THROWS(std::invalid_argument, riemannian_lbfgs(f, other, x.data()));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Test problems as the optimisers see them, and those who watch.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "gramian/base/random.hpp"
#include "gramian/optim/result.hpp"
#include "support/check.hpp"
#include "support/problems.hpp"

namespace problems {

inline double dot(const Numbers& a, const Numbers& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline Numbers minus(const Numbers& a, const Numbers& b) {
  Numbers out = a;
  for (std::size_t i = 0; i < a.size(); ++i) out[i] -= b[i];
  return out;
}

inline double norm(const Numbers& a) { return std::sqrt(dot(a, a)); }

inline Numbers gradient_at(const Problem& problem, const Numbers& x) {
  Numbers g(x.size());
  problem.f(x.data(), g.data());
  return g;
}

/// Any function with its gradient.
class Function : public gramian::StochasticObjective {
 public:
  using F = std::function<double(const double*, double*)>;
  Function(Index n, F f) : n_(n), f_(std::move(f)) {}
  explicit Function(const Problem& problem) : Function(problem.size(), problem.f) {}

  Index size() const override { return n_; }
  double evaluate(const double* x, double* gradient) override {
    ++evaluations;
    return f_(x, gradient);
  }
  /// Each entry of the gradient is drawn with probability 1/2, and doubled.
  double sample(const double* x, std::uint64_t seed, std::uint64_t step, double* gradient) override {
    ++samples;
    const gramian::RandomStream random(seed, step);
    const double value = f_(x, gradient);
    for (Index i = 0; i < n_; ++i) gradient[i] *= random.uniform(static_cast<std::uint64_t>(i)) < 0.5 ? 0.0 : 2.0;
    return value;
  }
  Index evaluations = 0;
  Index samples = 0;

 private:
  Index n_;
  F f_;
};

/// Sees every point, and says stop after `last` of them.
class Watcher : public gramian::Observer {
 public:
  explicit Watcher(Index n, Index last = 0) : n_(n), last_(last) {}
  bool observe(const gramian::Iteration& iteration, const double* x) override {
    iterations.push_back(iteration);
    xs.emplace_back(x, x + n_);
    return iterations.size() != static_cast<std::size_t>(last_);
  }
  std::vector<gramian::Iteration> iterations;
  std::vector<Numbers> xs;

 private:
  Index n_;
  Index last_;
};

/// Whether x is one of the optima.
inline bool is_optimum(const Problem& problem, const Numbers& x, double accuracy) {
  return std::any_of(problem.optima.begin(), problem.optima.end(), [&](const Numbers& optimum) {
    bool near = optimum.size() == x.size();
    for (std::size_t i = 0; near && i < x.size(); ++i) {
      near = std::fabs(x[i] - optimum[i]) <= accuracy * (1.0 + std::fabs(optimum[i]));
    }
    return near;
  });
}

/// What holds of every result: the history begins at the start, counts up, ends at the end, and its lowest value is the result's.
inline void check_result(const Problem& problem, const gramian::OptimResult& result) {
  CHECK(!result.history.empty());
  CHECK_EQ(result.history[0].number, 0);
  CHECK_EQ(result.history[0].value, problem.f(problem.start.data(), nullptr));
  CHECK_EQ(result.history[0].evaluations, 1);
  CHECK_EQ(result.history.back().number, result.iterations);
  CHECK_EQ(result.value, problem.f(result.x.data(), nullptr));
  for (std::size_t i = 1; i < result.history.size(); ++i) {
    CHECK(result.history[i].number > result.history[i - 1].number);
    CHECK(result.history[i].evaluations > result.history[i - 1].evaluations);
    CHECK(result.history[i].step > 0.0);
    if (result.stop_reason != gramian::StopReason::gradient) CHECK(!(result.history[i].value < result.value));
  }
}

}  // namespace problems

// SPDX-License-Identifier: BSD-3-Clause
// Functions to minimise, each of which knows its start, its optimum and its value there. MGH: Moré, Garbow, Hillstrom (1981).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gramian/base/random.hpp"
#include "gramian/optim/objective.hpp"
#include "support/finite_difference.hpp"

namespace problems {

using gramian::Index;
using Numbers = std::vector<double>;

/// Who may be asked to solve it in a reasonable number of steps.
enum Solvers : unsigned { lbfgs = 1, descent = 2, adam = 4, fixed_steps = 8, estimates = 16, patient = 7, all = 31 };

struct Problem {
  std::string name;
  Numbers start;
  std::vector<Numbers> optima;  ///< any of them
  double value;
  double accuracy;  ///< of x, per entry, relative to 1 + |x|: what a gradient of 1e-8 lets one know
  unsigned solvers;
  std::function<double(const double*, double*)> f;                   ///< with gradient
  std::function<difference::Real(const difference::Real*)> exactly;  ///< without, for differences
  Index size() const { return static_cast<Index>(start.size()); }
};

/// f(x, g) for any kind of number; g is null or added to.
template <class F>
Problem problem(std::string name, Numbers start, std::vector<Numbers> optima, double value, double accuracy, unsigned solvers,
                F f) {
  const std::size_t n = start.size();
  const auto with_gradient = [f, n](const double* x, double* g) {
    if (g != nullptr) std::fill_n(g, n, 0.0);
    return f(x, g);
  };
  const auto exactly = [f](const difference::Real* x) { return f(x, static_cast<difference::Real*>(nullptr)); };
  return {std::move(name), std::move(start), std::move(optima), value, accuracy, solvers, with_gradient, exactly};
}

/// Adds r^2 to the value and 2 r times its derivatives to the gradient.
template <class T>
struct SquareSum {
  T* g;
  T value = 0;
  template <class... Slopes>
  void add(T r, Slopes... slopes) {
    value += r * r;
    if (g != nullptr) (void(g[slopes.first] += 2 * r * slopes.second), ...);
  }
};
template <class T>
std::pair<int, T> by(int i, T slope) {
  return {i, slope};
}

/// sum_i a_i (x_i - c_i)^2 / 2 with curvatures from 1 to `condition`.
inline Problem quadratic(std::string name, int n, double condition, unsigned solvers) {
  Numbers start(static_cast<std::size_t>(n), 0.0), optimum(start);
  for (int i = 0; i < n; ++i) optimum[static_cast<std::size_t>(i)] = 1.0 + 0.5 * i;
  return problem(std::move(name), start, {optimum}, 0.0, 2e-8, solvers, [=](const auto* x, auto* g) {
    std::decay_t<decltype(*x)> sum = 0;
    for (int i = 0; i < n; ++i) {
      const auto a = std::pow(condition, static_cast<double>(i) / (n - 1));
      const auto r = x[i] - optimum[static_cast<std::size_t>(i)];
      sum += a * r * r / 2;
      if (g != nullptr) g[i] = a * r;
    }
    return sum;
  });
}

/// MGH 1 and 21: n / 2 valleys.
inline Problem rosenbrock(int n) {
  Numbers start, optimum(static_cast<std::size_t>(n), 1.0);
  for (int i = 0; i < n; ++i) start.push_back(i % 2 == 0 ? -1.2 : 1.0);
  return problem("Rosenbrock " + std::to_string(n), start, {optimum}, 0.0, 1e-6, n == 2 ? all : patient | fixed_steps,
                 [n](const auto* x, auto* g) {
                   using T = std::decay_t<decltype(*x)>;
                   SquareSum<T> sum{g};
                   for (int i = 0; i < n; i += 2) {
                     sum.add(10 * (x[i + 1] - x[i] * x[i]), by(i, -20 * x[i]), by(i + 1, T(10)));
                     sum.add(1 - x[i], by(i, T(-1)));
                   }
                   return sum.value;
                 });
}

/// MGH 5.
inline Problem beale() {
  return problem("Beale", {1.0, 1.0}, {{3.0, 0.5}}, 0.0, 1e-6, all, [](const auto* x, auto* g) {
    using T = std::decay_t<decltype(*x)>;
    SquareSum<T> sum{g};
    const T y = x[1];
    sum.add(T(1.5) - x[0] * (1 - y), by(0, y - 1), by(1, x[0]));
    sum.add(T(2.25) - x[0] * (1 - y * y), by(0, y * y - 1), by(1, 2 * x[0] * y));
    sum.add(T(2.625) - x[0] * (1 - y * y * y), by(0, y * y * y - 1), by(1, 3 * x[0] * y * y));
    return sum.value;
  });
}

inline Problem booth() {
  return problem("Booth", {-4.0, 5.0}, {{1.0, 3.0}}, 0.0, 1e-7, all, [](const auto* x, auto* g) {
    using T = std::decay_t<decltype(*x)>;
    SquareSum<T> sum{g};
    sum.add(x[0] + 2 * x[1] - 7, by(0, T(1)), by(1, T(2)));
    sum.add(2 * x[0] + x[1] - 5, by(0, T(2)), by(1, T(1)));
    return sum.value;
  });
}

inline Problem himmelblau() {
  const std::vector<Numbers> optima = {{3.0, 2.0},
                                       {-2.805118086952745, 3.131312518250573},
                                       {-3.779310253377747, -3.283185991286170},
                                       {3.584428340330492, -1.848126526964404}};
  return problem("Himmelblau", {0.0, 0.0}, optima, 0.0, 1e-7, all, [](const auto* x, auto* g) {
    using T = std::decay_t<decltype(*x)>;
    SquareSum<T> sum{g};
    sum.add(x[0] * x[0] + x[1] - 11, by(0, 2 * x[0]), by(1, T(1)));
    sum.add(x[0] + x[1] * x[1] - 7, by(0, T(1)), by(1, 2 * x[1]));
    return sum.value;
  });
}

/// MGH 13: the Hessian at the optimum is singular, the value of order four there.
inline Problem powell_singular() {
  return problem("Powell singular", {3.0, -1.0, 0.0, 1.0}, {Numbers(4, 0.0)}, 0.0, 1e-2, lbfgs, [](const auto* x, auto* g) {
    using T = std::decay_t<decltype(*x)>;
    SquareSum<T> sum{g};
    const T five = std::sqrt(T(5)), ten = std::sqrt(T(10)), a = x[1] - 2 * x[2], b = x[0] - x[3];
    sum.add(x[0] + 10 * x[1], by(0, T(1)), by(1, T(10)));
    sum.add(five * (x[2] - x[3]), by(2, five), by(3, -five));
    sum.add(a * a, by(1, 2 * a), by(2, -4 * a));
    sum.add(ten * b * b, by(0, 2 * ten * b), by(3, -2 * ten * b));
    return sum.value;
  });
}

/// MGH 14.
inline Problem wood() {
  return problem("Wood", {-3.0, -1.0, -3.0, -1.0}, {Numbers(4, 1.0)}, 0.0, 1e-6, patient, [](const auto* x, auto* g) {
    using T = std::decay_t<decltype(*x)>;
    SquareSum<T> sum{g};
    const T nine = std::sqrt(T(90)), ten = std::sqrt(T(10));
    sum.add(10 * (x[1] - x[0] * x[0]), by(0, -20 * x[0]), by(1, T(10)));
    sum.add(1 - x[0], by(0, T(-1)));
    sum.add(nine * (x[3] - x[2] * x[2]), by(2, -2 * nine * x[2]), by(3, nine));
    sum.add(1 - x[2], by(2, T(-1)));
    sum.add(ten * (x[1] + x[3] - 2), by(1, ten), by(3, ten));
    sum.add((x[1] - x[3]) / ten, by(1, 1 / ten), by(3, -1 / ten));
    return sum.value;
  });
}

/// MGH 4: one coordinate is a million times a million of the other.
inline Problem brown_badly_scaled() {
  return problem("Brown badly scaled", {1.0, 1.0}, {{1e6, 2e-6}}, 0.0, 1e-7, lbfgs, [](const auto* x, auto* g) {
    using T = std::decay_t<decltype(*x)>;
    SquareSum<T> sum{g};
    sum.add(x[0] - 1000000, by(0, T(1)));
    sum.add(x[1] - T(2e-6), by(1, T(1)));
    sum.add(x[0] * x[1] - 2, by(0, x[1]), by(1, x[0]));
    return sum.value;
  });
}

/// MGH 7. The angle jumps where x_0 < 0 and x_1 = 0.
inline Problem helical_valley() {
  return problem("helical valley", {-1.0, 0.0, 0.0}, {{1.0, 0.0, 0.0}}, 0.0, 1e-7, all, [](const auto* x, auto* g) {
    using T = std::decay_t<decltype(*x)>;
    SquareSum<T> sum{g};
    const T turn = 2 * std::acos(T(-1)), square = x[0] * x[0] + x[1] * x[1], radius = std::sqrt(square);
    const T angle = std::atan(x[1] / x[0]) / turn + (x[0] < 0 ? T(0.5) : T(0));
    sum.add(10 * (x[2] - 10 * angle), by(0, 100 * x[1] / square / turn), by(1, -100 * x[0] / square / turn), by(2, T(10)));
    sum.add(10 * (radius - 1), by(0, 10 * x[0] / radius), by(1, 10 * x[1] / radius));
    sum.add(x[2], by(2, T(1)));
    return sum.value;
  });
}

/// MGH 25, whose value at the start is large.
inline Problem variably_dimensioned(int n) {
  Numbers start, optimum(static_cast<std::size_t>(n), 1.0);
  for (int i = 1; i <= n; ++i) start.push_back(1.0 - static_cast<double>(i) / n);
  return problem("variably dimensioned", start, {optimum}, 0.0, 1e-7, patient, [n](const auto* x, auto* g) {
    using T = std::decay_t<decltype(*x)>;
    T sum = 0, weighted = 0;
    for (int i = 0; i < n; ++i) {
      sum += (x[i] - 1) * (x[i] - 1);
      weighted += (i + 1) * (x[i] - 1);
    }
    const T square = weighted * weighted;
    for (int i = 0; g != nullptr && i < n; ++i) g[i] = 2 * (x[i] - 1) + (i + 1) * weighted * (2 + 4 * square);
    return sum + square + square * square;
  });
}

/// log sum_i (exp(x_i - c_i) + exp(c_i - x_i)): convex, and 0 is not its value.
inline Problem log_sum_exp(int n) {
  Numbers start, optimum;
  for (int i = 0; i < n; ++i) start.push_back(2.0), optimum.push_back(0.25 * i);
  return problem("log-sum-exp", start, {optimum}, std::log(2.0 * n), 1e-6, all, [=](const auto* x, auto* g) {
    using T = std::decay_t<decltype(*x)>;
    T sum = 0;
    for (int i = 0; i < n; ++i) sum += 2 * std::cosh(x[i] - optimum[static_cast<std::size_t>(i)]);
    for (int i = 0; g != nullptr && i < n; ++i) g[i] = 2 * std::sinh(x[i] - optimum[static_cast<std::size_t>(i)]) / sum;
    return std::log(sum);
  });
}

/// Logistic regression on 60 samples whose labels are the probabilities under known weights: these are the optimum then.
inline Problem logistic_regression(int n) {
  constexpr int samples = 60;
  const gramian::RandomStream random(7);
  Numbers start(static_cast<std::size_t>(n), 0.0), optimum, z, labels;
  for (int k = 0; k < n; ++k) optimum.push_back(1.0 - 0.5 * k);
  for (int i = 0; i < samples * n; ++i) z.push_back(random.normal(static_cast<std::uint64_t>(i)));
  double entropy = 0.0;
  for (int i = 0; i < samples; ++i) {
    double score = 0.0;
    for (int k = 0; k < n; ++k) score += z[static_cast<std::size_t>(i * n + k)] * optimum[static_cast<std::size_t>(k)];
    labels.push_back(1.0 / (1.0 + std::exp(-score)));
    entropy -= labels.back() * std::log(labels.back()) + (1.0 - labels.back()) * std::log(1.0 - labels.back());
  }
  return problem("logistic regression", start, {optimum}, entropy, 1e-6, all, [=](const auto* x, auto* g) {
    using T = std::decay_t<decltype(*x)>;
    T sum = 0;
    for (int i = 0; i < samples; ++i) {
      const double* zi = z.data() + i * n;
      const T label = labels[static_cast<std::size_t>(i)];
      T score = 0;
      for (int k = 0; k < n; ++k) score += zi[k] * x[k];
      sum += std::log1p(std::exp(-std::fabs(score))) + std::max(score, T(0)) - label * score;
      for (int k = 0; g != nullptr && k < n; ++k) g[k] += (1 / (1 + std::exp(-score)) - label) * zi[k];
    }
    return sum;
  });
}

inline std::vector<Problem> all_problems() {
  return {quadratic("quadratic", 10, 5.0, all),
          quadratic("ill-conditioned quadratic", 20, 1e6, lbfgs | adam),
          rosenbrock(2),
          rosenbrock(10),
          beale(),
          booth(),
          himmelblau(),
          powell_singular(),
          wood(),
          brown_badly_scaled(),
          helical_valley(),
          variably_dimensioned(8),
          log_sum_exp(5),
          logistic_regression(4)};
}

}  // namespace problems

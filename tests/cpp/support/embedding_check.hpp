// SPDX-License-Identifier: BSD-3-Clause
// Samples with classes, and the checks of an objective against its definition.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/check.hpp"
#include "support/embedding_problem.hpp"
#include "support/gram_problem.hpp"

namespace embedding_data {

using gramian::Index;
using naive::EmbeddingProblem;
using naive::Expression;
using naive::Matrix;
using naive::Numbers;
using naive::Real;

constexpr double u = std::numeric_limits<double>::epsilon();

/// Samples with classes that the points have to do with.
struct Data {
  Data(Index n, Index d, Index m, std::uint64_t seed) : X(naive::points_apart(n, d, seed)), classes(m) {
    for (Index i = 0; i < n; ++i) labels.push_back((X(i, 0) > 0.3 ? 1 : 0) + (i % 5 == 0 ? m - 2 : 0));
  }
  gramian::embedding::LabelledSample sample() const {
    return {X.view, labels.data(), classes, weights.empty() ? nullptr : weights.data()};
  }
  EmbeddingProblem problem(const Expression& kernel,
                           const gramian::embedding::Criterion& criterion = gramian::embedding::Criterion()) const {
    EmbeddingProblem p;
    p.kernel = kernel;
    p.x = naive::points(X.view);
    p.labels = labels;
    p.weights = weights;
    p.classes = classes;
    p.criterion = criterion;
    return p;
  }

  Matrix<double> X;
  std::vector<Index> labels;
  std::vector<double> weights;
  Index classes;
};

inline std::vector<double> rounded(const Numbers& x) { return {x.begin(), x.end()}; }

/// How much larger rounding errors become: the condition of B, with room for the sums in it.
inline Real amplification(const EmbeddingProblem& p) {
  Real largest = 0;
  for (const Numbers& x : p.images({p.theta.begin(), p.theta.end()}))
    largest = std::max(largest, std::fabs(naive::evaluate(p.kernel, x, x)));
  return 64 * static_cast<Real>(u) * (1 + largest / p.lambda);
}

inline void check_value(gramian::embedding::TrainingObjective& objective, const EmbeddingProblem& p, const std::string& what) {
  const std::vector<double> x = rounded(p.packed());
  const naive::EmbeddingValue wanted = p.at(p.packed());
  const Real allowed = amplification(p) * (static_cast<Real>(p.x.size()) + std::fabs(wanted.value));
  const double value = objective.evaluate(x.data(), nullptr);
  check::that(std::fabs(value - wanted.value) <= allowed,
              what + ": the value is " + check::show(value) + ", not " + check::show(wanted.value), __FILE__, __LINE__);
  const gramian::embedding::Terms terms = objective.last_terms();
  CHECK_NEAR(terms.risk, wanted.risk, allowed);
  CHECK_NEAR(terms.complexity, wanted.complexity, allowed);
  CHECK_NEAR(terms.accuracy, wanted.accuracy, 1e-14);
}

inline void check_gradient(gramian::embedding::TrainingObjective& objective, const EmbeddingProblem& p, const std::string& what) {
  const Numbers at = p.packed();
  const std::vector<double> x = rounded(at);
  CHECK_EQ(objective.size(), static_cast<Index>(x.size()));
  std::vector<double> gradient(x.size(), std::numeric_limits<double>::quiet_NaN());
  const double value = objective.evaluate(x.data(), gradient.data());
  CHECK_EQ(value, objective.evaluate(x.data(), nullptr));
  Real scale = 1;
  for (const double g : gradient) scale = std::max<Real>(scale, std::fabs(g));
  const Real allowed = amplification(p) * (static_cast<Real>(p.x.size()) + std::fabs(static_cast<Real>(value)) + scale);
  Numbers direction;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Numbers along(x.size(), 0);
    along[i] = 1;
    const difference::Slope slope = p.slope(along, 1e-3L, 1 + std::fabs(static_cast<Real>(value)));
    check::that(
        difference::agrees(gradient[i], slope, allowed, scale),
        what + ": derivative " + std::to_string(i) + " is " + check::show(gradient[i]) + ", not " + check::show(slope.value),
        __FILE__, __LINE__);
    CHECK(!difference::agrees(gradient[i] + 0.01L * scale, slope, allowed, scale));
    direction.push_back(std::sin(static_cast<Real>(3 * i + 1)));
  }
  // <J v, w> of a function with one value, and with a wrong gradient.
  const Numbers one = {1};
  const std::vector<difference::Slope> along = {p.slope(direction, 1e-3L, 1 + std::fabs(static_cast<Real>(value)))};
  Real size = 0;
  for (const Real v : direction) size += std::fabs(v);
  CHECK(difference::adjoint_pair(along, one, direction, gradient, allowed * size));
  gradient[0] += 0.01 * static_cast<double>(scale);
  CHECK(!difference::adjoint_pair(along, one, direction, gradient, allowed * size));
}

}  // namespace embedding_data

// SPDX-License-Identifier: BSD-3-Clause
// The objective of a multiclass conditional embedding by its definition, in long double and without any of the engine's algebra.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "gramian/models/embedding/objective.hpp"
#include "support/finite_difference.hpp"
#include "support/kernel_samples.hpp"
#include "support/naive.hpp"
#include "support/naive_kernels.hpp"

namespace naive {

using Table = std::vector<Numbers>;

/// A^-1 B by elimination with pivoting.
inline Table solved(Table A, Table B) {
  const std::size_t n = A.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) pivot = std::fabs(A[i][k]) > std::fabs(A[pivot][k]) ? i : pivot;
    std::swap(A[k], A[pivot]);
    std::swap(B[k], B[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Real factor = A[i][k] / A[k][k];
      for (std::size_t j = k; j < n; ++j) A[i][j] -= factor * A[k][j];
      for (std::size_t j = 0; j < B[i].size(); ++j) B[i][j] -= factor * B[k][j];
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (Real& b : B[k]) b /= A[k][k];
  }
  return B;
}

/// tanh(A x + b): features of this test's own, with the parameters A row by row and then b.
struct Bend {
  Index d, p;
  std::size_t size() const { return static_cast<std::size_t>((d + 1) * p); }
  template <class N>
  std::vector<N> operator()(const std::vector<N>& theta, const std::vector<N>& x) const {
    std::vector<N> z;
    const auto inputs = static_cast<std::size_t>(d), outputs = static_cast<std::size_t>(p);
    for (std::size_t j = 0; j < outputs; ++j) {
      N sum = theta[inputs * outputs + j];
      for (std::size_t k = 0; k < inputs; ++k) sum += theta[j * inputs + k] * x[k];
      z.push_back(std::tanh(sum));
    }
    return z;
  }
};

class BendMap final : public gramian::FeatureMap {
 public:
  BendMap(Index d, Index p) : bend_{d, p} {}
  const Bend& formula() const { return bend_; }
  Index inputs() const override { return bend_.d; }
  Index outputs() const override { return bend_.p; }
  Index parameter_count() const override { return static_cast<Index>(bend_.size()); }
  std::vector<double> start(std::uint64_t seed) const override {
    return naive::normal<double>(parameter_count(), 1, seed).numbers;
  }
  void forward(const double* theta, MatrixView<const double> X, MatrixView<double> Z, const gramian::FeaturePass& pass) override {
    last_pass = pass;
    const std::vector<double> parameters(theta, theta + bend_.size());
    X_ = X;
    Z_.clear();
    for (Index i = 0; i < X.rows(); ++i) {
      std::vector<double> x;
      for (Index k = 0; k < X.cols(); ++k) x.push_back(X(i, k));
      Z_.push_back(bend_(parameters, x));
      for (Index j = 0; j < bend_.p; ++j) Z(i, j) = Z_.back()[static_cast<std::size_t>(j)];
    }
  }
  void reverse(MatrixView<const double> Zbar, double* theta_bar) override {
    std::fill_n(theta_bar, bend_.size(), 0.0);
    for (Index i = 0; i < X_.rows(); ++i) {
      for (Index j = 0; j < bend_.p; ++j) {
        const double z = Z_[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)], bar = (1.0 - z * z) * Zbar(i, j);
        for (Index k = 0; k < bend_.d; ++k) theta_bar[j * bend_.d + k] += bar * X_(i, k);
        theta_bar[bend_.d * bend_.p + j] += bar;
      }
    }
  }
  gramian::FeaturePass last_pass;

 private:
  Bend bend_;
  MatrixView<const double> X_;
  std::vector<std::vector<double>> Z_;
};

/// What the definition says of one batch.
struct EmbeddingValue {
  Real value, risk, complexity, accuracy;
};

struct EmbeddingProblem {
  Expression kernel;
  const BendMap* features = nullptr;
  Table x;
  std::vector<Index> labels;
  std::vector<double> weights;
  Index classes = 2;
  gramian::embedding::Criterion criterion;
  double lambda = 0.1;
  std::vector<double> theta;
  // The batch: all samples, unless they are given.
  std::vector<std::size_t> training, held_out;

  /// All that can be learned, as the engine packs it.
  Numbers packed() const {
    Numbers out;
    const Numbers parameters = parameters_of(kernel);
    const std::vector<bool> learned = kernel_of(kernel).learnable_parameters();
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (learned[p]) out.push_back(std::log(parameters[p]));
    }
    out.push_back(std::log(static_cast<Real>(lambda)));
    out.insert(out.end(), theta.begin(), theta.end());
    return out;
  }

  EmbeddingValue at(const Numbers& packed) const {
    Numbers parameters = parameters_of(kernel);
    const std::vector<bool> learned = kernel_of(kernel).learnable_parameters();
    std::size_t next = 0;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (learned[p]) parameters[p] = std::exp(packed[next++]);
    }
    const Real ridge = std::exp(packed[next++]);
    return value_of(images({packed.begin() + static_cast<std::ptrdiff_t>(next), packed.end()}), parameters, ridge);
  }

  /// What the kernel sees of the points.
  Table images(const Numbers& parameters) const {
    Table points = x;
    for (Numbers& point : points) point = features == nullptr ? point : features->formula()(parameters, point);
    return points;
  }

  difference::Slope slope(const Numbers& along, Real h, Real magnitude) const {
    const Numbers start = packed();
    return difference::slope(
        [&](Real t) {
          Numbers moved = start;
          for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += t * along[i];
          return at(moved).value;
        },
        h, magnitude);
  }

 private:
  Real supremum(const Expression& e, const Real*& at) const {
    if (e.kind == Expression::leaf) {
      at += e.parameters.size() + e.scales.size();
      return kernel_of(e).supremum();
    }
    const Real factor = e.kind == Expression::multiple ? *at++ : Real(1);
    const Real first = supremum(e.children[0], at);
    if (e.kind == Expression::multiple) return factor * first;
    const Real second = supremum(e.children[1], at);
    return e.kind == Expression::sum ? first + second : first * second;
  }

  EmbeddingValue value_of(const Table& points, const Numbers& parameters, Real ridge) const {
    std::vector<std::size_t> of = training;
    if (of.empty()) {
      for (std::size_t i = 0; i < x.size(); ++i) of.push_back(i);
    }
    of.erase(std::remove_if(of.begin(), of.end(), [&](std::size_t i) { return weight(i) == 0; }), of.end());
    const std::vector<std::size_t>& risked = held_out.empty() ? of : held_out;
    const auto k = [&](std::size_t i, std::size_t j) { return evaluate(kernel, parameters, points[i], points[j]); };
    Real total = 0;
    for (const std::size_t i : of) total += weight(i);
    // To repeat a sample w times is to divide its own ridge by w.
    Table K, B, Y;
    for (const std::size_t i : of) {
      Numbers row;
      for (const std::size_t j : of) row.push_back(k(i, j));
      K.push_back(row);
      row[K.size() - 1] += total * ridge / weight(i);
      B.push_back(row);
      Y.emplace_back(static_cast<std::size_t>(classes), 0);
      Y.back()[static_cast<std::size_t>(labels[i])] = 1;
    }
    const Table V = solved(B, Y);
    Real square = 0, largest = 0;
    for (std::size_t i = 0; i < of.size(); ++i) {
      largest = std::max(largest, K[i][i]);
      for (std::size_t j = 0; j < of.size(); ++j) square += K[i][j] * difference::dot(V[i], V[j]);
    }
    const Real* next = parameters.data();
    const Real bound = supremum(kernel, next);
    Real alpha = criterion.sensitivity;
    if (alpha == 0) alpha = std::sqrt(std::isfinite(bound) ? bound : largest);
    EmbeddingValue out{0, 0, alpha * std::sqrt(square), 0};
    Real counted = 0, all = 0, used = 0;
    for (std::size_t i = 0; i < x.size(); ++i) all += weight(i), used += weight(i) > 0 ? 1 : 0;
    for (const std::size_t i : risked) {
      Numbers p(static_cast<std::size_t>(classes), 0);
      for (std::size_t j = 0; j < of.size(); ++j) {
        for (std::size_t c = 0; c < p.size(); ++c) p[c] += k(i, of[j]) * V[j][c];
      }
      const auto label = static_cast<std::size_t>(labels[i]);
      out.risk -= weight(i) * std::log(std::min<Real>(1, std::max<Real>(criterion.epsilon, p[label])));
      out.accuracy += std::max_element(p.begin(), p.end()) - p.begin() == labels[i] ? weight(i) : 0;
      counted += weight(i);
    }
    out.accuracy /= counted;
    out.risk *= used / static_cast<Real>(risked.size()) / (criterion.risk == gramian::embedding::Risk::mean ? all : 1);
    out.value = out.risk + criterion.tau * out.complexity;
    return out;
  }

  Real weight(std::size_t i) const { return weights.empty() ? Real(1) : Real(weights[i]); }
};

}  // namespace naive

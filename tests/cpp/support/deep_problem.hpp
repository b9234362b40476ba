// SPDX-License-Identifier: BSD-3-Clause
// [DKL] (7), (Int) and (Reg): by their definitions, in long double.
#pragma once

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "gramian/models/deep_regression.hpp"
#include "support/naive_composition.hpp"
#include "support/ridge_problem.hpp"

namespace naive {

/// Layers on a few samples; `last` is solved for unless `joint`.
struct DeepProblem {
  Composition layers;  // all of them
  Matrix<double> X, targets;
  std::vector<double> weights{};  // empty: 1
  bool interpolate = false, joint = false;
  std::function<Real(Real, std::size_t)> theta{};  // of a squared norm and the number of the layer, from 0; none: linear
  std::function<Real(const Numbers&, const Numbers&)> loss{};  // of target and output; none: squared
  Real distance_penalty = 0;

  std::size_t depth() const { return layers.layers.size(); }
  Composition variables() const {
    Composition out = layers;
    if (!joint) out.layers.pop_back();
    return out;
  }
  Real weight(std::size_t i) const { return weights.empty() ? 1 : static_cast<Real>(weights[i]); }
  Real penalty(std::size_t l, Real square) const {
    return theta ? theta(square, l) : static_cast<Real>(layers.layers[l].penalty) * square;
  }

  Real value(const Numbers& flat) const {
    const Composition moving = variables();
    const Images images = moving.evaluate(flat);
    Real sum = 0;
    for (std::size_t l = 0; l < moving.layers.size(); ++l) sum += penalty(l, images.squared_norms[l]);
    const Rows& inner = images.X[depth() - 1];
    if (joint) {
      for (std::size_t i = 0; i < inner.size(); ++i) sum += weight(i) * cost(images.X.back()[i], i);
    } else {
      sum += last_minimum(inner, moving.supports(inner));
    }
    for (std::size_t i = 0; i < inner.size() && distance_penalty > 0; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Facts facts = facts_of(inner[i], inner[j]);
        sum += distance_penalty * std::cosh(facts.square) / std::sinh(facts.square);
      }
    }
    return sum;
  }

  Real cost(const Numbers& output, std::size_t i) const {
    Numbers target;
    for (Index j = 0; j < targets.view.cols(); ++j) target.push_back(static_cast<Real>(targets.view(static_cast<Index>(i), j)));
    if (loss) return loss(target, output);
    Real square = 0;
    for (std::size_t j = 0; j < target.size(); ++j) square += (target[j] - output[j]) * (target[j] - output[j]);
    return square;
  }

  Rows last_operator() const {
    const Layer& last = layers.layers.back();
    const auto r = static_cast<std::size_t>(last.outputs);
    const Rows& given = last.terms[0].A;
    Rows A = rows_of(r, r);
    for (std::size_t j = 0; j < r; ++j) {
      for (std::size_t k = 0; k < r; ++k) {
        A[j][k] = given.empty() ? (j == k ? 1 : 0) : given.size() == 1 && r > 1 ? (j == k ? given[0][j] : 0) : given[j][k];
      }
    }
    return A;
  }

  /// The last layer on given images: the minimum over its coefficients, from the solution of the normal equations
  /// sum_i w_i across_i^T (across_i Phi A - c_i) + lambda K Phi = 0, which for all samples as supports is K Phi A + lambda D^-1
  /// Phi = C.
  Real last_minimum(const Rows& Z, const Rows& S) const {
    const Layer& last = layers.layers.back();
    const Real lambda = interpolate ? 0 : static_cast<Real>(last.penalty);
    const Rows A = last_operator(), C = points(targets.view), K = gram_of(last.terms[0].kernel, S, S),
               across = gram_of(last.terms[0].kernel, Z, S);
    const std::size_t n = Z.size(), m = S.size(), r = A.size();
    const bool all = layers.landmarks.empty();
    Rows M = rows_of(m * r, m * r), b = rows_of(m * r, 1), Phi = rows_of(m, r);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < r; ++j) {
        for (std::size_t k = 0; k < m; ++k) {
          for (std::size_t l = 0; l < r; ++l) {
            Real& entry = M[i * r + j][k * r + l];
            if (all) {
              entry += K[i][k] * A[l][j] + (i == k && j == l ? lambda / weight(i) : 0);
            } else if (j == l) {  // A = I
              for (std::size_t s = 0; s < n; ++s) entry += weight(s) * across[s][i] * across[s][k];
              entry += lambda * K[i][k];
            }
          }
        }
        for (std::size_t s = 0; s < n && !all; ++s) b[i * r + j][0] += weight(s) * across[s][i] * C[s][j];
        if (all) b[i * r + j][0] = C[i][j];
      }
    }
    const Rows x = solved(M, b);
    for (std::size_t i = 0; i < m * r; ++i) Phi[i / r][i % r] = x[i][0];
    const Rows applied = times(Phi, A), outputs = times(across, applied);
    Real sum = (interpolate ? 1 : lambda) * dot(times(K, Phi), applied);
    for (std::size_t i = 0; i < n && !interpolate; ++i) {
      for (std::size_t j = 0; j < r; ++j) sum += weight(i) * (outputs[i][j] - C[i][j]) * (outputs[i][j] - C[i][j]);
    }
    return sum;
  }

  std::vector<gramian::LayerPlan> engine_layers() const {
    std::vector<gramian::LayerPlan> out;
    for (const gramian::KernelLayer& layer : layers_of(layers.layers)) {
      out.push_back({layer.terms, layer.outputs(), layer.penalty});
    }
    return out;
  }
};

}  // namespace naive

// SPDX-License-Identifier: BSD-3-Clause
// Samples that the experiments of [KAE] are made of, and what tests ask of an autoencoder's codes.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "gramian/models/autoencoder.hpp"
#include "support/naive.hpp"

namespace autoencoder_data {

using gramian::Index;
using gramian::LayerPlan;
using gramian::MatrixView;

/// [KAE] Sec. 5.1 and App. C.1: three noisy concentric circles, two moons, two Gaussian clusters.
inline naive::Matrix<double> samples(const std::string& name, Index n, std::uint64_t seed = 3) {
  naive::Matrix<double> X(n, 2);
  const gramian::RandomStream random(seed);
  for (Index i = 0; i < n; ++i) {
    const std::uint64_t first = static_cast<std::uint64_t>(4 * i);
    const double angle = 6.283185307179586 * random.uniform(first), a = random.normal(first + 1), b = random.normal(first + 2);
    if (name == "circles") {
      const double radius = static_cast<double>(1 + i % 3) / 3.0;
      X(i, 0) = radius * std::cos(angle) + 0.02 * a;
      X(i, 1) = radius * std::sin(angle) + 0.02 * b;
    } else if (name == "moons") {
      const double side = i % 2 == 0 ? 1.0 : -1.0;
      X(i, 0) = side * std::cos(0.5 * angle) + (i % 2 == 0 ? 0.0 : 1.0) + 0.05 * a;
      X(i, 1) = side * std::sin(0.5 * angle) + (i % 2 == 0 ? 0.0 : 0.5) + 0.05 * b;
    } else {
      X(i, 0) = 2.0 * static_cast<double>(i % 2) + 0.3 * a;
      X(i, 1) = 0.3 * b;
    }
  }
  return X;
}

/// Layers of these sizes, the same penalty for each; their kernels are left open.
inline std::vector<LayerPlan> open_layers(const std::vector<Index>& sizes, double penalty) {
  std::vector<LayerPlan> layers;
  for (const Index size : sizes) {
    layers.emplace_back();
    layers.back().outputs = size;
    layers.back().penalty = penalty;
  }
  return layers;
}

/// One kernel k I for each of them.
inline std::vector<LayerPlan> layers_with(const std::vector<gramian::Kernel>& kernels, const std::vector<Index>& sizes,
                                          const std::vector<double>& penalties) {
  std::vector<LayerPlan> layers;
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    layers.emplace_back();
    layers.back().terms.push_back({kernels[l], gramian::OutputOperator::identity(sizes[l])});
    layers.back().outputs = sizes[l];
    layers.back().penalty = penalties[l];
  }
  return layers;
}

/// Training by L-BFGS, or another solver, within limits: these stop later than those of the engine.
inline gramian::TrainingLimits limits_of(Index iterations, double gradient_tolerance = 1e-6, double value_tolerance = 1e-9) {
  return {iterations, gradient_tolerance, value_tolerance};
}
template <class Solver = gramian::LbfgsOptions>
gramian::autoencoder::Options options_of(bool joint, const gramian::TrainingLimits& limits) {
  gramian::autoencoder::Options options;
  if (joint) {
    options.training = gramian::autoencoder::JointTraining{limits.solver<Solver>()};
  } else {
    options.training = gramian::autoencoder::EliminatedTraining{limits.solver<Solver>()};
  }
  return options;
}
inline gramian::autoencoder::Options iterations_of(Index iterations) { return options_of(false, limits_of(iterations)); }

inline double variance(MatrixView<const double> codes, Index j) {
  const double n = static_cast<double>(codes.rows());
  double mean = 0.0, squares = 0.0;
  for (Index i = 0; i < codes.rows(); ++i) mean += codes(i, j) / n;
  for (Index i = 0; i < codes.rows(); ++i) squares += (codes(i, j) - mean) * (codes(i, j) - mean) / n;
  return squares;
}

inline double largest_difference(MatrixView<const double> a, MatrixView<const double> b) {
  double most = a.rows() == b.rows() && a.cols() == b.cols() ? 0.0 : INFINITY;
  for (Index i = 0; i < a.rows() && std::isfinite(most); ++i) {
    for (Index j = 0; j < a.cols(); ++j) most = std::fmax(most, std::fabs(a(i, j) - b(i, j)));
  }
  return most;
}

}  // namespace autoencoder_data

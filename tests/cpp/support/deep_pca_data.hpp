// SPDX-License-Identifier: BSD-3-Clause
// Data for deep kernel PCA, and what tests ask of a model.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "gramian/models/deep_pca/apply.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

namespace pca {

using gramian::Index;
using gramian::Kernel;
using gramian::MatrixView;
using gramian::Points;

/// Two classes of very different spread, in [-1.5, 1.5].
inline naive::Matrix<double> two_classes(Index n, Index d, std::uint64_t seed = 1) {
  const naive::Matrix<double> z = naive::normal<double>(n, 4, seed), B = naive::normal<double>(4, d, seed + 1);
  const gramian::RandomStream random(seed + 2);
  naive::Matrix<double> X(n, d);
  for (Index i = 0; i < n; ++i) {
    const bool wide = random.uniform(static_cast<std::uint64_t>(i)) < 0.36;
    for (Index k = 0; k < d; ++k) {
      double u = 0.5;
      for (Index q = 0; q < 4; ++q) u += 0.15 * z.view(i, q) * B.view(q, k);
      const double spread = 2.0 * random.uniform(static_cast<std::uint64_t>(n + i * d + k)) - 1.0;
      X(i, k) = std::clamp(wide ? spread : u, -1.5, 1.5);
    }
  }
  return X;
}

inline std::vector<gramian::deep_pca::Level> gaussian_and(const Kernel& second, double eta2, Index s1 = 3, Index s2 = 2) {
  return {{Kernel("gaussian", {0.3}), s1, 1.0}, {second, s2, eta2}};
}
inline std::vector<gramian::deep_pca::Level> two_gaussians(double eta2 = 1.0) {
  return gaussian_and(Kernel("gaussian", {1.0}), eta2);
}
inline std::vector<gramian::deep_pca::Level> with_linear(double eta2, Index s1 = 3, Index s2 = 2) {
  return gaussian_and(Kernel("linear", {}), eta2, s1, s2);
}

/// The automatic solver with so many iterations.
inline gramian::deep_pca::Solver lbfgs(Index iterations, double gradient_tolerance = 1e-6, double value_tolerance = 1e-10) {
  gramian::deep_pca::Automatic solver;
  solver.otherwise.max_iterations = iterations;
  solver.otherwise.gradient_tolerance = gradient_tolerance;
  solver.otherwise.value_tolerance = value_tolerance;
  return solver;
}

/// All solvers that minimise J on manifolds.
inline std::vector<gramian::deep_pca::Solver> iterative_solvers(Index iterations) {
  gramian::RiemannianLbfgsOptions lbfgs;
  gramian::RiemannianAdamOptions adam;
  gramian::StiefelDescentOptions descent;
  lbfgs.max_iterations = adam.max_iterations = descent.max_iterations = iterations;
  descent.step = 1e-2;
  return {lbfgs, adam, descent};
}

inline double largest_difference(MatrixView<const double> A, MatrixView<const double> B) {
  double most = 0.0;
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index c = 0; c < A.cols(); ++c) {
      const double off = std::fabs(A(i, c) - B(i, c));
      most = off <= most ? most : off;  // NaN counts as large
    }
  }
  return most;
}

/// Value of the best match of subspaces: the smallest singular value of AᵀB for one or two columns, by |AᵀB|_F^2 / columns.
inline double overlap(MatrixView<const double> A, MatrixView<const double> B) {
  double sum = 0.0;
  for (Index a = 0; a < A.cols(); ++a) {
    for (Index b = 0; b < B.cols(); ++b) {
      double inner = 0.0;
      for (Index i = 0; i < A.rows(); ++i) inner += A(i, a) * B(i, b);
      sum += inner * inner;
    }
  }
  return sum / static_cast<double>(std::min(A.cols(), B.cols()));
}

}  // namespace pca

// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_pca/start.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gramian/base/random.hpp"
#include "gramian/eigen.hpp"
#include "gramian/linalg/stiefel.hpp"
#include "models/deep_pca/levels.hpp"

namespace gramian::deep_pca {
namespace {

constexpr double zero_eigenvalue = 1e-8;  ///< relative to the largest

Index count_of(const TrainingObjective& objective) { return static_cast<Index>(objective.levels().size()); }

bool linear(const TrainingObjective& objective, Index j) {
  return objective.levels()[static_cast<std::size_t>(j)].kernel.traits().inner_product;
}

/// [DKPCA] (4): the first eigenvectors of K_j, level after level; linear levels have those of the level they follow.
void start_levels(TrainingObjective& objective, double* x, double tolerance) {
  const StiefelProduct& manifold = objective.manifold();
  const SampleMeasure measure = measure_of(objective);
  for (Index j = 0; j < count_of(objective);) {
    Index end = j + 1, most = manifold.block(x, j).cols();
    for (; end < count_of(objective) && linear(objective, end); ++end) most = std::max(most, manifold.block(x, end).cols());
    const auto apply = [&](MatrixView<const double> V, MatrixView<double> out) { objective.product(x, j + 1, V, out); };
    const Matrix vectors = top_vectors(measure, most, apply, tolerance, objective.options().centred);
    for (; j < end; ++j) {
      auto first = as_eigen(manifold.block(x, j));
      first = as_eigen(vectors.view()).leftCols(first.cols());
    }
  }
}

}  // namespace

SampleMeasure measure_of(const TrainingObjective& objective) { return {objective.samples(), objective.options().weights}; }

Matrix top_vectors(const SampleMeasure& measure, Index count, SymmetricAction apply, double tolerance, bool centred) {
  const Index n = measure.size();
  Matrix values(count, 1), vectors(n, count);
  EigenTopOptions options;
  options.tolerance = tolerance;
  eigen_top(n, apply, values.view(), vectors.view(), options);
  const double largest = values(0, 0), least = values(count - 1, 0);
  if (!centred || least > zero_eigenvalue * largest) return vectors;
  const double most = std::max(std::fabs(largest), std::fabs(least)), shift = most > 0.0 ? 2.0 * most : 1.0;
  const auto lowered = [&](MatrixView<const double> V, MatrixView<double> out) {
    apply(V, out);
    measure.lower_constants(V, shift, out);
  };
  eigen_top(n, lowered, values.view(), vectors.view(), options);
  if (count == n) return vectors;
  measure.centre_scaled(std::as_const(vectors).view(), vectors.view());
  stiefel_project(std::as_const(vectors).view(), vectors.view());
  return vectors;
}

bool has_closed_form(const std::vector<Level>& levels) {
  return std::all_of(levels.begin() + 1, levels.end(), [](const Level& level) { return level.kernel.traits().inner_product; });
}

void start_by_kpca(TrainingObjective& objective, double* x) { start_levels(objective, x, 1e-10); }

/// [DKPCA] (13): solved by the eigenvectors of K_1. The residuals of two levels are compared with 0; kernel PCA is right to twice
/// as many digits in its eigenvalues as it is.
void solve_in_closed_form(TrainingObjective& objective, double* x) {
  start_levels(objective, x, count_of(objective) == 1 ? 1e-10 : 1e-12);
}

/// [DKPCA] Alg. 1, line 3: at random.
void start_at_random(TrainingObjective& objective, std::uint64_t seed, Index start, double* x) {
  const StiefelProduct& manifold = objective.manifold();
  const RandomStream random(seed, static_cast<std::uint64_t>(start));
  std::uint64_t first = 0;
  for (Index j = 0; j < count_of(objective); ++j) {
    const MatrixView<double> H = manifold.block(x, j);
    random.fill_normal(H, first);
    first += static_cast<std::uint64_t>(H.rows() * H.cols());
    stiefel_project(H, H);
  }
}

void set_eigenvalues(TrainingObjective& objective, double* x) {
  const StiefelProduct& manifold = objective.manifold();
  if (manifold.free_numbers() == 0) return;
  std::vector<double> A(static_cast<std::size_t>(manifold.free_offset()));
  double* value = x + manifold.free_offset();
  objective.energy_gradient(x, A.data());
  for (Index j = 0; j < count_of(objective); ++j) {
    const auto H = as_eigen(manifold.block(x, j)), a = as_eigen(manifold.block(A.data(), j));
    Eigen::Map<Eigen::RowVectorXd>(value, H.cols()) = H.cwiseProduct(a).colwise().sum();
    value += H.cols();
  }
}

}  // namespace gramian::deep_pca

// SPDX-License-Identifier: BSD-3-Clause
// What the objective of deep kernel PCA holds from one evaluation to the next.
#pragma once

#include <memory>
#include <vector>

#include "gramian/models/deep_pca/objective.hpp"
#include "models/deep_pca/levels.hpp"
#include "models/deep_pca/measure.hpp"

namespace gramian::deep_pca {

struct TrainingObjective::Parts {
  Parts(const PointSource& data, std::vector<Level> all_levels, const ObjectiveOptions& all_options);

  Index depth() const { return static_cast<Index>(levels.size()); }
  Index features() const { return manifold.free_offset(); }
  bool joint() const { return options.eigenvalues == Eigenvalues::joint; }
  const Level& level(Index j) const { return levels[static_cast<std::size_t>(j)]; }
  MatrixView<const double> H(const double* x, Index j) const { return manifold.block(x, j); }
  /// Of a level's features; empty for the level below the first one.
  MatrixView<double> room(std::vector<double>& numbers, Index j);

  /// Level j (from 0) on the features x has of the level before.
  LevelTrace& placed(const double* x, Index j);
  LevelTrace& checked_level(const double* x, Index number);  ///< the same, counted from 1
  /// A, Lambda and R at x, unless they are known.
  void sweep(const double* x);
  void gradient(const double* x, double* out);
  double value() const;

  PointSource input;
  std::vector<Level> levels;
  ObjectiveOptions options;
  SampleMeasure measure;
  StiefelProduct manifold;
  std::vector<std::unique_ptr<LevelTrace>> traces;

  std::vector<double> known;  ///< the x that the rest belongs to; empty: none
  std::vector<double> A, R, lambda;
  std::vector<double> captured;   ///< tr(H_jᵀ K_j H_j)
  std::vector<double> couplings;  ///< tr(G_jᵀ H_j) of all levels but the last
  std::vector<double> residuals;

 private:
  void add(const std::vector<double>& from, double factor, Index j, double* to) const;
  void set_residuals(const double* x);

  std::vector<std::vector<double>> positions_;  ///< where each level is
  std::vector<double> features_bar_, points_bar_;
};

}  // namespace gramian::deep_pca

// SPDX-License-Identifier: BSD-3-Clause
// One fold of a cross-validation: what is trained on, and what is left out.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gram/rows.hpp"
#include "models/deep_regression/samples.hpp"
#include "models/layered/training.hpp"

namespace gramian::deep_regression {

/// The rows that each fold leaves out; throws std::invalid_argument for rows that are not there, or folds that leave out all or
/// nothing.
std::vector<std::vector<Index>> test_rows_of(const Grid& grid, Index samples, std::uint64_t seed);

class Fold {
 public:
  /// layers: decided, with terms. What is passed must outlive this.
  Fold(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers, const Options& options,
       const std::vector<Index>& test_rows, bool joint, int at_once);
  Fold(Fold&&) = delete;

  /// A task on the rows that are trained on, with these penalties where a layer has no theta.
  LayeredTask task(double last_penalty, double inner_penalty) const;
  const LayeredShare& share() const { return *share_; }  ///< not there if nothing is trained
  bool trains() const { return share_.has_value(); }

  /// Weighted loss of the rows that are left out, and the sum of their weights.
  double loss(const CompositionModel& model) const;
  double weight() const;

 private:
  void pick_test(const PointSource& input, const std::vector<Index>& test_rows);

  Options options_;  // of the rows that are trained on
  std::vector<LayerPlan> layers_;
  bool joint_;
  std::vector<Index> train_rows_;
  std::optional<PickedRows> train_;
  Matrix train_targets_, test_targets_;
  std::vector<Matrix> image_targets_;
  std::vector<double> test_weights_;
  std::optional<DistinctSamples> samples_;
  std::shared_ptr<const Loss> loss_;
  std::optional<LayeredShare> share_;
  std::optional<PickedPairs> pairs_;  // samples that are left out with the supports, as the first layer sees them
};

}  // namespace gramian::deep_regression

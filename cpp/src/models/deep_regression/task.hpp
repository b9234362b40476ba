// SPDX-License-Identifier: BSD-3-Clause
// A deep regression as its parts see it: checked, and without the samples that do not count.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gram/rows.hpp"
#include "gramian/models/deep_regression.hpp"

namespace gramian {

/// Whether the last layer is a variable. Throws std::invalid_argument for arguments that do not fit together.
bool checked_joint(const PointSource& input, MatrixView<const double> targets, const std::vector<DeepRegressionLayer>& layers,
                   const DeepRegressionOptions& options);

/// The samples that count: those of weight 0 are not there, and of those to interpolate that all kernels of the first layer take
/// for the same, the first one. Throws std::invalid_argument if the targets of two of these differ.
class DeepSamples {
 public:
  DeepSamples(const PointSource& input, MatrixView<const double> targets, const std::vector<DeepRegressionLayer>& layers,
              const DeepRegressionOptions& options);

  const PointSource& input() const { return picked_ ? picked_->source() : all_; }
  MatrixView<const double> targets() const { return picked_ ? MatrixView<const double>(kept_targets_.view()) : all_targets_; }
  const std::vector<Index>& rows() const { return rows_; }  ///< empty: all
  const std::vector<Index>& merged() const { return merged_; }
  const std::vector<Index>& landmarks() const { return landmarks_; }  ///< among the samples that count
  const std::vector<double>& weights() const { return weights_; }     ///< empty: 1 each
  const std::vector<ImageLoss>& image_losses() const { return image_losses_; }
  /// Rows of the whole input that support the first layer; empty: all.
  std::vector<Index> supporting_rows() const;

 private:
  void pick(const DeepRegressionOptions& options);

  PointSource all_;
  MatrixView<const double> all_targets_;
  std::vector<Index> rows_, merged_, landmarks_;
  std::vector<double> weights_;
  std::optional<PickedRows> picked_;
  Matrix kept_targets_;
  std::vector<Matrix> image_targets_;
  std::vector<ImageLoss> image_losses_;
};

/// What one training minimises. Views and references are of what outlives it.
struct DeepTask {
  const DeepSamples& samples;
  const DeepRegressionOptions& options;
  std::vector<KernelLayer> layers;               ///< with the kernels that were left open
  std::vector<std::shared_ptr<Penalty>> thetas;  ///< null: linear, with the penalty of the layer
  bool joint = false;

  Index depth() const { return static_cast<Index>(layers.size()); }
  Index variable_layers() const { return joint ? depth() : depth() - 1; }
  InnerParameters parameters() const;  ///< coefficients where nothing else is better conditioned
  double penalty(Index l, double square) const;
  double slope(Index l, double square) const;
};

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// A deep regression as a task of layered training, without the samples that do not count.
#pragma once

#include <optional>
#include <vector>

#include "gram/rows.hpp"
#include "gramian/models/deep_regression.hpp"
#include "models/layered/task.hpp"

namespace gramian::deep_regression {

/// The largest entry of a column less the smallest one.
double spread_of(MatrixView<const double> X, Index k);

/// The samples that count: those of weight 0 are not there, and of those to interpolate that all kernels of the first layer take
/// for the same, the first one. Throws std::invalid_argument if the targets of two of these differ.
class DistinctSamples {
 public:
  DistinctSamples(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers,
                  const Options& options);

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
  void pick(const Regression& mode, const std::vector<ImageLoss>& images);

  PointSource all_;
  MatrixView<const double> all_targets_;
  std::vector<Index> rows_, merged_, landmarks_;
  std::vector<double> weights_;
  std::optional<PickedRows> picked_;
  Matrix kept_targets_;
  std::vector<Matrix> image_targets_;
  std::vector<ImageLoss> image_losses_;
};

/// kernels: the layers, with what was left open. samples and options must outlive it.
LayeredTask make_task(const DistinctSamples& samples, const std::vector<LayerPlan>& layers, const Options& options,
                      std::vector<KernelLayer> kernels, bool joint);

}  // namespace gramian::deep_regression

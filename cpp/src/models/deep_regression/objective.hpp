// SPDX-License-Identifier: BSD-3-Clause
// What a deep regression minimises, as a function of its variables.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gramian/layers/composition.hpp"
#include "gramian/layers/ridge_output.hpp"
#include "gramian/optim/objective.hpp"
#include "layers/feature_coordinates.hpp"
#include "models/deep_regression/task.hpp"

namespace gramian {

/// sum_i w_i V(target_i, output_i), with its gradient unless bar is empty. weights: empty for 1 each. With weights samples are
/// evaluated one by one, as a loss sums them up.
double weighted_loss(const Loss& loss, MatrixView<const double> targets, MatrixView<const double> outputs,
                     const std::vector<double>& weights, MatrixView<double> bar);

/// The variables: of layer 1 its weights or coefficients, then the coefficients of the layers behind it, flat.
class DeepVariables {
 public:
  /// features: null for coefficients. layers: those that are variables.
  DeepVariables(std::shared_ptr<const FeatureCoordinates> features, const Composition& layers);

  Index size() const { return first_ + rest_; }
  const FeatureCoordinates* features() const { return features_.get(); }
  /// Flat coefficients of x, and gradients in x from those in coefficients.
  void expand(const double* x, double* flat) const;
  void pull_back(const double* flat, double* x) const;
  /// x of flat coefficients but for layer 1, which is left as it is.
  void take_rest(const double* flat, double* x) const;

 private:
  std::shared_ptr<const FeatureCoordinates> features_;
  Index supports_, outputs_;  // of layer 1
  Index first_, first_coefficients_, rest_;
};

/// [DKL] (7), (Int), (Reg): a page of algebra over the sweeps of a composition. The last layer is among its layers, or acts as a
/// loss on X_{L-1}.
class DeepObjective final : public Objective {
 public:
  /// layers: those that are variables.
  DeepObjective(const DeepTask& task, Composition layers, std::shared_ptr<const FeatureCoordinates> features);

  Index size() const override { return variables_.size(); }
  /// Infinity where it breaks down: that is for an optimiser, which comes back from there.
  double evaluate(const double* x, double* gradient) override;
  /// The same, but what breaks down is thrown.
  double value_at(const double* x, double* gradient);

  // Of the last evaluation:
  const Composition& layers() const { return layers_; }
  // Of the last layer, if it is solved for:
  Matrix last_coefficients() const;
  double last_squared_norm() const { return last_->squared_norm() / factor_; }
  double jitter() const { return last_->jitter() * factor_; }
  double loss() const { return loss_value_; }  ///< of the outputs, weighted
  const std::vector<double>& coefficients() const { return flat_; }
  const std::vector<double>& coefficient_gradient() const { return flat_gradient_; }

 private:
  /// A gradient in images, and where it belongs.
  struct Bar {
    Index layer;
    Matrix bar;
  };
  double penalties(bool gradient);
  double last_value(MatrixView<double> bar);
  double output_loss(MatrixView<double> bar);
  double image_losses(bool gradient);
  double add_image_loss(const ImageLoss& image, MatrixView<double> bar, Matrix& scratch);
  Bar& bar_of(Index layer);

  const DeepTask& task_;
  Composition layers_;
  DeepVariables variables_;
  std::optional<RidgeOutput> last_;
  double factor_ = 1.0;  // of the last kernel, taken out of it
  std::unique_ptr<Loss> squared_;
  std::vector<double> flat_, flat_gradient_;
  std::vector<Bar> bars_;  // the first one of the last variable layer
  std::vector<ImageBar> inner_bars_;
  Matrix support_bar_;
  std::vector<Matrix> scratch_;  // for each image loss
  std::vector<double> sums_;     // of the distance penalty
  double loss_value_ = 0.0;
};

}  // namespace gramian

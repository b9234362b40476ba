// SPDX-License-Identifier: BSD-3-Clause
// What the training of layers minimises, as a function of its variables.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gramian/layers/composition.hpp"
#include "gramian/layers/ridge_output.hpp"
#include "gramian/optim/objective.hpp"
#include "layers/feature_coordinates.hpp"
#include "models/layered/task.hpp"

namespace gramian {

/// sum_i w_i V(target_i, output_i), with its gradient unless bar is empty. weights: empty for 1 each. With weights samples are
/// evaluated one by one, as a loss sums them up.
double weighted_loss(const Loss& loss, MatrixView<const double> targets, MatrixView<const double> outputs,
                     const std::vector<double>& weights, MatrixView<double> bar);

/// The variables: of layer 1 its weights or coefficients, then the coefficients of the layers after it, flat.
class LayeredVariables {
 public:
  /// features: null for coefficients. layers: those that are variables.
  LayeredVariables(std::shared_ptr<const FeatureCoordinates> features, const Composition& layers);

  Index size() const { return first_ + rest_; }
  const FeatureCoordinates* features() const { return features_.get(); }
  /// Flat coefficients of x, and gradients in x from those in coefficients.
  void expand(const double* x, double* flat) const;
  void pull_back(const double* flat, double* x) const;
  /// x of flat coefficients except for layer 1, which is left as it is.
  void take_rest(const double* flat, double* x) const;

 private:
  std::shared_ptr<const FeatureCoordinates> features_;
  Index supports_, outputs_;  // of layer 1
  Index first_, first_coefficients_, rest_;
};

/// [DKL] (7), (Int), (Reg): a page of algebra over the sweeps of a composition. The last layer is among its layers, which
/// the representer theorem allows, or acts as a loss on X_{L-1}.
class LayeredObjective final : public Objective {
 public:
  /// layers: those that are variables. task must outlive this.
  LayeredObjective(const LayeredTask& task, Composition layers, std::shared_ptr<const FeatureCoordinates> features = nullptr);

  Index size() const override { return variables_.size(); }
  /// Infinity where it breaks down: that is for an optimiser, which comes back from there.
  double evaluate(const double* x, double* gradient) override;
  /// The same, but what breaks down is thrown.
  double value_at(const double* x, double* gradient);
  /// An estimate from the samples `rows`, ascending: their mean loss with the exact penalties. Of joint training without images.
  double value_on(std::vector<Index> rows, const double* x, double* gradient);

  /// Phi_L is held at that of the last evaluation from now on, [KAE] Alg. 1, and the objective at x with Phi_L held. Without
  /// landmarks.
  void hold_last();
  double evaluate_held(const double* x, double* gradient);

  /// Gives |f_l|^2 the further weight `multiplier` at the point of the last evaluation, and the gradient anew.
  void constrain(Index l, double multiplier, double* gradient);

  /// Whether the last evaluation was at x, with a gradient; and makes it so, unless it was.
  bool is_at(const std::vector<double>& x) const { return known_ && x == x_; }
  void move_to(const std::vector<double>& x);

  // Of the last evaluation:
  Composition& layers() { return layers_; }
  double value() const { return value_; }
  double loss() const { return loss_value_; }  ///< of the outputs, weighted; their mean if the task asks for it
  const std::vector<double>& coefficients() const { return flat_; }
  const std::vector<double>& coefficient_gradient() const { return flat_gradient_; }
  const std::vector<double>& multipliers() const { return multipliers_; }
  // Of the last layer, if it is solved for:
  Matrix last_coefficients() const;
  double last_squared_norm() const { return last_->squared_norm() / factor_; }
  double jitter() const { return last_->jitter() * factor_; }

 private:
  /// A gradient in images, and where it belongs.
  struct Bar {
    Index layer;
    Matrix bar;
  };
  void forward(const double* x, std::vector<Index> rows);
  void reverse(MatrixView<const double> bar, double* gradient);
  double penalties(bool gradient);
  double last_value(MatrixView<double> bar);
  double output_loss(MatrixView<const double> targets, const std::vector<double>& weights, MatrixView<double> bar);
  double image_terms(bool gradient);
  Bar& bar_of(Index layer);
  MatrixView<double> output_bar(bool wanted) { return wanted ? bars_.front().bar.view() : MatrixView<double>(); }

  const LayeredTask& task_;
  Composition layers_;
  LayeredVariables variables_;
  std::optional<RidgeOutput> last_;
  double factor_ = 1.0;  // of the last kernel, taken out of it
  std::vector<double> x_, flat_, flat_gradient_, multipliers_;
  std::vector<Bar> bars_;  // the first one of the last variable layer
  std::vector<ImageBar> inner_bars_;
  std::vector<Matrix> rooms_;  // for each term of images
  Matrix support_bar_, held_, batch_targets_, batch_bar_;
  std::vector<double> batch_weights_;
  double value_ = 0.0, loss_value_ = 0.0;
  bool known_ = false, restricted_ = false;
};

}  // namespace gramian

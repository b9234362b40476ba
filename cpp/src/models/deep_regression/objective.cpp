// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_regression/objective.hpp"

#include <algorithm>
#include <utility>

#include "base/view_ops.hpp"
#include "kernels/node.hpp"
#include "models/deep_regression/distance_penalty.hpp"
#include "optim/infinite_outside.hpp"

namespace gramian {
namespace {

void fill_zero(Matrix& A) { std::fill_n(A.data(), A.size(), 0.0); }

RidgeOutputOptions ridge_options(const DeepTask& task) { return {true, task.options.interpolate, task.samples.weights()}; }

/// A factor c of the last kernel is taken out, as one kernel's tiles serve both sweeps: (c K + lambda I)^-1 = (K + lambda/c I)^-1
/// / c.
KernelLayer without_factor(const DeepTask& task, double& factor) {
  KernelLayer last = task.layers.back();
  factor = 1.0;
  Kernel& kernel = last.terms.front().kernel;
  while (kernel.node().kind == NodeKind::multiple) {
    factor *= kernel.node().factor;
    kernel = Kernel(kernel.node().children.front());
  }
  last.penalty = task.slope(task.depth(), 0.0) / factor;
  return last;
}

}  // namespace

double weighted_loss(const Loss& loss, MatrixView<const double> targets, MatrixView<const double> outputs,
                     const std::vector<double>& weights, MatrixView<double> bar) {
  if (weights.empty()) return loss.evaluate(targets, outputs, bar);
  const auto row = [](auto A, Index i) {
    return decltype(A)(A.data() + i * A.row_stride(), 1, A.cols(), A.row_stride(), A.col_stride());
  };
  double sum = 0.0;
  for (Index i = 0; i < outputs.rows(); ++i) {
    const double w = weights[static_cast<std::size_t>(i)];
    const MatrixView<double> own = bar.empty() ? bar : row(bar, i);
    sum += w * loss.evaluate(row(targets, i), row(outputs, i), own);
    for (Index j = 0; j < own.cols(); ++j) own(0, j) *= w;
  }
  return sum;
}

DeepVariables::DeepVariables(std::shared_ptr<const FeatureCoordinates> features, const Composition& layers)
    : features_(std::move(features)),
      supports_(layers.supports()),
      outputs_(layers.layer(1).outputs()),
      first_coefficients_(supports_ * outputs_),
      rest_(layers.coefficient_count() - first_coefficients_) {
  first_ = features_ ? features_->size() : first_coefficients_;
}

void DeepVariables::expand(const double* x, double* flat) const {
  if (features_) {
    features_->expand(x, MatrixView<double>(flat, supports_, outputs_));
  } else {
    std::copy_n(x, first_, flat);
  }
  std::copy_n(x + first_, rest_, flat + first_coefficients_);
}

void DeepVariables::pull_back(const double* flat, double* x) const {
  if (features_) {
    features_->pull_back(MatrixView<const double>(flat, supports_, outputs_), x);
  } else {
    std::copy_n(flat, first_, x);
  }
  take_rest(flat, x);
}

void DeepVariables::take_rest(const double* flat, double* x) const { std::copy_n(flat + first_coefficients_, rest_, x + first_); }

DeepObjective::DeepObjective(const DeepTask& task, Composition layers, std::shared_ptr<const FeatureCoordinates> features)
    : task_(task), layers_(std::move(layers)), variables_(std::move(features), layers_), squared_(squared_loss()) {
  const auto count = static_cast<std::size_t>(layers_.coefficient_count());
  flat_.resize(count);
  flat_gradient_.resize(count);
  const Index top = layers_.depth(), outputs = layers_.layer(top).outputs();
  bars_.push_back({top, Matrix(layers_.samples(), outputs)});
  if (!task.joint) {
    last_.emplace(without_factor(task, factor_), task.samples.targets(), outputs, ridge_options(task));
    if (!task.samples.landmarks().empty()) support_bar_ = Matrix(layers_.supports(), outputs);
  }
  for (const ImageLoss& image : task.samples.image_losses()) {
    const Matrix& bar = bar_of(image.layer).bar;
    scratch_.emplace_back(bar.rows(), bar.cols());
  }
  if (task.options.distance_penalty > 0.0) bar_of(task.depth() - 1);
  for (std::size_t i = 1; i < bars_.size(); ++i) inner_bars_.push_back({bars_[i].layer, bars_[i].bar.view()});
}

DeepObjective::Bar& DeepObjective::bar_of(Index layer) {
  const auto found = std::find_if(bars_.begin(), bars_.end(), [&](const Bar& bar) { return bar.layer == layer; });
  if (found != bars_.end()) return *found;
  bars_.push_back({layer, Matrix(layers_.samples(), layers_.layer(layer).outputs())});
  return bars_.back();
}

double DeepObjective::evaluate(const double* x, double* gradient) {
  return infinite_outside([&] { return value_at(x, gradient); });
}

double DeepObjective::value_at(const double* x, double* gradient) {
  variables_.expand(x, flat_.data());
  layers_.forward(flat_.data());
  const bool wanted = gradient != nullptr;
  const MatrixView<double> bar = wanted ? bars_.front().bar.view() : MatrixView<double>();
  double value = penalties(wanted);
  value += last_ ? last_value(bar) : output_loss(bar);
  value += image_losses(wanted);
  if (wanted) {
    const MatrixView<const double> support_bar =
        last_ ? MatrixView<const double>(support_bar_.view()) : MatrixView<const double>();
    layers_.reverse(bar, support_bar, inner_bars_, flat_gradient_.data());
    variables_.pull_back(flat_gradient_.data(), gradient);
  }
  return value;
}

Matrix DeepObjective::last_coefficients() const {
  Matrix Phi = Matrix::copy_of(last_->coefficients());
  for (Index i = 0; i < Phi.size(); ++i) Phi.data()[i] /= factor_;
  return Phi;
}

/// [DKL] (7): sum_l Theta_l(|f_l|^2). The gradient of Theta(|f|^2) is that of a linear penalty with the slope of Theta there.
double DeepObjective::penalties(bool gradient) {
  double sum = 0.0;
  for (Index l = 1; l <= layers_.depth(); ++l) {
    const double square = std::max(0.0, layers_.squared_norm(l));
    sum += task_.penalty(l, square);
    if (gradient) layers_.set_penalty(l, task_.slope(l, square));
  }
  return sum;
}

double DeepObjective::last_value(MatrixView<double> bar) {
  const Index top = layers_.depth();
  const MatrixView<double> Sbar = bar.empty() ? bar : support_bar_.view();
  const double value = support_bar_.empty() ? last_->evaluate(layers_.output(top), bar)
                                            : last_->evaluate(layers_.output(top), layers_.support(top), bar, Sbar);
  loss_value_ = last_->distortion();
  if (!task_.options.interpolate || factor_ == 1.0) return value;
  const double inverse = 1.0 / factor_;
  for (Index i = 0; i < bar.rows(); ++i) {
    for (Index j = 0; j < bar.cols(); ++j) bar(i, j) *= inverse;
  }
  return value / factor_;
}

double DeepObjective::output_loss(MatrixView<double> bar) {
  const Loss& loss = task_.options.loss == nullptr ? *squared_ : *task_.options.loss;
  loss_value_ = weighted_loss(loss, task_.samples.targets(), layers_.output(layers_.depth()), task_.samples.weights(), bar);
  return loss_value_;
}

/// [DKL] Thm. 1: it holds with losses of intermediate images, too.
double DeepObjective::image_losses(bool gradient) {
  for (std::size_t i = 1; gradient && i < bars_.size(); ++i) fill_zero(bars_[i].bar);
  double sum = 0.0;
  const std::vector<ImageLoss>& images = task_.samples.image_losses();
  for (std::size_t i = 0; i < images.size(); ++i) {
    sum += add_image_loss(images[i], gradient ? bar_of(images[i].layer).bar.view() : MatrixView<double>(), scratch_[i]);
  }
  if (task_.options.distance_penalty > 0.0) {
    const Index l = task_.depth() - 1;
    sum += add_distance_penalty(task_.options.distance_penalty, layers_.output(l),
                                gradient ? bar_of(l).bar.view() : MatrixView<double>(), sums_);
  }
  return sum;
}

double DeepObjective::add_image_loss(const ImageLoss& image, MatrixView<double> bar, Matrix& scratch) {
  const MatrixView<const double> images = layers_.output(image.layer);
  const MatrixView<double> own = bar.empty() ? bar : scratch.view();
  const double value = weighted_loss(*image.loss, image.targets, images, task_.samples.weights(), own);
  for (Index i = 0; i < bar.rows(); ++i) {
    for (Index j = 0; j < bar.cols(); ++j) bar(i, j) += image.weight * own(i, j);
  }
  return image.weight * value;
}

}  // namespace gramian

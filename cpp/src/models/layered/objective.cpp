// SPDX-License-Identifier: BSD-3-Clause
#include "models/layered/objective.hpp"

#include <algorithm>
#include <utility>

#include "base/view_ops.hpp"
#include "kernels/node.hpp"
#include "optim/infinite_outside.hpp"

namespace gramian {
namespace {

void scale(MatrixView<double> A, double factor) {
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j) A(i, j) *= factor;
  }
}

/// A factor c of the last kernel is taken out, as one kernel's tiles serve both sweeps: (c K + lambda I)^-1 = (K + lambda/c I)^-1
/// / c.
KernelLayer without_factor(const LayeredTask& task, double& factor) {
  KernelLayer last = task.layers.back();
  factor = 1.0;
  for (; last.terms.size() == 1 && last.terms.front().kernel.node().kind == NodeKind::multiple;) {
    Kernel& kernel = last.terms.front().kernel;
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
    scale(own, w);
  }
  return sum;
}

LayeredVariables::LayeredVariables(std::shared_ptr<const FeatureCoordinates> features, const Composition& layers)
    : features_(std::move(features)),
      supports_(layers.supports()),
      outputs_(layers.layer(1).outputs()),
      first_coefficients_(supports_ * outputs_),
      rest_(layers.coefficient_count() - first_coefficients_) {
  first_ = features_ ? features_->size() : first_coefficients_;
}

void LayeredVariables::expand(const double* x, double* flat) const {
  if (features_) {
    features_->expand(x, MatrixView<double>(flat, supports_, outputs_));
  } else {
    std::copy_n(x, first_, flat);
  }
  std::copy_n(x + first_, rest_, flat + first_coefficients_);
}

void LayeredVariables::pull_back(const double* flat, double* x) const {
  if (features_) {
    features_->pull_back(MatrixView<const double>(flat, supports_, outputs_), x);
  } else {
    std::copy_n(flat, first_, x);
  }
  take_rest(flat, x);
}

void LayeredVariables::take_rest(const double* flat, double* x) const {
  std::copy_n(flat + first_coefficients_, rest_, x + first_);
}

LayeredObjective::LayeredObjective(const LayeredTask& task, Composition layers,
                                   std::shared_ptr<const FeatureCoordinates> features)
    : task_(task), layers_(std::move(layers)), variables_(std::move(features), layers_) {
  const auto count = static_cast<std::size_t>(layers_.coefficient_count());
  x_.resize(static_cast<std::size_t>(variables_.size()));
  flat_.resize(count);
  flat_gradient_.resize(count);
  multipliers_.resize(static_cast<std::size_t>(layers_.depth()));
  const Index top = layers_.depth(), outputs = layers_.layer(top).outputs();
  bars_.push_back({top, Matrix(layers_.samples(), outputs)});
  if (!task.joint) {
    last_.emplace(without_factor(task, factor_), task.targets, outputs,
                  RidgeOutputOptions{!task.mean, task.interpolate, task.weights});
    if (!task.landmarks.empty()) support_bar_ = Matrix(layers_.supports(), outputs);
  }
  for (const auto& term : task.images) bar_of(term->layer());
  rooms_.resize(task.images.size());
  for (std::size_t i = 1; i < bars_.size(); ++i) inner_bars_.push_back({bars_[i].layer, bars_[i].bar.view()});
}

LayeredObjective::Bar& LayeredObjective::bar_of(Index layer) {
  const auto found = std::find_if(bars_.begin(), bars_.end(), [&](const Bar& bar) { return bar.layer == layer; });
  if (found != bars_.end()) return *found;
  bars_.push_back({layer, Matrix(layers_.samples(), layers_.layer(layer).outputs())});
  return bars_.back();
}

double LayeredObjective::evaluate(const double* x, double* gradient) {
  return infinite_outside([&] { return value_at(x, gradient); });
}

double LayeredObjective::value_at(const double* x, double* gradient) {
  const bool wanted = gradient != nullptr;
  forward(x, {});
  const MatrixView<double> bar = output_bar(wanted);
  value_ = penalties(wanted);
  value_ += last_ ? last_value(bar) : output_loss(task_.targets, task_.weights, bar);
  value_ += image_terms(wanted);
  if (wanted) reverse(bar, gradient);
  std::copy_n(x, x_.size(), x_.begin());
  known_ = wanted;
  return value_;
}

double LayeredObjective::value_on(std::vector<Index> rows, const double* x, double* gradient) {
  const bool wanted = gradient != nullptr;
  const Index size = static_cast<Index>(rows.size()), outputs = task_.targets.cols();
  if (batch_bar_.rows() != size) batch_bar_ = Matrix(size, outputs), batch_targets_ = Matrix(size, outputs);
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < outputs; ++j) batch_targets_(i, j) = task_.targets(rows[static_cast<std::size_t>(i)], j);
  }
  if (!task_.weights.empty()) batch_weights_ = picked(task_.weights, rows);
  forward(x, std::move(rows));
  const MatrixView<double> bar = wanted ? batch_bar_.view() : MatrixView<double>();
  const double norms = penalties(wanted), value = norms + output_loss(batch_targets_.view(), batch_weights_, bar);
  if (wanted) reverse(bar, gradient);
  return value;
}

void LayeredObjective::hold_last() { held_ = Matrix::copy_of(last_->coefficients()); }

double LayeredObjective::evaluate_held(const double* x, double* gradient) {
  return infinite_outside([&] {
    const bool wanted = gradient != nullptr;
    forward(x, {});
    const MatrixView<double> bar = output_bar(wanted);
    const double norms = penalties(wanted), rest = last_->evaluate_at(held_.view(), layers_.output(layers_.depth()), bar);
    const double value = norms + rest + image_terms(wanted);
    if (wanted) reverse(bar, gradient);
    return value;
  });
}

void LayeredObjective::constrain(Index l, double multiplier, double* gradient) {
  multipliers_[static_cast<std::size_t>(l - 1)] = multiplier;
  layers_.set_penalty(l, task_.slope(l, std::max(0.0, layers_.squared_norm(l))) + multiplier);
  reverse(bars_.front().bar.view(), gradient);
}

void LayeredObjective::move_to(const std::vector<double>& x) {
  // One number more, as there may be no variable: a first layer whose kernel is 0 on all samples has a gradient in its function.
  std::vector<double> gradient(x.size() + 1);
  if (!is_at(x)) value_at(x.data(), gradient.data());
}

Matrix LayeredObjective::last_coefficients() const {
  Matrix Phi = Matrix::copy_of(last_->coefficients());
  for (Index i = 0; i < Phi.size(); ++i) Phi.data()[i] /= factor_;
  return Phi;
}

void LayeredObjective::forward(const double* x, std::vector<Index> rows) {
  known_ = false;
  if (restricted_ || !rows.empty()) {
    restricted_ = !rows.empty();
    layers_.restrict_to(std::move(rows));
  }
  variables_.expand(x, flat_.data());
  layers_.forward(flat_.data());
}

void LayeredObjective::reverse(MatrixView<const double> bar, double* gradient) {
  const MatrixView<const double> support_bar = support_bar_.view();
  layers_.reverse(bar, support_bar, inner_bars_, flat_gradient_.data());
  variables_.pull_back(flat_gradient_.data(), gradient);
}

/// [DKL] (7): sum_l Theta_l(|f_l|^2). The gradient of Theta(|f|^2) is that of a linear penalty with the slope of Theta there.
double LayeredObjective::penalties(bool gradient) {
  double sum = 0.0;
  for (Index l = 1; l <= layers_.depth(); ++l) {
    const double square = std::max(0.0, layers_.squared_norm(l));
    sum += task_.penalty(l, square);
    if (!gradient) continue;
    layers_.set_penalty(l, task_.slope(l, square));
    multipliers_[static_cast<std::size_t>(l - 1)] = 0.0;
  }
  return sum;
}

/// [KAE] (5): its targets may be the rows of C with C Cᵀ = K_in.
double LayeredObjective::last_value(MatrixView<double> bar) {
  const Index top = layers_.depth();
  const MatrixView<double> Sbar = bar.empty() ? bar : support_bar_.view();
  const double value = support_bar_.empty() ? last_->evaluate(layers_.output(top), bar)
                                            : last_->evaluate(layers_.output(top), layers_.support(top), bar, Sbar);
  loss_value_ = last_->distortion();
  if (!task_.interpolate || factor_ == 1.0) return value;
  scale(bar, 1.0 / factor_);
  return value / factor_;
}

/// [KAE] (4), (6): the mean of losses of any kind, in place of their sum.
double LayeredObjective::output_loss(MatrixView<const double> targets, const std::vector<double>& weights,
                                     MatrixView<double> bar) {
  loss_value_ = weighted_loss(*task_.loss, targets, layers_.output(layers_.depth()), weights, bar);
  if (!task_.mean) return loss_value_;
  const double share = 1.0 / static_cast<double>(targets.rows());
  scale(bar, share);
  return loss_value_ *= share;
}

/// [DKL] Thm. 1: it holds with losses of intermediate images, too.
double LayeredObjective::image_terms(bool gradient) {
  for (std::size_t i = 1; gradient && i < bars_.size(); ++i) fill_zero(bars_[i].bar.view());
  double sum = 0.0;
  for (std::size_t i = 0; i < task_.images.size(); ++i) {
    const Index l = task_.images[i]->layer();
    sum += task_.images[i]->add(layers_.output(l), gradient ? bar_of(l).bar.view() : MatrixView<double>(), rooms_[i]);
  }
  return sum;
}

}  // namespace gramian

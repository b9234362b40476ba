// SPDX-License-Identifier: BSD-3-Clause
#include "models/autoencoder/objective.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "optim/infinite_outside.hpp"

namespace gramian {
namespace {

void scale(MatrixView<double> A, double factor) {
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j) A(i, j) *= factor;
  }
}

}  // namespace

EliminatedObjective::EliminatedObjective(Composition inner, RidgeOutput last, bool landmarks)
    : inner_(std::move(inner)), last_(std::move(last)) {
  const Index outputs = inner_.layer(inner_.depth()).outputs();
  codes_bar_ = Matrix(inner_.samples(), outputs);
  if (landmarks) supports_bar_ = Matrix(inner_.supports(), outputs);
}

double EliminatedObjective::evaluate(const double* x, double* gradient) {
  return infinite_outside([&] { return value_at(x, gradient); });
}

double EliminatedObjective::value_at(const double* x, double* gradient) {
  const double penalties = inner_.forward(x);
  const Index codes = inner_.depth();
  const MatrixView<double> Zbar = gradient == nullptr ? MatrixView<double>() : codes_bar_.view();
  const MatrixView<double> Sbar = gradient == nullptr ? MatrixView<double>() : supports_bar_.view();
  const double rest = supports_bar_.empty() ? last_.evaluate(inner_.output(codes), Zbar)
                                            : last_.evaluate(inner_.output(codes), inner_.support(codes), Zbar, Sbar);
  if (gradient != nullptr) inner_.reverse(Zbar, Sbar, gradient);
  return penalties + rest;
}

void EliminatedObjective::hold_last() { held_ = Matrix::copy_of(last_.coefficients()); }

double EliminatedObjective::evaluate_held(const double* x, double* gradient) {
  return infinite_outside([&] {
    const double penalties = inner_.forward(x);
    const MatrixView<double> Zbar = gradient == nullptr ? MatrixView<double>() : codes_bar_.view();
    const double rest = last_.evaluate_at(held_.view(), inner_.output(inner_.depth()), Zbar);
    if (gradient != nullptr) inner_.reverse(Zbar, {}, gradient);
    return penalties + rest;
  });
}

JointObjective::JointObjective(Composition layers, MatrixView<const double> targets, const Loss& loss,
                               const SamplingOptions& sampling)
    : layers_(std::move(layers)), targets_(targets), loss_(loss), sampling_(sampling) {
  output_bar_ = Matrix(targets.rows(), targets.cols());
  if (sampling_.batch_size >= targets.rows()) sampling_.batch_size = 0;
  batch_bar_ = Matrix(sampling_.batch_size, targets.cols());
  batch_targets_ = Matrix(sampling_.batch_size, targets.cols());
}

double JointObjective::evaluate(const double* x, double* gradient) {
  return infinite_outside([&] { return value_at(x, gradient); });
}

double JointObjective::forward(const double* x) {
  if (restricted_) layers_.restrict_to({});
  restricted_ = false;
  return layers_.forward(x);
}

double JointObjective::value_at(const double* x, double* gradient) {
  const double penalties = forward(x), share = 1.0 / static_cast<double>(targets_.rows());
  const MatrixView<double> bar = gradient == nullptr ? MatrixView<double>() : output_bar_.view();
  mean_loss_ = share * loss_.evaluate(targets_, layers_.output(layers_.depth()), bar);
  if (gradient != nullptr) {
    scale(bar, share);
    layers_.reverse(bar, {}, gradient);
  }
  return penalties + mean_loss_;
}

double JointObjective::sample(const double* x, std::uint64_t seed, std::uint64_t step, double* gradient) {
  const RandomStream random(seed, step);
  const double value =
      infinite_outside([&] { return sampling_.batch_size == 0 ? value_at(x, gradient) : sample_batch(x, random, gradient); });
  if (sampling_.coefficient_fraction < 1.0 && gradient != nullptr) keep_some(random, gradient);
  return value;
}

double JointObjective::sample_batch(const double* x, const RandomStream& random, double* gradient) {
  order_.resize(static_cast<std::size_t>(targets_.rows()));
  random_permutation(random, order_.data(), targets_.rows());
  std::vector<Index> rows(order_.begin(), order_.begin() + sampling_.batch_size);
  std::sort(rows.begin(), rows.end());
  for (Index i = 0; i < sampling_.batch_size; ++i) {
    for (Index j = 0; j < targets_.cols(); ++j) batch_targets_(i, j) = targets_(rows[static_cast<std::size_t>(i)], j);
  }
  layers_.restrict_to(std::move(rows));
  restricted_ = true;
  const double penalties = layers_.forward(x), share = 1.0 / static_cast<double>(sampling_.batch_size);
  const MatrixView<double> bar = gradient == nullptr ? MatrixView<double>() : batch_bar_.view();
  mean_loss_ = share * loss_.evaluate(batch_targets_.view(), layers_.output(layers_.depth()), bar);
  if (gradient != nullptr) {
    scale(bar, share);
    layers_.reverse(bar, {}, gradient);
  }
  return penalties + mean_loss_;
}

/// [KAE] Sec. 4.2: rows of coefficients that are drawn get their part of the gradient, the others 0.
void JointObjective::keep_some(const RandomStream& random, double* gradient) const {
  const Index m = layers_.supports();
  const double wanted = sampling_.coefficient_fraction * static_cast<double>(m);
  const Index kept = std::clamp(static_cast<Index>(std::llround(wanted)), Index(1), m);
  const double factor = static_cast<double>(m) / static_cast<double>(kept);
  std::vector<Index> order(static_cast<std::size_t>(m));
  for (Index l = 1; l <= layers_.depth(); ++l) {
    // Numbers of the stream that neither the batch nor another layer has used.
    random_permutation(random, order.data(), m, static_cast<std::uint64_t>(targets_.rows() + (l - 1) * m));
    const MatrixView<double> rows = layers_.coefficients(gradient, l);
    for (Index i = 0; i < m; ++i) {
      const Index row = order[static_cast<std::size_t>(i)];
      for (Index j = 0; j < rows.cols(); ++j) rows(row, j) = i < kept ? factor * rows(row, j) : 0.0;
    }
  }
}

}  // namespace gramian

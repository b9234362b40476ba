// SPDX-License-Identifier: BSD-3-Clause
#include "models/autoencoder/constraint.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "gramian/base/error.hpp"

namespace gramian {
namespace {

/// A layer this close to the border of its ball, relatively, is at it: steps towards the border would else be halved until they
/// fit in between.
constexpr double border = 1e-7;

}  // namespace

void NormBalls::project(double* x) {
  bool fresh = false;  // whether the layers have seen x
  for (Index l = 1; l <= layers_.depth(); ++l) {
    const double most = max_norm_[static_cast<std::size_t>(l - 1)];
    if (!std::isfinite(most)) continue;
    if (!fresh) layers_.forward(x);
    fresh = true;
    const double norm = std::sqrt(layers_.squared_norm(l));
    if (!(norm > most)) continue;
    const MatrixView<double> Phi = layers_.coefficients(x, l);
    for (Index i = 0; i < Phi.rows(); ++i) {
      for (Index j = 0; j < Phi.cols(); ++j) Phi(i, j) *= most / norm;
    }
    fresh = false;
  }
}

ConstrainedObjective::ConstrainedObjective(JointObjective& joint, const std::vector<double>& max_norm)
    : joint_(joint), max_norm_(max_norm), multipliers_(max_norm.size(), 0.0) {
  for (Index l = 1; l <= joint.layers().depth(); ++l) penalties_.push_back(joint.layers().layer(l).penalty);
}

double ConstrainedObjective::evaluate(const double* x, double* gradient) {
  try {
    return value_at(x, gradient);
  } catch (const NumericalError&) {
  } catch (const std::invalid_argument&) {  // numbers that are not finite
  }
  return std::numeric_limits<double>::infinity();
}

double ConstrainedObjective::value_at(const double* x, double* gradient) {
  for (std::size_t l = 0; l < penalties_.size(); ++l) joint_.layers().set_penalty(static_cast<Index>(l) + 1, penalties_[l]);
  const double value = joint_.value_at(x, gradient);
  if (gradient != nullptr) set_multipliers(x, gradient);
  return value;
}

/// [KAE] Thm. 1: the lambda_l that belong to the bounds s_l; the theorem goes from penalties to bounds.
void ConstrainedObjective::set_multipliers(const double* x, double* gradient) {
  Composition& layers = joint_.layers();
  for (Index l = layers.depth(); l >= 1; --l) {
    const std::size_t at = static_cast<std::size_t>(l - 1);
    multipliers_[at] = 0.0;
    const double square = layers.squared_norm(l), most = max_norm_[at];
    if (!(square > 0.0 && std::sqrt(square) >= most * (1.0 - border))) continue;
    const MatrixView<const double> Phi = layers.coefficients(x, l), g = layers.coefficients(std::as_const(gradient), l);
    double slope = 0.0;
    for (Index i = 0; i < Phi.rows(); ++i) {
      for (Index j = 0; j < Phi.cols(); ++j) slope += Phi(i, j) * g(i, j);
    }
    if (!(slope < 0.0)) continue;  // it turns inwards by itself
    multipliers_[at] = -slope / (2.0 * square);
    layers.set_penalty(l, penalties_[at] + multipliers_[at]);
    layers.reverse(joint_.output_bar(), {}, gradient);
  }
}

}  // namespace gramian

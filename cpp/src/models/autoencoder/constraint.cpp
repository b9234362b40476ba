// SPDX-License-Identifier: BSD-3-Clause
#include "models/autoencoder/constraint.hpp"

#include <cmath>
#include <utility>

#include "optim/infinite_outside.hpp"

namespace gramian::autoencoder {
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

double ConstrainedObjective::evaluate(const double* x, double* gradient) {
  return infinite_outside([&] { return value_at(x, gradient); });
}

/// [KAE] Thm. 1: the lambda_l that belong to the bounds s_l; the theorem goes from penalties to bounds.
double ConstrainedObjective::value_at(const double* x, double* gradient) {
  const double value = joint_.value_at(x, gradient);
  Composition& layers = joint_.layers();
  for (Index l = layers.depth(); l >= 1 && gradient != nullptr; --l) {
    const double square = layers.squared_norm(l), most = max_norm_[static_cast<std::size_t>(l - 1)];
    if (!(square > 0.0 && std::sqrt(square) >= most * (1.0 - border))) continue;
    const MatrixView<const double> Phi = layers.coefficients(x, l), g = layers.coefficients(std::as_const(gradient), l);
    double slope = 0.0;
    for (Index i = 0; i < Phi.rows(); ++i) {
      for (Index j = 0; j < Phi.cols(); ++j) slope += Phi(i, j) * g(i, j);
    }
    if (slope < 0.0) joint_.constrain(l, -slope / (2.0 * square), gradient);  // else it turns inwards by itself
  }
  return value;
}

}  // namespace gramian::autoencoder

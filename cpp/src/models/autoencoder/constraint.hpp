// SPDX-License-Identifier: BSD-3-Clause
// The constrained problem of [KAE] (7): layers in balls |f_l| <= s_l of their spaces.
#pragma once

#include <vector>

#include "gramian/optim/objective.hpp"
#include "models/layered/objective.hpp"

namespace gramian::autoencoder {

/// [KAE] (7): scales Phi_l by s_l / |f_l| where a layer is outside of its ball: in the space of f_l that is the projection.
/// Coefficients have another geometry, in which it would be a system with K_l; and |f_l| depends on all layers below it, as its
/// supports are their images. So layers are scaled from 1 to L, and outputs are computed anew before the next layer is looked at.
class NormBalls final : public Projection {
 public:
  /// layers must outlive this.
  NormBalls(Composition& layers, const std::vector<double>& max_norm) : layers_(layers), max_norm_(max_norm) {}
  void project(double* x) override;

 private:
  Composition& layers_;
  std::vector<double> max_norm_;
};

/// The joint objective with the part of its gradient that the balls leave over.
///
/// A layer that has reached |f_l| = s_l and would leave its ball has a multiplier, lambda_l = -<Phi_l, g_l> / (2 |f_l|^2) > 0:
/// the penalty lambda_l |f_l|^2 under which it neither grows nor shrinks. What is returned is the gradient with these penalties.
/// It is a descent direction along the balls, its steps leave them only in second order, which NormBalls mends, and it is 0 just
/// where [KAE] Thm. 1 has a stationary point of (6). The plain gradient would not do: scaling back what it adds along Phi_l
/// ends where g_l is a multiple of Phi_l, instead of one of the norm's gradient 2 K_l Phi_l A_l.
/// Multipliers are found from L to 1, as the norm of a layer depends on the layers below: at most L + 1 reverse sweeps.
class ConstrainedObjective final : public Objective {
 public:
  /// joint: with penalties of the layers beside the bounds, if they have any. It must outlive this.
  ConstrainedObjective(LayeredObjective& joint, const std::vector<double>& max_norm) : joint_(joint), max_norm_(max_norm) {}

  Index size() const override { return joint_.size(); }
  double evaluate(const double* x, double* gradient) override;

 private:
  double value_at(const double* x, double* gradient);

  LayeredObjective& joint_;
  std::vector<double> max_norm_;
};

}  // namespace gramian::autoencoder

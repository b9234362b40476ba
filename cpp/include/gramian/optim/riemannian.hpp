// SPDX-License-Identifier: BSD-3-Clause
// Optimisers over matrices with orthonormal columns. The objective sees only points with |HᵀH - I| <= 1e-12.
#pragma once

#include "gramian/optim/result.hpp"
#include "gramian/optim/stiefel_product.hpp"

namespace gramian {

/// Options of stiefel_projected_gradient().
struct StiefelDescentOptions {
  static constexpr const char* name = "gd";

  Index max_iterations = 1000;
  double step = 0.1;  ///< the first one that is tried
  /// On the largest entry of |x' - x| / step, [DKPCA] Alg. 1, line 12; for a step that is no longer than 1 over the largest
  /// entry of the gradient, as a long one moves next to nothing, relative to its length, from anywhere.
  double gradient_tolerance = 1e-6;
  double value_tolerance = 1e-12;  ///< on the fall of the value in an iteration, relative to its magnitude; 0: never

  template <class Visit>
  static void fields(Visit visit) {
    visit("max_iterations", &StiefelDescentOptions::max_iterations);
    visit("step", &StiefelDescentOptions::step);
    visit("gradient_tolerance", &StiefelDescentOptions::gradient_tolerance);
    visit("value_tolerance", &StiefelDescentOptions::value_tolerance);
  }
  GRAMIAN_API OptimResult minimise(const Task& task, StiefelProduct& manifold) const;
};

/// [DKPCA] Alg. 1: x' = project(x - step gradient), with the ordinary gradient. The step is halved until f(x') <= f(x) +
/// <g, x' - x> + |x' - x|^2 / (2 step), and is half as long again in the next iteration. The gradient_norm of the result is the
/// largest entry of |x' - x| / step. The start is projected. Throws std::invalid_argument for options out of their range.
GRAMIAN_API OptimResult stiefel_projected_gradient(Objective& objective, StiefelProduct& manifold, const double* start,
                                                   const StiefelDescentOptions& options = {}, Observer* observer = nullptr);

/// Options of riemannian_adam().
struct RiemannianAdamOptions {
  static constexpr const char* name = "adam";

  Index max_iterations = 1000;
  double step = 1e-2;  ///< length of a step of a block, in the Frobenius norm, while gradients agree
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  bool anneal = true;  ///< steps shrink as half a cosine, to 0 in the last iteration; else all have the same length
  StiefelRetraction retraction = StiefelRetraction::polar;
  double gradient_tolerance = 1e-8;  ///< on the largest entry of the Riemannian gradient
  double value_tolerance = 0.0;

  template <class Visit>
  static void fields(Visit visit) {
    visit("max_iterations", &RiemannianAdamOptions::max_iterations);
    visit("step", &RiemannianAdamOptions::step);
    visit("beta1", &RiemannianAdamOptions::beta1);
    visit("beta2", &RiemannianAdamOptions::beta2);
    visit("epsilon", &RiemannianAdamOptions::epsilon);
    visit("anneal", &RiemannianAdamOptions::anneal);
    visit("retraction", &RiemannianAdamOptions::retraction);
    visit("gradient_tolerance", &RiemannianAdamOptions::gradient_tolerance);
    visit("value_tolerance", &RiemannianAdamOptions::value_tolerance);
  }
  GRAMIAN_API OptimResult minimise(const Task& task, StiefelProduct& manifold) const;
};

/// Adam on a product of manifolds (Becigneul and Ganea 2019): each block has a tangent vector as first moment, which is carried
/// along by projection at the new point, and the squared norm of its gradient as second moment. Free numbers follow [Adam]. A
/// block that has drifted off by rounding is projected anew. Returns the best point seen. Throws std::invalid_argument for
/// options out of their range.
GRAMIAN_API OptimResult riemannian_adam(Objective& objective, StiefelProduct& manifold, const double* start,
                                        const RiemannianAdamOptions& options = {}, Observer* observer = nullptr);

/// Options of riemannian_lbfgs().
struct RiemannianLbfgsOptions {
  static constexpr const char* name = "lbfgs";

  Index max_iterations = 1000;
  Index memory = 12;                  ///< pairs of differences that are kept
  double gradient_tolerance = 1e-8;   ///< on the largest entry of the Riemannian gradient
  double value_tolerance = 1e-12;     ///< on the fall of the value in an iteration, relative to its magnitude; 0: never
  double sufficient_decrease = 1e-4;  ///< of the backtracking

  template <class Visit>
  static void fields(Visit visit) {
    visit("max_iterations", &RiemannianLbfgsOptions::max_iterations);
    visit("memory", &RiemannianLbfgsOptions::memory);
    visit("gradient_tolerance", &RiemannianLbfgsOptions::gradient_tolerance);
    visit("value_tolerance", &RiemannianLbfgsOptions::value_tolerance);
    visit("sufficient_decrease", &RiemannianLbfgsOptions::sufficient_decrease);
  }
  GRAMIAN_API OptimResult minimise(const Task& task, StiefelProduct& manifold) const;
};

/// Limited-memory BFGS with polar retractions. Its pairs are differences x' - x and g' - g of Riemannian gradients in the space
/// around the manifold; they are not carried along, but the direction they give is projected to the tangent space at the point.
/// A pair without positive curvature is left out. Values never rise. Beside the evaluations an iteration costs O(memory n s^2).
/// Throws std::invalid_argument for options out of their range, MemoryLimitError.
GRAMIAN_API OptimResult riemannian_lbfgs(Objective& objective, StiefelProduct& manifold, const double* start,
                                         const RiemannianLbfgsOptions& options = {}, Observer* observer = nullptr);

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// What L-BFGS and BFGS have in common: everything but how the inverse Hessian is kept.
#pragma once

#include <cmath>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/optim/bfgs.hpp"
#include "optim/line_search.hpp"

namespace gramian::optim_detail {

inline Limits quasi_newton_limits(const BfgsOptions& options) {
  const double c1 = options.sufficient_decrease, c2 = options.curvature;
  require(0.0 < c1 && c1 < c2 && c2 < 1.0, "0 < sufficient_decrease < curvature < 1 must hold");
  Limits limits = limits_of(options);
  limits.max_evaluations = options.max_evaluations;
  return limits;
}

/// Whether the curvature along s is positive beyond rounding, so that the matrix stays positive definite.
inline bool curves_up(double sy, double ss, double yy) {
  return sy > std::numeric_limits<double>::epsilon() * std::sqrt(ss) * std::sqrt(yy) && std::isnormal(sy / yy);
}

/// Steps along -H g. Inverse: known(), forget(), add(from, to), fields(state), and apply(d), which makes H d of d and leaves it
/// while nothing is known.
template <class Inverse>
class QuasiNewton final : public Method {
 public:
  QuasiNewton(Course& course, Inverse& H, const double* start, Index n, const BfgsOptions& options)
      : course_(course),
        H_(H),
        search_(course, n, options.sufficient_decrease, options.curvature),
        point_(start, n),
        direction_(static_cast<std::size_t>(n)) {}

  bool begin() override {
    course_.evaluate(point_);
    return course_.begin(point_);
  }

  bool step(Index number) override {
    double step = 0.0;
    if (!move(step)) {
      return course_.stop(course_.may_evaluate() ? StopReason::line_search : StopReason::max_evaluations);
    }
    H_.add(search_.left(), point_);
    return course_.advance(number, point_, step);
  }

  void fields(SnapshotFields& state) override {
    point_.fields(state, "point");
    H_.fields(state);
  }

 private:
  /// Down the gradient if H leads nowhere.
  bool move(double& step) {
    const Index n = size_of(direction_);
    for (;;) {
      direction_ = point_.gradient;
      H_.apply(direction_.data());
      multiply(-1.0, direction_.data(), n);
      const double slope = dot(direction_.data(), point_.gradient.data(), n);
      // Nothing is known of the scale at first: a step of length 1.
      step = H_.known() ? 1.0 : 1.0 / std::sqrt(-slope);
      if (slope < 0.0 && std::isfinite(slope) && search_.move(point_, direction_, slope, step)) return true;
      if (!H_.known()) return false;
      H_.forget();
    }
  }

  Course& course_;
  Inverse& H_;
  LineSearch search_;
  Point point_;
  Numbers direction_;
};

}  // namespace gramian::optim_detail

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/bfgs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/base/index.hpp"
#include "gramian/base/stop.hpp"
#include "optim/line_search.hpp"

namespace gramian {
namespace {

using namespace optim_detail;

/// The inverse Hessian as it is known so far.
class InverseHessian {
 public:
  explicit InverseHessian(Index n)
      : n_(n), H_(static_cast<std::size_t>(checked_product(n, n))), s_(n_numbers()), y_(n_numbers()), Hy_(n_numbers()) {}

  bool known() const { return known_; }
  void forget() { known_ = false; }
  void add(const Point& from, const Point& to);
  void apply(const double* g, double* out) const;

 private:
  std::size_t n_numbers() const { return static_cast<std::size_t>(n_); }
  double* row(Index i) { return H_.data() + i * n_; }
  const double* row(Index i) const { return H_.data() + i * n_; }
  void begin(double scale);

  Index n_;
  bool known_ = false;
  Numbers H_, s_, y_, Hy_;
};

void InverseHessian::begin(double scale) {
  std::fill(H_.begin(), H_.end(), 0.0);
  for (Index i = 0; i < n_; ++i) row(i)[i] = scale;
  known_ = true;
}

/// [NW] (6.17): H - rho (s (Hy)^T + Hy s^T) + rho (1 + rho y^T H y) s s^T. Only if the curvature along s is positive beyond
/// rounding: the matrix stays positive definite.
void InverseHessian::add(const Point& from, const Point& to) {
  difference(to.x.data(), from.x.data(), s_.data(), n_);
  difference(to.gradient.data(), from.gradient.data(), y_.data(), n_);
  const double sy = dot(s_.data(), y_.data(), n_), ss = dot(s_.data(), s_.data(), n_), yy = dot(y_.data(), y_.data(), n_);
  if (!(sy > std::numeric_limits<double>::epsilon() * std::sqrt(ss) * std::sqrt(yy)) || !std::isnormal(sy / yy)) return;
  if (!known_) begin(sy / yy);
  apply(y_.data(), Hy_.data());
  const double rho = 1.0 / sy, factor = rho * (1.0 + rho * dot(y_.data(), Hy_.data(), n_));
  for (Index i = 0; i < n_; ++i) {
    const double s = s_[static_cast<std::size_t>(i)], along_s = factor * s - rho * Hy_[static_cast<std::size_t>(i)];
    add_multiple(along_s, s_.data(), row(i), n_);
    add_multiple(-rho * s, Hy_.data(), row(i), n_);
  }
}

void InverseHessian::apply(const double* g, double* out) const {
  if (!known_) {
    std::copy_n(g, n_, out);
    return;
  }
  for (Index i = 0; i < n_; ++i) out[i] = dot(row(i), g, n_);
}

bool move(Point& point, InverseHessian& H, LineSearch& search, Numbers& direction, double& step) {
  const Index n = size_of(direction);
  for (;;) {
    H.apply(point.gradient.data(), direction.data());
    multiply(-1.0, direction.data(), n);
    const double slope = dot(direction.data(), point.gradient.data(), n);
    // Nothing is known of the scale at first: a step of length 1.
    step = H.known() ? 1.0 : 1.0 / std::sqrt(-slope);
    if (slope < 0.0 && std::isfinite(slope) && search.move(point, direction, slope, step)) return true;
    if (!H.known()) return false;
    H.forget();
  }
}

void iterate(Course& course, Point& point, const BfgsOptions& options) {
  const Index n = size_of(point.x);
  InverseHessian H(n);
  LineSearch search(course, n, options.sufficient_decrease, options.curvature);
  Numbers direction(static_cast<std::size_t>(n));
  double step = 0.0;
  for (Index number = 1;; ++number) {
    poll_stop();
    if (!move(point, H, search, direction, step)) {
      return course.stop(course.may_evaluate() ? StopReason::line_search : StopReason::max_evaluations);
    }
    H.add(search.left(), point);
    if (!course.advance(number, point, step)) return;
  }
}

}  // namespace

OptimResult bfgs(Objective& objective, const double* start, const BfgsOptions& options, Observer* observer) {
  const double c1 = options.sufficient_decrease, c2 = options.curvature;
  require(0.0 < c1 && c1 < c2 && c2 < 1.0, "0 < sufficient_decrease < curvature < 1 must hold");
  Course course(objective, {options.max_iterations, options.max_evaluations, options.gradient_tolerance, options.value_tolerance},
                observer);
  const Index n = objective.size();
  require_vectors(n + 13, n, "use lbfgs, which keeps a few vectors instead of a matrix");
  Point point(start, n);
  course.evaluate(point);
  if (course.begin(point)) iterate(course, point, options);
  return course.finish();
}

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/optim/bfgs.hpp"

#include <algorithm>

#include "gramian/base/index.hpp"
#include "optim/quasi_newton.hpp"

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
  void apply(double* d);
  void fields(SnapshotFields& state) {
    state("inverse Hessian is known", known_);
    state("inverse Hessian", H_);
  }

 private:
  std::size_t n_numbers() const { return static_cast<std::size_t>(n_); }
  double* row(Index i) { return H_.data() + i * n_; }
  void begin(double scale);
  void apply(const Numbers& g, Numbers& out);

  Index n_;
  bool known_ = false;
  Numbers H_, s_, y_, Hy_;
};

void InverseHessian::begin(double scale) {
  std::fill(H_.begin(), H_.end(), 0.0);
  for (Index i = 0; i < n_; ++i) row(i)[i] = scale;
  known_ = true;
}

/// [NW] (6.17): H - rho (s (Hy)^T + Hy s^T) + rho (1 + rho y^T H y) s s^T.
void InverseHessian::add(const Point& from, const Point& to) {
  difference(to.x.data(), from.x.data(), s_.data(), n_);
  difference(to.gradient.data(), from.gradient.data(), y_.data(), n_);
  const double sy = dot(s_.data(), y_.data(), n_), yy = dot(y_.data(), y_.data(), n_);
  if (!curves_up(sy, dot(s_.data(), s_.data(), n_), yy)) return;
  if (!known_) begin(sy / yy);
  apply(y_, Hy_);
  const double rho = 1.0 / sy, factor = rho * (1.0 + rho * dot(y_.data(), Hy_.data(), n_));
  for (Index i = 0; i < n_; ++i) {
    const double s = s_[static_cast<std::size_t>(i)], along_s = factor * s - rho * Hy_[static_cast<std::size_t>(i)];
    add_multiple(along_s, s_.data(), row(i), n_);
    add_multiple(-rho * s, Hy_.data(), row(i), n_);
  }
}

void InverseHessian::apply(const Numbers& g, Numbers& out) {
  for (Index i = 0; i < n_; ++i) out[static_cast<std::size_t>(i)] = dot(row(i), g.data(), n_);
}

void InverseHessian::apply(double* d) {
  if (!known_) return;
  std::copy_n(d, n_, y_.begin());
  apply(y_, Hy_);
  std::copy_n(Hy_.begin(), n_, d);
}

}  // namespace

OptimResult bfgs(Objective& objective, const double* start, const BfgsOptions& options, Observer* observer) {
  Course course(objective, quasi_newton_limits(options), observer);
  const Index n = objective.size();
  require_vectors(n + 13, n, "use lbfgs, which keeps a few vectors instead of a matrix");
  InverseHessian H(n);
  QuasiNewton<InverseHessian> method(course, H, start, n, options);
  return course.run(method);
}

OptimResult BfgsOptions::minimise(const Task& task) const { return bfgs(task.objective, task.start, *this, task.observer); }

}  // namespace gramian

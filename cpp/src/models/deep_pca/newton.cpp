// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_pca/newton.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/view_ops.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/eigen.hpp"
#include "linalg/tall.hpp"

namespace gramian::deep_pca {
namespace {

constexpr int most_halvings = 5;
constexpr double rounding_residual = 1e-14;
constexpr double left_by_a_step = 0.1;        ///< of the tolerance: what a residual that falls that far need not be computed for
constexpr double near_a_solution = 1e-3;      ///< of residuals: below, a Jacobian serves for more than one step
constexpr double near_of_many_levels = 1e-4;  ///< the same for further steps of three levels or more, where they gain less
constexpr Index few_levels = 2;
constexpr Index rough_rounds = 2;      ///< whose Jacobians lead nowhere near rounding
constexpr double largest_share = 0.5;  ///< of the last step in the next one: beyond, an update is worse than none

std::size_t index(Index i) { return static_cast<std::size_t>(i); }

Features picked_levels(const Features& h, const std::vector<Index>& rows) {
  Features out;
  for (const Matrix& level : h) out.push_back(picked(level.view(), rows));
  return out;
}

void put(const Features& from, Index row, Features& to, Index place) {
  for (std::size_t j = 0; j < to.size(); ++j) {
    std::copy_n(from[j].data() + row * from[j].cols(), from[j].cols(), to[j].data() + place * to[j].cols());
  }
}

/// Rows of everything that a step needs.
Linearised picked_rows(const Linearised& from, const std::vector<Index>& rows) {
  return {picked_levels(from.residuals, rows), picked(from.sizes, rows), picked_levels(from.couplings, rows),
          picked_levels(from.curvature, rows)};
}

/// found: of every level but the last.
Linearised linearised_from(const Equations& equations, const UsableRows& rows, std::vector<Equations::Derivatives> found) {
  Linearised out;
  Features backwards;
  out.residuals.push_back(rows.first().clone());
  for (Equations::Derivatives& level : found) {
    out.residuals.push_back(std::move(level.forward));
    backwards.push_back(std::move(level.backward));
    out.couplings.push_back(std::move(level.coupling));
    out.curvature.push_back(std::move(level.curvature));
  }
  backwards.push_back(Matrix::filled(rows.first().rows(), equations.components(equations.depth() - 1), 0.0));
  out.sizes = equations.residuals_of(rows.h(), out.residuals, backwards, out.scales);
  rows.mark(out.sizes);
  return out;
}

std::vector<Index> up_to(Index count) {
  std::vector<Index> all(index(count));
  std::iota(all.begin(), all.end(), Index(0));
  return all;
}

std::vector<Index> distinct(std::vector<Index> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

/// Broyden's method from the steps that were taken and the next one by the first one's Jacobian: an update of rank one for each
/// of them, applied without a matrix (Kelley, Iterative Methods for Linear and Nonlinear Equations, Algorithm brsol).
Matrix quasi_newton(const std::vector<Matrix>& taken, Matrix next) {
  const Index n = next.cols();
  for_rows(next.rows(), n * static_cast<Index>(taken.size()), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double* const z = next.data() + i * n;
      for (std::size_t t = 0; t < taken.size(); ++t) {
        const double* s = taken[t].data() + i * n;
        double square = 0.0, along = 0.0;
        for (Index k = 0; k < n; ++k) square += s[k] * s[k], along += s[k] * z[k];
        const double share = square > 0.0 ? along / square : 0.0;
        if (t + 1 < taken.size()) {
          const double* after = taken[t + 1].data() + i * n;
          for (Index k = 0; k < n; ++k) z[k] += share * after[k];
        } else if (std::fabs(share) <= largest_share) {
          for (Index k = 0; k < n; ++k) z[k] /= 1.0 - share;
        }
      }
    }
  });
  return next;
}

bool better(double after, double before) { return after < before || after < rounding_residual; }

/// Rows that are not solved yet, and go on together.
class OpenRows {
 public:
  /// Their first steps, and the sizes of residuals where they begin.
  OpenRows(const Equations& equations, const Matrix& first, const Features& h, Matrix steps, const std::vector<double>& sizes)
      : equations_(equations),
        numbers_(up_to(first.rows())),
        first_(first.clone()),
        steps_(std::move(steps)),
        moved_(sizes.size(), true) {
    at_.sizes = sizes;
    for (const Matrix& level : h) h_.push_back(level.clone());
  }

  Index count() const { return static_cast<Index>(numbers_.size()); }

  /// The numbers of those that are still open.
  const std::vector<Index>& numbers() const { return numbers_; }
  const Features& residuals() const { return at_.residuals; }

  /// The others leave: those that are solved, and those that did not get better.
  void keep_unsolved(double tolerance) {
    std::vector<Index> rows;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (moved_[i] && !(at_.sizes[i] <= tolerance)) rows.push_back(static_cast<Index>(i));
    }
    if (static_cast<Index>(rows.size()) < count()) {
      keep(rows);
      at_ = picked_rows(at_, rows);
      steps_ = picked(steps_.view(), rows);
    }
    start_sizes_ = earlier_.empty() ? std::vector<double>(rows.size(), 0.0) : picked(earlier_, rows);
  }

  /// A step of Newton's method.
  void step() {
    systems_ = NewtonSystems(equations_, at_);
    steps_ = systems_.steps(up_to(count()), at_.residuals);
    first_step();
  }
  /// The one that is there already.
  void first_step() {
    before_ = at_.sizes;
    start_ = std::move(h_);
    h_ = moved(start_, steps_, 1.0);
  }

  /// Rows near a solution take further steps with the same Jacobian and what the steps tell of it since, which cost a sweep for
  /// residuals each. Those that are solved leave; what is left of their residuals takes a last step, which asks for no sweep.
  void settle_likely(double tolerance, Features& h, std::vector<double>& sizes) {
    std::vector<Index> rows;
    std::vector<double> earlier;
    const double near = equations_.depth() > few_levels ? near_of_many_levels : near_a_solution;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (!(start_sizes_[i] > 0.0 && before_[i] * (before_[i] / start_sizes_[i]) <= near)) continue;
      rows.push_back(static_cast<Index>(i));
      earlier.push_back(before_[i]);
    }
    std::vector<bool> solved(numbers_.size(), false);
    Features at = picked_levels(h_, rows);
    std::vector<Matrix> taken;
    taken.push_back(picked(steps_.view(), rows));
    while (!rows.empty()) {
      poll_stop();
      Features residuals;
      const std::vector<double> found = equations_.residuals(picked(first_.view(), rows), at, residuals);
      const bool known_rate = taken.size() > 1;  // that of a step with another Jacobian is smaller
      taken.push_back(quasi_newton(taken, systems_.steps(rows, residuals)));
      const Features next = moved(at, taken.back(), 1.0);
      std::vector<Index> left;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::size_t i = index(rows[k]);
        const double rate = found[k] / earlier[k];
        if (!(rate < 1.0)) continue;
        put(at, static_cast<Index>(k), h_, rows[k]);
        const double ahead = found[k] * rate;
        solved[i] = found[k] <= tolerance || (known_rate && ahead <= left_by_a_step * tolerance);
        if (solved[i]) {
          sizes[index(numbers_[i])] = std::min(found[k], std::max(ahead, rounding_residual));
          put(next, static_cast<Index>(k), h, numbers_[i]);
        } else if (ahead * rate <= tolerance) {
          left.push_back(static_cast<Index>(k));
        }
      }
      at = picked_levels(next, left);
      for (Matrix& steps : taken) steps = picked(steps.view(), left);
      earlier = picked(found, left);
      rows = picked(rows, left);
    }
    leave(solved);
  }

  /// Rows that a whole step took away from a solution take half of it, a quarter, ...
  void linearise(Accuracy accuracy) {
    std::vector<Index> rows;
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (before_[i] < near_a_solution) rows.push_back(static_cast<Index>(i));
    }
    const bool all = static_cast<Index>(rows.size()) == count();
    at_ = linearised(equations_, first_, h_, all ? Accuracy::full : accuracy);
    if (accuracy == Accuracy::rough && !all && !rows.empty()) {  // what is rough would hide what their steps gain
      const Linearised found = linearised(equations_, picked(first_.view(), rows), picked_levels(h_, rows));
      for (std::size_t k = 0; k < rows.size(); ++k) at_.put(found, static_cast<Index>(k), rows[k]);
    }
    rows.clear();
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (!better(at_.sizes[i], before_[i])) rows.push_back(static_cast<Index>(i));
    }
    double length = 1.0;
    for (int halving = 0; halving < most_halvings && !rows.empty(); ++halving) {
      poll_stop();
      length *= 0.5;
      rows = try_length(rows, length);
    }
  }

  void settle(Features& h, std::vector<double>& sizes) {
    moved_.assign(numbers_.size(), false);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      moved_[i] = at_.sizes[i] < before_[i];
      if (!moved_[i]) continue;
      sizes[index(numbers_[i])] = at_.sizes[i];
      put(h_, static_cast<Index>(i), h, numbers_[i]);
    }
    earlier_ = before_;
  }

 private:
  /// Rows that are solved.
  void leave(const std::vector<bool>& solved) {
    std::vector<Index> rows;
    for (std::size_t i = 0; i < solved.size(); ++i) {
      if (!solved[i]) rows.push_back(static_cast<Index>(i));
    }
    if (rows.size() == solved.size()) return;
    keep(rows);
    before_ = picked(before_, rows);
    steps_ = picked(steps_.view(), rows);
    start_ = picked_levels(start_, rows);
  }

  void keep(const std::vector<Index>& rows) {
    numbers_ = picked(numbers_, rows);
    first_ = picked(first_.view(), rows);
    h_ = picked_levels(h_, rows);
  }

  /// start - length * steps
  Features moved(const Features& start, const Matrix& steps, double length) const {
    Features out;
    for (Index j = 0; j < equations_.depth(); ++j) {
      const Matrix& from = start[index(j)];
      Matrix to(from.rows(), from.cols());
      for_entries(to.view(), [&](Index i, Index k) { to(i, k) = from(i, k) - length * steps(i, equations_.offset(j) + k); });
      out.push_back(std::move(to));
    }
    return out;
  }

  /// Returns the rows that are not better with this length either.
  std::vector<Index> try_length(const std::vector<Index>& rows, double length) {
    const Features trial = moved(picked_levels(start_, rows), picked(steps_.view(), rows), length);
    const Linearised found = linearised(equations_, picked(first_.view(), rows), trial);
    std::vector<Index> left;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (!better(found.sizes[k], before_[index(rows[k])])) {
        left.push_back(rows[k]);
        continue;
      }
      put(trial, static_cast<Index>(k), h_, rows[k]);
      at_.put(found, static_cast<Index>(k), rows[k]);
    }
    return left;
  }

  const Equations& equations_;
  std::vector<Index> numbers_;  ///< of the rows among all
  Matrix first_;
  Features h_, start_;
  Linearised at_;
  NewtonSystems systems_;  ///< of the last step
  Matrix steps_;
  std::vector<double> before_;       ///< sizes where the step began
  std::vector<double> earlier_;      ///< those of the rows before some of them left
  std::vector<double> start_sizes_;  ///< sizes where the step before it began; 0 for the first one
  std::vector<bool> moved_;
};

}  // namespace

void Linearised::put(const Linearised& from, Index row, Index place) {
  deep_pca::put(from.residuals, row, residuals, place);
  deep_pca::put(from.couplings, row, couplings, place);
  deep_pca::put(from.curvature, row, curvature, place);
  sizes[index(place)] = from.sizes[index(row)];
}

Linearised linearised(const Equations& equations, const Matrix& first, const Features& h, Accuracy accuracy) {
  const bool rough = accuracy == Accuracy::rough;
  const UsableRows rows(first, h, rough ? out_of_rough_reach : out_of_reach);
  std::vector<Equations::Derivatives> found;
  for (Index j = 0; j + 1 < equations.depth(); ++j) found.push_back(equations.derivatives(j, rows.h(), accuracy));
  Linearised out = linearised_from(equations, rows, std::move(found));
  for (double& size : out.sizes) size = rough && size < rough_residual ? rough_residual : size;
  return out;
}

Matrix newton_steps(const Equations& equations, const Linearised& at) {
  return NewtonSystems(equations, at).steps(up_to(static_cast<Index>(at.sizes.size())), at.residuals);
}

Newton::Newton(const Equations& equations, Index rows, Index max_iterations, double tolerance)
    : equations_(equations),
      max_iterations_(max_iterations),
      tolerance_(tolerance),
      first_accuracy_(tolerance < rough_residual && max_iterations > 1 && equations.allows_rough() ? Accuracy::rough
                                                                                                   : Accuracy::full) {
  if (rows > equations.samples()) first_steps_.emplace(equations, up_to(equations.samples()));
}

Index Newton::solve(const Matrix& first, Features& h, std::vector<double>& sizes) const {
  const std::vector<Index> samples = equations_.nearest(first);
  h = equations_.training(samples);
  Matrix steps = first_steps_ ? first_steps_->take(first, samples, sizes)
                              : FirstSteps(equations_, distinct(samples)).take(first, samples, sizes);
  OpenRows open(equations_, first, h, std::move(steps), sizes);
  Index round = 0;
  for (open.keep_unsolved(tolerance_); open.count() > 0 && round < max_iterations_; ++round) {
    poll_stop();
    round == 0 ? open.first_step() : open.step();
    if (round > 0) open.settle_likely(tolerance_, h, sizes);
    open.linearise(round < std::min(rough_rounds, max_iterations_ - 1) ? first_accuracy_
                                                                       : Accuracy::full);  // the last one counts
    open.settle(h, sizes);
    open.keep_unsolved(tolerance_);
  }
  return round;
}

}  // namespace gramian::deep_pca

// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_pca/newton.hpp"

#include <Eigen/LU>
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
constexpr double near_a_solution = 1e-3;  ///< of residuals: below, a Jacobian serves for more than one step
constexpr double seconds_per_operation = 1e-9;

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
  out.sizes = equations.residuals_of(rows.h(), out.residuals, backwards);
  rows.mark(out.sizes);
  return out;
}

std::vector<Index> up_to(Index count) {
  std::vector<Index> all(index(count));
  std::iota(all.begin(), all.end(), Index(0));
  return all;
}

bool better(double after, double before) { return after < before || after < rounding_residual; }

/// Rows that are not solved yet, and go on together.
class OpenRows {
 public:
  OpenRows(const Equations& equations, const Matrix& first, const Features& h, Linearised at)
      : equations_(equations),
        numbers_(up_to(first.rows())),
        first_(first.clone()),
        at_(std::move(at)),
        moved_(at_.sizes.size(), true) {
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
    }
    start_sizes_ = earlier_.empty() ? std::vector<double>(rows.size(), 0.0) : picked(earlier_, rows);
  }

  /// A step of Newton's method.
  void step() {
    systems_ = NewtonSystems(equations_, at_);
    steps_ = systems_.steps(up_to(count()), at_.residuals);
    before_ = at_.sizes;
    start_ = std::move(h_);
    h_ = moved(start_, steps_, 1.0);
  }

  /// Rows near a solution take further steps with the same Jacobian, which cost a sweep for residuals each. Those that are solved
  /// leave; what is left of their residuals takes a last step, which asks for no sweep.
  void settle_likely(double tolerance, Features& h, std::vector<double>& sizes) {
    std::vector<Index> rows;
    std::vector<double> earlier;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (!(start_sizes_[i] > 0.0 && before_[i] * (before_[i] / start_sizes_[i]) <= near_a_solution)) continue;
      rows.push_back(static_cast<Index>(i));
      earlier.push_back(before_[i]);
    }
    std::vector<bool> solved(numbers_.size(), false);
    Features at = picked_levels(h_, rows);
    while (!rows.empty()) {
      poll_stop();
      Features residuals;
      const std::vector<double> found = equations_.residuals(picked(first_.view(), rows), at, residuals);
      const Features next = moved(at, systems_.steps(rows, residuals), 1.0);
      std::vector<Index> left;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::size_t i = index(rows[k]);
        const double rate = found[k] / earlier[k];
        if (!(rate < 1.0)) continue;
        put(at, static_cast<Index>(k), h_, rows[k]);
        solved[i] = found[k] <= tolerance;
        if (solved[i]) {
          sizes[index(numbers_[i])] = found[k];
          put(next, static_cast<Index>(k), h, numbers_[i]);
        } else if (found[k] * rate * rate <= tolerance) {
          left.push_back(static_cast<Index>(k));
        }
      }
      at = picked_levels(next, left);
      earlier = picked(found, left);
      rows = picked(rows, left);
    }
    leave(solved);
  }

  /// Rows that a whole step took away from a solution take half of it, a quarter, ...
  void linearise() {
    at_ = linearised(equations_, first_, h_);
    std::vector<Index> rows;
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

Linearised linearised(const Equations& equations, const Matrix& first, const Features& h) {
  const UsableRows rows(first, h);
  std::vector<Equations::Derivatives> found;
  for (Index j = 0; j + 1 < equations.depth(); ++j) found.push_back(equations.derivatives(j, rows.h()));
  return linearised_from(equations, rows, std::move(found));
}

Matrix newton_steps(const Equations& equations, const Linearised& at) {
  return NewtonSystems(equations, at).steps(up_to(static_cast<Index>(at.sizes.size())), at.residuals);
}

Newton::Newton(const Equations& equations, Index rows, Index max_iterations, double tolerance)
    : equations_(equations), max_iterations_(max_iterations), tolerance_(tolerance) {
  const Index n = equations.samples();
  if (rows <= n) return;
  const Features h = equations.training(up_to(n));
  for (Index j = 0; j + 1 < equations.depth(); ++j) at_training_.push_back(equations.derivatives(j, h));
}

Linearised Newton::at_start(const Matrix& first, const std::vector<Index>& samples, const Features& h) const {
  if (at_training_.empty()) return linearised(equations_, first, h);
  std::vector<Equations::Derivatives> found;
  for (const Equations::Derivatives& level : at_training_) {
    found.push_back({picked(level.forward.view(), samples), picked(level.backward.view(), samples),
                     picked(level.coupling.view(), samples), picked(level.curvature.view(), samples)});
  }
  return linearised_from(equations_, UsableRows(first, h), std::move(found));
}

Index Newton::solve(const Matrix& first, Features& h, std::vector<double>& sizes) const {
  const std::vector<Index> samples = equations_.nearest(first);
  h = equations_.training(samples);
  Linearised at = at_start(first, samples, h);
  sizes = at.sizes;
  OpenRows open(equations_, first, h, std::move(at));
  Index round = 0;
  for (open.keep_unsolved(tolerance_); open.count() > 0 && round < max_iterations_; ++round) {
    poll_stop();
    open.step();
    open.settle_likely(tolerance_, h, sizes);
    open.linearise();
    open.settle(h, sizes);
    open.keep_unsolved(tolerance_);
  }
  return round;
}

}  // namespace gramian::deep_pca

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
constexpr double least_eigenvalue = 1e-6;  ///< of the last level, relative to the largest entry of a system
constexpr double least_pivot = 1e-10;      ///< relative to the same
constexpr double seconds_per_operation = 1e-9;

std::size_t index(Index i) { return static_cast<std::size_t>(i); }

/// The Jacobian of one row: symmetric, with blocks next to the diagonal only.
class System {
 public:
  explicit System(const Equations& equations) : equations_(equations), n_(equations.unknowns()), numbers_(index(n_ * n_)) {
    const Index last = equations.depth() - 1;
    kept_ = equations.offset(last);
    right_.resize(index(n_));
  }

  /// x: unknowns numbers.
  void solve(const Linearised& at, Index row, double* x) {
    assemble(at, row);
    for (Index j = 0; j < equations_.depth(); ++j) {
      for (Index k = 0; k < equations_.components(j); ++k)
        right_[index(equations_.offset(j) + k)] = at.residuals[index(j)](row, k);
    }
    std::copy(right_.begin(), right_.end(), x);
    double largest = 0.0;
    for (const double number : numbers_) largest = std::max(largest, std::fabs(number));
    if (std::isfinite(largest) && eliminate_last(largest, x) && eliminate(largest, x)) return substitute_last(x);
    assemble(at, row);
    const Eigen::Map<const SmallMatrix> whole(numbers_.data(), n_, n_);
    Eigen::Map<Eigen::VectorXd>(x, n_) = whole.fullPivLu().solve(Eigen::Map<const Eigen::VectorXd>(right_.data(), n_));
  }

 private:
  double& entry(Index i, Index j) { return numbers_[index(i * n_ + j)]; }

  void assemble(const Linearised& at, Index row) {
    std::fill(numbers_.begin(), numbers_.end(), 0.0);
    for (Index j = 0; j < equations_.depth(); ++j) {
      const Index s = equations_.components(j), own = equations_.offset(j);
      for (Index k = 0; k < s; ++k) entry(own + k, own + k) = equations_.eigenvalues(j)[index(k)];
      if (j + 1 == equations_.depth()) continue;
      const Index above = equations_.components(j + 1), next = equations_.offset(j + 1);
      const double* curvature = at.curvature[index(j)].data() + row * s * s;
      const double* coupling = at.couplings[index(j)].data() + row * above * s;
      for (Index k = 0; k < s; ++k) {
        for (Index l = 0; l < s; ++l) entry(own + k, own + l) -= curvature[k * s + l];
        for (Index c = 0; c < above; ++c) entry(own + k, next + c) = entry(next + c, own + k) = -coupling[c * s + k];
      }
    }
  }

  /// The rows of the last level leave those before it.
  bool eliminate_last(double largest, double* x) {
    const Index first = equations_.depth() > 1 ? equations_.offset(equations_.depth() - 2) : 0;
    for (Index c = kept_; c < n_; ++c) {
      const double pivot = entry(c, c);
      if (!(std::fabs(pivot) > least_eigenvalue * largest)) return false;
      for (Index i = first; i < kept_; ++i) {
        const double factor = entry(i, c) / pivot;
        for (Index k = first; k < kept_; ++k) entry(i, k) -= factor * entry(c, k);
        x[i] -= factor * x[c];
      }
    }
    return true;
  }

  void substitute_last(double* x) {
    for (Index c = kept_; c < n_; ++c) {
      for (Index k = 0; k < kept_; ++k) x[c] -= entry(c, k) * x[k];
      x[c] /= entry(c, c);
    }
  }

  /// What is left, with the largest pivot of each column.
  bool eliminate(double largest, double* x) {
    for (Index c = 0; c < kept_; ++c) {
      Index best = c;
      for (Index i = c + 1; i < kept_; ++i) {
        if (std::fabs(entry(i, c)) > std::fabs(entry(best, c))) best = i;
      }
      if (!(std::fabs(entry(best, c)) > least_pivot * largest)) return false;
      if (best != c) {
        std::swap_ranges(&entry(c, c), &entry(c, 0) + kept_, &entry(best, c));
        std::swap(x[c], x[best]);
      }
      for (Index i = c + 1; i < kept_; ++i) {
        const double factor = entry(i, c) / entry(c, c);
        for (Index k = c + 1; k < kept_; ++k) entry(i, k) -= factor * entry(c, k);
        x[i] -= factor * x[c];
      }
    }
    for (Index c = kept_ - 1; c >= 0; --c) {
      for (Index k = c + 1; k < kept_; ++k) x[c] -= entry(c, k) * x[k];
      x[c] /= entry(c, c);
    }
    return true;
  }

  const Equations& equations_;
  Index n_, kept_ = 0;  ///< unknowns, and those before the last level
  std::vector<double> numbers_, right_;
};

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

bool better(double after, double before) { return after < before || after < rounding_residual; }

/// Rows that are not solved yet, and go on together.
class OpenRows {
 public:
  OpenRows(const Equations& equations, const Matrix& first, const Features& h, Linearised at)
      : equations_(equations),
        numbers_(at.sizes.size()),
        first_(first.clone()),
        at_(std::move(at)),
        moved_(at_.sizes.size(), true) {
    std::iota(numbers_.begin(), numbers_.end(), Index(0));
    for (const Matrix& level : h) h_.push_back(level.clone());
  }

  Index count() const { return static_cast<Index>(numbers_.size()); }

  /// The others leave: those that are solved, and those that did not get better.
  void keep_unsolved(double tolerance) {
    std::vector<Index> rows;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (moved_[i] && !(at_.sizes[i] <= tolerance)) rows.push_back(static_cast<Index>(i));
    }
    keep(rows);
    at_ = picked_rows(at_, rows);
    start_sizes_ = earlier_.empty() ? std::vector<double>(rows.size(), 0.0) : picked(earlier_, rows);
  }

  void step() {
    steps_ = newton_steps(equations_, at_);
    before_ = at_.sizes;
    start_ = std::move(h_);
    h_ = moved(start_, steps_, 1.0);
  }

  /// Of rows that converge as fast as they should the residuals are all that is wanted: those that are solved leave.
  void settle_likely(double tolerance, Features& h, std::vector<double>& sizes) {
    std::vector<Index> likely, rows;
    std::vector<bool> solved(numbers_.size(), false);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      // Quadratic convergence: the next one is to before_ squared what that is to the square of the one before it.
      const double ratio = start_sizes_[i] > 0.0 ? before_[i] / start_sizes_[i] : 1.0;
      if (before_[i] * ratio * ratio <= tolerance) likely.push_back(static_cast<Index>(i));
    }
    if (likely.empty()) return;
    const Features some = picked_levels(h_, likely);
    const std::vector<double> found = equations_.residuals(picked(first_.view(), likely), some);
    for (std::size_t k = 0; k < likely.size(); ++k) {
      const std::size_t i = index(likely[k]);
      if (!(found[k] <= tolerance && found[k] < before_[i])) continue;
      solved[i] = true;
      sizes[index(numbers_[i])] = found[k];
      put(some, static_cast<Index>(k), h, numbers_[i]);
    }
    for (std::size_t i = 0; i < solved.size(); ++i) {
      if (!solved[i]) rows.push_back(static_cast<Index>(i));
    }
    keep(rows);
    before_ = picked(before_, rows);
    steps_ = picked(steps_.view(), rows);
    start_ = picked_levels(start_, rows);
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
  constexpr Index together = 64;
  const Index q = static_cast<Index>(at.sizes.size()), n = equations.unknowns();
  Matrix steps(q, n);
  const double size = static_cast<double>(n);
  parallel_for(count_pieces(q, together), seconds_per_operation * size * size * size * together, [&](Index task, int) {
    System system(equations);
    for (Index i = task * together; i < std::min(q, (task + 1) * together); ++i) system.solve(at, i, &steps(i, 0));
  });
  return steps;
}

Newton::Newton(const Equations& equations, Index rows, Index max_iterations, double tolerance)
    : equations_(equations), max_iterations_(max_iterations), tolerance_(tolerance) {
  const Index n = equations.samples();
  if (rows <= n) return;
  std::vector<Index> all(index(n));
  std::iota(all.begin(), all.end(), Index(0));
  const Features h = equations.training(all);
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

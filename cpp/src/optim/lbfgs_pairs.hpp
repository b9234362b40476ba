// SPDX-License-Identifier: BSD-3-Clause
// The memory of L-BFGS.
#pragma once

#include <vector>

#include "base/view_ops.hpp"
#include "optim/course.hpp"

namespace gramian::optim_detail {

/// The last pairs s = x' - x, y = g' - g, and the inverse Hessian that they stand for.
class Pairs {
 public:
  Pairs(Index n, Index memory) : n_(n), memory_(memory), pairs_(static_cast<std::size_t>(memory + 1)), weights_(pairs_.size()) {}

  bool known() const { return count_ > 0; }
  void forget() { count_ = 0; }
  /// A pair is kept only if the curvature along it is positive beyond rounding.
  void add(const Point& from, const Point& to);
  /// [NW] Alg. 7.4: d becomes H d.
  void apply(double* d);
  void fields(SnapshotFields& state);

 private:
  struct Pair {
    Numbers s, y;
    double sy = 0.0;
  };
  /// The place of the pair that `age` others came after.
  std::size_t at(Index age) const { return static_cast<std::size_t>((next_ + memory_ - age) % (memory_ + 1)); }

  Index n_;
  Index memory_;
  Index count_ = 0;
  Index next_ = 0;
  std::vector<Pair> pairs_;  // one place more than pairs: a new one is tried without losing the oldest
  Numbers weights_;
  double gamma_ = 1.0;
};

}  // namespace gramian::optim_detail

// SPDX-License-Identifier: BSD-3-Clause
#include "base/view_ops.hpp"
#include "optim/lbfgs_pairs.hpp"

#include <algorithm>
#include <utility>

#include "optim/quasi_newton.hpp"

namespace gramian::optim_detail {

void Pairs::add(const Point& from, const Point& to) {
  Pair& pair = pairs_[static_cast<std::size_t>(next_)];
  pair.s.resize(static_cast<std::size_t>(n_));
  pair.y.resize(static_cast<std::size_t>(n_));
  difference(to.x.data(), from.x.data(), pair.s.data(), n_);
  difference(to.gradient.data(), from.gradient.data(), pair.y.data(), n_);
  pair.sy = dot(pair.s.data(), pair.y.data(), n_);
  const double yy = dot(pair.y.data(), pair.y.data(), n_);
  if (!curves_up(pair.sy, dot(pair.s.data(), pair.s.data(), n_), yy)) return;
  gamma_ = pair.sy / yy;
  next_ = (next_ + 1) % (memory_ + 1);
  count_ = std::min(count_ + 1, memory_);
}

void Pairs::apply(double* d) {
  for (Index age = 0; age < count_; ++age) {
    const Pair& pair = pairs_[at(age)];
    double& weight = weights_[at(age)];
    weight = dot(pair.s.data(), d, n_) / pair.sy;
    add_multiple(-weight, pair.y.data(), d, n_);
  }
  if (count_ > 0) multiply(gamma_, d, n_);
  for (Index age = count_ - 1; age >= 0; --age) {
    const Pair& pair = pairs_[at(age)];
    add_multiple(weights_[at(age)] - dot(pair.y.data(), d, n_) / pair.sy, pair.s.data(), d, n_);
  }
}

/// Those that are kept, the oldest first, at the places that they have in the ring.
void Pairs::fields(SnapshotFields& state) {
  state.within("pairs", count_, 0, memory_);
  state.within("place of the next pair", next_, 0, memory_);
  state("scale of the pairs", gamma_);
  std::vector<Numbers> s, y;
  Numbers sy(static_cast<std::size_t>(count_));
  for (Index age = count_ - 1; age >= 0 && !state.reads(); --age) {
    const Pair& pair = pairs_[at(age)];
    s.push_back(pair.s);
    y.push_back(pair.y);
    sy[s.size() - 1] = pair.sy;
  }
  state.rows("steps of pairs", s, n_);
  state.rows("gradients of pairs", y, n_);
  state("products of pairs", sy);
  if (!state.reads()) return;
  require(s.size() == sy.size() && y.size() == sy.size(), "the state has other numbers of steps and gradients");
  for (Index age = count_ - 1, i = 0; age >= 0; --age, ++i) {
    const auto place = static_cast<std::size_t>(i);
    pairs_[at(age)] = {std::move(s[place]), std::move(y[place]), sy[place]};
  }
}

}  // namespace gramian::optim_detail

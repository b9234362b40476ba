// SPDX-License-Identifier: BSD-3-Clause
#include "models/dependency/held_out.hpp"

#include "gramian/eigen.hpp"

namespace gramian::dependency {

std::vector<Index> rows_except(const std::vector<Index>& out, Index n) {
  std::vector<bool> gone(at(n), false);
  for (const Index i : out) gone[at(i)] = true;
  std::vector<Index> rest;
  for (Index i = 0; i < n; ++i) {
    if (!gone[at(i)]) rest.push_back(i);
  }
  return rest;
}

HeldOut::HeldOut(const GramSource& from, const std::vector<Index>& out, const std::vector<Index>& rest) {
  if (!from.stored()) {
    out_.take(PointSource(from.points()), out);
    rest_.take(PointSource(from.points()), rest);
    training_.emplace(from.kernel(), rest_.points());
    fresh_.emplace(from.kernel(), out_.points(), rest_.points());
    return;
  }
  gram_ = picked(from.gram(), rest, rest);
  cross_ = picked(from.gram(), out, rest);
  diagonal_ = Matrix(cross_.rows(), 1);
  as_eigen(diagonal_.view()).col(0) = as_eigen(from.gram()).diagonal()(out);
  training_.emplace(gram_.view());
  fresh_.emplace(cross_.view(), diagonal_.view());
}

}  // namespace gramian::dependency

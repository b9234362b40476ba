// SPDX-License-Identifier: BSD-3-Clause
// A matrix against its transpose, and scores against a limit.
#pragma once

#include "isa/dense_table.hpp"
#include "isa/table.hpp"
#include "isa/transpose.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

template <class T>
GRAMIAN_INLINE bool numbers_differ(const CompareJob<T>& job) {
  for (Index r = 0; r < job.rows; ++r) {
    for (Index k = 0; k < job.columns; ++k) {
      const T difference = job.lower[r * job.stride + k] - job.upper[k * job.stride + r];
      if (!(difference <= job.allowed && -difference <= job.allowed)) return true;
    }
  }
  return false;
}

/// A square of vectors at a time, the last ones overlapping. NaN differs from everything.
template <class T>
bool differs_from_transpose(const CompareJob<T>& job) {
  constexpr Index lanes = Vec<T>::lanes;
  using V = typename Vec<T>::type;
  if (job.rows < lanes || job.columns < lanes) return numbers_differ(job);
  const V allowed = broadcast<T>(job.allowed), one = broadcast<T>(T(1));
  V different{};
  for (Index next_row = 0; next_row < job.rows; next_row += lanes) {
    const Index r = next_row + lanes <= job.rows ? next_row : job.rows - lanes;
    for (Index next_column = 0; next_column < job.columns; next_column += lanes) {
      const Index k = next_column + lanes <= job.columns ? next_column : job.columns - lanes;
      V square[lanes];
      GRAMIAN_UNROLL
      for (int i = 0; i < lanes; ++i) square[i] = load<T>(job.lower + (r + i) * job.stride + k);
      transpose<T>(square);
      GRAMIAN_UNROLL
      for (int i = 0; i < lanes; ++i) {
        const V difference = square[i] - load<T>(job.upper + (k + i) * job.stride + r);
        different += at_least(difference, -difference) <= allowed ? V{} : one;
      }
    }
  }
  T counts[lanes];
  store<T>(counts, different);
  for (const T count : counts) {
    if (count != T(0)) return true;
  }
  return false;
}

template <class T>
Index next_score(const ScoreJob<T>& job, Index from) {
  constexpr Index lanes = Vec<T>::lanes;
  const typename Vec<T>::type limit = broadcast<T>(job.limit), two = broadcast<T>(T(2));
  for (; from + lanes <= job.count; from += lanes) {
    if (!any_not_above(load<T>(job.norms + from) - two * load<T>(job.inner + from), limit)) continue;
    for (Index j = from; j < from + lanes; ++j) {
      if (!(job.norms[j] - T(2) * job.inner[j] > job.limit)) return j;
    }
  }
  while (from < job.count && job.norms[from] - T(2) * job.inner[from] > job.limit) ++from;
  return from;
}

/// Lanes keep the first of their least scores; of equal ones the smaller index is taken.
template <class T>
Index least_score(const ScoreJob<T>& job) {
  constexpr Index lanes = Vec<T>::lanes;
  using V = typename Vec<T>::type;
  const V two = broadcast<T>(T(2)), step = broadcast<T>(static_cast<T>(lanes));
  T scores[lanes], indices[lanes];
  for (Index l = 0; l < lanes; ++l) scores[l] = static_cast<T>(__builtin_huge_val()), indices[l] = static_cast<T>(l);
  V least = load<T>(scores), at = load<T>(indices), index = at;
  Index from = 0;
  for (; from + lanes <= job.count; from += lanes, index += step) {
    const V score = load<T>(job.norms + from) - two * load<T>(job.inner + from);
    const auto less = score < least;
    least = less ? score : least;
    at = less ? index : at;
  }
  store<T>(scores, least);
  store<T>(indices, at);
  T best = scores[0], best_index = indices[0];
  for (Index l = 1; l < lanes; ++l) {
    if (scores[l] < best || (scores[l] == best && indices[l] < best_index)) best = scores[l], best_index = indices[l];
  }
  Index out = static_cast<Index>(best_index);
  for (; from < job.count; ++from) {
    const T score = job.norms[from] - T(2) * job.inner[from];
    if (score < best) best = score, out = from;
  }
  return out;
}

}  // namespace
}  // namespace gramian::isa

// SPDX-License-Identifier: BSD-3-Clause
// Systems of few diagonals that differ in a factor and have one right-hand side each, as many of them at once as vectors have
// lanes: without pivoting, as they are positive definite, they all take the same steps.
#pragma once

#include "isa/dense_table.hpp"
#include "isa/table.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

/// One vector's lanes of a job: numbers of one row are band_lanes apart in x and in the workspace.
template <class T>
struct BandLanes {
  using V = typename Vec<T>::type;

  const BandJob<T>& job;
  Index lane;

  GRAMIAN_INLINE T* x(Index i) const { return job.x + (i + band_width) * band_lanes + lane; }
  /// Of row i: quotients at d = 1 .. band_width, the inverse of the pivot at 0. Rows before the first one are those of an
  /// identity.
  GRAMIAN_INLINE T* factor(Index i, Index d) const {
    return job.work + ((i + band_width) * (band_width + 1) + d) * band_lanes + lane;
  }
  GRAMIAN_INLINE T entry(Index i, Index d) const { return job.band[i * (band_width + 1) + d]; }

  GRAMIAN_INLINE const T* right(Index i) const { return job.right + i * band_lanes + lane; }

  /// (D B + shift I) = L diag(1 / p) L^T, p = factor(i, 0), and forward substitution.
  GRAMIAN_INLINE void eliminate() const {
    const V scale = load<T>(job.scale + lane), shift = load<T>(job.shift + lane), one = broadcast<T>(T(1));
    GRAMIAN_NO_UNROLL
    for (Index i = 0; i < job.rows; ++i) {
      V row[band_width + 1], sum = load<T>(right(i)), pivot = scale * broadcast<T>(entry(i, 0)) + shift;
      GRAMIAN_UNROLL
      for (int d = band_width; d >= 1; --d) {
        V value = scale * broadcast<T>(entry(i, d));
        GRAMIAN_UNROLL
        for (int e = band_width; e > d; --e) value -= row[e] * load<T>(factor(i - d, e - d));
        row[d] = value;
        const V quotient = value * load<T>(factor(i - d, 0));
        pivot -= value * quotient;
        sum -= quotient * load<T>(x(i - d));
        store<T>(factor(i, d), quotient);
      }
      store<T>(factor(i, 0), one / pivot);
      store<T>(x(i), sum);
    }
  }

  GRAMIAN_INLINE void substitute_back() const {
    GRAMIAN_NO_UNROLL
    for (Index i = job.rows - 1; i >= 0; --i) {
      V sum = load<T>(x(i)) * load<T>(factor(i, 0));
      const Index below = job.rows - 1 - i < band_width ? job.rows - 1 - i : Index(band_width);
      for (Index d = 1; d <= below; ++d) sum -= load<T>(factor(i + d, d)) * load<T>(x(i + d));
      store<T>(x(i), sum);
    }
  }

  /// x = B y for y = x, in the rows of the inverse pivots, which have no use any more. Where B is close to singular y is large,
  /// by 1 / shift, and rounding of B y is |B| / shift: if that is large it takes (F - shift y) / D, which is the same.
  GRAMIAN_INLINE void multiply() const {
    const V scale = load<T>(job.scale + lane), shift = load<T>(job.shift + lane), norm = broadcast<T>(job.norm);
    GRAMIAN_NO_UNROLL
    for (Index i = 0; i < job.rows; ++i) {
      V sum = broadcast<T>(entry(i, 0)) * load<T>(x(i));
      const Index below = job.rows - 1 - i < band_width ? job.rows - 1 - i : Index(band_width);
      GRAMIAN_UNROLL
      for (int d = 1; d <= band_width; ++d) sum += broadcast<T>(entry(i, d)) * load<T>(x(i - d));
      for (Index d = 1; d <= below; ++d) sum += broadcast<T>(entry(i + d, d)) * load<T>(x(i + d));
      const V rest = (load<T>(right(i)) - shift * load<T>(x(i))) / scale;
      store<T>(factor(i, 0), scale * norm > shift ? rest : sum);
    }
    for (Index i = 0; i < job.rows; ++i) store<T>(x(i), load<T>(factor(i, 0)));
  }
};

template <class T>
void divide_by_band(const BandJob<T>& job) {
  for (Index i = 0; i < band_width * band_lanes; ++i) job.x[i] = T(0);
  for (Index i = 0; i < band_width * (band_width + 1) * band_lanes; ++i) {
    job.work[i] = i / band_lanes % (band_width + 1) == 0 ? T(1) : T(0);
  }
  for (Index lane = 0; lane < band_lanes; lane += Vec<T>::lanes) {
    const BandLanes<T> lanes{job, lane};
    lanes.eliminate();
    lanes.substitute_back();
    lanes.multiply();
  }
}

}  // namespace
}  // namespace gramian::isa

// SPDX-License-Identifier: BSD-3-Clause
// Kernel values of one point with many, which lie along the vectors: what a tile of a single column would waste its lanes on.
// Every value has the bits that a tile with these points as its rows would give it.
#pragma once

#include "isa/coordinate_tile.hpp"
#include "isa/multiply.hpp"
#include "isa/pair.hpp"
#include "isa/table.hpp"
#include "isa/vec.hpp"
#include "kernels/profile.hpp"

namespace gramian::isa {
namespace {

/// Whether a panel of rows is whole vectors.
template <class T>
constexpr bool panels_are_vectors = Block<T>::rows % Vec<T>::lanes == 0;

/// Panels whose sums are formed side by side, so that additions do not wait for each other.
constexpr Index panels_together = 6;

/// s of `count` panels from `panel` on.
template <class T, Form form, int count>
GRAMIAN_INLINE void multiply_panels(const PointRowJob<T>& job, Index panel) {
  constexpr int lanes = Vec<T>::lanes, width = Block<T>::rows / lanes;
  constexpr Index rows = Block<T>::rows;
  using V = typename Vec<T>::type;
  const Index d = job.dimension;
  const T *const points = job.points.panels + panel * rows * d, *const half = job.points.half + panel * rows;
  V sums[count][width];
  GRAMIAN_UNROLL
  for (int p = 0; p < count; ++p) {
    GRAMIAN_UNROLL
    for (int v = 0; v < width; ++v) {
      sums[p][v] = form == Form::distance ? -(load<T>(half + p * rows + v * lanes) + broadcast<T>(job.half)) : V{};
    }
  }
  for (Index k = 0; k < d; ++k) {
    const V x = broadcast<T>(job.point[k]);
    GRAMIAN_UNROLL
    for (int p = 0; p < count; ++p) {
      GRAMIAN_UNROLL
      for (int v = 0; v < width; ++v) sums[p][v] += load<T>(points + (p * d + k) * rows + v * lanes) * x;
    }
  }
  GRAMIAN_UNROLL
  for (int p = 0; p < count; ++p) {
    GRAMIAN_UNROLL
    for (int v = 0; v < width; ++v) store<T>(job.out + (panel + p) * rows + v * lanes, sums[p][v]);
  }
}

/// The points of the job are the first of each pair, as they are the rows of a tile.
template <class T, Form form, class Profile>
void multiply_row(const PointRowJob<T>& job) {
  Index panel = 0;
  for (; panel + panels_together <= job.panels; panel += panels_together) multiply_panels<T, form, panels_together>(job, panel);
  for (; panel < job.panels; ++panel) multiply_panels<T, form, 1>(job, panel);
  const typename Vec<T>::type half = broadcast<T>(job.half);
  const Index count = job.panels * Block<T>::rows;
  for (Index i = 0; i < count; i += Vec<T>::lanes) {
    const auto pair = pair_of<T, Profile>(load<T>(job.out + i), load<T>(job.points.half + i), half);
    store<T>(job.out + i, Profile::value(pair, job.parameters));
  }
}

/// Values of `count` vectors of points, `stride` numbers apart.
template <class T, class Profile, int count>
GRAMIAN_INLINE void coordinate_vectors(const PointRowJob<T>& job, const T* points, Index stride, T* out, Index out_stride) {
  const T* const point = job.point;
  const auto difference = [=](Index k, int c) {
    return load<T>(points + c * stride + k * Block<T>::rows) - broadcast<T>(point[k]);
  };
  coordinate_values<T, Profile, count>(job.dimension, difference, out, out_stride);
}

template <class T, class Profile>
void coordinate_row(const PointRowJob<T>& job) {
  constexpr Index rows = Block<T>::rows;
  constexpr int together = 4;
  const Index of_panel = job.dimension * rows;
  for (Index v = 0; v < rows; v += Vec<T>::lanes) {
    Index panel = 0;
    for (; panel + together <= job.panels; panel += together) {
      coordinate_vectors<T, Profile, together>(job, job.points.panels + panel * of_panel + v, of_panel,
                                               job.out + panel * rows + v, rows);
    }
    for (; panel < job.panels; ++panel) {
      coordinate_vectors<T, Profile, 1>(job, job.points.panels + panel * of_panel + v, of_panel, job.out + panel * rows + v,
                                        rows);
    }
  }
}

}  // namespace
}  // namespace gramian::isa

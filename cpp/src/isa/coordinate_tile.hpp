// SPDX-License-Identifier: BSD-3-Clause
// Tiles of kernels that are products over coordinates, and their gradients: |x_i - y_i| takes the place of the inner product.
#pragma once

#include "isa/multiply.hpp"
#include "isa/pair.hpp"
#include "isa/table.hpp"
#include "isa/transpose.hpp"
#include "kernels/profile.hpp"

namespace gramian::isa {
namespace {

/// Vectors of columns whose sums stay in registers.
#if defined(GRAMIAN_AVX512)
constexpr int most_strips = 6;
#else
constexpr int most_strips = 4;
#endif

/// Beyond, exp(-r) is 0 and a product of factors could overflow.
constexpr double largest_distance = 1000.0;
/// So many factors of at most 1 + r + r^2 / 3 stay finite in float32 as well.
template <class T>
constexpr Index factors_together = sizeof(T) == 8 ? 32 : 4;

template <class V>
GRAMIAN_INLINE V size_of(V x) {
  using I = decltype(bits_of(x));
  return real_of(bits_of(x) & (~I{} >> 1));  // without the sign
}

/// Values of `count` vectors of pairs, `out_stride` numbers apart: difference(k, c) is that of their coordinates k.
template <class T, class Profile, int count, class Difference>
GRAMIAN_INLINE void coordinate_values(Index d, Difference difference, T* out, Index out_stride) {
  using V = typename Vec<T>::type;
  V value[count];
  GRAMIAN_UNROLL
  for (int c = 0; c < count; ++c) value[c] = constant<V>(1.0);
  for (Index from = 0; from < d || from == 0; from += Profile::has_factor ? factors_together<T> : d + 1) {
    const Index to = Profile::has_factor && d - from > factors_together<T> ? from + factors_together<T> : d;
    V sum[count], product[count];
    GRAMIAN_UNROLL
    for (int c = 0; c < count; ++c) sum[c] = V{}, product[c] = constant<V>(1.0);
    for (Index k = from; k < to; ++k) {
      GRAMIAN_UNROLL
      for (int c = 0; c < count; ++c) {
        const V distance = size_of<V>(difference(k, c));
        sum[c] += distance;
        if constexpr (Profile::has_factor) product[c] *= Profile::factor(at_most(distance, constant<V>(largest_distance)));
      }
    }
    GRAMIAN_UNROLL
    for (int c = 0; c < count; ++c) value[c] *= Profile::finish(sum[c], product[c]);
  }
  GRAMIAN_UNROLL
  for (int c = 0; c < count; ++c) store<T>(out + c * out_stride, value[c]);
}

/// Kernel values of the rows of a panel and one vector of columns.
template <class T, class Profile>
GRAMIAN_INLINE void coordinate_strip(Index d, const T* a, const T* b, T* out) {
  constexpr int rows = Block<T>::rows;
  const auto difference = [=](Index k, int r) { return broadcast<T>(a[k * rows + r]) - load<T>(b + k * Block<T>::cols); };
  coordinate_values<T, Profile, rows>(d, difference, out, tile_size);
}

template <class T, class Profile>
void coordinate_tile(const TileJob<T>& job) {
  constexpr Index rows = Block<T>::rows, cols = Block<T>::cols;
  const Index d = job.dimension;
  for (Index q = 0; q < job.col_panels; ++q) {
    for (Index p = 0; p < job.row_panels; ++p) {
      for (Index v = 0; v < cols; v += Vec<T>::lanes) {
        coordinate_strip<T, Profile>(d, job.rows.panels + p * d * rows, job.cols.panels + q * d * cols + v,
                                     job.out + p * rows * tile_size + q * cols + v);
      }
    }
  }
}

template <class T, class Profile>
void coordinate_diagonal(Index count, const T*, const double*, T* out) {
  for (Index i = 0; i < count; ++i) out[i] = static_cast<T>(1);
}

/// Calls visit(feature, row, its place in the panels) for every row of a job and every feature.
template <class T, class Visit>
GRAMIAN_INLINE void for_each_row(const TileJob<T>& job, Visit visit) {
  constexpr Index rows = Block<T>::rows;
  for (Index k = 0; k < job.dimension; ++k) {
    for (Index row = 0; row < job.row_panels * rows; ++row) visit(k, row, (row / rows * job.dimension + k) * rows + row % rows);
  }
}

/// Calls visit(first column, its place in the panels) for every vector of columns.
template <class T, class Visit>
GRAMIAN_INLINE void for_each_column(const TileJob<T>& job, Index k, Visit visit) {
  constexpr Index cols = Block<T>::cols;
  for (Index q = 0; q < job.col_panels; ++q) {
    for (Index v = 0; v < cols; v += Vec<T>::lanes) visit(q * cols + v, (q * job.dimension + k) * cols + v);
  }
}

/// The derivative of log kappa in x_i - y_i. Where the distance is cut off the kernel is 0, whatever is multiplied with it.
template <class T, class Profile>
GRAMIAN_INLINE typename Vec<T>::type psi(typename Vec<T>::type difference) {
  using V = typename Vec<T>::type;
  const V slope = Profile::log_slope(at_most(size_of(difference), constant<V>(largest_distance)));
  return difference < V{} ? -slope : slope;
}

/// weight * psi. Of e^-r alone there is only a sign, and no slope where coordinates coincide.
template <class T, class Profile>
GRAMIAN_INLINE typename Vec<T>::type push_of(typename Vec<T>::type weight, typename Vec<T>::type difference) {
  if constexpr (Profile::has_factor) return weight * psi<T, Profile>(difference);
  using V = typename Vec<T>::type;
  return difference > V{} ? -weight : (difference < V{} ? weight : V{});
}

/// The sums of columns alone, of `together` vectors of columns: they stay in registers, and rows are added in the same order.
template <class T, class Profile, int together>
GRAMIAN_INLINE void column_chain(const CoordinateJob<T>& job, Index k, Index col) {
  using V = typename Vec<T>::type;
  constexpr Index rows = Block<T>::rows, cols = Block<T>::cols, lanes = Vec<T>::lanes;
  const TileJob<T>& points = job.points;
  V y[together], sum[together];
  T* sums = job.col_sums + k * job.stride + col;
  GRAMIAN_UNROLL
  for (int v = 0; v < together; ++v) {
    const Index at = col + v * lanes;
    y[v] = load<T>(points.cols.panels + (at / cols * points.dimension + k) * cols + at % cols);
    sum[v] = load<T>(sums + v * lanes);
  }
  for (Index row = 0; row < points.row_panels * rows; ++row) {
    const V x = broadcast<T>(points.rows.panels[(row / rows * points.dimension + k) * rows + row % rows]);
    const T* weights = job.weights + row * tile_size + col;
    GRAMIAN_UNROLL
    for (int v = 0; v < together; ++v) sum[v] -= push_of<T, Profile>(load<T>(weights + v * lanes), x - y[v]);
  }
  GRAMIAN_UNROLL
  for (int v = 0; v < together; ++v) store<T>(sums + v * lanes, sum[v]);
}

template <class T, class Profile>
void column_chains(const CoordinateJob<T>& job) {
  constexpr int together = most_strips;
  constexpr Index lanes = Vec<T>::lanes;
  const Index width = job.points.col_panels * Block<T>::cols;
  for (Index k = 0; k < job.points.dimension; ++k) {
    Index col = 0;
    for (; col + together * lanes <= width; col += together * lanes) column_chain<T, Profile, together>(job, k, col);
    for (; col < width; col += lanes) column_chain<T, Profile, 1>(job, k, col);
  }
}

/// `together` rows: their own sums lane by lane, and what they add to the columns. The result is sum push * difference.
template <class T, class Profile, int together, bool scaled>
GRAMIAN_INLINE typename Vec<T>::type chain_strip(const CoordinateJob<T>& job, Index k, Index row,
                                                 typename Vec<T>::type* lane_sum) {
  using V = typename Vec<T>::type;
  constexpr Index rows = Block<T>::rows, cols = Block<T>::cols, lanes = Vec<T>::lanes;
  static_assert(rows % together == 0, "these rows lie in one panel");
  // Copies: for all the compiler knows, what is stored below may be the job itself.
  const Index d = job.points.dimension, panels = job.points.col_panels;
  const T* a = job.points.rows.panels + (row / rows * d + k) * rows + row % rows;
  const T* weights = job.weights + row * tile_size;
  T* col_sums = job.col_sums + k * job.stride;
  V x[together], sum[together], scale_sum{};
  GRAMIAN_UNROLL
  for (int r = 0; r < together; ++r) x[r] = broadcast<T>(a[r]), sum[r] = V{};
  for (Index q = 0; q < panels; ++q) {
    const T* b = job.points.cols.panels + (q * d + k) * cols;
    GRAMIAN_NO_UNROLL
    for (Index v = 0; v < cols; v += lanes, weights += lanes, col_sums += lanes) {
      const V y = load<T>(b + v);
      V down = load<T>(col_sums);
      GRAMIAN_UNROLL
      for (int r = 0; r < together; ++r) {
        const V difference = x[r] - y;
        const V push = push_of<T, Profile>(load<T>(weights + r * tile_size), difference);
        sum[r] += push;
        down -= push;
        if constexpr (scaled) scale_sum += push * difference;
      }
      store<T>(col_sums, down);
    }
  }
  GRAMIAN_UNROLL
  for (int r = 0; r < together; ++r) lane_sum[r] = sum[r];
  return scale_sum;
}

template <class T, class Profile, bool scaled>
void both_chains(const CoordinateJob<T>& job) {
  using V = typename Vec<T>::type;
  constexpr int lanes = Vec<T>::lanes;
  constexpr int together = lanes < Block<T>::rows ? lanes : Block<T>::rows;
  const Index height = job.points.row_panels * Block<T>::rows;
  for (Index k = 0; k < job.points.dimension; ++k) {
    for (Index row = 0; row < height; row += lanes) {
      V lane_sum[lanes] = {};  // a tile may have fewer rows than lanes
      const Index rows = height - row < lanes ? height - row : lanes;
      GRAMIAN_NO_UNROLL
      for (Index group = 0; group < rows; group += together) {
        const V scale_sum = chain_strip<T, Profile, together, scaled>(job, k, row + group, lane_sum + group);
        if constexpr (scaled) *job.scale_sum += static_cast<double>(sum_of_lanes<T>(scale_sum));
      }
      T* out = job.row_sums + k * job.stride + row;
      store<T>(out, load<T>(out) + lane_sums<T>(lane_sum));
    }
  }
}

template <class T, class Profile>
void coordinate_chain(const CoordinateJob<T>& job) {
  if (job.row_sums == nullptr) return column_chains<T, Profile>(job);
  job.scale_sum == nullptr ? both_chains<T, Profile, false>(job) : both_chains<T, Profile, true>(job);
}

template <class T, class Profile>
void coordinate_rate(const CoordinateDirectionJob<T>& job, T* out) {
  using V = typename Vec<T>::type;
  const TileJob<T>& points = job.at.points;
  for (Index row = 0; row < points.row_panels * Block<T>::rows; ++row) {
    for (Index col = 0; col < points.col_panels * Block<T>::cols; col += Vec<T>::lanes)
      store<T>(out + row * tile_size + col, V{});
  }
  for_each_row(points, [&](Index k, Index row, Index a) {
    const V x = broadcast<T>(points.rows.panels[a]), x_dot = broadcast<T>(job.rows_dot[a]);
    for_each_column(points, k, [&](Index col, Index b) {
      const V difference = x - load<T>(points.cols.panels + b), difference_dot = x_dot - load<T>(job.cols_dot + b);
      add_to<T>(out + row * tile_size + col, psi<T, Profile>(difference) * difference_dot);
    });
  });
}

template <class T, class Profile>
void coordinate_chain_along(const CoordinateDirectionJob<T>& job) {
  using V = typename Vec<T>::type;
  const TileJob<T>& points = job.at.points;
  for_each_row(points, [&](Index k, Index row, Index a) {
    const V x = broadcast<T>(points.rows.panels[a]), x_dot = broadcast<T>(job.rows_dot[a]);
    V row_sum{}, row_sum_dot{};
    for_each_column(points, k, [&](Index col, Index b) {
      const V difference = x - load<T>(points.cols.panels + b), difference_dot = x_dot - load<T>(job.cols_dot + b);
      const auto negative = difference < V{};
      const Dual<V> distance = {at_most(size_of(difference), constant<V>(largest_distance)),
                                negative ? -difference_dot : difference_dot};
      const Dual<V> slope = Profile::log_slope(distance);
      const V push = negative ? -slope.value : slope.value, push_dot = negative ? -slope.slope : slope.slope;
      const Index entry = row * tile_size + col;
      const V weight = load<T>(job.at.weights + entry), weight_dot = load<T>(job.weights_dot + entry);
      const V sum = weight * push, sum_dot = weight_dot * push + weight * push_dot;
      row_sum += sum;
      row_sum_dot += sum_dot;
      add_to<T>(job.at.col_sums + k * job.at.stride + col, -sum);
      add_to<T>(job.col_sums_dot + k * job.at.stride + col, -sum_dot);
    });
    job.at.row_sums[k * job.at.stride + row] += sum_of_lanes<T>(row_sum);
    job.row_sums_dot[k * job.at.stride + row] += sum_of_lanes<T>(row_sum_dot);
  });
}

}  // namespace
}  // namespace gramian::isa

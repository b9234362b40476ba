// SPDX-License-Identifier: BSD-3-Clause
// The kernel on pairs of points that a tile holds as s, |x|^2 / 2 and |y|^2 / 2: values, gradients, and these along a direction.
#pragma once

#include "isa/table.hpp"
#include "isa/vec.hpp"
#include "kernels/profile.hpp"

namespace gramian::isa {
namespace {

template <class T, class Profile>
GRAMIAN_INLINE Pair<typename Vec<T>::type> pair_of(typename Vec<T>::type s, typename Vec<T>::type row_half,
                                                   typename Vec<T>::type col_half) {
  using V = typename Vec<T>::type;
  const V halves = row_half + col_half;
  const V half_square = Profile::form == Form::distance ? -s : halves - s;
  return {s, row_half + row_half, col_half + col_half, half_square <= halves * coincidence<T>};
}

template <class T, class Profile>
GRAMIAN_INLINE Pair<Dual<typename Vec<T>::type>> dual_pair_of(const Pair<typename Vec<T>::type>& at, typename Vec<T>::type s,
                                                              typename Vec<T>::type row_half, typename Vec<T>::type col_half) {
  return {{at.s, s}, {at.a, row_half + row_half}, {at.b, col_half + col_half}, at.coincident};
}

template <class T, class Profile>
void pair_diagonal(Index count, const T* half, const double* parameters, T* out) {
  for (Index i = 0; i < count; ++i) {
    // One at a time: this is done once for each point, and `half` may end anywhere.
    const typename Vec<T>::type h = broadcast<T>(half[i]);
    const auto pair = pair_of<T, Profile>(Profile::form == Form::distance ? h - h : h + h, h, h);
    T lanes[Vec<T>::lanes];
    store<T>(lanes, Profile::value(pair, parameters));
    out[i] = lanes[0];
  }
}

template <class T, class Profile>
void pair_values(const PairJob<T>& job) {
  for (Index r = 0; r < job.rows; ++r) {
    const typename Vec<T>::type row_half = broadcast<T>(job.row_half[r]);
    for (Index c = 0; c < job.cols; c += Vec<T>::lanes) {
      T* at = job.raw + r * tile_size + c;
      store<T>(at, Profile::value(pair_of<T, Profile>(load<T>(at), row_half, load<T>(job.col_half + c)), job.parameters));
    }
  }
}

/// The sum of the lanes, one after the other.
template <class T>
GRAMIAN_INLINE T sum_of_lanes(typename Vec<T>::type x) {
  T lanes[Vec<T>::lanes];
  store<T>(lanes, x);
  T sum = lanes[0];
  for (int i = 1; i < Vec<T>::lanes; ++i) sum += lanes[i];
  return sum;
}

template <class T>
GRAMIAN_INLINE void add_to(T* at, typename Vec<T>::type x) {
  store<T>(at, load<T>(at) + x);
}

/// With `keep_values` the tile ends up with both: values where s was, and weights; parameters are left out.
template <class T, class Profile, bool keep_values>
void pair_chain(const PairJob<T>& job) {
  using V = typename Vec<T>::type;
  constexpr int parameters = keep_values ? 0 : count_parameters(Profile::parameters);
  for (Index r = 0; r < job.rows; ++r) {
    const V row_half = broadcast<T>(job.row_half[r]);
    V row_sum{}, theta_sum[parameters + 1]{}, theta[parameters + 1]{};
    for (Index c = 0; c < job.cols; c += Vec<T>::lanes) {
      const auto pair = pair_of<T, Profile>(load<T>(job.raw + r * tile_size + c), row_half, load<T>(job.col_half + c));
      T* weight_at = job.weights + r * tile_size + c;
      const V weight = load<T>(weight_at);
      const Partials<V> g = Profile::partials(pair, job.parameters);
      if constexpr (keep_values) store<T>(job.raw + r * tile_size + c, Profile::value(pair, job.parameters));
      if constexpr (parameters > 0) Profile::parameter_partials(pair, job.parameters, theta);
      for (int p = 0; p < parameters; ++p) theta_sum[p] += weight * theta[p];
      store<T>(weight_at, weight * g.s);
      if constexpr (Profile::form == Form::inner) {
        row_sum += weight * g.a;
        add_to<T>(job.col_sums + c, weight * g.b);
      }
    }
    for (int p = 0; p < parameters; ++p) job.parameter_sums[p] += static_cast<double>(sum_of_lanes<T>(theta_sum[p]));
    if constexpr (Profile::form == Form::inner) job.row_sums[r] += sum_of_lanes<T>(row_sum);
  }
}

template <class T, class Profile, bool second>
GRAMIAN_INLINE void pair_slopes_up_to(const SlopeJob<T>& job) {
  using V = typename Vec<T>::type;
  const PairJob<T>& at = job.at;
  for (Index r = 0; r < at.rows; ++r) {
    const V row_half = broadcast<T>(at.row_half[r]);
    for (Index c = 0; c < at.cols; c += Vec<T>::lanes) {
      const Index entry = r * tile_size + c;
      const auto pair = pair_of<T, Profile>(load<T>(at.raw + entry), row_half, load<T>(at.col_half + c));
      store<T>(at.raw + entry, Profile::value(pair, at.parameters));
      if constexpr (second) {
        const Pair<Dual<V>> moving{{pair.s, constant<V>(1.0)}, {pair.a, V{}}, {pair.b, V{}}, pair.coincident};
        const Dual<V> slope = Profile::partials(moving, at.parameters).s;
        store<T>(job.once + entry, slope.value);
        store<T>(job.twice + entry, slope.slope);
      } else {
        store<T>(job.once + entry, Profile::partials(pair, at.parameters).s);
      }
    }
  }
}

template <class T, class Profile>
void pair_slopes(const SlopeJob<T>& job) {
  if (job.twice != nullptr) return pair_slopes_up_to<T, Profile, true>(job);
  pair_slopes_up_to<T, Profile, false>(job);
}

template <class T, class Profile>
void pair_chain_along(const DirectionJob<T>& job) {
  using V = typename Vec<T>::type;
  const PairJob<T>& at = job.at;
  for (Index r = 0; r < at.rows; ++r) {
    const V row_half = broadcast<T>(at.row_half[r]), row_half_dot = broadcast<T>(job.row_half_dot[r]);
    V row_sum{}, row_sum_dot{};
    for (Index c = 0; c < at.cols; c += Vec<T>::lanes) {
      const Index entry = r * tile_size + c;
      const auto pair = pair_of<T, Profile>(load<T>(at.raw + entry), row_half, load<T>(at.col_half + c));
      const auto moving =
          dual_pair_of<T, Profile>(pair, load<T>(job.raw_dot + entry), row_half_dot, load<T>(job.col_half_dot + c));
      const Partials<Dual<V>> g = Profile::partials(moving, at.parameters);
      const V weight = load<T>(at.weights + entry), weight_dot = load<T>(job.weights_dot + entry);
      store<T>(at.weights + entry, weight * g.s.value);
      store<T>(job.weights_dot + entry, weight_dot * g.s.value + weight * g.s.slope);
      V rate = g.s.value * moving.s.slope;
      if constexpr (Profile::form == Form::inner) {
        rate += g.a.value * moving.a.slope + g.b.value * moving.b.slope;
        row_sum += weight * g.a.value;
        row_sum_dot += weight_dot * g.a.value + weight * g.a.slope;
        add_to<T>(at.col_sums + c, weight * g.b.value);
        add_to<T>(job.col_sums_dot + c, weight_dot * g.b.value + weight * g.b.slope);
      }
      store<T>(job.raw_dot + entry, rate);
    }
    if constexpr (Profile::form == Form::inner) {
      at.row_sums[r] += sum_of_lanes<T>(row_sum);
      job.row_sums_dot[r] += sum_of_lanes<T>(row_sum_dot);
    }
  }
}

}  // namespace
}  // namespace gramian::isa

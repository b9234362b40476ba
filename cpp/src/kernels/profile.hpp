// SPDX-License-Identifier: BSD-3-Clause
// What a kernel file is made of; facts.hpp lists what each must state. Compiled once for each instruction set: plain C++, no
// standard library (why: isa/table.hpp).
#pragma once

#include <cstdint>

#include "gramian/kernels/traits.hpp"
#include "isa/math.hpp"

namespace gramian {
namespace {

using isa::constant;

enum class Domain : std::uint8_t { positive, nonnegative, count };  // count: a whole number of at least 1

struct ParameterSpec {
  const char* name;
  const char* meaning;
  Domain domain;
};

/// What a tile is made of before the kernel sees it.
enum class Form : std::uint8_t {
  distance,    // s = -|x - y|^2 / 2 <= 0 of points multiplied by point_scale; centred, as only differences matter
  inner,       // s = <x, y>, with a = |x|^2 and b = |y|^2
  coordinate,  // a product over coordinates: never leaves the points themselves
};

/// Of the largest k(x, x) that there is, and of a Lipschitz constant.
constexpr double unbounded = __builtin_huge_val();

/// What Profile::width and Profile::spectrum are of kernels without.
constexpr KernelWidth no_width{-1, 1.0, 1.0};
constexpr KernelSpectrum no_spectrum{0.0, 0, 0};

template <class N>
using MaskOf = decltype(typename isa::Number<N>::vector{} < typename isa::Number<N>::vector{});

/// A pair of points as the kernel sees it: vectors of numbers, or of dual numbers where derivatives are wanted.
template <class N>
struct Pair {
  N s;
  N a;
  N b;
  MaskOf<N> coincident;  // x = y as far as rounding lets us tell: |x - y|^2 <= 64 u (|x|^2 + |y|^2)
};

/// dk/ds, dk/da, dk/db. For Form::distance the last two stay zero: s says it all.
template <class N>
struct Partials {
  N s;
  N a = constant<N>(0.0);
  N b = constant<N>(0.0);
};

/// No parameters: what Profile::parameters would be if C++ had empty arrays.
struct NoParameters {
  constexpr const ParameterSpec* begin() const { return nullptr; }
  constexpr const ParameterSpec* end() const { return nullptr; }
};
template <int count>
constexpr int count_parameters(const ParameterSpec (&)[count]) {
  return count;
}
constexpr int count_parameters(NoParameters) { return 0; }

/// c, where dk/ds = c k everywhere; 0 for kernels that are not of that kind, and state none.
template <class Profile>
constexpr auto slope_of_value(int) -> decltype(Profile::slope_of_value) {
  return Profile::slope_of_value;
}
template <class Profile>
constexpr double slope_of_value(long) {
  return 0.0;
}

/// Whether the kernel is a function of s only. Those of Form::distance are; others state it.
template <class Profile>
constexpr auto of_s_only(int) -> decltype(Profile::of_s_only) {
  return Profile::of_s_only;
}
template <class Profile>
constexpr bool of_s_only(long) {
  return Profile::form == Form::distance;
}

template <class N>
GRAMIAN_INLINE N zero_where(MaskOf<N> mask, N x) {
  return isa::choose(mask, constant<N>(0.0), x);
}

/// |x - y| of Form::distance, in units of the points' scale.
template <class N>
GRAMIAN_INLINE N distance(const Pair<N>& at) {
  return isa::root(constant<N>(-2.0) * at.s, at.coincident);
}

/// Of Form::inner: whether x or y is 0.
template <class N>
GRAMIAN_INLINE MaskOf<N> has_zero(const Pair<N>& at) {
  using V = typename isa::Number<N>::vector;
  return (isa::value_of(at.a) <= V{}) | (isa::value_of(at.b) <= V{});
}

/// |x| |y|, and 1 where it is zero. Rooted one by one: the product of the squares overflows far earlier.
template <class N>
GRAMIAN_INLINE N norms(const Pair<N>& at) {
  const auto zero = has_zero(at);
  return isa::choose(zero, constant<N>(1.0), isa::root(at.a, zero) * isa::root(at.b, zero));
}

}  // namespace
}  // namespace gramian

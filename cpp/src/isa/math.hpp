// SPDX-License-Identifier: BSD-3-Clause
// The functions that kernels are written in, on vectors of numbers and on dual numbers.
#pragma once

#include "isa/exp2.hpp"
#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

/// A value and its derivative along one direction: second partials are the first partials evaluated on these.
template <class V>
struct Dual {
  V value;
  V slope;
};

template <class V>
GRAMIAN_INLINE Dual<V> operator+(Dual<V> a, Dual<V> b) {
  return {a.value + b.value, a.slope + b.slope};
}
template <class V>
GRAMIAN_INLINE Dual<V> operator-(Dual<V> a, Dual<V> b) {
  return {a.value - b.value, a.slope - b.slope};
}
template <class V>
GRAMIAN_INLINE Dual<V> operator*(Dual<V> a, Dual<V> b) {
  return {a.value * b.value, a.value * b.slope + a.slope * b.value};
}
template <class V>
GRAMIAN_INLINE Dual<V> operator/(Dual<V> a, Dual<V> b) {
  const V q = a.value / b.value;
  return {q, (a.slope - q * b.slope) / b.value};
}

/// What a number is made of: its vector, that vector's element, and constants.
template <class N>
struct Number {
  using vector = N;
  static GRAMIAN_INLINE N constant(double x) { return N{} + static_cast<ElementOf<N>>(x); }
};
template <class V>
struct Number<Dual<V>> {
  using vector = V;
  static GRAMIAN_INLINE Dual<V> constant(double x) { return {Number<V>::constant(x), V{}}; }
};
template <class N>
GRAMIAN_INLINE N constant(double x) {
  return Number<N>::constant(x);
}

/// mask ? a : b, lane by lane.
template <class M, class V>
GRAMIAN_INLINE V choose(M mask, V a, V b) {
  return mask ? a : b;
}
template <class M, class V>
GRAMIAN_INLINE Dual<V> choose(M mask, Dual<V> a, Dual<V> b) {
  return {mask ? a.value : b.value, mask ? a.slope : b.slope};
}

template <class V>
GRAMIAN_INLINE V value_of(V x) {
  return x;
}
template <class V>
GRAMIAN_INLINE V value_of(Dual<V> x) {
  return x.value;
}

/// 64 u: where |x - y|^2 is below this part of |x|^2 + |y|^2, it is rounding; so is 1 - cos^2 below it.
template <class T>
constexpr T coincidence = static_cast<T>(64) * (sizeof(T) == 8 ? static_cast<T>(0x1p-53) : static_cast<T>(0x1p-24));

/// The square root of a number that rounding may have left below zero; 0 where `zero` says so, and without a derivative there.
template <class V, class M>
GRAMIAN_INLINE V root(V x, M zero) {
  return zero ? V{} : vector_sqrt(at_least(x, V{}));
}
template <class V, class M>
GRAMIAN_INLINE Dual<V> root(Dual<V> x, M zero) {
  const V r = root(x.value, zero);
  return {r, (zero | (r <= V{})) ? V{} : x.slope / (r + r)};
}

/// 2^t for t <= 0.
template <class V>
GRAMIAN_INLINE V exp2_of(V t) {
  // Rounding can leave a distance slightly negative.
  return exp2_nonpositive(at_most(t, V{}));
}
template <class V>
GRAMIAN_INLINE Dual<V> exp2_of(Dual<V> t) {
  const V e = exp2_of(t.value);
  return {e, e * t.slope * static_cast<ElementOf<V>>(0.6931471805599453)};
}

/// e^-x for x >= 0.
template <class V>
GRAMIAN_INLINE V exp_of_minus(V x) {
  return exp2_of(x * static_cast<ElementOf<V>>(-1.4426950408889634));
}
template <class V>
GRAMIAN_INLINE Dual<V> exp_of_minus(Dual<V> x) {
  const V e = exp_of_minus(x.value);
  return {e, -e * x.slope};
}

template <class T>
struct LogConstants;
template <>
struct LogConstants<double> {
  // atanh(s) / s = 1 + s^2 q(s^2) on s^2 <= 0.02944, interpolated at Chebyshev points (relative error 5.3e-19).
  static constexpr double q[] = {0.06543378833476035, 0.06634380281018362, 0.07693120086223919, 0.09090897815749122,
                                 0.11111111195897364, 0.14285714285401627, 0.2000000000000044,  0.3333333333333333};
  static constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcd;
  static constexpr std::uint64_t one = 0x3ff0000000000000;
  static constexpr std::uint64_t integer_in_mantissa = 0x4330000000000000;  // 2^52
  static constexpr double offset = 4503599627370496.0 + 1023.0;
};
template <>
struct LogConstants<float> {
  static constexpr float q[] = {0.11665287164536214f, 0.1427540843968801f, 0.20000060937253333f, 0.3333333327722733f};
  static constexpr std::uint32_t root_half = 0x3f3504f3;
  static constexpr std::uint32_t one = 0x3f800000;
  static constexpr std::uint32_t integer_in_mantissa = 0x4b000000;  // 2^23
  static constexpr float offset = 8388608.0f + 127.0f;
};

/// log(1 + x) for x >= 0.
template <class V>
GRAMIAN_INLINE V log1p_nonnegative(V x) {
  using T = ElementOf<V>;
  using C = LogConstants<T>;
  using I = typename Vec<T>::bits;
  const I bits = bits_of(x + static_cast<T>(1));
  const I exponent = (bits + (I{} + (C::one - C::root_half))) >> Exp2Constants<T>::mantissa_bits;
  const V e = real_of(exponent | (I{} + C::integer_in_mantissa)) - C::offset;
  const V m = real_of(bits - (exponent << Exp2Constants<T>::mantissa_bits) + (I{} + C::one));
  // Below sqrt 2 the argument itself is taken, not what is left of it after the one was added.
  const V f = x < static_cast<T>(0.41421356) ? x : m - static_cast<T>(1);
  const V power = x < static_cast<T>(0.41421356) ? V{} : e;
  const V s = f / (f + static_cast<T>(2));
  const V z = s * s;
  V q = V{} + C::q[0];
  GRAMIAN_UNROLL
  for (int i = 1; i < static_cast<int>(sizeof(C::q) / sizeof(T)); ++i) q = q * z + C::q[i];
  return power * static_cast<T>(0.6931471805599453) + ((s + s) + (s + s) * (z * q));
}
template <class V>
GRAMIAN_INLINE Dual<V> log1p_nonnegative(Dual<V> x) {
  return {log1p_nonnegative(x.value), x.slope / (x.value + static_cast<ElementOf<V>>(1))};
}

template <class T>
struct AsinConstants;
template <>
struct AsinConstants<double> {
  // asin(x) / x = 1 + x^2 q(x^2) on |x| <= 1/2, interpolated at Chebyshev points (relative error 5.5e-17).
  static constexpr double q[] = {0.028169218060881414, -0.010749050339697808, 0.01603551433914882,  0.0078029494773533175,
                                 0.011875494382636922, 0.013929652902326633,  0.017355259955786323, 0.02237204763174451,
                                 0.03038194736709848,  0.044642857103423646,  0.07500000000020764,  0.1666666666666665};
};
template <>
struct AsinConstants<float> {
  static constexpr float q[] = {0.03369084720283012f, 0.017149238357677253f, 0.03110066273549457f,
                                0.04459940152851218f, 0.07500094543497424f,  0.16666666337430908f};
};

/// The angle in [0, pi] whose cosine is c, for -1 <= c <= 1.
template <class V>
GRAMIAN_INLINE V angle_of_cosine(V c) {
  using T = ElementOf<V>;
  using C = AsinConstants<T>;
  const V size = c < V{} ? -c : c;
  const auto large = size > static_cast<T>(0.5);
  // Near the ends asin((1 - |c|) / 2)^(1/2) keeps the digits that the cosine itself has lost.
  const V z = large ? (static_cast<T>(1) - size) * static_cast<T>(0.5) : size * size;
  const V x = large ? vector_sqrt(z) : size;
  V q = V{} + C::q[0];
  GRAMIAN_UNROLL
  for (int i = 1; i < static_cast<int>(sizeof(C::q) / sizeof(T)); ++i) q = q * z + C::q[i];
  const V asin = x + x * (z * q);
  const V positive = large ? asin + asin : static_cast<T>(1.5707963267948966) - asin;
  return c < V{} ? static_cast<T>(3.141592653589793) - positive : positive;
}
template <class V>
GRAMIAN_INLINE Dual<V> angle_of_cosine(Dual<V> c) {
  using T = ElementOf<V>;
  const V sine2 = (static_cast<T>(1) - c.value) * (static_cast<T>(1) + c.value);
  return {angle_of_cosine(c.value), sine2 > V{} ? -c.slope / vector_sqrt(at_least(sine2, V{})) : V{}};
}

/// x^power for a whole power >= 0, by squaring.
template <class N>
GRAMIAN_INLINE N whole_power(N x, int power) {
  N result = constant<N>(1.0);
  for (; power > 0; power >>= 1) {
    if (power & 1) result = result * x;
    x = x * x;
  }
  return result;
}

}  // namespace
}  // namespace gramian::isa

// SPDX-License-Identifier: BSD-3-Clause
// 2^t for t <= 0, what every exponential kernel is made of: with points scaled to base 2 the range reduction is exact.
#pragma once

#include "isa/vec.hpp"

namespace gramian::isa {
namespace {

/// 2^r = 1 + r q(r) on |r| <= 1/2. q interpolates (2^r - 1) / r at Chebyshev points (relative error of 2^r: 2.0e-17 and 5.1e-9).
GRAMIAN_INLINE Vec<double>::type power_of_fraction(Vec<double>::type r) {
  using V = Vec<double>::type;
  V q = V{} + 4.4549605981865186e-10;
  q = q * r + 7.072585949269223e-09;
  q = q * r + 1.0178062445845774e-07;
  q = q * r + 1.321544258792169e-06;
  q = q * r + 1.525273382983612e-05;
  q = q * r + 0.0001540353044173605;
  q = q * r + 0.0013333558146416936;
  q = q * r + 0.009618129107606888;
  q = q * r + 0.0555041086648216;
  q = q * r + 0.24022650695910097;
  q = q * r + 0.6931471805599453;
  return q * r + 1.0;
}
GRAMIAN_INLINE Vec<float>::type power_of_fraction(Vec<float>::type r) {
  using V = Vec<float>::type;
  V q = V{} + 0.0001545316294512069f;
  q = q * r + 0.0013390863364671234f;
  q = q * r + 0.009618082557277852f;
  q = q * r + 0.05550357114219078f;
  q = q * r + 0.24022650760568126f;
  q = q * r + 0.6931471880262288f;
  return q * r + 1.0f;
}

template <class T>
struct Exp2Constants;
template <>
struct Exp2Constants<double> {
  static constexpr double round_to_integer = 6755399441055744.0;  // 1.5 * 2^52: adding it leaves an integer in the low bits
  static constexpr double lowest = -1021.0;                       // below, the result is 0
  static constexpr int mantissa_bits = 52;
};
template <>
struct Exp2Constants<float> {
  static constexpr float round_to_integer = 12582912.0f;  // 1.5 * 2^23
  static constexpr float lowest = -125.0f;
  static constexpr int mantissa_bits = 23;
};

#if defined(GRAMIAN_AVX512)
/// 2^(j/16) with j << 48 taken off its bits, so that adding the bits of the rounded argument gives mantissa and exponent at once.
struct SixteenthPowers {
  Vec<double>::type low, high;
  GRAMIAN_INLINE SixteenthPowers() {
    using I = Vec<double>::bits;
    const I a = {0x3ff0000000000000, 0x3ff0b5586cf9890f, 0x3ff172b83c7d517b, 0x3ff2387a6e756238,
                 0x3ff306fe0a31b715, 0x3ff3dea64c123422, 0x3ff4bfdad5362a27, 0x3ff5ab07dd485429};
    const I b = {0x3ff6a09e667f3bcd, 0x3ff7a11473eb0187, 0x3ff8ace5422aa0db, 0x3ff9c49182a3f090,
                 0x3ffae89f995ad3ad, 0x3ffc199bdd85529c, 0x3ffd5818dcfba487, 0x3ffea4afa2a490da};
    const I j = {0, 1, 2, 3, 4, 5, 6, 7};
    low = real_of(a - (j << 48));
    high = real_of(b - ((j + 8) << 48));
  }
};

/// AVX-512 looks up sixteen doubles in one instruction: a shorter polynomial on |r| <= 1/32 (relative error 1.5e-17).
GRAMIAN_INLINE Vec<double>::type exp2_nonpositive(Vec<double>::type t) {
  using V = Vec<double>::type;
  const SixteenthPowers table;
  const V round_to_sixteenth = V{} + 422212465065984.0;  // 1.5 * 2^48
  const V clamped = at_least(t, V{} + Exp2Constants<double>::lowest);
  const V shifted = clamped + round_to_sixteenth;
  const V r = clamped - (shifted - round_to_sixteenth);
  const V entry = (V)_mm512_permutex2var_pd((__m512d)table.low, (__m512i)bits_of(shifted), (__m512d)table.high);
  const V power = real_of(bits_of(entry) + (bits_of(shifted) << 48));
  // Pairs of terms beside each other: what is waited for is half as long as term by term.
  const V r2 = r * r;
  const V high = r * 0.00015403723980749256 + 0.0013333781576784268;
  const V middle = r * 0.009618129106919537 + 0.0555041086566393;
  const V low = r * 0.24022650695910075 + 0.6931471805599457;
  const V result = ((high * r2 + middle) * r2 + low) * (power * r) + power;
  return t < Exp2Constants<double>::lowest ? V{} : result;
}
#endif

template <class T>
GRAMIAN_INLINE typename Vec<T>::type exp2_by_polynomial(typename Vec<T>::type t) {
  using V = typename Vec<T>::type;
  using C = Exp2Constants<T>;
  const V magic = V{} + C::round_to_integer;
  const V clamped = at_least(t, V{} + C::lowest);
  const V shifted = clamped + magic;
  const V fraction = power_of_fraction(clamped - (shifted - magic));
  const V result = real_of(bits_of(fraction) + (bits_of(shifted) << C::mantissa_bits));
  return t < C::lowest ? V{} : result;
}

#if !defined(GRAMIAN_AVX512)
GRAMIAN_INLINE Vec<double>::type exp2_nonpositive(Vec<double>::type t) { return exp2_by_polynomial<double>(t); }
#endif
GRAMIAN_INLINE Vec<float>::type exp2_nonpositive(Vec<float>::type t) { return exp2_by_polynomial<float>(t); }

}  // namespace
}  // namespace gramian::isa

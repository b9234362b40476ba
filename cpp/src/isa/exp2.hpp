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

#if defined(GRAMIAN_SSE2) && !defined(GRAMIAN_AVX)
/// 2^(j/64) with j << 46 taken off its bits, as above.
constexpr std::uint64_t sixty_fourth_powers[64] = {
    0x3ff0000000000000, 0x3fefec9a3e778061, 0x3fefd9b0d3158574, 0x3fefc74518759bc8, 0x3fefb5586cf9890f, 0x3fefa3ec32d3d1a2,
    0x3fef9301d0125b51, 0x3fef829aaea92de0, 0x3fef72b83c7d517b, 0x3fef635beb6fcb75, 0x3fef54873168b9aa, 0x3fef463b88628cd6,
    0x3fef387a6e756238, 0x3fef2b4565e27cdd, 0x3fef1e9df51fdee1, 0x3fef1285a6e4030b, 0x3fef06fe0a31b715, 0x3feefc08b26416ff,
    0x3feef1a7373aa9cb, 0x3feee7db34e59ff7, 0x3feedea64c123422, 0x3feed60a21f72e2a, 0x3feece086061892d, 0x3feec6a2b5c13cd0,
    0x3feebfdad5362a27, 0x3feeb9b2769d2ca7, 0x3feeb42b569d4f82, 0x3feeaf4736b527da, 0x3feeab07dd485429, 0x3feea76f15ad2148,
    0x3feea47eb03a5585, 0x3feea23882552225, 0x3feea09e667f3bcd, 0x3fee9fb23c651a2f, 0x3fee9f75e8ec5f74, 0x3fee9feb564267c9,
    0x3feea11473eb0187, 0x3feea2f336cf4e62, 0x3feea589994cce13, 0x3feea8d99b4492ed, 0x3feeace5422aa0db, 0x3feeb1ae99157736,
    0x3feeb737b0cdc5e5, 0x3feebd829fde4e50, 0x3feec49182a3f090, 0x3feecc667b5de565, 0x3feed503b23e255d, 0x3feede6b5579fdbf,
    0x3feee89f995ad3ad, 0x3feef3a2b84f15fb, 0x3feeff76f2fb5e47, 0x3fef0c1e904bc1d2, 0x3fef199bdd85529c, 0x3fef27f12e57d14b,
    0x3fef3720dcef9069, 0x3fef472d4a07897c, 0x3fef5818dcfba487, 0x3fef69e603db3285, 0x3fef7c97337b9b5f, 0x3fef902ee78b3ff6,
    0x3fefa4afa2a490da, 0x3fefba1bee615a27, 0x3fefd0765b6e4540, 0x3fefe7c1819e90d8};

/// Without fused multiplications, and with two lanes, loads of single numbers cost less than a longer polynomial: |r| <= 1/128
/// (relative error 1.1e-18).
GRAMIAN_INLINE Vec<double>::type exp2_nonpositive(Vec<double>::type t) {
  using V = Vec<double>::type;
  const V magic = V{} + 105553116266496.0;  // 1.5 * 2^46
  const V clamped = at_least(t, V{} + Exp2Constants<double>::lowest);
  const V shifted = clamped + magic;
  const V r = clamped - (shifted - magic);
  const Vec<double>::bits rounded = bits_of(shifted);
  const Vec<double>::bits entry = {sixty_fourth_powers[rounded[0] & 63], sixty_fourth_powers[rounded[1] & 63]};
  const V power = real_of(entry + (rounded << 46));
  const V r2 = r * r;
  const V low = r * 0.2402265069589214 + 0.6931471805599453;
  const V middle = r * 0.009618140859595685 + 0.055504108664803826;
  const V result = ((r2 * 0.001333356978334557 + middle) * r2 + low) * (power * r) + power;
  return t < Exp2Constants<double>::lowest ? V{} : result;
}
#elif !defined(GRAMIAN_AVX512)
GRAMIAN_INLINE Vec<double>::type exp2_nonpositive(Vec<double>::type t) { return exp2_by_polynomial<double>(t); }
#endif
GRAMIAN_INLINE Vec<float>::type exp2_nonpositive(Vec<float>::type t) { return exp2_by_polynomial<float>(t); }

}  // namespace
}  // namespace gramian::isa

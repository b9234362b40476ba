// SPDX-License-Identifier: BSD-3-Clause
// Number by number: the activations of networks, and cosine and sine.
#pragma once

#include "isa/feature_table.hpp"
#include "isa/math.hpp"
#include "isa/pair.hpp"

namespace gramian::isa {
namespace {

using Reals = Vec<double>::type;

struct Sigmoid {
  static GRAMIAN_INLINE Reals of(Reals x) {
    const auto negative = x < 0.0;
    const Reals e = exp_of_minus(negative ? -x : x);
    return (negative ? e : constant<Reals>(1.0)) / (e + 1.0);
  }
};

/// c[0] z^(n-1) + c[1] z^(n-2) + ...
template <int n>
GRAMIAN_INLINE Reals polynomial(const double (&c)[n], Reals z) {
  Reals value = Reals{} + c[0];
  GRAMIAN_UNROLL
  for (int i = 1; i < n; ++i) value = value * z + c[i];
  return value;
}

struct Tanh {
  // tanh(x) / x = 1 + x^2 q(x^2) on |x| <= 0.55, interpolated at Chebyshev points (relative error 5.1e-18).
  static constexpr double q[] = {-2.060276537636634e-05, 8.511313685577672e-05, -0.0002346347410887237, 0.0005889360520074057,
                                 -0.001455661830100716,  0.003592110378689024,  -0.008863234397814355,  0.021869488493666944,
                                 -0.053968253967434016,  0.13333333333332714,   -0.3333333333333333};

  static GRAMIAN_INLINE Reals of(Reals x) {
    const Reals size = x < 0.0 ? -x : x;
    const Reals z = x * x;
    const Reals e = exp_of_minus(size + size);
    const Reals large = (1.0 - e) / (e + 1.0);
    return size < 0.55 ? x + x * (z * polynomial(q, z)) : (x < 0.0 ? -large : large);
  }
};

/// x = Function(x). What is left over of whole vectors goes through a vector of its own, filled up with zeros.
template <class Function>
void apply_to_each(Index count, double* x) {
  constexpr Index lanes = Vec<double>::lanes;
  Index i = 0;
  for (; i + lanes <= count; i += lanes) store<double>(x + i, Function::of(load<double>(x + i)));
  double rest[lanes] = {};
  for (Index k = i; k < count; ++k) rest[k - i] = x[k];
  store<double>(rest, Function::of(load<double>(rest)));
  for (Index k = i; k < count; ++k) x[k] = rest[k - i];
}

struct Circle {
  // sin(r) / r = 1 + r^2 s(r^2), cos(r) = 1 - r^2 / 2 + r^4 c(r^2) on |r| <= pi / 4, as above (2.0e-17 and 1.3e-18).
  static constexpr double s[] = {1.5918115263265974e-10,  -2.505113165023518e-08, 2.7557316101617874e-06,
                                 -0.00019841269836756774, 0.008333333333330948,   -0.16666666666666666};
  static constexpr double c[] = {-1.1382623647474604e-11, 2.087614614655861e-09,  -2.7557317271145144e-07,
                                 2.480158729876456e-05,   -0.0013888888888887398, 0.041666666666666664};
  // pi / 2 in three parts, the first two with 33 bits: their products with a number of quarter turns below 2^20 are exact.
  static constexpr double quarter[] = {1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21};
  static constexpr double limit = 1048576.0;

  Reals cosine, sine;

  GRAMIAN_INLINE explicit Circle(Reals x) {
    using I = Vec<double>::bits;
    const Reals magic = Reals{} + Exp2Constants<double>::round_to_integer;
    const Reals shifted = x * 0.6366197723675814 + magic, turns = shifted - magic;
    const Reals r = ((x - turns * quarter[0]) - turns * quarter[1]) - turns * quarter[2], z = r * r;
    const Reals up = r + r * (z * polynomial(s, z)), along = 1.0 - (z * 0.5 - z * z * polynomial(c, z));
    const I turn = bits_of(shifted);
    const auto odd = (turn & (I{} + 1)) != I{}, down = (turn & (I{} + 2)) != I{}, back = ((turn + 1) & (I{} + 2)) != I{};
    const Reals y = odd ? along : up, w = odd ? up : along;
    sine = down ? -y : y;
    cosine = back ? -w : w;
  }
};

inline bool cosine_sine(Index count, const double* x, double* cosines, double* sines) {
  constexpr Index lanes = Vec<double>::lanes;
  Reals beyond{};  // stays 0 for numbers below the limit, and for no others
  const auto put = [&](const double* from, double* cosine, double* sine) {
    const Reals at = load<double>(from);
    const Circle circle(at);
    beyond += (at < 0.0 ? -at : at) < Circle::limit ? Reals{} : Reals{} + 1.0;
    store<double>(cosine, circle.cosine);
    store<double>(sine, circle.sine);
  };
  Index i = 0;
  for (; i + lanes <= count; i += lanes) put(x + i, cosines + i, sines + i);
  double rest[lanes] = {}, cosine[lanes], sine[lanes];
  for (Index k = i; k < count; ++k) rest[k - i] = x[k];
  put(rest, cosine, sine);
  for (Index k = i; k < count; ++k) {
    cosines[k] = cosine[k - i];
    sines[k] = sine[k - i];
  }
  return sum_of_lanes<double>(beyond) == 0.0;
}

}  // namespace
}  // namespace gramian::isa

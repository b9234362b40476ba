// SPDX-License-Identifier: BSD-3-Clause
// Every result here is the same to the last bit on every platform, so: only operations that IEEE 754 rounds correctly
// (+ - * / sqrt), no function of the system's mathematical library, and no fused multiply-add. The last needs
// -ffp-contract=off (/fp:precise) when this file is compiled; the frozen values in tests/cpp/base/test_random.cpp notice
// if it is missing.
#include "gramian/base/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/multiply.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"

#if defined(__FAST_MATH__)
#error "random.cpp promises the same bits everywhere: compile it without -ffast-math"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

namespace gramian {
namespace {

using Block = std::array<std::uint64_t, 4>;
using Key = std::array<std::uint64_t, 2>;

// The constants are those of the paper (Salmon et al. 2011, table 2 and section 4).
inline Block philox(Block counter, Key key) {
  for (int round = 0; round < 10; ++round) {
    const base_detail::Wide even = base_detail::multiply(0xD2E7470EE14C6C93u, counter[0]);
    const base_detail::Wide odd = base_detail::multiply(0xCA5A826395121157u, counter[2]);
    counter = {odd.high ^ counter[1] ^ key[0], odd.low, even.high ^ counter[3] ^ key[1], even.low};
    key[0] += 0x9E3779B97F4A7C15u;
    key[1] += 0xBB67AE8584CAA73Bu;
  }
  return counter;
}

inline double to_uniform(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

// The middle of one of 2^52 equal intervals: never 0 or 1, and as often x as -x.
inline double to_normal(std::uint64_t bits) { return normal_quantile((static_cast<double>(bits >> 12) + 0.5) * 0x1p-52); }

// log x for 0 < x < inf: x = m 2^e with m near 1, log m = 2 atanh((m - 1) / (m + 1)).
double natural_log(double x) {
  int exponent = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    exponent = -54;
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  exponent += static_cast<int>(bits >> 52) - 1023;
  bits = (bits & 0xFFFFFFFFFFFFFu) | 0x3FF0000000000000u;
  double m = 0.0;
  std::memcpy(&m, &bits, sizeof m);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++exponent;
  }
  // |s| < 0.172: the first term that is left out, s^22 / 23, is below 1e-18.
  constexpr double terms[10] = {1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double series = terms[9];
  for (int k = 8; k >= 0; --k) series = series * z + terms[k];
  // log 2 in two parts, the first with trailing zeros so that its product with the exponent is exact.
  constexpr double log2_high = 0x1.62e42feep-1;
  constexpr double log2_low = 0x1.a39ef35793c76p-33;
  return exponent * log2_high + (2.0 * s + (2.0 * s * (z * series) + exponent * log2_low));
}

// c[0] + c[1] x + ... + c[7] x^7.
inline double polynomial(const double (&c)[8], double x) {
  double value = c[7];
  for (int k = 6; k >= 0; --k) value = value * x + c[k];
  return value;
}

// Numerators and denominators of PPND16, algorithm AS 241 (Wichura, Applied Statistics 37, 1988): centre, tail, far tail.
constexpr double centre_top[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                  1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                  3.3430575583588128105e+4, 2.5090809287301226727e+3};
constexpr double centre_bottom[8] = {1.0,
                                     4.2313330701600911252e+1,
                                     6.8718700749205790830e+2,
                                     5.3941960214247511077e+3,
                                     2.1213794301586595867e+4,
                                     3.9307895800092710610e+4,
                                     2.8729085735721942674e+4,
                                     5.2264952788528545610e+3};
constexpr double tail_top[8] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr double tail_bottom[8] = {1.0,
                                   2.05319162663775882187e0,
                                   1.67638483018380384940e0,
                                   6.89767334985100004550e-1,
                                   1.48103976427480074590e-1,
                                   1.51986665636164571966e-2,
                                   5.47593808499534494600e-4,
                                   1.05075007164441684324e-9};
constexpr double far_top[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                               2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                               2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr double far_bottom[8] = {1.0,
                                  5.99832206555887937690e-1,
                                  1.36929880922735805310e-1,
                                  1.48753612908506148525e-2,
                                  7.86869131145613259100e-4,
                                  1.84631831751005468180e-5,
                                  1.42151175831644588870e-7,
                                  2.04426310338993978564e-15};

// A task is a fixed count of numbers, so that its cost is known and no thread count changes what it writes.
constexpr Index chunk_size = 4096;

template <class Transform>
void fill(const MatrixView<double>& out, const Key& key, std::uint64_t first, double seconds_each, const Transform& transform) {
  const Index count = checked_product(out.rows(), out.cols());
  const Index chunks = count / chunk_size + (count % chunk_size != 0);
  parallel_for(chunks, chunk_size * seconds_each, [&](Index chunk, int) {
    const Index begin = chunk * chunk_size;
    const Index end = std::min(count - begin, chunk_size) + begin;
    Index row = begin / out.cols();
    Index col = begin % out.cols();
    std::uint64_t i = first + static_cast<std::uint64_t>(begin);
    Block block = philox({i / 4, 0, 0, 0}, key);
    for (Index k = begin; k < end; ++k, ++i) {
      if (i % 4 == 0) block = philox({i / 4, 0, 0, 0}, key);
      out(row, col) = transform(block[i % 4]);
      if (++col == out.cols()) {
        col = 0;
        ++row;
      }
    }
  });
}

}  // namespace

std::array<std::uint64_t, 4> philox4x64(const std::array<std::uint64_t, 4>& counter, const std::array<std::uint64_t, 2>& key) {
  return philox(counter, key);
}

std::uint64_t RandomStream::bits(std::uint64_t i) const { return philox({i / 4, 0, 0, 0}, {seed_, stream_})[i % 4]; }

double RandomStream::uniform(std::uint64_t i) const { return to_uniform(bits(i)); }

double RandomStream::normal(std::uint64_t i) const { return to_normal(bits(i)); }

Index RandomStream::below(std::uint64_t i, Index bound) const {
  require(bound >= 1, "a random number below a bound: the bound must be at least 1");
  return static_cast<Index>(base_detail::multiply(bits(i), static_cast<std::uint64_t>(bound)).high);
}

void RandomStream::fill_uniform(MatrixView<double> out, std::uint64_t first) const {
  fill(out, {seed_, stream_}, first, 4e-9, to_uniform);
}

void RandomStream::fill_normal(MatrixView<double> out, std::uint64_t first) const {
  fill(out, {seed_, stream_}, first, 15e-9, to_normal);
}

void random_permutation(const RandomStream& random, Index* out, Index size, std::uint64_t first) {
  require(size >= 0, "a permutation: the size is negative");
  for (Index i = 0; i < size; ++i) out[i] = i;
  for (Index last = size - 1; last > 0; --last) {
    std::swap(out[last], out[random.below(first++, last + 1)]);
  }
}

double normal_quantile(double p) {
  if (!(p > 0.0 && p < 1.0)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return p == 0.0 ? -infinity : p == 1.0 ? infinity : std::numeric_limits<double>::quiet_NaN();
  }
  const double q = p - 0.5;
  if (std::fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(centre_top, r) / polynomial(centre_bottom, r);
  }
  const double r = std::sqrt(-natural_log(q < 0.0 ? p : 1.0 - p));
  const double x = r <= 5.0 ? polynomial(tail_top, r - 1.6) / polynomial(tail_bottom, r - 1.6)
                            : polynomial(far_top, r - 5.0) / polynomial(far_bottom, r - 5.0);
  return q < 0.0 ? -x : x;
}

}  // namespace gramian

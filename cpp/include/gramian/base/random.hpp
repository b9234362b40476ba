// SPDX-License-Identifier: BSD-3-Clause
// Counter-based random numbers: the i-th number of a stream is a function of (seed, stream, i) only. A seed gives the same
// numbers on every platform and for any number of threads.
#pragma once

#include <array>
#include <cstdint>

#include "gramian/base/export.hpp"
#include "gramian/base/index.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// Philox4x64 with 10 rounds (Salmon, Moraes, Dror, Shaw 2011).
GRAMIAN_API std::array<std::uint64_t, 4> philox4x64(const std::array<std::uint64_t, 4>& counter,
                                                    const std::array<std::uint64_t, 2>& key);

/// The stream of random numbers numbered (seed, stream). A value: two copies give the same numbers.
class GRAMIAN_API RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0) : seed_(seed), stream_(stream) {}

  std::uint64_t bits(std::uint64_t i) const;        ///< 64 random bits: word i % 4 of the Philox block with counter i / 4
  double uniform(std::uint64_t i) const;            ///< in [0, 1), a multiple of 2^-53
  double normal(std::uint64_t i) const;             ///< standard normal, by the inverse distribution function of bits(i)
  Index below(std::uint64_t i, Index bound) const;  ///< in [0, bound), bound >= 1; bias below bound / 2^64

  /// out(r, c) = number first + r * cols + c of the stream; the same whatever the threads and the strides.
  void fill_uniform(MatrixView<double> out, std::uint64_t first = 0) const;
  void fill_normal(MatrixView<double> out, std::uint64_t first = 0) const;

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
};

/// A random order of 0 .. size-1 (Fisher-Yates on the stream's numbers first .. first+size-2).
GRAMIAN_API void random_permutation(const RandomStream& random, Index* out, Index size, std::uint64_t first = 0);

/// x with P(N(0,1) < x) = p for 0 < p < 1, relative error below 1e-15; plain IEEE arithmetic, so the same bits everywhere.
/// -inf at 0, inf at 1, NaN elsewhere.
GRAMIAN_API double normal_quantile(double p);

}  // namespace gramian

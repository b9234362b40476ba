// SPDX-License-Identifier: BSD-3-Clause
// Kernels without an upper bound overflow on large points: what is said then.
#pragma once

#include <cmath>
#include <type_traits>
#include <vector>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

constexpr const char* overflow_message =
    "a kernel value or its derivative is not finite: scale the points down, or lower the kernel's degree, gamma or factor";

/// 0 if all are finite, else NaN. Several sums, so that additions do not wait for each other.
template <class T>
T what_is_not_finite(const T* numbers, Index count) {
  constexpr Index together = 8;
  T gone[together] = {};  // x - x is 0 for a finite x and NaN for every other
  Index i = 0;
  for (; i + together <= count; i += together) {
    for (Index k = 0; k < together; ++k) gone[k] += numbers[i + k] - numbers[i + k];
  }
  for (; i < count; ++i) gone[0] += numbers[i] - numbers[i];
  for (Index k = 1; k < together; ++k) gone[0] += gone[k];
  return gone[0];
}

/// For results of O(n d) numbers. May be empty.
template <class T>
void require_finite(MatrixView<T> result) {
  if (result.col_stride() == 1 && result.row_stride() == result.cols()) {
    return require(what_is_not_finite<std::remove_const_t<T>>(result.data(), result.rows() * result.cols()) == T(0),
                   overflow_message);
  }
  T gone = T(0);
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index k = 0; k < result.cols(); ++k) gone += result(i, k) - result(i, k);
  }
  require(gone == T(0), overflow_message);
}

inline void require_finite(const std::vector<double>& result) {
  for (const double value : result) require(std::isfinite(value), overflow_message);
}

}  // namespace gramian

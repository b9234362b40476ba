// SPDX-License-Identifier: BSD-3-Clause
// Kernels without an upper bound overflow on large points: what is said then.
#pragma once

#include <cmath>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

constexpr const char* overflow_message =
    "a kernel value or its derivative is not finite: scale the points down, or lower the kernel's degree, gamma or factor";

/// For results of O(n d) numbers. May be empty.
template <class T>
void require_finite(MatrixView<T> result) {
  T gone = T(0);  // x - x is 0 for a finite x and NaN for every other
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index k = 0; k < result.cols(); ++k) gone += result(i, k) - result(i, k);
  }
  require(gone == T(0), overflow_message);
}

inline void require_finite(const std::vector<double>& result) {
  for (const double value : result) require(std::isfinite(value), overflow_message);
}

}  // namespace gramian

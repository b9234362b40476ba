// SPDX-License-Identifier: BSD-3-Clause
// Inner products of vectors, and of matrices over all entries.
#pragma once

#include "gramian/base/view.hpp"

namespace gramian {

/// With sums that do not wait for each other.
inline double inner_product(const double* a, const double* b, Index count) {
  double sums[8] = {};
  Index k = 0;
  for (; k + 8 <= count; k += 8) {
    for (Index s = 0; s < 8; ++s) sums[s] += a[k + s] * b[k + s];
  }
  for (; k < count; ++k) sums[0] += a[k] * b[k];
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/// sum A o B, for matrices of one shape. The same bits for any number of threads.
double inner_product(MatrixView<const double> A, MatrixView<const double> B);

inline double sum_of_squares(MatrixView<const double> A) { return inner_product(A, A); }

}  // namespace gramian

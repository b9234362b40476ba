// SPDX-License-Identifier: BSD-3-Clause
// A = Q T Qᵀ with T tridiagonal: half of the work by products of matrices, the other half reads the triangle once a column.
#pragma once

#include <vector>

#include "gramian/base/export.hpp"
#include "linalg/reflections.hpp"

namespace gramian {

/// The power of two that brings numbers up to `largest` to about 1, so that nothing is rounded and squares stay numbers.
GRAMIAN_API double unit_scale(double largest);

/// T has `diagonal` and `beside` it one number less.
struct GRAMIAN_API TridiagonalForm {
  /// Of scale A, which is about 1 in magnitude. A: n x n, symmetric, finite; the lower triangle is read. 4/3 n^3 operations.
  TridiagonalForm(MatrixView<const double> A, double scale);

  std::vector<double> diagonal;
  std::vector<double> beside;
  Reflections Q;
};

}  // namespace gramian

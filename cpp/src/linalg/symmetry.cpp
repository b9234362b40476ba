// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "linalg/packed_lower.hpp"

namespace gramian {
namespace {

constexpr Index task_rows = 96;
constexpr Index strip_rows = 24;
constexpr double seconds_per_number = 0.2e-9;

/// Some rows of the lower triangle and their mirror image differ by more than `allowed` somewhere, or have a NaN.
bool differs(MatrixView<const double> A, Index row, Index rows, double allowed) {
  const Index cols = row + rows;
  if (A.col_stride() != 1 && A.row_stride() != 1) {
    for (Index i = row; i < row + rows; ++i) {
      for (Index j = 0; j < i; ++j) {
        if (!(std::fabs(A(i, j) - A(j, i)) <= allowed)) return true;
      }
    }
    return false;
  }
  // Which of the two triangles is transposed in registers makes no difference: what counts is a contiguous direction.
  const Index stride = A.col_stride() == 1 ? A.row_stride() : A.col_stride();
  return dense_ops().differs_from_transpose({A.data() + row * stride, A.data() + row, stride, rows, cols, allowed});
}

/// Says what is wrong with a row that differs. Two equal infinities are not: that is for others to say.
void explain(MatrixView<const double> A, Index row, double allowed, const std::string& name) {
  for (Index j = 0; j < row; ++j) {
    const double one = A(row, j), other = A(j, row);
    require(!std::isnan(one) && !std::isnan(other), "Input " + name + " contains NaN.");
    if (one == other || std::fabs(one - other) <= allowed) continue;
    char figures[96];
    std::snprintf(figures, sizeof(figures), "%.9g and %.9g", one, other);
    throw std::invalid_argument(name + " is not symmetric: entries (" + std::to_string(row) + ", " + std::to_string(j) +
                                ") and (" + std::to_string(j) + ", " + std::to_string(row) + ") are " + figures);
  }
}

}  // namespace

void require_symmetric(MatrixView<const double> A, double tolerance, const char* name) {
  const Index n = A.rows();
  require_square(A, name);
  double largest = 0.0;
  for (Index i = 0; i < n; ++i) {
    const double entry = std::fabs(A(i, i));
    largest = entry > largest ? entry : largest;  // a NaN is passed over, and found below
  }
  const double allowed = tolerance * largest;
  const double seconds = static_cast<double>(n * task_rows / 2) * seconds_per_number;
  parallel_for((n + task_rows - 1) / task_rows, seconds, [&](Index task, int) {
    const Index end = std::min(n, (task + 1) * task_rows);
    for (Index next = task * task_rows; next < end; next += strip_rows) {
      // The last strip reaches back: fewer rows than a vector are compared number by number.
      const Index row = std::max<Index>(0, std::min(next, n - strip_rows)), rows = std::min(strip_rows, n - row);
      if (!differs(A, row, rows, allowed)) continue;
      for (Index i = row; i < row + rows; ++i) explain(A, i, allowed, name);
    }
  });
}

}  // namespace gramian

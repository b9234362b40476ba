// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/finite.hpp"

#include <algorithm>
#include <atomic>

#include "gramian/base/parallel.hpp"

namespace gramian {
namespace {

constexpr Index task_rows = 96;
constexpr Index few = Index(1) << 14;  // numbers that are looked through as one row
constexpr double seconds_per_number = 0.2e-9;

/// Sums of what is zero for a finite number and NaN otherwise, several at a time.
bool row_finite(const double* row, Index stride, Index count) {
  constexpr Index together = 8;
  double sums[together] = {};
  Index j = 0;
  if (stride == 1) {
    for (; j + together <= count; j += together) {
      for (Index k = 0; k < together; ++k) sums[k] += row[j + k] * 0.0;
    }
  }
  for (; j < count; ++j) sums[0] += row[j * stride] * 0.0;
  double sum = 0.0;
  for (const double s : sums) sum += s;
  return sum == 0.0;
}

}  // namespace

bool all_finite(MatrixView<const double> A) {
  if (A.col_stride() != 1 && A.row_stride() == 1) A = {A.data(), A.cols(), A.rows(), A.col_stride(), A.row_stride()};
  const bool contiguous = A.col_stride() == 1 && A.row_stride() == A.cols();
  if (contiguous && A.rows() * A.cols() <= few) A = {A.data(), A.empty() ? 0 : 1, A.rows() * A.cols()};
  if (A.rows() <= task_rows) {  // not worth the way through parallel_for
    bool finite = true;
    for (Index i = 0; i < A.rows(); ++i) finite = finite && row_finite(A.data() + i * A.row_stride(), A.col_stride(), A.cols());
    return finite;
  }
  std::atomic<bool> finite{true};
  const double seconds = static_cast<double>(task_rows * A.cols()) * seconds_per_number;
  parallel_for((A.rows() + task_rows - 1) / task_rows, seconds, [&](Index task, int) {
    for (Index i = task * task_rows; i < std::min(A.rows(), (task + 1) * task_rows); ++i) {
      if (!row_finite(A.data() + i * A.row_stride(), A.col_stride(), A.cols())) finite.store(false, std::memory_order_relaxed);
    }
  });
  return finite.load(std::memory_order_relaxed);
}

}  // namespace gramian

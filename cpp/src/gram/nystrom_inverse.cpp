// SPDX-License-Identifier: BSD-3-Clause
#include "gram/nystrom_inverse.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/low_rank.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"

namespace gramian {
namespace {

constexpr double unit = 0x1p-24;           // of the numbers that are stored
constexpr double smallest_jitter = 1e-14;  // of the trace of k(Z, Z)
constexpr double safety = 8.0;             // of the jitter: eigenvalues that are rounding stay below a part of the shift
constexpr Index rows_at_once = 2048;
constexpr Index rows_for_each_pivot = 4;  // among which pivots are chosen
constexpr double pivots_for_root = 10.0;  // at most, for the root of the number of rows
constexpr double memory_share = 0.25;
constexpr Index pieces_of_sums = 16;
constexpr double seconds_per_number = 0.3e-9;

/// The largest magnitude on the diagonal of K.
double largest_on_diagonal(const Matrix& K) {
  double largest = 0.0;
  for (Index i = 0; i < K.rows(); ++i) largest = std::max(largest, std::fabs(K(i, i)));
  return largest;
}

}  // namespace

NystromInverse::NystromInverse(const Kernel& kernel, const Points& X, const std::vector<Index>& pivots,
                               const std::vector<double>& roots, double shift)
    : size_(X.size()), shift_(shift) {
  const Index m = static_cast<Index>(pivots.size());
  require_memory(bytes_of(size_, m) / 2 + bytes_of(m, m, 2), "the preconditioner", "use fewer samples");
  const PickedRows Z(X, pivots);
  Matrix K(m, m);
  full(kernel, Z.points(), K.view());
  system_ = Matrix::filled(m, m, 0.0);
  columns_ = Buffer<float>(checked_product(size_, m));
  evaluate(kernel, X, Z.points(), roots);
  double weights = roots.empty() ? static_cast<double>(size_) : 0.0, trace = 0.0;
  for (const double root : roots) weights += root * root;
  for (Index i = 0; i < m; ++i) trace += K(i, i);
  const double error = unit * largest_on_diagonal(K);
  const double jitter = std::max(safety * weights * error * error / shift, smallest_jitter * trace);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j <= i; ++j) system_(i, j) += shift * (K(i, j) + (i == j ? jitter : 0.0));
  }
  if (m > 0) cholesky_in_place(system_.view());
}

double NystromInverse::least_shift(Index samples, double largest) {
  return unit * largest * std::sqrt(static_cast<double>(samples));
}

/// C, and the lower triangle of CᵀC of the rounded numbers.
void NystromInverse::evaluate(const Kernel& kernel, const Points& X, const Points& Z, const std::vector<double>& roots) {
  const Index m = Z.size();
  Matrix block(std::min(rows_at_once, size_), m);
  for (Index first = 0; first < size_ && m > 0; first += rows_at_once) {
    poll_stop();
    const Index rows = std::min(rows_at_once, size_ - first);
    const MatrixView<double> values = gramian::rows_of(block.view(), 0, rows);
    full(kernel, gramian::rows_of(X, first, rows), Z, values);
    for_entries(values, [&](Index i, Index k) {
      const double root = roots.empty() ? 1.0 : roots[at(first + i)];
      const auto rounded = static_cast<float>(root * values(i, k));
      columns_[(first + i) * m + k] = rounded;
      values(i, k) = static_cast<double>(rounded);
    });
    gemm_symmetric(1.0, transposed(MatrixView<const double>(values)), 1.0, system_.view(), Triangle::lower);
  }
}

/// sums = CᵀR, a row for each column of R. Four rows of C at a time, which are read from memory once for all columns of R.
void NystromInverse::add_cross(MatrixView<const double> R, Matrix& sums) const {
  const Index m = rank(), vectors = R.cols(), size = m * vectors;
  const Index rows = round_up(count_pieces(size_, pieces_of_sums), 4), pieces = count_pieces(size_, rows);
  Matrix parts = Matrix::filled(pieces, size, 0.0);
  const double seconds = seconds_per_number * static_cast<double>(rows) * static_cast<double>(size);
  parallel_for(pieces, seconds, [&](Index piece, int) {
    const Index last = std::min(size_, (piece + 1) * rows);
    for (Index i = piece * rows; i < last; i += 4) {
      const Index some = std::min<Index>(4, last - i);
      const float *a = columns_.data() + i * m, *b = a + (some > 1 ? m : 0), *c = a + (some > 2 ? 2 * m : 0),
                  *d = a + (some > 3 ? 3 * m : 0);
      for (Index j = 0; j < vectors; ++j) {
        const double wa = R(i, j), wb = some > 1 ? R(i + 1, j) : 0.0, wc = some > 2 ? R(i + 2, j) : 0.0,
                     wd = some > 3 ? R(i + 3, j) : 0.0;
        double* sum = &parts(piece, j * m);
        for (Index k = 0; k < m; ++k) {
          sum[k] += (wa * static_cast<double>(a[k]) + wb * static_cast<double>(b[k])) +
                    (wc * static_cast<double>(c[k]) + wd * static_cast<double>(d[k]));
        }
      }
    }
  });
  fill_zero(sums.view());
  for (Index piece = 0; piece < pieces; ++piece) {
    for (Index k = 0; k < size; ++k) sums.data()[k] += parts(piece, k);
  }
}

void NystromInverse::apply(MatrixView<const double> R, MatrixView<double> out) const {
  require_rows(R.rows(), R.cols(), size(), "R");
  require_shape(out, R.rows(), R.cols(), "out");
  if (R.empty()) return;
  const Index m = rank(), vectors = R.cols();
  Matrix inner(vectors, m);
  if (m > 0) {
    add_cross(R, inner);
    cholesky_solve(system_.view(), transposed(inner.view()));
  }
  for_rows(size_, std::max<Index>(1, m * vectors), [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const float* row = columns_.data() + i * m;
      for (Index j = 0; j < vectors; ++j) {
        const double* with = inner.data() + j * m;
        double sums[8] = {};
        Index k = 0;
        for (; k + 8 <= m; k += 8) {
          for (Index s = 0; s < 8; ++s) sums[s] += static_cast<double>(row[k + s]) * with[k + s];
        }
        for (; k < m; ++k) sums[0] += static_cast<double>(row[k]) * with[k];
        const double sum = ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
        out(i, j) = (R(i, j) - sum) / shift_;
      }
    }
  });
}

std::vector<Index> nystrom_pivots(const Kernel& kernel, const Points& X, double shift) {
  const Index n = X.size();
  const double fitting =
      memory_share * static_cast<double>(memory_report().limit) / (sizeof(float) * static_cast<double>(std::max<Index>(n, 1)));
  const auto root = static_cast<Index>(pivots_for_root * std::sqrt(static_cast<double>(n)));
  Index most = std::max(adaptive_rank_cap(n), std::min(n / 4, root));
  if (fitting < static_cast<double>(most)) most = std::max<Index>(1, static_cast<Index>(fitting));
  const std::vector<Index> rows = some_rows(n, std::max(rows_for_each_pivot * most, Index(4096)));
  const PickedRows some(X, rows);
  AdaptiveFactorOptions options;
  options.max_rank = most;
  std::vector<Index> pivots = picked(rows, adaptive_factor(kernel, some.points(), shift, options).pivots());
  std::sort(pivots.begin(), pivots.end());
  return pivots;
}

}  // namespace gramian

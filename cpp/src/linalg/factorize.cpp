// SPDX-License-Identifier: BSD-3-Clause
// Left-looking by tiles: a tile takes all its updates, then its substitution, while it stays in a cache. The tiles are the tasks
// of one parallel loop, in an order in which each waits for earlier ones alone; every number has one order of summation.
#include "linalg/factorize.hpp"

#include <atomic>
#include <cmath>

#include "base/view_ops.hpp"
#include "gramian/base/parallel.hpp"
#include "linalg/progress.hpp"

namespace gramian {
namespace {

constexpr double seconds_per_operation = 1.0 / 90e9;
constexpr double seconds_per_copy = 0.3e-9;

/// load(row tile, column tile) brings a tile of the matrix into the packed form.
class Factorization {
 public:
  using Load = FunctionRef<void(Index, Index)>;
  Factorization(PackedLower& packed, Load load)
      : ops_(dense_ops()), load_(load), packed_(packed), columns_done_(packed.tiles()) {}

  /// The row of the first bad pivot, or -1.
  Index run() {
    const Index count = packed_.tiles() * (packed_.tiles() + 1) / 2;
    const double n = static_cast<double>(packed_.size());
    const double seconds = n * n * n / 3.0 * seconds_per_operation / static_cast<double>(std::max<Index>(count, 1));
    parallel_for(count, seconds, [&](Index task, int) {
      const Tile tile = tile_of(task);
      if (bad_row_.load(std::memory_order_relaxed) < 0) compute(tile.row, tile.col);
      columns_done_.set(tile.row, tile.col + 1);
    });
    return bad_row_.load(std::memory_order_relaxed);
  }

 private:
  struct Tile {
    Index row;
    Index col;
  };

  /// Column after column, each from the diagonal down.
  Tile tile_of(Index task) const {
    Index col = 0;
    for (Index left = packed_.tiles(); task >= left; --left, ++col) task -= left;
    return {col + task, col};
  }

  void compute(Index i, Index j) {
    load_(i, j);
    const Index step = std::max<Index>(1, isa::panel_depth / packed_.tile());
    for (Index k = 0; k < j; k += step) {
      const Index end = std::min(j, k + step);
      columns_done_.wait_for(i, end);
      columns_done_.wait_for(j, end);
      subtract_products(i, j, k, end);
    }
    columns_done_.wait_for(i, j);
    if (i == j) return factor_diagonal(j);
    columns_done_.wait_for(j, j + 1);
    for (Index q = 0; q < packed_.panels(i); ++q) {
      ops_.solve({packed_.panel(j, 0, j), packed_.stride(j), packed_.panel(i, q, j), packed_.tile(), packed_.rows(i, q)});
    }
  }

  void subtract_products(Index i, Index j, Index from, Index to) {
    for (Index q = 0; q < packed_.panels(i); ++q) {
      const Index rows = i == j ? q * panel_rows + packed_.rows(i, q) : packed_.tile();
      ops_.subtract_product({packed_.panel(j, 0, from), packed_.stride(j), packed_.panel(i, q, from),
                             (to - from) * packed_.tile(), packed_.panel(i, q, j), panel_rows, rows, packed_.rows(i, q)});
    }
  }

  void factor_diagonal(Index j) {
    const Index bad = ops_.factor({packed_.panel(j, 0, j), packed_.stride(j), packed_.height(j)});
    if (bad >= 0) bad_row_.store(j * packed_.tile() + bad, std::memory_order_relaxed);
  }

  const isa::DenseOps<double>& ops_;
  Load load_;
  PackedLower& packed_;
  Progress columns_done_;
  std::atomic<Index> bad_row_{-1};
};

Index run(MatrixView<const double> A, PackedLower& packed, double shift) {
  const auto load = [&](Index i, Index j) { packed.load(dense_ops(), A, i, j, shift); };
  return Factorization(packed, load).run();
}

Index run(TiledMatrix A, PackedLower& packed, double shift) {
  A.shift += shift;
  return factorize(A, packed);
}

double diagonal_of(PackedLower& packed, Index row) {
  const Index tile = row / packed.tile(), panel = row % packed.tile() / panel_rows, lane = row % packed.tile() % panel_rows;
  return packed.panel(tile, panel)[row * panel_rows + lane];
}

/// A NaN or an infinity anywhere spoils a pivot, so that they are looked for only once the factorization has failed.
template <class Entries>
bool find_not_finite(const Entries& A, Index size, FactorReport& report) {
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j <= i; ++j) {
      if (std::isfinite(A(i, j))) continue;
      report = {FactorStatus::not_finite, 0.0, i, j, A(i, j)};
      return true;
    }
  }
  return false;
}

template <class Entries>
double mean_diagonal(const Entries& A, Index size) {
  double sum = 0.0;
  for (Index i = 0; i < size; ++i) sum += A(i, i) / static_cast<double>(size);
  return sum;
}

template <class Entries>
FactorReport factorize_with_jitter(const Entries& A, PackedLower& packed, const CholeskyOptions& options) {
  FactorReport report;
  report.row = run(A, packed, 0.0);
  if (report.row < 0) return report;
  report.value = diagonal_of(packed, report.row);
  report.status = FactorStatus::not_positive;
  if (find_not_finite(A, packed.size(), report)) return report;
  const double mean = mean_diagonal(A, packed.size());
  if (!(mean > 0.0) || !std::isfinite(mean)) return report;
  double relative = 0x1p-53;
  for (int k = 1; k <= 7 && relative < options.max_jitter; ++k) {
    relative = k <= 6 ? std::min(10.0 * relative, options.max_jitter) : options.max_jitter;
    report.jitter = relative * mean;
    if (run(A, packed, report.jitter) >= 0) continue;
    report.status = FactorStatus::jittered;
    return report;
  }
  return report;
}

}  // namespace

Index factor_tile(Index size) {
  if (size <= largest_single_tile) return std::max(panel_rows, round_up(size, panel_rows));
  return size <= isa::largest_in_halves ? isa::half_tile : isa::tile_size;
}

FactorReport factorize(MatrixView<const double> A, PackedLower& packed, const CholeskyOptions& options) {
  return factorize_with_jitter(A, packed, options);
}

FactorReport factorize(const TiledMatrix& A, PackedLower& packed, const CholeskyOptions& options) {
  return factorize_with_jitter(A, packed, options);
}

Index factorize(const TiledMatrix& A, PackedLower& packed) {
  const auto load = [&](Index i, Index j) { packed.load(dense_ops(), A, i, j); };
  return Factorization(packed, load).run();
}

void store_factor(PackedLower& packed, MatrixView<double> L) {
  const double numbers = static_cast<double>(packed.tile()) * static_cast<double>(packed.size());
  parallel_for(packed.tiles(), numbers * seconds_per_copy, [&](Index row_tile, int) { packed.store(dense_ops(), L, row_tile); });
}

}  // namespace gramian

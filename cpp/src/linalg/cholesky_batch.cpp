// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/cholesky_batch.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/linalg/gemm.hpp"
#include "linalg/factorize.hpp"

namespace gramian {
namespace {

constexpr double seconds_per_operation = 1.0 / 20e9;

void fill_nan(MatrixView<double> A) {
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j) A(i, j) = std::numeric_limits<double>::quiet_NaN();
  }
}

void require_batch(BatchView<const double> A, const CholeskyOptions& options) {
  require(A.rows() == A.cols(), "the matrices of the batch must be square");
  require(options.max_jitter >= 0.0 && std::isfinite(options.max_jitter), "max_jitter must be a finite number, 0 or greater");
}

/// With a factor of one tile, as it is packed; sides: room for one panel.
void solve_in_place(PackedLower& factor, MatrixView<double> B, double* sides) {
  const isa::DenseOps<double>& ops = dense_ops();
  const Index n = B.rows();
  for (Index first = 0; first < B.cols(); first += panel_rows) {
    const Index width = std::min(panel_rows, B.cols() - first);
    const MatrixView<double> columns = transposed(part(B, 0, n, first, width));
    pack_panel(ops, columns, sides);
    std::fill(sides + n * panel_rows, sides + round_up(n, panel_rows) * panel_rows, 0.0);
    ops.solve({factor.panel(0, 0), factor.stride(0), sides, n, width});
    ops.solve_transposed({factor.panel(0, 0), factor.stride(0), sides, n, width});
    unpack_panel(ops, sides, columns);
  }
}

/// Factorizes every system and hands its packed factor, or nullptr, to use(b, packed, worker).
template <class Use>
void for_each_system(BatchView<const double> A, SystemReport* reports, const CholeskyOptions& options, double more_operations,
                     int workers, Use use) {
  const Index n = A.rows();
  const double size = static_cast<double>(n);
  std::vector<PackedLower> packed;
  for (int worker = 0; worker < workers; ++worker) packed.emplace_back(n, factor_tile(n));
  const double operations = size * size * size / 3.0 + more_operations;
  parallel_for(A.count(), operations * seconds_per_operation, [&](Index b, int worker) {
    PackedLower& own = packed[static_cast<std::size_t>(worker)];
    const FactorReport report = factorize(A[b], own, options);
    reports[b] = {report.status, report.jitter};
    const bool failed = report.status == FactorStatus::not_positive || report.status == FactorStatus::not_finite;
    use(b, failed ? nullptr : &own, worker);
  });
}

}  // namespace

void cholesky_batch(BatchView<const double> A, BatchView<double> L, SystemReport* reports, const CholeskyOptions& options) {
  require_batch(A, options);
  require(L.count() == A.count() && L.rows() == A.rows() && L.cols() == A.rows(), "L must have the shape of A");
  for_each_system(A, reports, options, 0.0, max_workers(),
                  [&](Index b, PackedLower* packed, int) { packed != nullptr ? store_factor(*packed, L[b]) : fill_nan(L[b]); });
}

void cholesky_solve_batch(BatchView<const double> A, BatchView<double> B, SystemReport* reports, const CholeskyOptions& options) {
  require_batch(A, options);
  require(B.count() == A.count() && B.rows() == A.rows(), "B must have as many matrices as A, and as many rows each");
  const Index n = A.rows();
  const double solve_operations = 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(B.cols());
  const bool small = n <= largest_single_tile;
  const Index room = small ? round_up(n, panel_rows) * panel_rows : checked_product(n, n);
  const int workers = max_workers();
  Buffer<double> scratch(checked_product(room, workers));
  for_each_system(A, reports, options, solve_operations, workers, [&](Index b, PackedLower* packed, int worker) {
    double* own = scratch.data() + worker * room;
    if (packed == nullptr) return fill_nan(B[b]);
    if (small) return solve_in_place(*packed, B[b], own);
    const MatrixView<double> L(own, n, n);
    store_factor(*packed, L);
    cholesky_solve(L, B[b]);
  });
}

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/packed_solve.hpp"

#include "base/view_ops.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/linalg/gemm.hpp"
#include "linalg/progress.hpp"

namespace gramian {
namespace {

constexpr double seconds_per_number = 0.1e-9;  // of the factor, for a panel of right-hand sides

/// At most panel_rows right-hand sides: row i of them stands at X + i * panel_rows.
class PanelSolve {
 public:
  PanelSolve(PackedLower& L, double* X, Index width) : ops_(dense_ops()), L_(L), X_(X), width_(width) {}

  void lower() {
    sweep([this](Progress& solved, Index i) { solve_lower(solved, i); });
  }
  void transposed() {
    sweep([this](Progress& solved, Index i) { solve_transposed(solved, L_.tiles() - 1 - i); });
  }

 private:
  double* at(Index row_tile) { return X_ + row_tile * L_.tile() * panel_rows; }

  /// Rows of tiles one after the other, each waiting for what it needs of those before.
  template <class Solve>
  void sweep(Solve solve) {
    Progress solved(1);
    const double seconds = seconds_per_number * static_cast<double>(L_.size() * L_.tile() / 2);
    parallel_for(L_.tiles(), seconds, [&](Index i, int) {
      solve(solved, i);
      solved.set(0, i + 1);
    });
  }

  void solve_lower(Progress& solved, Index i) {
    for (Index k = 0; k < i; ++k) {
      solved.wait_for(0, k + 1);
      ops_.subtract_product({L_.panel(i, 0, k), L_.stride(i), at(k), L_.tile(), at(i), panel_rows, L_.height(i), width_});
    }
    ops_.solve({L_.panel(i, 0, i), L_.stride(i), at(i), L_.height(i), width_});
  }

  void solve_transposed(Progress& solved, Index i) {
    const Index last = L_.tiles() - 1;
    for (Index k = last; k > i; --k) {
      solved.wait_for(0, last - k + 1);
      ops_.subtract_transposed({L_.panel(k, 0, i), L_.stride(k), at(k), L_.height(k), at(i), panel_rows, L_.tile(), width_});
    }
    ops_.solve_transposed({L_.panel(i, 0, i), L_.stride(i), at(i), L_.height(i), width_});
  }

  const isa::DenseOps<double>& ops_;
  PackedLower& L_;
  double* X_;
  Index width_;
};

/// Panels of right-hand sides one after the other, each solved by solve(panel).
template <class Solve>
void solve_panels(PackedLower& L, MatrixView<double> B, Buffer<double>& room, Solve solve) {
  const Index n = L.size(), numbers = round_up(n, panel_rows) * panel_rows;
  if (room.size() < numbers) room = Buffer<double>(numbers);
  for (Index first = 0; first < B.cols(); first += panel_rows) {
    const Index width = std::min(panel_rows, B.cols() - first);
    const MatrixView<double> columns = transposed(part(B, 0, n, first, width));
    pack_panel(dense_ops(), columns, room.data());
    // Rows that fill up a register block are computed with.
    std::fill(room.data() + n * panel_rows, room.data() + numbers, 0.0);
    solve(PanelSolve(L, room.data(), width));
    unpack_panel(dense_ops(), room.data(), columns);
  }
}

/// One right-hand side of a small system, solved by solve(job).
template <class Solve>
void solve_vector(PackedLower& L, MatrixView<double> b, Buffer<double>& room, Solve solve) {
  const Index n = L.size(), numbers = round_up(n, panel_rows);
  if (room.size() < numbers) room = Buffer<double>(numbers);
  double* x = room.data();
  for (Index i = 0; i < n; ++i) x[i] = b(i, 0);
  std::fill(x + n, x + numbers, 0.0);
  solve(isa::SolveVectorJob<double>{L.panel(0, 0), L.stride(0), x, n});
  for (Index i = 0; i < n; ++i) b(i, 0) = x[i];
}

bool is_small_vector(const PackedLower& L, MatrixView<double> B) { return L.tiles() == 1 && B.cols() == 1; }

}  // namespace

void solve_packed(PackedLower& L, MatrixView<double> B, Buffer<double>& room) {
  if (is_small_vector(L, B)) {
    return solve_vector(L, B, room, [](const isa::SolveVectorJob<double>& job) {
      dense_ops().solve_vector(job);
      dense_ops().solve_vector_transposed(job);
    });
  }
  solve_panels(L, B, room, [](PanelSolve panel) {
    panel.lower();
    panel.transposed();
  });
}

void solve_packed_lower(PackedLower& L, MatrixView<double> B, Buffer<double>& room) {
  if (is_small_vector(L, B)) return solve_vector(L, B, room, dense_ops().solve_vector);
  solve_panels(L, B, room, [](PanelSolve panel) { panel.lower(); });
}

void solve_packed_transposed(PackedLower& L, MatrixView<double> B, Buffer<double>& room) {
  if (is_small_vector(L, B)) return solve_vector(L, B, room, dense_ops().solve_vector_transposed);
  solve_panels(L, B, room, [](PanelSolve panel) { panel.transposed(); });
}

}  // namespace gramian

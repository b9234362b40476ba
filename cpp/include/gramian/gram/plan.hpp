// SPDX-License-Identifier: BSD-3-Clause
// The Gram matrix of one set of points, for callers that use it repeatedly: its workspace is made once, and its tiles may be kept
// between a forward and a reverse sweep.
#pragma once

#include <memory>

#include "gramian/base/view.hpp"
#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

/// Whether tiles of K (its lower half: 4 n^2 bytes) stay in memory between sweeps or are evaluated in each of them.
enum class TileStorage { keep, recompute };

/// The lower triangle of a Gram matrix in square tiles, which a plan owns: entry (i, j) of tile (row, col) is
/// tile(row, col)[i * stride + j].
struct GramTiles {
  const double* numbers;
  Index step;    ///< rows of a tile; the last ones are whole too, with any numbers behind the points
  Index stride;  ///< a multiple of the step: narrow tiles stand side by side

  const double* tile(Index row_tile, Index col_tile) const {
    const Index index = row_tile * (row_tile + 1) / 2 + col_tile, abreast = stride / step;
    return numbers + index / abreast * step * stride + index % abreast * step;
  }
};

/// K = k(X, X) for a set that stays, or that moves from one iteration to the next with its size. All in float64; the same bits
/// for any number of threads, and for either TileStorage. A plan is used by one thread at a time.
class GRAMIAN_API GramPlan {
 public:
  /// Points that stay, dense float64 or sparse; they must outlive the plan. Nothing flows back to them.
  GramPlan(const Kernel& kernel, const Points& X, TileStorage storage);
  /// Points that are known by their inner products, one set of them; these must outlive the plan.
  GramPlan(const Kernel& kernel, const InnerProducts<double>& XX, TileStorage storage);
  /// Points that move: `size` of them with `dimension` coordinates; move_to() says where they are.
  GramPlan(const Kernel& kernel, Index size, Index dimension, TileStorage storage);
  ~GramPlan();
  GramPlan(GramPlan&&) noexcept;
  GramPlan& operator=(GramPlan&&) noexcept;

  Index size() const;

  /// Another plan on the same points that stay, with a workspace of its own: kept tiles are shared, and evaluated once, by
  /// whichever sweep needs them first. The two may be used by two threads at the same time. Throws std::invalid_argument if these
  /// points move.
  GramPlan sibling() const;

  /// Copies the new positions: size x dimension. Kept tiles are evaluated anew by the next sweep.
  /// Throws std::invalid_argument if the shape is wrong, an entry is not finite, or these points stay.
  void move_to(MatrixView<const double> X);

  /// out = K V. O(n^2 (d + r)) time; the first sweep after a move evaluates the tiles.
  void product(MatrixView<const double> V, MatrixView<double> out);

  /// Both halves of a layer's reverse step in one sweep: out = K V, and Xbar (n x d, overwritten) from Kbar = P Qᵀ as adjoint()
  /// does, both roles. Points that move. V and out may both be empty: only the adjoint.
  void product_and_adjoint(MatrixView<const double> V, MatrixView<double> out, MatrixView<const double> P,
                           MatrixView<const double> Q, MatrixView<double> Xbar);

  /// Only the adjoint, for a Kbar = P Qᵀ that is symmetric, with half the work on its tiles. Whether it is is not checked.
  void adjoint_of_symmetric(MatrixView<const double> P, MatrixView<const double> Q, MatrixView<double> Xbar);

  /// The gradient of tr(Hᵀ K H) / 2 in one sweep: H_bar = K H, and X_bar (n x d, overwritten) in the points while H is held,
  /// which is adjoint() with Kbar = H Hᵀ in the first role only. For points that stay X_bar is empty.
  void trace_gradient(MatrixView<const double> H, MatrixView<double> H_bar, MatrixView<double> X_bar);

  /// The derivative of that gradient while H moves along Hdot and the points along Xdot, in one sweep: H_bar = K Hdot + Kdot H,
  /// and X_bar likewise. For points that stay Xdot and X_bar are empty. O(n^2 (d + r)); second partials as in hessian_vector().
  void trace_hessian(MatrixView<const double> H, MatrixView<const double> Hdot, MatrixView<const double> Xdot,
                     MatrixView<double> H_bar, MatrixView<double> X_bar);

  /// The lower triangle of K with its diagonal, n x n; what is above the diagonal is left as it was.
  void store_lower(MatrixView<double> K);

  /// The same where the plan keeps it, until the next move. Throws std::invalid_argument if it keeps nothing.
  GramTiles kept_tiles();

 private:
  struct State;
  explicit GramPlan(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace gramian

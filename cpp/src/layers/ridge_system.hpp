// SPDX-License-Identifier: BSD-3-Clause
// The symmetric positive definite system of a ridge regression, factorized again and again in the same memory.
#pragma once

#include <optional>

#include "gramian/base/matrix.hpp"
#include "gramian/gram/plan.hpp"
#include "linalg/factorize.hpp"

namespace gramian {

/// Throws NumericalError: the system of the last layer, of this size, `what`; and that its penalty should be larger.
[[noreturn]] void raise_unsolvable(Index size, double penalty, const char* what);

class RidgeSystem {
 public:
  /// Room for a system of this size, once there is memory for it.
  void reserve(Index size);

  /// Small systems, and all of them for few right-hand sides, are solved where their factor is packed, which is faster, and
  /// rounds in another way.
  void solve_packed(Index right_hand_sides) {
    solve_packed_ = true;
    few_ = right_hand_sides <= panel_rows;
  }

  /// What to fill, its lower triangle, before factorize(); its numbers may be used for something else after the solves. There is
  /// none before somebody asks for it.
  MatrixView<double> matrix();

  /// Whether the system is solved where its factor is packed, and may come in tiles.
  bool in_place() const { return solve_packed_ && (few_ || packed_->tiles() == 1); }

  /// Makes the matrix its factor; returns the jitter that was needed. `penalty` is for the message of a NumericalError; 0 is
  /// that of interpolation, which has no jitter.
  double factorize(double penalty);
  /// The same of `tiles` + shift I, if in_place(): the matrix stays as it is.
  double factorize(const GramTiles& tiles, double shift, double penalty);

  /// X = L^-1 B; the result is |X|^2.
  double solve_lower(MatrixView<const double> B, MatrixView<double> X) const;
  /// X = L^-T X; the result is |X|^2. Throws NumericalError if it overflows.
  double solve_lower_transposed(MatrixView<double> X, double penalty) const;

 private:
  double finish(const FactorReport& report, double penalty) const;

  bool solve_packed_ = false, few_ = false;
  Index size_ = -1;
  Matrix matrix_;
  mutable std::optional<PackedLower> packed_;
  mutable Buffer<double> sides_;  // of one panel
};

}  // namespace gramian

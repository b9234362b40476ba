// SPDX-License-Identifier: BSD-3-Clause
// Rows of a Gram matrix with centres that stay, a block at a time, as float64 numbers.
#pragma once

#include <optional>
#include <type_traits>
#include <vector>

#include "base/workspace.hpp"
#include "gram/centre_tiles.hpp"
#include "gramian/gram/points.hpp"

namespace gramian {

class GramBlock {
 public:
  /// The centres are a view. Throws std::invalid_argument naming C if one of them is not finite.
  GramBlock(const Kernel& kernel, const Points& C);

  /// K(X, C) for some rows, valid until the next call; the caller may change it. Throws std::invalid_argument naming X and the
  /// row, of which the first is called `first_row`, or if a kernel value is not finite.
  MatrixView<double> take(const Points& X, Index first_row);

  const Kernel& kernel() const { return kernel_; }

 private:
  template <class T>
  void fill(const CentreTiles<T>& tiles, MatrixView<const T> X, Index first_row, MatrixView<double> K);

  /// Memory of all workers, which only grows.
  template <class T>
  struct WorkRoom {
    Buffer<T> tiles{};
    std::vector<typename CentreTiles<T>::PackedRows> packed{};
  };
  template <class T>
  WorkRoom<T>& work_room() {
    if constexpr (std::is_same_v<T, double>) return wide_room_;
    if constexpr (std::is_same_v<T, float>) return narrow_room_;
  }

  Kernel kernel_;
  Points C_;
  std::optional<CentreTiles<double>> wide_;   // of dense points without images
  std::optional<CentreTiles<float>> narrow_;  // the same
  WorkRoom<double> wide_room_;
  WorkRoom<float> narrow_room_;
  Room numbers_;
  Buffer<float> narrow_numbers_;
};

/// Whether CentreTiles knows these centres and this kernel.
bool has_centre_tiles(const Kernel& kernel, const Points& C);

/// Throws std::invalid_argument naming `name` and the row, of which the first is called `first_row`, if one is not finite.
void require_finite_rows(const Points& X, const char* name, Index first_row);

/// Throws std::invalid_argument unless X is as C: of one type, dense or sparse, with as many features.
void require_alike(const Points& X, const Points& C);

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "gram/gram_block.hpp"

#include <cmath>
#include <string>

#include "base/view_ops.hpp"
#include "gram/point_images.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"

namespace gramian {
namespace {

/// The first row that has an entry that is not finite, or -1.
template <class T>
Index row_not_finite(MatrixView<const T> X) {
  for (Index i = 0; i < X.rows(); ++i) {
    T gone = T(0);  // x - x is 0 for a finite x and NaN for every other
    for (Index k = 0; k < X.cols(); ++k) gone += X(i, k) - X(i, k);
    if (gone != T(0)) return i;
  }
  return -1;
}
template <class T>
Index row_not_finite(const SparseRows<T>& X) {
  for (Index i = 0; i < X.rows; ++i) {
    for (Index e = X.row_start[i]; e < X.row_start[i + 1]; ++e) {
      if (!std::isfinite(X.values[e])) return i;
    }
  }
  return -1;
}
Index row_not_finite(const Points& X) {
  const bool wide = X.scalar() == Scalar::float64;
  if (X.sparse()) return wide ? row_not_finite(X.sparse64()) : row_not_finite(X.sparse32());
  return wide ? row_not_finite(X.float64()) : row_not_finite(X.float32());
}

}  // namespace

void require_finite_rows(const Points& X, const char* name, Index first_row) {
  const Index row = row_not_finite(X);
  if (row >= 0)
    require(false, std::string(name) + " has a coordinate in row " + std::to_string(first_row + row) + " that is not finite");
}

bool has_centre_tiles(const Kernel& kernel, const Points& C) { return !C.sparse() && !has_images(kernel.node()); }

void require_alike(const Points& X, const Points& C) {
  require(X.scalar() == C.scalar(), "X and C differ in type: both must be float64 or both float32");
  require(X.sparse() == C.sparse(), "one of X and C is sparse and the other dense: they must be alike");
  require(X.dimension() == C.dimension(), "X has " + std::to_string(X.dimension()) + " features, C has " +
                                              std::to_string(C.dimension()) + ": they must be the same");
}

GramBlock::GramBlock(const Kernel& kernel, const Points& C) : kernel_(kernel), C_(C) {
  if (!has_centre_tiles(kernel, C)) {
    require_finite_rows(C, "C", 0);
  } else if (C.scalar() == Scalar::float64) {
    wide_.emplace(kernel, C.float64());
  } else {
    narrow_.emplace(kernel, C.float32());
  }
}

MatrixView<double> GramBlock::take(const Points& X, Index first_row) {
  require_alike(X, C_);
  const MatrixView<double> K = numbers_.take(X.size(), C_.size());
  if (K.empty()) return K;
  if (wide_) {
    fill(*wide_, X.float64(), first_row, K);
  } else if (narrow_) {
    fill(*narrow_, X.float32(), first_row, K);
  } else {
    require_finite_rows(X, "X", first_row);
    if (X.scalar() == Scalar::float64) {
      full(kernel_, X, C_, K);
    } else {
      reserve(narrow_numbers_, X.size() * C_.size());
      const MatrixView<float> values(narrow_numbers_.data(), X.size(), C_.size());
      full(kernel_, X, C_, values);
      for_entries(K, [&](Index i, Index j) { K(i, j) = static_cast<double>(values(i, j)); });
    }
  }
  return K;
}

template <class T>
void GramBlock::fill(const CentreTiles<T>& tiles, MatrixView<const T> X, Index first_row, MatrixView<double> K) {
  constexpr Index rows_of_task = isa::quarter_tile;
  const double seconds = tiles.seconds_per_value() * static_cast<double>(rows_of_task * tiles.size());
  const Index numbers = (1 + tiles.scratch_tiles()) * tile_numbers;
  WorkRoom<T>& memory = work_room<T>();
  reserve(memory.tiles, max_workers() * numbers);
  memory.packed.resize(at(max_workers()));
  parallel_for(count_pieces(X.rows(), rows_of_task), seconds, [&](Index task, int worker) {
    if (worker == 0) poll_stop();
    const Index first = task * rows_of_task, rows = std::min(rows_of_task, X.rows() - first);
    T* const values = memory.tiles.data() + worker * numbers;
    auto& some = memory.packed[at(worker)];
    tiles.pack(rows_of(X, first, rows), first_row + first, some);
    for (Index t = 0; t < tiles.tiles(); ++t) {
      tiles.evaluate(some, rows, t, values, values + tile_numbers);
      for (Index i = 0; i < rows; ++i) {
        const T* from = values + i * isa::tile_size;
        std::copy(from, from + tiles.width(t), &K(first + i, t * isa::tile_size));
      }
    }
  });
}

}  // namespace gramian

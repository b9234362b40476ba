// SPDX-License-Identifier: BSD-3-Clause
// Every triangular system is a lower one: transposition swaps strides, and a transposed lower triangle is a lower one in reversed
// order, which is a matter of negative strides. The right-hand sides become panels, whose rows are the columns of B.
#include "gramian/linalg/triangular.hpp"

#include <cmath>
#include <string>

#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/linalg/gemm.hpp"
#include "linalg/packed_lower.hpp"
#include "linalg/progress.hpp"
#include "linalg/triangular_vectors.hpp"

namespace gramian {
namespace {

constexpr Index few_columns = 4 * panel_rows;  // up to here, T is packed on the way and its rows are shared among threads
constexpr Index row_tile = isa::half_tile;     // rows of T at a time, then
constexpr Index packed_tile = isa::tile_size;  // rows of T at a time, beyond
constexpr Index group_panels = 3;              // panels of right-hand sides that share a tile of T
constexpr double seconds_per_operation = 1.0 / 80e9;
constexpr double seconds_per_number = 0.4e-9;

template <class T>
MatrixView<T> reversed_rows(MatrixView<T> A) {
  return {A.data() + (A.rows() - 1) * A.row_stride(), A.rows(), A.cols(), -A.row_stride(), A.col_stride()};
}

/// The right-hand sides as panels: column c of B is row c % panel_rows of panel c / panel_rows.
class Sides {
 public:
  /// Numbers that `columns` right-hand sides take.
  static Index size(Index rows, Index columns) {
    return checked_product(round_up(rows, panel_rows), round_up(columns, panel_rows));
  }

  Sides(MatrixView<const double> B, MatrixView<double> X, double* room)
      : ops_(dense_ops()),
        columns_(transposed(B)),
        solutions_(transposed(X)),
        stride_(round_up(B.rows(), panel_rows) * panel_rows),
        numbers_(room) {}

  Index panels() const { return (columns_.rows() + panel_rows - 1) / panel_rows; }
  Index width(Index panel) const { return std::min(panel_rows, columns_.rows() - panel * panel_rows); }
  double* at(Index panel, Index row) { return numbers_ + panel * stride_ + row * panel_rows; }

  void load(Index panel, Index row, Index rows) {
    pack_panel(ops_, part(columns_, panel * panel_rows, width(panel), row, rows), at(panel, row));
    // Rows that fill up a register block are computed with.
    if (row + rows == columns_.cols()) std::fill(at(panel, row + rows), at(panel, 0) + stride_, 0.0);
  }
  void store(Index panel, Index row, Index rows) {
    unpack_panel(ops_, at(panel, row), part(solutions_, panel * panel_rows, width(panel), row, rows));
  }

 private:
  const isa::DenseOps<double>& ops_;
  MatrixView<const double> columns_;
  MatrixView<double> solutions_;
  Index stride_;
  double* numbers_;
};

/// Few right-hand sides: each tile of T is packed once, used while it is in a cache, and forgotten.
void solve_few(MatrixView<const double> T, MatrixView<const double> B, MatrixView<double> X) {
  const isa::DenseOps<double>& ops = dense_ops();
  const Index n = T.rows(), tiles = (n + row_tile - 1) / row_tile, stride = row_tile * panel_rows;
  Buffer<double> room(Sides::size(n, B.cols()));
  Sides sides(B, X, room.data());
  Progress solved(1);
  Buffer<double> scratch(max_workers() * row_tile * row_tile);
  const auto pack_tile = [&](Index i, Index k, double* tile) {
    const Index row = i * row_tile, height = std::min(row_tile, n - row);
    for (Index r = 0; r < height; r += panel_rows) {
      const Index rows = std::min(panel_rows, height - r), columns = i == k ? r + rows : row_tile;
      double* panel = tile + r / panel_rows * stride;
      pack_panel(ops, part(T, row + r, rows, k * row_tile, columns), panel);
      if (i != k) continue;
      for (Index f = rows; f < panel_rows; ++f) {
        std::fill_n(panel + (r + f) * panel_rows, panel_rows, 0.0);
        panel[(r + f) * panel_rows + f] = 1.0;
      }
    }
  };
  const double operations = static_cast<double>(n) * static_cast<double>(row_tile) * static_cast<double>(B.cols());
  const double seconds = operations * seconds_per_operation + static_cast<double>(n * row_tile / 2) * seconds_per_number;
  parallel_for(tiles, seconds, [&](Index i, int worker) {
    double* tile = scratch.data() + worker * row_tile * row_tile;
    const Index row = i * row_tile, height = std::min(row_tile, n - row);
    for (Index p = 0; p < sides.panels(); ++p) sides.load(p, row, height);
    for (Index k = 0; k < i; ++k) {
      pack_tile(i, k, tile);
      solved.wait_for(0, k + 1);
      for (Index p = 0; p < sides.panels(); ++p) {
        ops.subtract_product(
            {tile, stride, sides.at(p, k * row_tile), row_tile, sides.at(p, row), panel_rows, height, sides.width(p)});
      }
    }
    pack_tile(i, i, tile);
    for (Index p = 0; p < sides.panels(); ++p) {
      ops.solve({tile, stride, sides.at(p, row), height, sides.width(p)});
      sides.store(p, row, height);
    }
    solved.set(0, i + 1);
  });
}

/// Many right-hand sides: T is packed once, and groups of columns are independent of each other.
void solve_many(MatrixView<const double> T, MatrixView<const double> B, MatrixView<double> X) {
  const isa::DenseOps<double>& ops = dense_ops();
  const Index n = T.rows();
  PackedLower packed(n, packed_tile);
  parallel_for(packed.tiles(), static_cast<double>(n * packed_tile / 2) * seconds_per_number, [&](Index i, int) {
    for (Index k = 0; k <= i; ++k) packed.load(ops, T, i, k, 0.0);
  });
  const auto solve_rows = [&](Index i, Sides& sides) {
    const Index row = i * packed_tile, height = packed.height(i);
    for (Index k = 0; k < i; ++k) {
      for (Index p = 0; p < sides.panels(); ++p) {
        ops.subtract_product({packed.panel(i, 0, k), packed.stride(i), sides.at(p, k * packed_tile), packed_tile,
                              sides.at(p, row), panel_rows, height, sides.width(p)});
      }
    }
    for (Index p = 0; p < sides.panels(); ++p) {
      ops.solve({packed.panel(i, 0, i), packed.stride(i), sides.at(p, row), height, sides.width(p)});
    }
  };
  constexpr Index group_columns = group_panels * panel_rows;
  const Index groups = (B.cols() + group_columns - 1) / group_columns, room_size = Sides::size(n, group_columns);
  Buffer<double> room(checked_product(max_workers(), room_size));
  const double operations = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(group_columns);
  parallel_for(groups, operations * seconds_per_operation, [&](Index group, int worker) {
    const Index first = group * group_columns, count = std::min(group_columns, B.cols() - first);
    Sides sides(part(B, 0, n, first, count), part(X, 0, n, first, count), room.data() + worker * room_size);
    for (Index p = 0; p < sides.panels(); ++p) sides.load(p, 0, n);
    for (Index i = 0; i < packed.tiles(); ++i) solve_rows(i, sides);
    for (Index p = 0; p < sides.panels(); ++p) sides.store(p, 0, n);
  });
}

/// Before any message is put together: small systems take a few microseconds.
bool usable(MatrixView<const double> T, MatrixView<const double> B, MatrixView<double> X) {
  if (T.rows() != T.cols() || B.rows() != T.rows() || X.rows() != B.rows() || X.cols() != B.cols()) return false;
  for (Index i = 0; i < T.rows(); ++i) {
    if (!(std::fabs(T(i, i)) > 0.0)) return false;
  }
  return true;
}

void require_system(MatrixView<const double> T, MatrixView<const double> B, MatrixView<double> X) {
  if (usable(T, B, X)) return;
  const std::string size = std::to_string(T.rows());
  require(T.rows() == T.cols(), "the triangular matrix is " + size + " x " + std::to_string(T.cols()) + ", it must be square");
  require(B.rows() == T.rows(), "B has " + std::to_string(B.rows()) + " rows, the triangular matrix has " + size);
  require(X.rows() == B.rows() && X.cols() == B.cols(), "X must have the shape of B");
  for (Index i = 0; i < T.rows(); ++i) {
    require(!std::isnan(T(i, i)), "the triangular matrix contains NaN, on its diagonal in row " + std::to_string(i));
    if (T(i, i) != 0.0) continue;
    throw NumericalError("A triangular matrix of size " + size + " is singular: its diagonal entry " + std::to_string(i) +
                         " is 0");
  }
}

}  // namespace

void solve_lower(MatrixView<const double> T, MatrixView<const double> B, MatrixView<double> X) {
  require_system(T, B, X);
  if (B.empty()) return;
  if (solves_vectors(T, B)) return solve_vectors(T, B, X, true);
  B.cols() <= few_columns ? solve_few(T, B, X) : solve_many(T, B, X);
}

void solve_lower_transposed(MatrixView<const double> T, MatrixView<const double> B, MatrixView<double> X) {
  solve_upper(transposed(T), B, X);
}

void solve_upper(MatrixView<const double> T, MatrixView<const double> B, MatrixView<double> X) {
  require_system(T, B, X);
  if (B.empty()) return;
  if (solves_vectors(T, B)) return solve_vectors(T, B, X, false);
  const Index last = T.rows() - 1;
  const MatrixView<const double> backwards(&T(last, last), T.rows(), T.rows(), -T.row_stride(), -T.col_stride());
  solve_lower(backwards, reversed_rows(B), reversed_rows(X));
}

void solve_upper_transposed(MatrixView<const double> T, MatrixView<const double> B, MatrixView<double> X) {
  solve_lower(transposed(T), B, X);
}

void solve_lower(MatrixView<const double> T, MatrixView<double> B) { solve_lower(T, B, B); }
void solve_lower_transposed(MatrixView<const double> T, MatrixView<double> B) { solve_lower_transposed(T, B, B); }
void solve_upper(MatrixView<const double> T, MatrixView<double> B) { solve_upper(T, B, B); }
void solve_upper_transposed(MatrixView<const double> T, MatrixView<double> B) { solve_upper_transposed(T, B, B); }

}  // namespace gramian

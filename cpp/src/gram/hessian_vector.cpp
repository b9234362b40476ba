// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/hessian_vector.hpp"

#include <algorithm>
#include <string>

#include "gram/finite.hpp"
#include "gram/sweep_along.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

constexpr Index tile_numbers = isa::tile_size * isa::tile_size;

void require_shape(Index rows, Index cols, Index wanted_rows, Index wanted_cols, const char* name) {
  const auto shape = [](Index r, Index c) { return std::to_string(r) + " x " + std::to_string(c); };
  require(rows == wanted_rows && cols == wanted_cols,
          std::string(name) + " is " + shape(rows, cols) + ", it must be " + shape(wanted_rows, wanted_cols));
}

void check(const PairSource<double>& source, MatrixView<const double> Xdot, MatrixView<const double> Ydot) {
  require(source.dense(), "derivatives along directions are there for dense points only");
  require_shape(Xdot.rows(), Xdot.cols(), source.rows(), source.dimension(), "Xdot");
  require_shape(Ydot.rows(), Ydot.cols(), source.cols(), source.dimension(), source.same() ? "Xdot" : "Ydot");
}

void gram_along_of(const Kernel& kernel, const PairSource<double>& source, MatrixView<const double> Xdot,
                   MatrixView<const double> Ydot, MatrixView<double> out) {
  check(source, Xdot, Ydot);
  require_shape(out.rows(), out.cols(), source.rows(), source.cols(), "out");
  const KernelTiles<double> tiles(kernel, source);
  const MovingTiles moving(tiles, Xdot, Ydot);
  const Index step = isa::tile_size, down = count_pieces(source.rows(), step), across = count_pieces(source.cols(), step);
  TileScratch<double> scratch(2 + along_depth(tiles.tree()), 1);
  const double seconds = static_cast<double>(tile_numbers) * 3.0 * tiles.seconds_per_entry();
  parallel_for(down * across, seconds, [&](Index task, int worker) {
    const Index row = task / across * step, col = task % across * step;
    const TileBlock block{row, std::min(step, source.rows() - row), col, std::min(step, source.cols() - col)};
    double* rate = scratch.tile(worker, 1);
    moving.evaluate(tiles.tree(), block, scratch.tile(worker, 0), rate, scratch.tile(worker, 2));
    for (Index r = 0; r < block.height; ++r) {
      for (Index c = 0; c < block.width; ++c) out(row + r, col + c) = rate[r * isa::tile_size + c];
    }
  });
}

}  // namespace

void hessian_vector(const Kernel& kernel, const Points& X, MatrixView<const double> Xdot, const GramGradient<double>& Kbar,
                    const GramGradient<double>& Kbar_dot, MatrixView<double> out) {
  const PairSource<double> source(X);
  check(source, Xdot, Xdot);
  require_shape(out.rows(), out.cols(), source.rows(), source.dimension(), "out");
  SweepAlong sweep(kernel, source, Xdot, Xdot, Kbar, Kbar_dot);
  sweep.run();
  sweep.write_first(out);
  require_finite(out);
}

void hessian_vector(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<const double> Xdot,
                    MatrixView<const double> Ydot, const GramGradient<double>& Kbar, const GramGradient<double>& Kbar_dot,
                    MatrixView<double> X_out, MatrixView<double> Y_out) {
  const PairSource<double> source(X, Y);
  check(source, Xdot, Ydot);
  if (!X_out.empty()) require_shape(X_out.rows(), X_out.cols(), source.rows(), source.dimension(), "X_out");
  if (!Y_out.empty()) require_shape(Y_out.rows(), Y_out.cols(), source.cols(), source.dimension(), "Y_out");
  SweepAlong sweep(kernel, source, Xdot, Ydot, Kbar, Kbar_dot);
  sweep.run();
  sweep.write_first(X_out);
  sweep.write_second(Y_out);
  require_finite(X_out);
  require_finite(Y_out);
}

void gram_along(const Kernel& kernel, const Points& X, MatrixView<const double> Xdot, MatrixView<double> out) {
  gram_along_of(kernel, PairSource<double>(X), Xdot, Xdot, out);
}
void gram_along(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<const double> Xdot,
                MatrixView<const double> Ydot, MatrixView<double> out) {
  gram_along_of(kernel, PairSource<double>(X, Y), Xdot, Ydot, out);
}

}  // namespace gramian

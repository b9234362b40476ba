// SPDX-License-Identifier: BSD-3-Clause
// Values that move: the rates of all entries of a tile against differences of the values.
#include "gram/leaf_directions.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "gramian/gram/full.hpp"
#include "support/check.hpp"
#include "support/gram_problem.hpp"
#include "support/kernel_samples.hpp"

using namespace gramian;

namespace {

constexpr Index d = 3;

naive::Matrix<double> moved(const naive::Matrix<double>& at, const naive::Matrix<double>& along, double t) {
  naive::Matrix<double> out(at.view.rows(), at.view.cols());
  for (std::size_t i = 0; i < out.numbers.size(); ++i) out.numbers[i] = at.numbers[i] + t * along.numbers[i];
  return out;
}

}  // namespace

TEST(entries_move_as_differences_say) {
  const Index n = 9, m = 180;
  const naive::Matrix<double> X = naive::points_apart(n, d, 1), Y = naive::points_apart(m, d, 2),
                              Xdot = naive::normal<double>(n, d, 3), Ydot = naive::normal<double>(m, d, 4);
  for (const naive::Expression& e : naive::all_samples(d)) {
    const Kernel kernel = naive::kernel_of(e);
    const KernelTiles<double> tiles(kernel, PairSource<double>(Points(X.view), Points(Y.view)));
    std::vector<LeafDirections> moving;
    for (Index l = 0; l < tiles.leaf_count(); ++l) moving.emplace_back(tiles.leaf(l), tiles.source(), Xdot.view, Ydot.view);
    const TileRates rates(tiles, moving, {0, n, 0, m});
    const Index depth = tiles.tree().depth(TileRates::tiles_each, LeafDirections::scratch_tiles);
    std::vector<double> numbers(static_cast<std::size_t>((TileRates::tiles_each + depth) * tile_numbers));
    double* tile = numbers.data();
    evaluate_part(rates, tiles.tree(), tile, tile + TileRates::numbers);

    const double h = 1e-4, steps[4] = {h, -h, 2 * h, -2 * h};
    std::vector<naive::Matrix<double>> at;
    for (const double step : steps) {
      at.emplace_back(n, m);
      full(kernel, moved(X, Xdot, step).view, moved(Y, Ydot, step).view, at.back().view);
    }
    int off = 0;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < m; ++j) {
        const double expected = (8 * (at[0](i, j) - at[1](i, j)) - (at[2](i, j) - at[3](i, j))) / (12 * h);
        off += std::fabs(TileRates::rate(tile)[i * isa::tile_size + j] - expected) <= 1e-6 * (1.0 + std::fabs(expected)) ? 0 : 1;
      }
    }
    // Among 1620 pairs a few meet a kink of a kernel within the step.
    if (off > 12) check::fail(__FILE__, __LINE__, e.name + ": " + std::to_string(off) + " entries are wrong");
  }
}

TEST_MAIN

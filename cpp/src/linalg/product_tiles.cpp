// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/product_tiles.hpp"

#include <algorithm>
#include <vector>

#include "base/view_ops.hpp"
#include "gramian/linalg/gemm.hpp"

namespace gramian {
namespace {

constexpr Index slice = 16 * product_depth;  // summands of A that are packed at a time
constexpr Index fewest_tasks = 16;
constexpr Index few_steps = 96;  ///< up to here a tile costs more by its way to memory and back than by its products
constexpr double seconds_per_operation = 1.0 / 90e9;
constexpr double seconds_per_number = 0.4e-9;

void load_rows(Panels& panels, MatrixView<const double> A) {
  for (Index panel = 0; panel < pieces(A.rows(), panel_rows); ++panel) panels.load(A, panel);
}

}  // namespace

ProductTiles::ProductTiles(MatrixView<const double> B) : steps_(B.rows()), cols_(B.cols()), panels_(B.cols(), B.rows()) {
  parallel_for(pieces(cols_, panel_rows), static_cast<double>(steps_ * panel_rows) * seconds_per_number,
               [&](Index panel, int) { panels_.load(transposed(B), panel); });
}

Index ProductTiles::groups(Index rows) const {
  const Index row_tiles = std::max<Index>(1, pieces(rows, product_tile));
  return std::clamp<Index>(pieces(fewest_tasks, row_tiles), 1, std::max<Index>(1, pieces(cols_, product_tile)));
}

void ProductTiles::visit(MatrixView<const double> A, Index groups, FunctionRef<void(const ProductTile&)> f) const {
  const Index row_tiles = pieces(A.rows(), product_tile), col_tiles = pieces(cols_, product_tile);
  const Index longest = std::min(slice, steps_), height = round_up(std::min(product_tile, A.rows()), panel_rows);
  const Index workers = max_workers();
  std::vector<Panels> left;
  for (Index worker = 0; worker < workers; ++worker) left.emplace_back(height, longest);
  Buffer<double> scratch(workers * product_tile * product_tile);
  const double operations = 2.0 * static_cast<double>(height) * static_cast<double>(steps_) * static_cast<double>(cols_);
  parallel_for(row_tiles * groups, operations / static_cast<double>(groups) * seconds_per_operation, [&](Index task, int worker) {
    const Index row = task / groups * product_tile, rows = std::min(product_tile, A.rows() - row), group = task % groups;
    Panels& panels = left[static_cast<std::size_t>(worker)];
    Index loaded = -1;
    // With few summands a tile of one panel of rows stays in the first-level cache until it has been seen.
    const Index together = steps_ <= few_steps ? panel_rows : product_tile;
    for (Index first = 0; first < rows; first += together) {
      const Index some = std::min(together, rows - first);
      for (Index t = group * col_tiles / groups; t < (group + 1) * col_tiles / groups; ++t) {
        const Index col = t * product_tile, cols = std::min(product_tile, cols_ - col);
        const TileSums sums{scratch.data() + worker * product_tile * product_tile, some, cols};
        sums.clear();
        for (Index from = 0; from < steps_; from += slice) {
          const Index steps = std::min(slice, steps_ - from);
          if (from != loaded) load_rows(panels, part(A, row, rows, from, steps));
          loaded = from;
          sums.add(panels.at(first / panel_rows), panels.stride(), panels_.at(col / panel_rows) + from * panel_rows,
                   panels_.stride(), steps);
        }
        f({sums.sums, row + first, col, some, cols, group});
      }
    }
  });
}

}  // namespace gramian

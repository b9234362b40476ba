// SPDX-License-Identifier: BSD-3-Clause
#include "gram/centre_tiles.hpp"

#include "base/view_ops.hpp"

namespace gramian {

template <class T>
CentreTiles<T>::CentreTiles(const Kernel& kernel, MatrixView<const T> C) : leaves_(kernel, C, isa::ops<T>().col_panel, "C") {}

template <class T>
void CentreTiles<T>::evaluate(const PackedRows& rows, Index count, Index tile, T* out, T* scratch) const {
  const Index height = whole_rows(count), width = whole_cols(tile);
  isa::TileJob<T> job{};
  job.dimension = leaves_.dimension();
  job.row_panels = height / ops().row_panel;
  job.col_panels = width / ops().col_panel;
  const auto leaf_values = [&](Index i, T* values) {
    const auto& leaf = leaves_[i];
    job.rows = rows[at(i)].from(0);
    job.cols = leaf.points.from(tile * isa::tile_size);
    job.parameters = leaf.parameters.data();
    job.out = values;
    leaf.kernel->tile(job);
  };
  leaves_.template evaluate<tile_numbers>(height, width, out, scratch, leaf_values);
}

template class CentreTiles<double>;
template class CentreTiles<float>;

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/product.hpp"

#include <memory>
#include <type_traits>

#include "base/check.hpp"
#include "gram/inner_tiles.hpp"
#include "gram/support_tiles.hpp"
#include "gram/sweep.hpp"

namespace gramian {
namespace {

template <class T>
void require_shapes(Index rows, Index cols, MatrixView<const T> V, MatrixView<T> out) {
  require_rows(V.rows(), V.cols(), cols, "V");
  require_shape(out, rows, V.cols(), "out");
}

/// Dense points are packed for tiles of K(Y, X): they hold k(y_j, x_i) with i along the vectors of the processor. Of inner
/// products there are only those of the rows with the columns.
template <class T>
void product_of(const Kernel& kernel, const PairSource<T>& source, MatrixView<const T> V, MatrixView<T> out) {
  require_shapes(source.rows(), source.cols(), V, out);
  if (out.empty()) return;
  if (source.dense() && !source.same()) {
    if constexpr (std::is_same_v<T, double>) {
      return SupportTiles(kernel, source.y(), V, {source.y_name(), "V"}).apply(source.x(), {out});
    } else {
      const KernelTiles<T> transposed(kernel, source.transposed(), true);
      return Sweep<T>(transposed).template product_over<true>(V, out);
    }
  }
  const KernelTiles<T> tiles(kernel, source);
  source.same() ? Sweep<T>(tiles).product(V, out) : Sweep<T>(tiles).template product_over<false>(V, out);
}

std::shared_ptr<const PackedWeights> packed(MatrixView<const double> V) { return std::make_shared<const PackedWeights>(V, "V"); }

}  // namespace

void product(const Kernel& kernel, const Points& X, MatrixView<const double> V, MatrixView<double> out) {
  product_of(kernel, PairSource<double>(X), V, out);
}
void product(const Kernel& kernel, const Points& X, MatrixView<const float> V, MatrixView<float> out) {
  product_of(kernel, PairSource<float>(X), V, out);
}
void product(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<const double> V, MatrixView<double> out) {
  require_alike<double>(X, Y);
  require_shapes(X.size(), Y.size(), V, out);
  if (!X.sparse()) return product_of(kernel, PairSource<double>(X, Y), V, out);
  InnerTiles(kernel, packed(V)).apply(X.sparse64(), SparseColumns(Y.sparse64(), "Y"), {out});
}
void product(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<const float> V, MatrixView<float> out) {
  product_of(kernel, PairSource<float>(X, Y), V, out);
}
void product(const Kernel& kernel, const InnerProducts<double>& XY, MatrixView<const double> V, MatrixView<double> out) {
  if (XY.one_set()) return product_of(kernel, PairSource<double>(XY), V, out);
  require_alike(XY);
  require_shapes(XY.inner().rows(), XY.inner().cols(), V, out);
  InnerTiles(kernel, packed(V)).apply(XY, {out});
}
void product(const Kernel& kernel, const InnerProducts<float>& XY, MatrixView<const float> V, MatrixView<float> out) {
  product_of(kernel, PairSource<float>(XY), V, out);
}

}  // namespace gramian

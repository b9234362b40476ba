// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/layers/composition_map.hpp"

#include <optional>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/scaled_rows.hpp"
#include "gram/support_tiles.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/adjoint.hpp"

namespace gramian {

struct CompositionMap::State {
  State(std::vector<SupportedLayer> own, ColumnScaling own_scaling) : layers(std::move(own)), scaling(std::move(own_scaling)) {
    require(inputs() > 0, "layers, shift and scale are empty: nothing says how many features points have");
    check_scaling(scaling, inputs(), "the points");
    if (layers.empty()) return;
    require(layers.front().supports.form() == Samples::Form::dense, "layer 1: the supports must be dense");
    map.emplace(layers);
  }

  Index depth() const { return static_cast<Index>(layers.size()); }
  Index inputs() const {
    if (!layers.empty()) return layers.front().supports.dimension();
    return static_cast<Index>(scaling.shift.empty() ? scaling.scale.size() : scaling.shift.size());
  }
  Index outputs() const { return layers.empty() ? inputs() : layers.back().layer.outputs(); }

  /// What layers 1 .. count + 1 see.
  std::vector<Matrix> images_of(MatrixView<const double> X, Index count) const {
    ScaledRows rows;
    std::vector<Matrix> images;
    images.push_back(Matrix::copy_of(rows.take(X, scaling, false).float64()));
    for (Index l = 1; l <= count; ++l) {
      Matrix out(X.rows(), map->layer(l).layer.outputs());
      map->apply(l, l, Points(std::as_const(images.back()).view()), out.view());
      images.push_back(std::move(out));
    }
    return images;
  }

  std::vector<SupportedLayer> layers;
  ColumnScaling scaling;
  std::optional<LayeredMap> map{};
};

CompositionMap::CompositionMap(std::vector<SupportedLayer> layers, ColumnScaling scaling)
    : state_(std::make_shared<const State>(std::move(layers), std::move(scaling))) {}

const std::vector<SupportedLayer>& CompositionMap::layers() const { return state_->layers; }
const ColumnScaling& CompositionMap::scaling() const { return state_->scaling; }
Index CompositionMap::inputs() const { return state_->inputs(); }
Index CompositionMap::outputs() const { return state_->outputs(); }

void CompositionMap::apply(MatrixView<const double> X, MatrixView<double> images) const {
  if (X.rows() == 0) return;
  require_shape(X, X.rows(), inputs(), "X");
  // Of few rows, which many calls have, in memory that stays.
  PredictionRoomScope room;
  ScaledRows own;
  const Points seen = (X.rows() <= isa::tile_size ? room->scaled : own).take(X, state_->scaling, false);
  state_->map ? state_->map->apply(1, state_->depth(), seen, images) : copy_rows(seen.float64(), images);
}

/// Of X_l = sum_m C_m Phi A_m, C_m = k_m(X_{l-1}, S): Cbar_m = Xbar_l (Phi A_m)^T.
void CompositionMap::pull_back(MatrixView<const double> X, MatrixView<const double> images_bar, MatrixView<double> Xbar) const {
  if (X.rows() == 0) return;
  require_shape(X, X.rows(), inputs(), "X");
  const std::vector<Matrix> images = state_->images_of(X, state_->depth() - (state_->map ? 1 : 0));
  Matrix bar = Matrix::copy_of(images_bar);
  for (std::size_t l = state_->layers.size(); l-- > 0;) {
    const SupportedLayer& layer = state_->layers[l];
    const MatrixView<const double> supports = layer.supports.dense().view();
    Matrix below = Matrix::filled(X.rows(), supports.cols(), 0.0), part(X.rows(), supports.cols());
    Matrix PhiA(layer.coefficients.rows(), layer.coefficients.cols());
    for (const LayerTerm& term : layer.layer.terms) {
      term.A.apply(layer.coefficients.view(), PhiA.view());
      const GramGradient<double> Cbar(std::as_const(bar).view(), std::as_const(PhiA).view());
      adjoint(term.kernel, Points(images[l].view()), Points(supports), Cbar, part.view(), {});
      add_rows(part.view(), below.view());
    }
    bar = std::move(below);
  }
  const std::vector<double>& scale = state_->scaling.scale;
  for_entries(Xbar, [&](Index i, Index k) { Xbar(i, k) += scale.empty() ? bar(i, k) : bar(i, k) / scale[at(k)]; });
}

}  // namespace gramian

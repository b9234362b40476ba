// SPDX-License-Identifier: BSD-3-Clause
// What a composition consists of, and its two sweeps.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/workspace.hpp"
#include "gramian/layers/composition.hpp"
#include "layers/composition_input.hpp"
#include "layers/composition_layer.hpp"

namespace gramian {

/// What siblings have in common. Read only.
struct CompositionShare {
  CompositionShare(const PointSource& input, std::vector<KernelLayer> all_layers, CompositionOptions options);

  PointSource input;
  std::vector<KernelLayer> layers;
  std::vector<Index> landmarks;
  std::vector<Index> offsets;                     // of layer l in flat coefficients at l - 1; the last one: their number
  std::vector<std::vector<LayerTerm>> terms;      // of each layer, without those whose A is 0
  std::vector<std::vector<TileStorage>> storage;  // of each of these
  std::optional<PickedRows> landmark_input;       // with landmarks
  std::optional<FirstLayerGrams> first;           // with landmarks

  Index samples() const { return input.size(); }
  Index supports() const { return landmarks.empty() ? samples() : static_cast<Index>(landmarks.size()); }
  const PointSource& support_input() const { return landmark_input ? landmark_input->source() : input; }

 private:
  void decide_storage(std::uint64_t budget);
};

struct Composition::State {
  /// The first layer's tiles are shared with the sibling, unless that is null.
  State(std::shared_ptr<const CompositionShare> what, const State* sibling);
  State(State&&) = delete;  // layers know where the rooms are

  Index depth() const { return static_cast<Index>(share->layers.size()); }
  Index outputs(Index l) const { return share->layers[static_cast<std::size_t>(l - 1)].outputs(); }
  double penalty(Index l) const { return penalties[static_cast<std::size_t>(l - 1)]; }
  bool landmarks() const { return !share->landmarks.empty(); }
  Index output_rows() const { return rows.empty() ? share->samples() : static_cast<Index>(rows.size()); }

  MatrixView<const double> support(Index l) const { return layer(l).S.view(); }
  MatrixView<const double> output(Index l) const;
  template <class T>
  MatrixView<T> layer_of(T* flat, Index l) const {
    return {flat + share->offsets[static_cast<std::size_t>(l - 1)], share->supports(), outputs(l)};
  }

  void restrict_to(std::vector<Index> samples);
  double forward(const double* flat);
  void reverse(MatrixView<const double> output_bar, MatrixView<const double> support_bar, const std::vector<ImageBar>& images,
               double* gradient);

  std::shared_ptr<const CompositionShare> share;
  std::vector<Index> rows;            // that are outputs; empty: all
  std::vector<double> penalties;      // lambda_l
  std::vector<double> squared_norms;  // of the last forward()
  Matrix direction;                   // Xbar_l + 2 lambda_l Phi_l of the last reverse(), flat
  bool went_forward = false, went_back = false;

 private:
  /// A layer at work, and what it gives.
  struct Layer {
    LayerWork work;
    Matrix S;
    Room X_room{};
    MatrixView<double> X{};  // empty where it is S
  };
  Layer& layer(Index l) { return layers[static_cast<std::size_t>(l - 1)]; }
  const Layer& layer(Index l) const { return layers[static_cast<std::size_t>(l - 1)]; }
  const FirstLayerGrams& first() const { return first_rows ? *first_rows : *share->first; }
  /// What layer l > 1 sees.
  SamplesAndSupports<const double> below(Index l) const { return {output(l - 1), support(l - 1)}; }

  GramPlan make_plan(Index l, std::size_t m, const State* sibling) const;
  void sample_images(Index l);
  MatrixView<const double> weigh(Index l, MatrixView<const double> Sbar);
  void sample_reverse(Index l, MatrixView<const double> Xbar, MatrixView<double> Phibar, const SamplesAndSupports<double>& bar);
  void add_image_bar(MatrixView<const double> image, const SamplesAndSupports<double>& bar) const;
  MatrixView<const double> last_support_bar(MatrixView<const double> output_bar, MatrixView<const double> support_bar);

  LayerRooms rooms;
  std::vector<Layer> layers;
  std::optional<FirstLayerGrams> first_rows;  // of the samples that are outputs, with landmarks
  Matrix coefficients;                        // of the last forward()
  Room P_room, sample_bars[2], support_bars[2];
};

}  // namespace gramian

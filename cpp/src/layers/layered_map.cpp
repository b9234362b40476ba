// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/layers/layered_map.hpp"

#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gram/expansion_parts.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "layers/composition_layer.hpp"

namespace gramian {
namespace {

/// Rows that go through all layers together: a multiple of every tile, and their codes stay in the cache.
constexpr Index block_rows = 192;

void check(const SupportedLayer& at, Index number, Index inputs) {
  const std::string name = "layer " + std::to_string(number);
  check_layer(at.layer, name);
  require_shape(at.coefficients.view(), at.supports.size(), at.layer.outputs(), "the coefficients of a layer");
  if (number == 1) return;
  require(at.supports.form() == Samples::Form::dense, name + ": the supports must be dense");
  require_shape(at.supports.dense().view(), at.supports.size(), inputs, "the supports of a layer");
}

/// The sum over terms that a layer is; a term whose A is 0 adds nothing.
ExpansionParts expansion_of(const SupportedLayer& at) {
  std::vector<ExpansionTerm> terms;
  for (const LayerTerm& term : at.layer.terms) {
    const OperatorColumns A(term.A);
    if (A.rank() == 0) continue;
    Room room;
    const MatrixView<const double> weights = A.times_A(at.coefficients.view(), room);
    const bool same = weights.data() == at.coefficients.data();
    terms.push_back({term.kernel, same ? at.coefficients : SharedMatrix::copy_of(weights), A.columns()});
  }
  return {std::move(terms), at.supports, at.layer.outputs(), true};
}

std::vector<SupportedLayer> layers_of(const CompositionModel& model, Samples first_supports) {
  const std::size_t L = model.layers.size();
  require(L >= 1 && model.coefficients.size() == L && model.supports.size() + 1 == L,
          "the model is incomplete: L layers have L coefficients and L - 1 supports");
  std::vector<SupportedLayer> layers;
  for (std::size_t l = 0; l < L; ++l) {
    layers.push_back({model.layers[l], SharedMatrix::copy_of(model.coefficients[l].view()),
                      l == 0 ? std::move(first_supports) : Samples::copy_of(model.supports[l - 1].view())});
  }
  return layers;
}

}  // namespace

struct LayeredMap::State {
  explicit State(std::vector<SupportedLayer> its_layers) : layers(std::move(its_layers)) {
    require(!layers.empty(), "layers is empty: a composition needs at least one");
    for (std::size_t l = 0; l < layers.size(); ++l) {
      check(layers[l], static_cast<Index>(l) + 1, l == 0 ? 0 : layers[l - 1].layer.outputs());
      maps.push_back(expansion_of(layers[l]));
    }
  }

  const ExpansionParts& map(Index l) const { return maps[at(l - 1)]; }
  Index outputs(Index l) const { return map(l).outputs(); }

  void check_range(Index first, Index last) const {
    const Index L = static_cast<Index>(layers.size());
    if (first >= 1 && first <= last && last <= L) return;
    require(false,
            "layers " + std::to_string(first) + " to " + std::to_string(last) + " are not among 1 to " + std::to_string(L));
  }

  void apply(Index first, Index last, const Points& X, MatrixView<double> out) const;
  void apply_block(Index first, Index last, const Points& X, MatrixView<double> out, Index first_row) const;

  std::vector<SupportedLayer> layers;
  std::vector<ExpansionParts> maps;
};

/// Rows go through all layers in blocks, so that codes take little memory.
void LayeredMap::State::apply(Index first, Index last, const Points& X, MatrixView<double> out) const {
  if (first == last) return map(first).apply(X, out);
  map(first).check(X);
  double seconds = 0.0;
  for (Index l = first; l <= last; ++l) seconds += map(l).seconds_per_row();
  const Index n = X.size();
  if (n <= block_rows) return apply_block(first, last, X, out, 0);
  for_pieces(n, block_rows, seconds * static_cast<double>(block_rows), [&](Index begin, Index end) {
    apply_block(first, last, rows_of(X, begin, end - begin), rows_of(out, begin, end - begin), begin);
  });
}

void LayeredMap::State::apply_block(Index first, Index last, const Points& X, MatrixView<double> out, Index first_row) const {
  PredictionRoomScope room;
  Points codes = X;
  for (Index l = first; l <= last; ++l) {
    Buffer<double>& numbers = room->codes[l % 2];
    if (l < last) reserve(numbers, checked_product(X.size(), outputs(l)));
    const MatrixView<double> images = l == last ? out : MatrixView<double>(numbers.data(), X.size(), outputs(l));
    map(l).apply_checked(codes, images, first_row);
    codes = images;
  }
}

LayeredMap::LayeredMap(std::vector<SupportedLayer> layers) : state_(std::make_shared<const State>(std::move(layers))) {}
LayeredMap::LayeredMap(const CompositionModel& model, Samples first_supports)
    : LayeredMap(layers_of(model, std::move(first_supports))) {}

Index LayeredMap::depth() const { return static_cast<Index>(state_->layers.size()); }

const SupportedLayer& LayeredMap::layer(Index l) const {
  state_->check_range(l, l);
  return state_->layers[at(l - 1)];
}

void LayeredMap::apply(Index first, Index last, const Points& X, MatrixView<double> out) const {
  state_->check_range(first, last);
  require_shape(out, X.size(), state_->outputs(last), "out");
  state_->apply(first, last, X, out);
}

void LayeredMap::apply(Index last, const InnerProducts<double>& XS, MatrixView<double> out) const {
  state_->check_range(1, last);
  require_shape(out, XS.inner().rows(), state_->outputs(last), "out");
  if (last == 1) return state_->map(1).apply(XS, out);
  const Index n = XS.inner().rows(), outputs = state_->outputs(1);
  // Of few rows, which many calls have, in memory that stays.
  PredictionRoomScope room;
  Buffer<double> own;
  Buffer<double>& numbers = n <= block_rows ? room->codes[0] : own;
  reserve(numbers, checked_product(n, outputs));
  const MatrixView<double> codes(numbers.data(), n, outputs);
  state_->map(1).apply(XS, codes);
  state_->apply(2, last, Points(codes), out);
}

}  // namespace gramian

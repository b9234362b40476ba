// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/autoencoder/predictor.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/pool.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "models/layered/supports.hpp"

namespace gramian::autoencoder {
namespace {

constexpr Index rows_together = 4096;  // whose reconstructions are compared before the next ones

}  // namespace

struct Predictor::State {
  explicit State(Parts own) : parts(std::move(own)), map(parts.layers) {
    require(depth() >= 2, "an autoencoder has two layers at least");
    require(parts.code_layer >= 1 && parts.code_layer < depth(),
            "code_layer is " + std::to_string(parts.code_layer) + ", it must be in 1 .. " + std::to_string(depth() - 1));
    require(parts.layers.front().supports.form() == Samples::Form::dense, "layer 1: the supports must be dense");
    require(width(depth()) == features(), "the last layer has " + std::to_string(width(depth())) + " outputs, and samples have " +
                                              std::to_string(features()) + " features");
  }

  Index depth() const { return map.depth(); }
  Index features() const { return parts.layers.front().supports.dimension(); }
  Index width(Index l) const { return map.layer(l).layer.outputs(); }

  Parts parts;
  LayeredMap map;
  Pool<Room> rooms{};
};

Parts parts_of(const Fit& fit, const Samples& training, Index code_layer) {
  return {supported_layers(fit, training), code_layer};
}

Predictor::Predictor(Parts parts) : state_(std::make_shared<const State>(std::move(parts))) {}

const Parts& Predictor::parts() const { return state_->parts; }

Index Predictor::inputs(Verb verb) const {
  if (verb == Verb::transform) return state_->features();
  return verb == Verb::inverse_transform ? state_->width(state_->parts.code_layer) : 0;
}

Index Predictor::outputs(Verb verb) const {
  if (verb == Verb::transform) return state_->width(state_->parts.code_layer);
  return verb == Verb::inverse_transform ? state_->features() : 0;
}

void Predictor::compute(Verb verb, const Points& X, MatrixView<double> out) const {
  require(!X.sparse(), "X must be dense");
  const Index code_layer = state_->parts.code_layer;
  if (verb == Verb::transform) return state_->map.apply(1, code_layer, X, out);
  state_->map.apply(code_layer + 1, state_->depth(), X, out);
}

void Predictor::reconstruction_errors(MatrixView<const double> X, MatrixView<double> out) const {
  require_shape(X, X.rows(), state_->features(), "X");
  require_shape(out, X.rows(), 1, "out");
  const auto room = state_->rooms.borrow();
  for (Index first = 0; first < X.rows(); first += rows_together) {
    poll_stop();
    const auto some = rows_of(X, first, std::min(rows_together, X.rows() - first));
    const auto again = room->take(some.rows(), some.cols());
    state_->map.apply(1, state_->depth(), some, again);
    for (Index i = 0; i < some.rows(); ++i) {
      double square = 0.0;
      for (Index k = 0; k < some.cols(); ++k) square += (some(i, k) - again(i, k)) * (some(i, k) - again(i, k));
      out(first + i, 0) = square;
    }
  }
}

}  // namespace gramian::autoencoder

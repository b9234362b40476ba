// SPDX-License-Identifier: BSD-3-Clause
// What every model with layers asks of its arguments.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "gram/source.hpp"
#include "gramian/base/error.hpp"
#include "gramian/layers/layer.hpp"
#include "gramian/base/finite.hpp"

namespace gramian {

/// "layer 3", for a message about layers[2].
inline std::string layer_name(std::size_t l) { return "layer " + std::to_string(l + 1); }

/// Layer: with terms, outputs and a penalty.
template <class Layer>
void check_layer(const Layer& layer, const std::string& name) {
  require(layer.outputs >= 1, name + ": outputs must be at least 1");
  require(std::isfinite(layer.penalty) && layer.penalty >= 0.0, name + ": penalty must be a finite number, 0 or greater");
  for (const LayerTerm& term : layer.terms) {
    require(term.A.size() == layer.outputs, name + ": a term has an A of size " + std::to_string(term.A.size()) +
                                                ", but the layer has " + std::to_string(layer.outputs) + " outputs");
  }
}

template <class Layer>
void check_last_layer(const Layer& last, MatrixView<const double> targets) {
  require(last.outputs == targets.cols(), "the last layer has " + std::to_string(last.outputs) + " outputs, but targets have " +
                                              std::to_string(targets.cols()) + " columns");
}

inline void check_samples(const PointSource& input, MatrixView<const double> targets, const std::vector<Index>& landmarks) {
  check_source(input);
  require(targets.rows() == input.size(),
          "targets have " + std::to_string(targets.rows()) + " rows, but there are " + std::to_string(input.size()) + " samples");
  require(all_finite(targets), "targets have an entry that is not finite");
  require_ascending(landmarks, input.size(), "landmarks");
}

}  // namespace gramian

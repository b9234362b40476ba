// SPDX-License-Identifier: BSD-3-Clause
#include "models/layered/checks.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/finite.hpp"

namespace gramian {
namespace {

/// name: "layer 3", for a message about layers[2].
void check_layer(const LayerPlan& layer, const std::string& name) {
  require(layer.outputs >= 1, name + ": outputs must be at least 1");
  require(std::isfinite(layer.penalty) && layer.penalty >= 0.0, name + ": penalty must be a finite number, 0 or greater");
  for (const LayerTerm& term : layer.terms) {
    require(term.A.size() == layer.outputs, name + ": a term has an A of size " + std::to_string(term.A.size()) +
                                                ", but the layer has " + std::to_string(layer.outputs) + " outputs");
  }
  require(!layer.A || (layer.terms.empty() && layer.A->size() == layer.outputs),
          name + ": A is that of a layer without terms, and has the size of its outputs");
}

}  // namespace

void check_layers(const std::vector<LayerPlan>& layers, MatrixView<const double> targets) {
  for (std::size_t l = 0; l < layers.size(); ++l) check_layer(layers[l], "layer " + std::to_string(l + 1));
  const Index outputs = layers.back().outputs;
  require(outputs == targets.cols(), "the last layer has " + std::to_string(outputs) + " outputs, but targets have " +
                                         std::to_string(targets.cols()) + " columns");
}

void check_samples(const PointSource& input, MatrixView<const double> targets, const std::vector<Index>& landmarks) {
  check_source(input);
  require(targets.rows() == input.size(),
          "targets have " + std::to_string(targets.rows()) + " rows, but there are " + std::to_string(input.size()) + " samples");
  require(all_finite(targets), "targets have an entry that is not finite");
  require_ascending(landmarks, input.size(), "landmarks");
}

void check_warm_start(WarmStart warm_start, Index variables) {
  if (!warm_start) return;
  require(warm_start.size == variables, "warm_start has " + std::to_string(warm_start.size) + " numbers, but there are " +
                                            std::to_string(variables) + " variables");
  require(std::all_of(warm_start.numbers, warm_start.numbers + warm_start.size, [](double x) { return std::isfinite(x); }),
          "warm_start has a number that is not finite");
}

bool has_linear_penalty(const LayerPlan& last) {
  return last.theta == nullptr ? last.penalty > 0.0 : last.theta->linear() && last.theta->slope(0.0) > 0.0;
}

}  // namespace gramian

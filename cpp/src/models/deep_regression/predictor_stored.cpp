// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <utility>

#include "gramian/models/deep_regression/predictor.hpp"
#include "serving/stored/layer.hpp"
#include "serving/stored/names.hpp"
#include "serving/stored/samples.hpp"

namespace gramian::deep_regression {
namespace {

constexpr stored::Named<Outputs> meanings[] = {
    {"values", Outputs::values}, {"logits", Outputs::logits}, {"probabilities", Outputs::probabilities}};

void put_scaling(stored::Writer to, const ColumnScaling& scaling) {
  to.vector("shift", scaling.shift);
  to.vector("scale", scaling.scale);
}

ColumnScaling take_scaling(stored::Reader from) { return {from.vector("shift"), from.vector("scale")}; }

}  // namespace

void Predictor::store(stored::Writer& to) const {
  const Parts& parts = this->parts();
  stored::put_layers(to, parts.layers);
  put_scaling(to.child("inputs"), parts.inputs);
  put_scaling(to.child("outputs"), parts.outputs);
  stored::put_labels(to, "classes", parts.classes);
  to.put("meaning", stored::name_in(meanings, parts.meaning));
}

Predictor Predictor::load(stored::Reader& from) {
  Parts parts;
  parts.layers = stored::take_layers(from);
  parts.inputs = take_scaling(from.child("inputs"));
  parts.outputs = take_scaling(from.child("outputs"));
  parts.classes = stored::take_labels(from, "classes");
  parts.meaning = stored::take_choice(meanings, from, "meaning");
  return Predictor(std::move(parts));
}

}  // namespace gramian::deep_regression

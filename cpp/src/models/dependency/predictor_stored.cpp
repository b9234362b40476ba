// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <utility>

#include "gramian/models/dependency/predictor.hpp"
#include "serving/stored/kernel.hpp"
#include "serving/stored/names.hpp"
#include "serving/stored/samples.hpp"

namespace gramian::dependency {
namespace {

constexpr Index most_rows = Index(1) << 53;

constexpr stored::Named<Preimage> preimages[] = {
    {"none", Preimage::none},     {"nearest", Preimage::nearest},   {"candidates", Preimage::candidates},
    {"linear", Preimage::linear}, {"gaussian", Preimage::gaussian}, {"sequence", Preimage::sequence}};

void put_outputs(stored::Writer to, const Outputs& outputs) {
  stored::put_samples(to, "points", outputs.points);
  to.matrix_if_any("values", outputs.values);
  to.matrix_if_any("squares", outputs.squares);
}

Outputs take_outputs(stored::Reader from) {
  Outputs outputs;
  outputs.points = stored::take_samples(from, "points");
  outputs.values = from.matrix_if_any("values");
  outputs.squares = from.matrix_if_any("squares");
  return outputs;
}

void put_inputs(stored::Writer& to, const Parts& parts) {
  to.put("of_operator", parts.vectors.has_value());
  if (parts.vectors) {
    stored::Writer vectors = to.child("vectors");
    return parts.vectors->store(vectors);
  }
  stored::put_kernel_if_any(to, "kernel", parts.kernel);
  stored::put_samples(to, "inputs", parts.inputs);
  to.indices("input_supports", parts.input_supports);
}

void take_inputs(stored::Reader& from, Parts& parts) {
  if (from.flag("of_operator")) {
    stored::Reader vectors = from.child("vectors");
    parts.vectors = OperatorPredictor::load(vectors);
    return;
  }
  parts.kernel = stored::take_kernel_if_any(from, "kernel");
  parts.inputs = stored::take_samples(from, "inputs");
  parts.input_supports = from.indices("input_supports", most_rows);
}

}  // namespace

void Predictor::store(stored::Writer& to) const {
  const Parts& parts = this->parts();
  put_inputs(to, parts);
  to.matrix_if_any("coefficients", parts.coefficients);
  to.matrix_if_any("input_factor", parts.input_factor);
  to.matrix_if_any("output_factor", parts.output_factor);
  to.matrix_if_any("components", parts.components);
  to.vector("mean", parts.mean);
  to.put("centred", parts.centred);
  stored::put_kernel_if_any(to, "output_kernel", parts.output_kernel);
  put_outputs(to.child("outputs"), parts.outputs);
  to.indices("output_supports", parts.output_supports);
  to.put("preimage", stored::name_in(preimages, parts.preimage));
  put_outputs(to.child("candidates"), parts.candidates);
  stored::put_labels(to, "symbols", parts.symbols);
}

Predictor Predictor::load(stored::Reader& from) {
  Parts parts;
  take_inputs(from, parts);
  parts.coefficients = from.matrix_if_any("coefficients");
  parts.input_factor = from.matrix_if_any("input_factor");
  parts.output_factor = from.matrix_if_any("output_factor");
  parts.components = from.matrix_if_any("components");
  parts.mean = from.vector("mean");
  parts.centred = from.flag("centred");
  parts.output_kernel = stored::take_kernel_if_any(from, "output_kernel");
  parts.outputs = take_outputs(from.child("outputs"));
  parts.output_supports = from.indices("output_supports", most_rows);
  parts.preimage = stored::take_choice(preimages, from, "preimage");
  parts.candidates = take_outputs(from.child("candidates"));
  parts.symbols = stored::take_labels(from, "symbols");
  return Predictor(std::move(parts));
}

}  // namespace gramian::dependency

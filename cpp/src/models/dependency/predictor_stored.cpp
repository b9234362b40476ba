// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <utility>

#include "gramian/models/dependency/predictor.hpp"
#include "io/utf8.hpp"
#include "serving/stored/kernel.hpp"
#include "serving/stored/samples.hpp"

namespace gramian::dependency {
namespace {

constexpr Index most_rows = Index(1) << 53;

struct PreimageName {
  Preimage preimage;
  const char* name;
};
constexpr PreimageName preimages[] = {
    {Preimage::none, "none"},     {Preimage::nearest, "nearest"},   {Preimage::candidates, "candidates"},
    {Preimage::linear, "linear"}, {Preimage::gaussian, "gaussian"}, {Preimage::sequence, "sequence"}};

const char* name_of(Preimage preimage) {
  const char* name = "";
  for (const PreimageName& known : preimages) name = known.preimage == preimage ? known.name : name;
  return name;
}

Preimage take_preimage(stored::Reader& from) {
  const std::string& name = from.text("preimage");
  for (const PreimageName& known : preimages) {
    if (name == known.name) return known.preimage;
  }
  from.refuse("preimage", io::quoted(name) + " is none of none, nearest, candidates, linear, gaussian, sequence");
}

void put_if_any(stored::Writer& to, const char* name, const SharedMatrix& A) {
  if (!A.empty()) to.matrix(name, A);
}

SharedMatrix take_if_any(stored::Reader& from, const char* name) { return from.has(name) ? from.matrix(name) : SharedMatrix(); }

void put_outputs(stored::Writer to, const Outputs& outputs) {
  stored::put_samples(to, "points", outputs.points);
  put_if_any(to, "values", outputs.values);
  put_if_any(to, "squares", outputs.squares);
}

Outputs take_outputs(stored::Reader from) {
  Outputs outputs;
  outputs.points = stored::take_samples(from, "points");
  outputs.values = take_if_any(from, "values");
  outputs.squares = take_if_any(from, "squares");
  return outputs;
}

void put_inputs(stored::Writer& to, const Parts& parts) {
  to.put("of_operator", parts.vectors.has_value());
  if (parts.vectors) {
    stored::Writer vectors = to.child("vectors");
    return parts.vectors->store(vectors);
  }
  if (parts.kernel) stored::put_kernel(to, "kernel", *parts.kernel);
  stored::put_samples(to, "inputs", parts.inputs);
  to.indices("input_supports", parts.input_supports);
}

void take_inputs(stored::Reader& from, Parts& parts) {
  if (from.flag("of_operator")) {
    stored::Reader vectors = from.child("vectors");
    parts.vectors = OperatorPredictor::load(vectors);
    return;
  }
  if (from.has("kernel")) parts.kernel = stored::take_kernel(from, "kernel");
  parts.inputs = stored::take_samples(from, "inputs");
  parts.input_supports = from.indices("input_supports", most_rows);
}

}  // namespace

void Predictor::store(stored::Writer& to) const {
  const Parts& parts = this->parts();
  put_inputs(to, parts);
  put_if_any(to, "coefficients", parts.coefficients);
  put_if_any(to, "input_factor", parts.input_factor);
  put_if_any(to, "output_factor", parts.output_factor);
  put_if_any(to, "components", parts.components);
  to.vector("mean", parts.mean);
  to.put("centred", parts.centred);
  if (parts.output_kernel) stored::put_kernel(to, "output_kernel", *parts.output_kernel);
  put_outputs(to.child("outputs"), parts.outputs);
  to.indices("output_supports", parts.output_supports);
  to.put("preimage", name_of(parts.preimage));
  put_outputs(to.child("candidates"), parts.candidates);
  stored::put_labels(to, "symbols", parts.symbols);
}

Predictor Predictor::load(stored::Reader& from) {
  Parts parts;
  take_inputs(from, parts);
  parts.coefficients = take_if_any(from, "coefficients");
  parts.input_factor = take_if_any(from, "input_factor");
  parts.output_factor = take_if_any(from, "output_factor");
  parts.components = take_if_any(from, "components");
  parts.mean = from.vector("mean");
  parts.centred = from.flag("centred");
  if (from.has("output_kernel")) parts.output_kernel = stored::take_kernel(from, "output_kernel");
  parts.outputs = take_outputs(from.child("outputs"));
  parts.output_supports = from.indices("output_supports", most_rows);
  parts.preimage = take_preimage(from);
  parts.candidates = take_outputs(from.child("candidates"));
  parts.symbols = stored::take_labels(from, "symbols");
  return Predictor(std::move(parts));
}

}  // namespace gramian::dependency

// SPDX-License-Identifier: BSD-3-Clause
#include "serving/stored/layer.hpp"

#include <utility>
#include <vector>

#include "serving/stored/kernel.hpp"
#include "serving/stored/samples.hpp"

namespace gramian::stored {

using io::Json;
using io::JsonObject;

namespace {

void require_few(std::size_t count, const char* what) {
  require(static_cast<Index>(count) <= most_parts,
          "the model has more than " + std::to_string(most_parts) + " " + what + ": it can't be saved");
}

}  // namespace

void put_operator(Writer& writer, const std::string& name, const OutputOperator& A) {
  switch (A.form()) {
    case OutputOperator::Form::identity: return writer.put(name, JsonObject{{"identity", A.size()}});
    case OutputOperator::Form::diagonal: return writer.put(name, JsonObject{{"diagonal", Json::numbers(A.eigenvalues())}});
    case OutputOperator::Form::full: break;
  }
  writer.put(name, JsonObject{{"full", A.size()}});
  writer.matrix(name + ".numbers", A.numbers().view());
}

OutputOperator take_operator(Reader& reader, const std::string& name, Index size) {
  const Json& value = reader.value(name);
  const bool one = value.is(Json::Kind::object) && value.object().size() == 1;
  const std::string form = one ? value.object().front().name : "";
  if (form == "diagonal") {
    auto entries = numbers_in(value.object().front().value);
    if (!entries || static_cast<Index>(entries->size()) != size) {
      reader.refuse(name, "the diagonal must have " + std::to_string(size) + " numbers");
    }
    return reader.checked(name, [&] { return OutputOperator::diagonal(std::move(*entries)); });
  }
  if (form != "identity" && form != "full") reader.refuse(name, "an operator has one member: 'identity', 'diagonal' or 'full'");
  if (!integer_in(value.object().front().value, size, size)) reader.refuse(name, "the size must be " + std::to_string(size));
  if (form == "identity") return reader.checked(name, [&] { return OutputOperator::identity(size); });
  const SharedMatrix numbers = reader.matrix(name + ".numbers", size, size);
  return reader.checked(name, [&] { return OutputOperator::full(numbers.view()); });
}

void put_layer(Writer& writer, const KernelLayer& layer) {
  require_few(layer.terms.size(), "terms in a layer");
  writer.put("penalty", layer.penalty);
  writer.put("terms", static_cast<Index>(layer.terms.size()));
  for (std::size_t m = 0; m < layer.terms.size(); ++m) {
    Writer term = writer.child("terms", m);
    put_kernel(term, "kernel", layer.terms[m].kernel);
    put_operator(term, "operator", layer.terms[m].A);
  }
}

KernelLayer take_layer(Reader& reader, Index outputs) {
  KernelLayer layer;
  layer.penalty = reader.number("penalty");
  if (layer.penalty < 0.0) reader.refuse("penalty", "must be at least 0");
  const auto count = static_cast<std::size_t>(reader.integer("terms", 1, most_parts));
  for (std::size_t m = 0; m < count; ++m) {
    Reader term = reader.child("terms", m);
    Kernel kernel = take_kernel(term, "kernel");
    layer.terms.push_back({std::move(kernel), take_operator(term, "operator", outputs)});
  }
  return layer;
}

void put_layers(Writer& writer, const std::vector<SupportedLayer>& layers) {
  require_few(layers.size(), "layers");
  writer.put("layers", static_cast<Index>(layers.size()));
  for (std::size_t l = 0; l < layers.size(); ++l) {
    Writer layer = writer.child("layers", l);
    put_layer(layer, layers[l].layer);
    layer.matrix("coefficients", layers[l].coefficients);
    put_samples(layer, "supports", layers[l].supports);
  }
}

std::vector<SupportedLayer> take_layers(Reader& reader) {
  std::vector<SupportedLayer> layers;
  const auto count = static_cast<std::size_t>(reader.integer("layers", 0, most_parts));
  for (std::size_t l = 0; l < count; ++l) {
    Reader layer = reader.child("layers", l);
    const SharedMatrix coefficients = layer.matrix("coefficients");
    layers.push_back({take_layer(layer, coefficients.cols()), coefficients, take_samples(layer, "supports")});
  }
  return layers;
}

void put_map(Writer& writer, const CompositionMap& map) {
  put_layers(writer, map.layers());
  writer.vector("shift", map.scaling().shift);
  writer.vector("scale", map.scaling().scale);
}

std::shared_ptr<const CompositionMap> take_map(Reader& reader) {
  std::vector<SupportedLayer> layers = take_layers(reader);
  std::vector<double> shift = reader.vector("shift"), scale = reader.vector("scale");
  return reader.checked("layers", [&] {
    return std::make_shared<const CompositionMap>(std::move(layers), ColumnScaling{std::move(shift), std::move(scale)});
  });
}

}  // namespace gramian::stored

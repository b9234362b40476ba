// SPDX-License-Identifier: BSD-3-Clause
#include "serving/stored/features.hpp"

#include <charconv>
#include <utility>
#include <variant>
#include <vector>

#include "io/utf8.hpp"
#include "serving/stored/kernel.hpp"
#include "serving/stored/layer.hpp"
#include "serving/stored/names.hpp"

namespace gramian::stored {
namespace {

using io::Json;
using io::JsonArray;
using io::JsonObject;

constexpr Named<Activation> activations[] = {
    {"identity", Activation::identity}, {"relu", Activation::relu}, {"sigmoid", Activation::sigmoid}, {"tanh", Activation::tanh}};

void put_network(Writer& writer, const NetworkFeatures& network) {
  JsonArray layers;
  for (const DenseLayer& layer : network.layers) {
    layers.push_back(JsonObject{
        {"outputs", layer.outputs}, {"activation", name_in(activations, layer.activation)}, {"dropout", layer.dropout}});
  }
  writer.put("layers", layers);
}

NetworkFeatures take_network(Reader& reader) {
  const Json& layers = reader.value("layers");
  if (!layers.is(Json::Kind::array) || static_cast<Index>(layers.array().size()) > most_parts) {
    reader.refuse("layers", "must be a list of at most " + std::to_string(most_parts) + " layers");
  }
  NetworkFeatures network;
  for (const Json& layer : layers.array()) {
    const bool object = layer.is(Json::Kind::object) && layer.object().size() == 3;
    const Json* outputs = object ? layer.find("outputs") : nullptr;
    const Json* activation = object ? layer.find("activation") : nullptr;
    const Json* dropout = object ? layer.find("dropout") : nullptr;
    if (outputs == nullptr || activation == nullptr || !activation->is(Json::Kind::string) || dropout == nullptr ||
        !dropout->is(Json::Kind::number)) {
      reader.refuse("layers", "a layer has 'outputs', 'activation' and 'dropout'");
    }
    const auto count = integer_in(*outputs, 1, Index(1) << 31);
    if (!count) reader.refuse("layers", "outputs of a layer must be a whole number in [1, 2^31]");
    const Activation known = choice_named(activations, activation->string(), reader, "layers", "activation");
    network.layers.push_back({*count, known, dropout->number()});
  }
  return network;
}

/// All 64 bits, which a number of JSON does not hold.
std::uint64_t seed_of(Reader& reader) {
  const std::string& text = reader.text("seed");
  std::uint64_t seed = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (text.empty() || result.ec != std::errc() || result.ptr != text.data() + text.size()) {
    reader.refuse("seed", "must be the digits of a number below 2^64");
  }
  return seed;
}

FourierFeatures take_fourier(Reader& reader, Index inputs) {
  Kernel kernel = take_kernel(reader, "kernel");
  const Index count = reader.integer("count", 2, most_frequencies);
  if (count > most_frequencies / inputs) {
    reader.refuse("count",
                  std::to_string(count) + " features of " + std::to_string(inputs) + " inputs are more than a file may ask for");
  }
  return {std::move(kernel), count, seed_of(reader)};
}

}  // namespace

void put_features(Writer& writer, const FixedFeatures& features) {
  writer.put("inputs", features.inputs());
  if (const auto* network = std::get_if<NetworkFeatures>(&features.form())) {
    require(static_cast<Index>(network->layers.size()) <= most_parts, "the network has too many layers: it can't be saved");
    writer.put("form", "network");
    put_network(writer, *network);
  } else if (const auto* fourier = std::get_if<FourierFeatures>(&features.form())) {
    require(fourier->count <= most_frequencies / features.inputs(), "there are too many random features: they can't be saved");
    writer.put("form", "random_fourier");
    put_kernel(writer, "kernel", fourier->kernel);
    writer.put("count", fourier->count);
    writer.put("seed", std::to_string(fourier->seed));
  } else {
    throw std::invalid_argument("features of a program's own can't be saved: save their parameters with the program");
  }
  writer.vector("theta", features.theta());
}

FixedFeatures take_features(Reader& reader) {
  const Index inputs = reader.integer("inputs", 1, most_frequencies);
  const std::string& form = reader.text("form");
  if (form != "network" && form != "random_fourier")
    reader.refuse("form", io::quoted(form) + " is none of network, random_fourier");
  std::vector<double> theta = reader.vector("theta");
  // Without parameters they would be drawn, as many as the form says: they must be in the file.
  if (theta.empty()) reader.refuse("theta", "has no numbers");
  return reader.checked("form", [&] {
    if (form == "network") return FixedFeatures(take_network(reader), inputs, std::move(theta));
    return FixedFeatures(take_fourier(reader, inputs), inputs, std::move(theta));
  });
}

}  // namespace gramian::stored

// SPDX-License-Identifier: BSD-3-Clause
#include "feature_spec.hpp"

#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/layers/feature_network.hpp"
#include "gramian/layers/random_features.hpp"
#include "kernel_spec.hpp"
#include "python_features.hpp"
#include "shared_arrays.hpp"

namespace gramian::python {

namespace {

Activation activation_of(const std::string& name) {
  if (name == "identity") return Activation::identity;
  if (name == "relu") return Activation::relu;
  if (name == "sigmoid") return Activation::sigmoid;
  if (name == "tanh") return Activation::tanh;
  throw py::value_error("an activation is identity, relu, sigmoid or tanh, got " + name);
}

std::vector<DenseLayer> layers_of(const py::tuple& parts) {
  std::vector<DenseLayer> layers;
  for (const py::handle item : parts[1]) {
    const auto layer = item.cast<py::tuple>();
    layers.push_back({layer[0].cast<Index>(), activation_of(layer[1].cast<std::string>()), layer[2].cast<double>()});
  }
  return layers;
}

std::unique_ptr<FeatureMap> network_of(const py::tuple& parts, Index inputs) {
  return feature_network(inputs, layers_of(parts), {parts[2].cast<std::optional<double>>(), parts[3].cast<double>()});
}

FourierFeatures fourier_of(const py::tuple& parts) {
  return {kernel_argument(parts[1]), parts[2].cast<Index>(), parts[3].cast<std::uint64_t>()};
}

std::unique_ptr<FeatureMap> random_fourier_of(const py::tuple& parts, Index inputs) {
  const FourierFeatures features = fourier_of(parts);
  return random_fourier_features(features.kernel, inputs, features.count, features.seed);
}

std::string kind_of(const py::tuple& parts) { return parts.size() == 4 ? py::str(parts[0]).cast<std::string>() : std::string(); }

[[noreturn]] void refuse(py::handle spec) {
  throw py::type_error(
      "features must be ('network', layers, weight_deviation, bias) or ('random_fourier', kernel, count, seed), got " +
      py::repr(spec).cast<std::string>());
}

FixedFeatures::Form form_of(py::handle spec) {
  if (!py::isinstance<py::tuple>(spec)) {
    const auto kept = owner_of(py::reinterpret_borrow<py::object>(spec));
    return OwnFeatures([kept]() -> std::unique_ptr<FeatureMap> {
      const py::gil_scoped_acquire gil;
      return std::make_unique<PythonFeatures>(*static_cast<const py::object*>(kept.get()));
    });
  }
  const auto parts = py::reinterpret_borrow<py::tuple>(spec);
  if (kind_of(parts) == "network") return NetworkFeatures{layers_of(parts)};
  if (kind_of(parts) == "random_fourier") return fourier_of(parts);
  refuse(spec);
}

}  // namespace

std::unique_ptr<FeatureMap> feature_map_of(py::handle spec, Index inputs) {
  if (!py::isinstance<py::tuple>(spec)) {
    auto features = std::make_unique<PythonFeatures>(py::reinterpret_borrow<py::object>(spec));
    require(features->inputs() == inputs,
            "X has " + std::to_string(inputs) + " features, and the feature map takes " + std::to_string(features->inputs()));
    return features;
  }
  const auto parts = py::reinterpret_borrow<py::tuple>(spec);
  if (kind_of(parts) == "network") return network_of(parts, inputs);
  if (kind_of(parts) == "random_fourier") return random_fourier_of(parts, inputs);
  refuse(spec);
}

std::vector<FixedFeatures> fixed_features_of(const py::sequence& maps, Index inputs) {
  std::vector<FixedFeatures> features;
  for (const py::object& item : maps) {
    const auto parts = item.cast<py::tuple>();
    const Index from = features.empty() ? inputs : features.back().outputs();
    const auto theta = parts[1].is_none() ? std::vector<double>() : parts[1].cast<std::vector<double>>();
    features.emplace_back(form_of(parts[0]), from, theta);
  }
  return features;
}

}  // namespace gramian::python

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

namespace gramian::python {

namespace {

Activation activation_of(const std::string& name) {
  if (name == "identity") return Activation::identity;
  if (name == "relu") return Activation::relu;
  if (name == "sigmoid") return Activation::sigmoid;
  if (name == "tanh") return Activation::tanh;
  throw py::value_error("an activation is identity, relu, sigmoid or tanh, got " + name);
}

std::unique_ptr<FeatureMap> network_of(const py::tuple& parts, Index inputs) {
  std::vector<DenseLayer> layers;
  for (const py::handle item : parts[1]) {
    const auto layer = item.cast<py::tuple>();
    layers.push_back({layer[0].cast<Index>(), activation_of(layer[1].cast<std::string>()), layer[2].cast<double>()});
  }
  return feature_network(inputs, layers, {parts[2].cast<std::optional<double>>(), parts[3].cast<double>()});
}

std::unique_ptr<FeatureMap> random_fourier_of(const py::tuple& parts, Index inputs) {
  return random_fourier_features(kernel_argument(parts[1]), inputs, parts[2].cast<Index>(), parts[3].cast<std::uint64_t>());
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
  const auto kind = parts.size() == 4 ? py::str(parts[0]).cast<std::string>() : std::string();
  if (kind == "network") return network_of(parts, inputs);
  if (kind == "random_fourier") return random_fourier_of(parts, inputs);
  throw py::type_error(
      "features must be ('network', layers, weight_deviation, bias) or ('random_fourier', kernel, count, seed), got " +
      py::repr(spec).cast<std::string>());
}

}  // namespace gramian::python

// SPDX-License-Identifier: BSD-3-Clause
#include "supported_layers.hpp"

#include "layer_spec.hpp"
#include "shared_arrays.hpp"

namespace gramian::python {

std::vector<SupportedLayer> supported_layers(const py::sequence& layers) {
  std::vector<SupportedLayer> all;
  for (const py::object& item : layers) {  // a handle would outlive what an array makes of each of its rows
    const auto parts = item.cast<py::tuple>();
    all.push_back({layer_argument(parts[0]), shared_matrix(parts[1], "coefficients"), shared_samples(parts[2], "supports")});
  }
  return all;
}

}  // namespace gramian::python

// SPDX-License-Identifier: BSD-3-Clause
// Trained layers on their way from Python.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "gramian/layers/layered_map.hpp"

namespace gramian::python {

/// A sequence of (layer, coefficients, supports), which share the memory of the arrays. A layer is as in layer_spec.hpp; supports
/// are points, or their number.
std::vector<SupportedLayer> supported_layers(const pybind11::sequence& layers);

}  // namespace gramian::python

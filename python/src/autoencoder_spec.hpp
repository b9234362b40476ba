// SPDX-License-Identifier: BSD-3-Clause
// Autoencoders on their way from Python.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "gramian/models/autoencoder.hpp"

namespace gramian::python {

/// A sequence of (terms, outputs, penalty, A or None): A is that of a layer without terms.
std::vector<AutoencoderLayer> autoencoder_layers_argument(pybind11::handle specs);

/// Options by their names in C++; what is missing keeps its default. The loss is not among them.
AutoencoderOptions autoencoder_options_argument(const pybind11::dict& settings);

/// Coefficients of all layers, one behind the other, of which the engine takes those that are variables; null for None.
const double* warm_start_argument(const pybind11::object& flat, const PointSource& input,
                                  const std::vector<AutoencoderLayer>& layers, const AutoencoderOptions& options);

}  // namespace gramian::python

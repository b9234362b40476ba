// SPDX-License-Identifier: BSD-3-Clause
// Deep kernel PCA on its way from Python and back. Numbers of a model are copied.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <vector>

#include "gramian/models/deep_pca/apply.hpp"

namespace gramian::python {

using Facts = pybind11::typing::Dict<pybind11::str, pybind11::object>;

/// A sequence of (kernel, components, eta).
std::vector<DeepPcaLevel> deep_pca_levels_argument(pybind11::handle specs);

/// Options by their names in C++; what is missing keeps its default.
DeepPcaOptions deep_pca_options_argument(const pybind11::dict& settings);
DeepPcaTransformOptions deep_pca_transform_options_argument(const pybind11::dict& settings);
DeepPcaInverseOptions deep_pca_inverse_options_argument(const pybind11::dict& settings);

/// A dict with the names of DeepPcaModel.
DeepPcaModel deep_pca_model_argument(const pybind11::dict& parts);

/// All that a fit gives, by name.
Facts deep_pca_facts(DeepPcaFit&& fit);
Facts deep_pca_state_facts(const DeepPcaState& state);

}  // namespace gramian::python

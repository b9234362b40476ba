// SPDX-License-Identifier: BSD-3-Clause
// Explicit features on their way from Python.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

#include "gramian/layers/feature_map.hpp"
#include "gramian/layers/fixed_features.hpp"

namespace gramian::python {

/// What gramian.features lower to: ("network", ((outputs, activation, dropout), ...), weight_deviation, bias),
/// ("random_fourier", kernel, count, seed) with a kernel as kernel_argument takes it, or, as it is, an object with inputs,
/// outputs, parameter_count, start, forward and reverse. Throws std::invalid_argument if such an object has another number of
/// inputs. The GIL must be held here, and need not be where the features are used or destroyed.
std::unique_ptr<FeatureMap> feature_map_of(pybind11::handle spec, Index inputs);

/// Maps whose parameters are fixed, each on the features of the one before it: a sequence of (map as above, theta or None for the
/// start of seed 0).
std::vector<FixedFeatures> fixed_features_of(const pybind11::sequence& maps, Index inputs);

}  // namespace gramian::python

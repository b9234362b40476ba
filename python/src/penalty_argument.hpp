// SPDX-License-Identifier: BSD-3-Clause
// Penalties on their way from Python: as tuples, or as they are written there.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "gramian/losses/penalty.hpp"

namespace gramian::python {

/// None for a linear penalty: null. ("norm", weight), ("power", weight, exponent), or ("own", weight, object) for weight times
/// what the object's value(square) and slope(square) return; these are called with the GIL by whichever thread evaluates them.
/// ValueError and TypeError later for what they return.
std::shared_ptr<Penalty> penalty_argument(pybind11::handle spec);

}  // namespace gramian::python

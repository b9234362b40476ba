// SPDX-License-Identifier: BSD-3-Clause
// Kernels on their way from Python: as nested tuples, so that no C++ object lives there.
#pragma once

#include <pybind11/pybind11.h>

#include "gramian/kernels/kernel.hpp"

namespace gramian::python {

/// The kernel that a tuple describes: (name, parameters, length_scales) for one of the registry, and ("sum", a, b), ("product",
/// a, b), ("multiple", factor, a) or ("images", map, a), where a and b are such tuples. A map is a CompositionMap,
/// an object of the engine.
Kernel kernel_argument(pybind11::handle spec);

}  // namespace gramian::python

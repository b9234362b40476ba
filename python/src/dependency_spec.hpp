// SPDX-License-Identifier: BSD-3-Clause
// Sources of kernel values on their way from Python: views, as the caller holds the Python objects.
#pragma once

#include <pybind11/pybind11.h>

#include "gramian/gram/source.hpp"

namespace gramian::python {

/// (kernel, points), or a Gram matrix.
GramSource gram_source_argument(const pybind11::object& object, const char* name);

}  // namespace gramian::python

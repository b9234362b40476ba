// SPDX-License-Identifier: BSD-3-Clause
// Dependency estimation on its way from Python. All of it are views, except the model: the caller holds the Python objects.
#pragma once

#include <pybind11/pybind11.h>

#include "gramian/models/dependency.hpp"

namespace gramian::python {

/// (kernel, points), or a Gram matrix.
GramSource gram_source_argument(const pybind11::object& object, const char* name);

/// (kernel, new points, training points), (cross, diagonal), or cross alone.
CrossSource cross_source_argument(const pybind11::object& object, const char* name);

/// Options by their names in C++; with ranks, input_ and output_ before those of the factors.
DependencyOptions dependency_options_argument(const pybind11::dict& settings);

/// A dict with the names of DependencyModel; None, or nothing at all, stands for what is empty. Numbers are copied.
DependencyModel dependency_model_argument(const pybind11::dict& parts);

}  // namespace gramian::python

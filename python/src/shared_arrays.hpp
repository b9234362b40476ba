// SPDX-License-Identifier: BSD-3-Clause
// NumPy arrays as parts of values of the engine, which keep them alive and copy nothing.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

#include "gramian/gram/samples.hpp"
#include "gramian/serving/predictor.hpp"

namespace gramian::python {

namespace py = pybind11;

/// Keeps an object alive. It may be released by any thread, with or without the GIL.
std::shared_ptr<const void> owner_of(py::object object);

/// A contiguous array of float64 with two dimensions.
SharedMatrix shared_matrix(const py::object& object, const char* name);

/// The same, and an empty matrix for None.
SharedMatrix shared_matrix_or_none(const py::object& object, const char* name);

/// Points as PointsArgument takes them, of float64; a whole number: only so many; None: no samples.
Samples shared_samples(const py::object& object, const char* name);

/// Whole numbers, other numbers and strings; of any other label its text.
std::vector<ClassLabel> labels_of(const py::sequence& labels);

}  // namespace gramian::python

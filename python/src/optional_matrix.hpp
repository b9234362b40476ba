// SPDX-License-Identifier: BSD-3-Clause
// Matrices that may be None.
#pragma once

#include "arrays.hpp"

namespace gramian::python {

/// A view of an array of float64, and an empty one for None.
inline MatrixView<const double> matrix_or_none(const py::object& object, const char* name) {
  return object.is_none() ? MatrixView<const double>() : matrix_argument<double>(object, name);
}

}  // namespace gramian::python

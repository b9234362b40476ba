// SPDX-License-Identifier: BSD-3-Clause
// Where a training begins, as Python gives it.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "arrays.hpp"
#include "gramian/models/layered.hpp"

namespace gramian::python {

/// Contiguous numbers of any shape; none for None.
inline WarmStart warm_start_argument(const py::object& flat) {
  if (flat.is_none()) return {};
  const py::array array = contiguous_argument<double>(flat, "warm_start");
  return {static_cast<const double*>(array.data()), array.size()};
}

}  // namespace gramian::python

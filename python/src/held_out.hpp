// SPDX-License-Identifier: BSD-3-Clause
// Samples that are held out of a kernel ridge regression, on their way from Python.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <vector>

#include "arrays.hpp"
#include "gramian/models/kernel_ridge.hpp"
#include "points.hpp"

namespace gramian::python {

/// (points, targets, weights, patience), or None. A view: the caller holds the Python objects as long as it lives.
class HeldOutArgument {
 public:
  explicit HeldOutArgument(const pybind11::object& given) {
    if (given.is_none()) return;
    const pybind11::tuple parts = given;
    const PointsArgument X(parts[0], pybind11::none());
    validation_.emplace(kernel_ridge::Validation{X.X(), matrix_argument<double>(parts[1], "targets"),
                                                 parts[2].cast<std::vector<double>>(), parts[3].cast<Index>()});
  }

  /// Null for None.
  const kernel_ridge::Validation* if_given() const { return validation_ ? &*validation_ : nullptr; }

 private:
  std::optional<kernel_ridge::Validation> validation_;
};

}  // namespace gramian::python

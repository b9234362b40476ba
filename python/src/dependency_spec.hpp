// SPDX-License-Identifier: BSD-3-Clause
// Dependency estimation on its way from Python: views, as the caller holds the Python objects.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <optional>

#include "gramian/models/dependency.hpp"

namespace gramian::python {

/// (kernel, points), or a Gram matrix.
GramSource gram_source_argument(const pybind11::object& object, const char* name);

/// (kernel, new points, training points), (cross, diagonal), or cross alone.
CrossSource cross_source_argument(const pybind11::object& object, const char* name);

/// A model on the memory of NumPy arrays, which it keeps.
class DependencyArrays {
 public:
  using Array = pybind11::array_t<double>;

  DependencyArrays(const Array& coefficients, const std::optional<Array>& input_factor, const std::optional<Array>& output_factor,
                   const std::optional<Array>& components, const std::optional<Array>& mean);
  const dependency::View& view() const { return view_; }

 private:
  Array coefficients_;
  std::optional<Array> input_factor_, output_factor_, components_, mean_;
  dependency::View view_;
};

}  // namespace gramian::python

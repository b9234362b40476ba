// SPDX-License-Identifier: BSD-3-Clause
// A deep kernel PCA on its way from Python: a view, as the caller holds the arrays.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <vector>

#include "gramian/models/deep_pca/apply.hpp"

namespace gramian::python {

/// A model on the memory of NumPy arrays, which it keeps.
class DeepPcaArrays {
 public:
  using Array = pybind11::array_t<double>;

  DeepPcaArrays(deep_pca::Summary summary, std::vector<Array> features, Array inputs);
  const deep_pca::View& view() const { return view_; }

 private:
  std::vector<Array> features_;
  Array inputs_;
  deep_pca::View view_;
};

}  // namespace gramian::python

// SPDX-License-Identifier: BSD-3-Clause
// Embedding classifiers on their way from Python and back.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <vector>

#include "gramian/models/embedding/classifier.hpp"
#include "points.hpp"

namespace gramian::python {

/// A kernel, or features, or both; None for either. A kernel alone sees the points.
struct EmbeddingArgument {
  EmbeddingArgument(const pybind11::object& kernel_spec, const pybind11::object& features_spec, Index inputs);
  const Kernel* kernel_or_null() const { return kernel ? &*kernel : nullptr; }

  std::optional<Kernel> kernel;
  std::unique_ptr<FeatureMap> features;
};

/// Parameters of features: one row, null for None. As many as there are.
const double* theta_argument(const pybind11::object& theta, const FeatureMap* features);

/// Whole numbers, one for each row; views.
const Index* labels_argument(const pybind11::object& labels, Index rows);
const double* weights_argument(const pybind11::object& weights, Index rows);

}  // namespace gramian::python

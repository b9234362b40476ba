// SPDX-License-Identifier: BSD-3-Clause
#include "embedding_spec.hpp"

#include "arrays.hpp"
#include "feature_spec.hpp"
#include "kernel_spec.hpp"

namespace gramian::python {

EmbeddingArgument::EmbeddingArgument(const py::object& kernel_spec, const py::object& features_spec, Index inputs) {
  if (!kernel_spec.is_none()) kernel = kernel_argument(kernel_spec);
  if (!features_spec.is_none()) features = feature_map_of(features_spec, inputs);
}

const double* theta_argument(const py::object& theta, const FeatureMap* features) {
  if (theta.is_none()) return nullptr;
  return numbers_argument<double>(theta, "theta", features == nullptr ? 0 : features->parameter_count());
}

const Index* labels_argument(const py::object& labels, Index rows) {
  return labels.is_none() ? nullptr : numbers_argument<Index>(labels, "labels", rows);
}

const double* weights_argument(const py::object& weights, Index rows) {
  return weights.is_none() ? nullptr : numbers_argument<double>(weights, "weights", rows);
}

}  // namespace gramian::python

// SPDX-License-Identifier: BSD-3-Clause
// The class of a family's fitted models in Python.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <type_traits>

#include "gramian/serving/predictor.hpp"

namespace gramian::python {

namespace py = pybind11;

/// A class that is bound with a shared owner, so that models of all families can be handed on as `Predictor`.
template <class Model>
using PredictorClass = std::conditional_t<std::is_same_v<Model, Predictor>, py::class_<Predictor, std::shared_ptr<Predictor>>,
                                          py::class_<Model, Predictor, std::shared_ptr<Model>>>;

}  // namespace gramian::python

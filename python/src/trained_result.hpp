// SPDX-License-Identifier: BSD-3-Clause
// What a training of layers hands back, on arrays of Python's that own the engine's memory.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/typing.h>

#include <string>
#include <utility>
#include <vector>

#include "gramian/models/layered.hpp"
#include "matrices.hpp"
#include "training_facts.hpp"

namespace gramian::python {

using Arrays = std::vector<py::array_t<double>>;

inline Arrays arrays_of_all(std::vector<Matrix>&& matrices) {
  Arrays arrays;
  for (Matrix& matrix : matrices) arrays.push_back(array_of(std::move(matrix)));
  return arrays;
}

struct TrainedResult {
  /// Of the first kernel of each layer: the engine chose them where none was given.
  std::vector<std::vector<double>> kernel_parameters;
  Arrays coefficients, supports, outputs;
  py::array_t<double> variables;  ///< of the best start: where another training may begin
  py::typing::Dict<py::str, py::array> history;
  std::string stop_reason;
  bool converged = false;
  Index iterations = 0;
  std::vector<double> restart_values;
  std::vector<std::string> restart_reasons;
  double objective = 0.0, loss = 0.0;
  std::vector<double> squared_norms, multipliers;
  double stationarity = 0.0;
  bool joint = false;
  double jitter = 0.0;
};

/// The matrices of a fit are moved.
inline void take_result(LayeredFit&& fit, TrainedResult& out) {
  for (const KernelLayer& layer : fit.model.layers) out.kernel_parameters.push_back(layer.terms.front().kernel.parameters());
  out.coefficients = arrays_of_all(std::move(fit.model.coefficients));
  out.supports = arrays_of_all(std::move(fit.model.supports));
  out.outputs = arrays_of_all(std::move(fit.outputs));
  out.variables = py::array_t<double>(static_cast<py::ssize_t>(fit.result.x.size()), fit.result.x.data());
  out.history = columns_of(fit.result.history);
  out.stop_reason = name_of(fit.result.stop_reason);
  out.converged = converged(fit.result.stop_reason);
  out.iterations = fit.result.iterations;
  out.restart_values = std::move(fit.restart_values);
  for (const StopReason reason : fit.restart_reasons) out.restart_reasons.emplace_back(name_of(reason));
  out.objective = fit.objective;
  out.loss = fit.loss;
  out.squared_norms = std::move(fit.squared_norms);
  out.multipliers = std::move(fit.multipliers);
  out.stationarity = fit.stationarity;
  out.joint = fit.joint;
  out.jitter = fit.jitter;
}

}  // namespace gramian::python

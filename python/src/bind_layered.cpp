// SPDX-License-Identifier: BSD-3-Clause
// What autoencoders and deep regressions take and give alike.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "gramian/models/layered.hpp"
#include "kernel_spec.hpp"
#include "layer_spec.hpp"
#include "penalty_argument.hpp"
#include "trained_result.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

LayerPlan planned(const py::sequence& terms, Index outputs, double penalty, const py::object& A, const py::object& theta,
                  const py::object& open) {
  LayerPlan plan{terms_argument(terms), outputs, penalty, penalty_argument(theta)};
  if (!A.is_none()) plan.A = operator_argument(A);
  if (!open.is_none()) plan.open = kernel_argument(open);
  return plan;
}

/// Those of estimates and of steps have a seed.
template <class Solver>
Solver seeded(const TrainingLimits& limits, std::uint64_t seed) {
  Solver options = limits.solver<Solver>();
  options.seed = seed;
  return options;
}

void bind_limits(py::module_& module) {
  py::class_<TrainingLimits>(module, "Limits", "When a search ends, and how long its steps are; makes options of solvers.")
      .def(py::init<Index, double, double, double>(), "max_iterations"_a, "gradient_tolerance"_a, "value_tolerance"_a, "step"_a)
      .def_readonly("max_iterations", &TrainingLimits::max_iterations)
      .def_readonly("gradient_tolerance", &TrainingLimits::gradient_tolerance)
      .def_readonly("value_tolerance", &TrainingLimits::value_tolerance)
      .def_readonly("step", &TrainingLimits::step)
      .def("lbfgs", &TrainingLimits::solver<LbfgsOptions>, "L-BFGS within these limits.")
      .def("bfgs", &TrainingLimits::solver<BfgsOptions>, "BFGS within these limits.")
      .def("gd", &TrainingLimits::solver<GradientDescentOptions>, "Gradient descent within these limits.")
      .def("adam", &seeded<AdamOptions>, "seed"_a, "Adam within these limits.")
      .def("sgd", &seeded<SgdOptions>, "seed"_a, "Stochastic gradient descent within these limits.");
}

}  // namespace

void bind_layered(py::module_& module) {
  py::class_<LayerPlan>(module, "LayerPlan",
                        "A layer before it is trained; no terms: the open kernel, with the width by the median rule, times A.")
      .def(py::init(&planned), "terms"_a, "outputs"_a, "penalty"_a, "A"_a, "theta"_a, "open"_a);
  bind_limits(module);
  py::class_<TrainedResult>(module, "TrainedResult", "What training has made of the layers.")
      .def_readonly("kernel_parameters", &TrainedResult::kernel_parameters)
      .def_readonly("coefficients", &TrainedResult::coefficients)
      .def_readonly("supports", &TrainedResult::supports)
      .def_readonly("outputs", &TrainedResult::outputs)
      .def_readonly("variables", &TrainedResult::variables)
      .def_readonly("history", &TrainedResult::history)
      .def_readonly("stop_reason", &TrainedResult::stop_reason)
      .def_readonly("converged", &TrainedResult::converged)
      .def_readonly("iterations", &TrainedResult::iterations)
      .def_readonly("restart_values", &TrainedResult::restart_values)
      .def_readonly("restart_reasons", &TrainedResult::restart_reasons)
      .def_readonly("objective", &TrainedResult::objective)
      .def_readonly("loss", &TrainedResult::loss)
      .def_readonly("squared_norms", &TrainedResult::squared_norms)
      .def_readonly("multipliers", &TrainedResult::multipliers)
      .def_readonly("stationarity", &TrainedResult::stationarity)
      .def_readonly("joint", &TrainedResult::joint)
      .def_readonly("jitter", &TrainedResult::jitter);
}

}  // namespace gramian::python

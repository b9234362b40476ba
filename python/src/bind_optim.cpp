// SPDX-License-Identifier: BSD-3-Clause
// Optimisers, on functions that are written in Python: their list, their options, and what they return.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <cctype>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "call.hpp"
#include "gramian/base/error.hpp"
#include "gramian/optim/solver.hpp"
#include "matrices.hpp"
#include "option_fields.hpp"
#include "python_objective.hpp"
#include "training_facts.hpp"

namespace gramian::python {

using namespace py::literals;

template <>
struct ChoiceNames<StepRule> {
  static constexpr std::pair<const char*, StepRule> pairs[] = {{"constant", StepRule::constant},
                                                               {"inverse_time", StepRule::inverse_time},
                                                               {"inverse_root", StepRule::inverse_root},
                                                               {"backtracking", StepRule::backtracking}};
};

template <>
struct ChoiceNames<StiefelRetraction> {
  static constexpr std::pair<const char*, StiefelRetraction> pairs[] = {{"polar", StiefelRetraction::polar},
                                                                        {"qr", StiefelRetraction::qr}};
};

namespace {

using Numbers = py::array_t<double>;

/// What a minimisation needs of Python, alive while it runs.
struct Functions {
  Functions(const py::object& fun, const Numbers& x0, const py::object& sample, const py::object& project,
            const py::object& callback)
      : start(x0.data(), x0.data() + x0.size()),
        objective(fun, sample, x0.size()),
        observer(callback, x0.size()),
        set(project, x0.size()),
        task{objective, start.data(), callback.is_none() ? nullptr : &observer, sample.is_none() ? nullptr : &objective,
             project.is_none() ? nullptr : &set} {}

  std::vector<double> start;
  PythonObjective objective;
  PythonObserver observer;
  PythonProjection set;
  Task task;
};

OptimResult run(const Solver& options, const py::object& fun, const Numbers& x0, const py::object& sample,
                const py::object& project, const py::object& callback) {
  if (x0.ndim() != 1) throw py::type_error("x0 must have 1 dimension");
  const Functions functions(fun, x0, sample, project, callback);
  OptimResult result;
  call([&] { result = minimise(functions.task, options); });
  return result;
}

OptimResult run_stiefel(const StiefelSolver& options, const py::object& fun, const Numbers& x0,
                        const std::vector<std::pair<Index, Index>>& shapes, const py::object& callback) {
  std::vector<StiefelShape> blocks;
  Index used = 0;
  for (const auto& [rows, cols] : shapes) {
    blocks.push_back({rows, cols});
    used += rows * cols;
  }
  require(used <= x0.size(), "x0 is shorter than its blocks");
  StiefelProduct manifold(std::move(blocks), x0.size() - used);
  const Functions functions(fun, x0, py::none(), py::none(), callback);
  OptimResult result;
  call([&] { result = minimise(functions.task, manifold, options); });
  return result;
}

/// A class for each member of the list, and a function that returns them by their names. prefix: of the classes.
template <class List>
void bind_solvers(py::module_& module, const std::string& prefix, const char* function) {
  py::typing::Dict<py::str, py::type> all;
  for_each_solver<List>([&](auto defaults) {
    using Options = decltype(defaults);
    std::string name = Options::name;
    name[0] = static_cast<char>(std::toupper(name[0]));
    auto bound =
        bind_options<Options>(module, (prefix + name + "Options").c_str(), std::string("solver '") + Options::name + "'");
    if constexpr (std::is_same_v<List, Solver>) {
      bound.attr("follows_estimates") = Options::estimates != Estimates::refused;
      bound.attr("needs_estimates") = Options::estimates == Estimates::needed;
      bound.attr("takes_set") = Options::takes_set;
    }
    all[Options::name] = bound;
  });
  module.def(function, [all] { return all; }, "The options of each optimiser, by its name.");
}

void bind_results(py::module_& module) {
  py::class_<Iteration>(module, "Iteration", "A point of a history.")
      .def_readonly("number", &Iteration::number)
      .def_readonly("value", &Iteration::value)
      .def_readonly("gradient_norm", &Iteration::gradient_norm)
      .def_readonly("step", &Iteration::step)
      .def_readonly("evaluations", &Iteration::evaluations);
  py::class_<OptimResult> bound(module, "OptimResult", "What an optimiser hands back.");
  add_end(bound, [](const OptimResult& result) -> const OptimResult& { return result; });
  bound.def_property_readonly("x", [](const OptimResult& result) { return array_of(result.x); })
      .def_readonly("value", &OptimResult::value)
      .def_readonly("gradient_norm", &OptimResult::gradient_norm)
      .def_readonly("evaluations", &OptimResult::evaluations)
      .def_readonly("history", &OptimResult::history);
}

}  // namespace

void bind_optim(py::module_& module) {
  bind_results(module);
  bind_options<Patience>(module, "Patience", "patience");
  bind_solvers<Solver>(module, "", "solvers");
  bind_solvers<StiefelSolver>(module, "Stiefel", "stiefel_solvers");
  module.def("minimize", &run, "options"_a, "fun"_a, py::arg("x0").noconvert(), "sample"_a, "project"_a, "callback"_a,
             "By the optimiser that the options are of.");
  module.def("minimize_stiefel", &run_stiefel, "options"_a, "fun"_a, py::arg("x0").noconvert(), "shapes"_a, "callback"_a,
             "By the optimiser that the options are of.");
}

}  // namespace gramian::python

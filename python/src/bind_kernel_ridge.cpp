// SPDX-License-Identifier: BSD-3-Clause
// Kernel ridge regression: fits, paths of alphas, and fitted models.
#include <pybind11/native_enum.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "dependency_spec.hpp"
#include "gramian/models/kernel_ridge/predictor.hpp"
#include "held_out.hpp"
#include "kernel_spec.hpp"
#include "matrices.hpp"
#include "observer.hpp"
#include "option_fields.hpp"
#include "points.hpp"
#include "predictor.hpp"
#include "python_rows.hpp"
#include "results.hpp"
#include "shared_arrays.hpp"
#include "training_facts.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using kernel_ridge::Fit;
using kernel_ridge::LandmarkFit;
using kernel_ridge::Path;
using Model = kernel_ridge::Predictor;

Fit fit(const py::object& inputs, const py::object& targets, const kernel_ridge::Options& options, const py::object& callback,
        const py::object& held_out, const py::object& start) {
  const GramSource X = gram_source_argument(inputs, "X");
  const auto Y = matrix_argument<double>(targets, "targets"), begin = matrix_argument<double>(start, "start");
  const HeldOutArgument validation(held_out);
  CallbackObserver observer(callback);
  Fit found;
  observer.call([&] { found = kernel_ridge::fit(X, Y, options, observer.if_wanted(), validation.if_given(), begin); });
  return found;
}

LandmarkFit fit_landmarks(const py::object& kernel, const py::object& samples, const py::object& landmarks,
                          const py::object& targets, const kernel_ridge::LandmarkOptions& options, const py::object& callback) {
  const Kernel k = kernel_argument(kernel);
  const PointsArgument Z(landmarks, py::none());
  const auto Y = matrix_argument<double>(targets, "targets");
  CallbackObserver observer(callback);
  LandmarkFit found;
  const auto fit_rows = [&](const auto& X) {
    observer.call([&] { found = kernel_ridge::fit_landmarks(k, X, Z.X(), Y, options, observer.if_wanted()); });
  };
  if (PythonRows::is_one(samples)) {
    fit_rows(static_cast<const RowSource&>(PythonRows(samples)));
  } else {
    fit_rows(PointsArgument(samples, py::none()).X());
  }
  return found;
}

LandmarkFit fit_system(const py::object& kernel, const py::object& landmarks, const NormalSystem& system,
                       const std::vector<double>& alphas) {
  const Kernel k = kernel_argument(kernel);
  const PointsArgument Z(landmarks, py::none());
  LandmarkFit found;
  call([&] { found = kernel_ridge::fit_landmarks(k, Z.X(), system, alphas); });
  return found;
}

/// How a solver ended.
template <class Result>
void add_course(py::class_<Result>& type) {
  type.def_readonly("iterations", &Result::iterations)
      .def_readonly("residuals", &Result::residuals)
      .def_readonly("objective", &Result::objective)
      .def_property_readonly("stop_reason", [](const Result& it) { return std::string(name_of(it.stop_reason)); })
      .def_property_readonly("history", [](const Result& it) { return columns_of(it.history); });
}

Path path(const py::object& inputs, const py::object& targets, const std::vector<double>& alphas,
          const std::vector<double>& weights) {
  const GramSource X = gram_source_argument(inputs, "X");
  const auto Y = matrix_argument<double>(targets, "targets");
  Path found;
  call([&] { found = kernel_ridge::path(X, Y, alphas, weights); });
  return found;
}

std::shared_ptr<Model> predictor(const py::object& kernel, const py::object& supports, const py::object& coefficients) {
  kernel_ridge::Parts parts;
  if (!kernel.is_none()) parts.kernel = kernel_argument(kernel);
  parts.supports = shared_samples(supports, "supports");
  parts.coefficients = shared_matrix(coefficients, "coefficients");
  std::shared_ptr<Model> made;
  call([&] { made = std::make_shared<Model>(std::move(parts)); });
  return made;
}

}  // namespace

void bind_kernel_ridge(py::module_& module) {
  py::native_enum<kernel_ridge::Solver>(module, "Solver", "enum.Enum")
      .value("auto", kernel_ridge::Solver::automatic)
      .value("cholesky", kernel_ridge::Solver::cholesky)
      .value("cg", kernel_ridge::Solver::conjugate_gradients)
      .finalize();
  py::native_enum<kernel_ridge::LandmarkSolver>(module, "LandmarkSolver", "enum.Enum")
      .value("auto", kernel_ridge::LandmarkSolver::automatic)
      .value("direct", kernel_ridge::LandmarkSolver::direct)
      .value("cg", kernel_ridge::LandmarkSolver::conjugate_gradients)
      .finalize();
  py::native_enum<Scalar>(module, "Precision", "enum.Enum")
      .value("float64", Scalar::float64)
      .value("float32", Scalar::float32)
      .finalize();
  bind_options<kernel_ridge::Options>(module, "Options", "a kernel ridge regression");
  py::class_<Fit> found(module, "Fit", "Coefficients, and how they were found.");
  add_array(found, "coefficients", [](const Fit& it) -> const auto& { return it.coefficients; });
  found.def_readonly("solver", &Fit::solver).def_readonly("least_squares", &Fit::least_squares);
  found.def_readonly("scores", &Fit::scores).def_readonly("ended_by_scores", &Fit::ended_by_scores);
  add_course(found);
  bind_options<kernel_ridge::LandmarkOptions>(module, "LandmarkOptions", "a regression in the span of landmarks");
  py::class_<LandmarkFit> spanned(module, "LandmarkFit", "Coefficients of landmarks, and how they were found.");
  add_array(spanned, "coefficients", [](const LandmarkFit& it) -> const auto& { return it.coefficients; });
  add_course(spanned);
  py::class_<Path> all(module, "Path", "Regressions of several alphas, judged by leaving each sample out in turn.");
  add_array(all, "errors", [](const Path& it) -> const auto& { return it.errors; });
  add_array(all, "coefficients", [](const Path& it) -> const auto& { return it.coefficients; });
  add_array(all, "leave_one_out", [](const Path& it) -> const auto& { return it.leave_one_out; });
  all.def_readonly("best", &Path::best).def_readonly("objective", &Path::objective);
  module.def("fit", &fit, "X"_a, "targets"_a, "options"_a, "callback"_a, "held_out"_a, "start"_a, "Of samples, or of K.");
  module.def("fit_landmarks", &fit_landmarks, "kernel"_a, "X"_a, "landmarks"_a, "targets"_a, "options"_a, "callback"_a,
             "Of points, or of rows that are read.");
  module.def("fit_system", &fit_system, "kernel"_a, "landmarks"_a, "system"_a, "alphas"_a, "Of a normal system.");
  module.def("path", &path, "X"_a, "targets"_a, "alphas"_a, "weights"_a, "The same for all alphas.");
  PredictorClass<Model>(module, "Predictor", "f(x) = sum_i k(x, s_i) c_i.")
      .def(py::init(&predictor), "kernel"_a, "supports"_a, "coefficients"_a);
}

}  // namespace gramian::python

// SPDX-License-Identifier: BSD-3-Clause
#include "deep_pca_spec.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <utility>

#include "arrays.hpp"
#include "kernel_spec.hpp"
#include "matrices.hpp"
#include "settings.hpp"
#include "training_facts.hpp"

namespace gramian::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

using Numbers = std::vector<std::vector<double>>;

py::list starts_of(const std::vector<DeepPcaStartReport>& starts) {
  py::list list;
  for (const DeepPcaStartReport& start : starts) {
    list.append(py::make_tuple(start.value, start.captured_trace, name_of(start.stop_reason), start.iterations));
  }
  return list;
}

}  // namespace

std::vector<DeepPcaLevel> deep_pca_levels_argument(py::handle specs) {
  std::vector<DeepPcaLevel> levels;
  for (const py::handle spec : specs) {
    const auto parts = spec.cast<py::tuple>();
    levels.push_back({kernel_argument(parts[0]), parts[1].cast<Index>(), parts[2].cast<double>()});
  }
  return levels;
}

DeepPcaOptions deep_pca_options_argument(const py::dict& dict) {
  Settings settings(dict);
  DeepPcaOptions options;
  settings.read("solver", options.solver,
                {{"auto", DeepPcaSolver::automatic},
                 {"closed_form", DeepPcaSolver::closed_form},
                 {"self_consistent", DeepPcaSolver::self_consistent},
                 {"riemannian_lbfgs", DeepPcaSolver::riemannian_lbfgs},
                 {"riemannian_adam", DeepPcaSolver::riemannian_adam},
                 {"projected_gradient", DeepPcaSolver::projected_gradient},
                 {"levelwise", DeepPcaSolver::levelwise}});
  settings.read("start", options.start, {{"kpca", DeepPcaStart::kpca}, {"random", DeepPcaStart::random}});
  settings.read("starts", options.starts);
  settings.read("seed", options.seed);
  settings.read("eigenvalues", options.eigenvalues,
                {{"eliminated", DeepPcaEigenvalues::eliminated}, {"joint", DeepPcaEigenvalues::joint}});
  settings.read("centred", options.centred);
  settings.read_limits(options);
  settings.read("step", options.step);
  settings.read("memory_budget", options.memory_budget);
  settings.finish();
  return options;
}

DeepPcaTransformOptions deep_pca_transform_options_argument(const py::dict& dict) {
  Settings settings(dict);
  DeepPcaTransformOptions options;
  settings.read("extension", options.extension,
                {{"auto", DeepPcaExtension::automatic},
                 {"equations", DeepPcaExtension::equations},
                 {"smoother", DeepPcaExtension::smoother}});
  settings.read("max_iterations", options.max_iterations);
  settings.read("tolerance", options.tolerance);
  settings.finish();
  return options;
}

DeepPcaInverseOptions deep_pca_inverse_options_argument(const py::dict& dict) {
  Settings settings(dict);
  DeepPcaInverseOptions options;
  settings.read(
      "method", options.method,
      {{"auto", DeepPcaInverse::automatic}, {"fixed_point", DeepPcaInverse::fixed_point}, {"ridge", DeepPcaInverse::ridge}});
  settings.read("ridge", options.ridge);
  settings.read("max_iterations", options.fixed_point.max_iterations);
  settings.read("tolerance", options.fixed_point.tolerance);
  settings.finish();
  return options;
}

DeepPcaModel deep_pca_model_argument(const py::dict& parts) {
  DeepPcaModel model;
  model.levels = deep_pca_levels_argument(parts["levels"]);
  for (const py::handle part : parts["features"]) {
    model.features.push_back(Matrix::copy_of(matrix_argument<double>(py::reinterpret_borrow<py::object>(part), "features")));
  }
  model.eigenvalues = parts["eigenvalues"].cast<Numbers>();
  model.centred = parts["centred"].cast<bool>();
  model.coupled = parts["coupled"].cast<bool>();
  model.means = parts["means"].cast<Numbers>();
  model.offsets = parts["offsets"].cast<Numbers>();
  model.inputs = Matrix::copy_of(matrix_argument<double>(py::reinterpret_borrow<py::object>(parts["inputs"]), "inputs"));
  return model;
}

Facts deep_pca_state_facts(const DeepPcaState& state) {
  return Facts("energy"_a = state.energy, "primal"_a = state.primal, "residuals"_a = state.residuals,
               "eigenvalues"_a = state.eigenvalues, "captured"_a = state.captured, "kernel_traces"_a = state.kernel_traces,
               "level_traces"_a = state.level_traces);
}

Facts deep_pca_facts(DeepPcaFit&& fit) {
  DeepPcaModel& model = fit.model;
  return Facts("features"_a = arrays_of(std::move(model.features)), "eigenvalues"_a = model.eigenvalues,
               "coupled"_a = model.coupled, "means"_a = model.means, "offsets"_a = model.offsets,
               "inputs"_a = array_of(std::move(model.inputs)), "solver"_a = name_of(fit.solver), "objective"_a = fit.objective,
               "starts"_a = starts_of(fit.starts), "state"_a = deep_pca_state_facts(fit.state),
               "explained_variance_ratio"_a = fit.explained_variance_ratio, "captured_trace"_a = fit.captured_trace,
               "history"_a = columns_of(fit.result.history), "gradient_norm"_a = fit.result.gradient_norm,
               "stop_reason"_a = name_of(fit.result.stop_reason), "converged"_a = converged(fit.result.stop_reason),
               "iterations"_a = fit.result.iterations);
}

}  // namespace gramian::python

// SPDX-License-Identifier: BSD-3-Clause
// Deep kernel PCA of learned features, with a learned way back.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <vector>

#include "arrays.hpp"
#include "feature_spec.hpp"
#include "gramian/models/deep_pca/parametric.hpp"
#include "observer.hpp"
#include "option_fields.hpp"
#include "results.hpp"
#include "training_facts.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

/// The engine's maps for samples of so many numbers.
struct Maps {
  Maps(const py::object& forward, const py::object& whole, Index inputs)
      : features(feature_map_of(forward, inputs)), round_trip(feature_map_of(whole, inputs)) {}
  deep_pca::Maps view() const { return {*features, *round_trip}; }
  std::unique_ptr<FeatureMap> features, round_trip;
};

deep_pca::ParametricFit train(const py::object& features, const py::object& round_trip, const py::object& samples,
                              const std::vector<double>& theta, const std::vector<deep_pca::Level>& levels,
                              const deep_pca::ParametricOptions& options, const py::object& callback,
                              const py::object& levels_callback) {
  const auto X = matrix_argument<double>(samples, "X");
  const Maps maps(features, round_trip, X.cols());
  CallbackObserver observer(callback), of_levels(levels_callback);
  deep_pca::ParametricFit fit;
  observer.call([&] {
    fit = deep_pca::fit_parametric(maps.view(), X, theta, levels, options, observer.if_wanted(), of_levels.if_wanted());
  });
  of_levels.rethrow();
  return fit;
}

}  // namespace

void bind_deep_pca_maps(py::module_& module) {
  bind_options<deep_pca::MapDefaults>(module, "MapDefaults", "the maps");
  bind_options<deep_pca::ParametricOptions>(module, "MapOptions", "turns of levels and maps");
  py::class_<deep_pca::ParametricFit> fit(module, "MapFit", "All that turns of levels and maps give.");
  add_array(fit, "theta", [](const deep_pca::ParametricFit& found) -> const auto& { return found.theta; });
  add_array(fit, "features", [](const deep_pca::ParametricFit& found) -> const auto& { return found.features; });
  add_array(fit, "objectives", [](const deep_pca::ParametricFit& found) -> const auto& { return found.objectives; });
  add_array(fit, "errors", [](const deep_pca::ParametricFit& found) -> const auto& { return found.errors; });
  fit.def_readonly("pca", &deep_pca::ParametricFit::pca)
      .def_property_readonly("iterations", [](const deep_pca::ParametricFit& found) { return found.result.iterations; })
      .def_property_readonly("stop_reason",
                             [](const deep_pca::ParametricFit& found) { return name_of(found.result.stop_reason); })
      .def_property_readonly("history", [](const deep_pca::ParametricFit& found) { return columns_of(found.result.history); });
  module.def("fit_maps", &train, "features"_a, "round_trip"_a, "X"_a, "theta"_a, "levels"_a, "options"_a, "callback"_a,
             "levels_callback"_a, "Levels and maps in turns, from theta.");
}

}  // namespace gramian::python

// SPDX-License-Identifier: BSD-3-Clause
#include "autoencoder_spec.hpp"

#include <utility>

#include "arrays.hpp"
#include "layer_spec.hpp"
#include "settings.hpp"

namespace gramian::python {

namespace py = pybind11;

std::vector<AutoencoderLayer> autoencoder_layers_argument(py::handle specs) {
  std::vector<AutoencoderLayer> layers;
  for (const py::handle spec : specs) {
    const auto parts = spec.cast<py::tuple>();
    AutoencoderLayer layer;
    layer.terms = terms_argument(parts[0]);
    layer.outputs = parts[1].cast<Index>();
    layer.penalty = parts[2].cast<double>();
    if (!parts[3].is_none()) layer.A = operator_argument(parts[3]);
    layers.push_back(std::move(layer));
  }
  return layers;
}

AutoencoderOptions autoencoder_options_argument(const py::dict& dict) {
  Settings settings(dict);
  AutoencoderOptions options;
  settings.read("last_layer", options.last_layer, {{"eliminated", LastLayer::eliminated}, {"joint", LastLayer::joint}});
  settings.read("solver", options.solver,
                {{"lbfgs", AutoencoderSolver::lbfgs},
                 {"adam", AutoencoderSolver::adam},
                 {"gd", AutoencoderSolver::gradient_descent},
                 {"sgd", AutoencoderSolver::sgd},
                 {"alternating", AutoencoderSolver::alternating}});
  settings.read("start", options.start, {{"principal", LayerStart::principal}, {"random", LayerStart::random}});
  settings.read("max_norm", options.max_norm);
  settings.read("landmarks", options.landmarks);
  settings.read("restarts", options.restarts);
  settings.read("seed", options.seed);
  settings.read_limits(options);
  settings.read("step", options.step);
  settings.read("batch_size", options.batch_size);
  settings.read("coefficient_fraction", options.coefficient_fraction);
  settings.read("inner_steps", options.inner_steps);
  settings.read("memory_budget", options.memory_budget);
  settings.finish();
  return options;
}

const double* warm_start_argument(const py::object& flat, const PointSource& input, const std::vector<AutoencoderLayer>& layers,
                                  const AutoencoderOptions& options) {
  if (flat.is_none()) return nullptr;
  const Index supports = options.landmarks.empty() ? input.size() : static_cast<Index>(options.landmarks.size());
  Index outputs = 0;
  for (const AutoencoderLayer& layer : layers) outputs += layer.outputs;
  return numbers_argument<double>(flat, "warm_start", checked_product(supports, outputs));
}

}  // namespace gramian::python

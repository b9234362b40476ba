// SPDX-License-Identifier: BSD-3-Clause
#include "deep_regression_spec.hpp"

#include <utility>

#include "arrays.hpp"
#include "layer_spec.hpp"
#include "loss_argument.hpp"
#include "penalty_argument.hpp"
#include "settings.hpp"

namespace gramian::python {

std::vector<DeepRegressionLayer> deep_layers_argument(py::handle specs) {
  std::vector<DeepRegressionLayer> layers;
  for (const py::handle spec : specs) {
    const auto parts = spec.cast<py::tuple>();
    DeepRegressionLayer layer;
    layer.terms = terms_argument(parts[0]);
    layer.outputs = parts[1].cast<Index>();
    layer.penalty = parts[2].cast<double>();
    layer.theta = penalty_argument(parts[3]);
    layers.push_back(std::move(layer));
  }
  return layers;
}

DeepRegressionOptions deep_options_argument(const py::dict& dict) {
  Settings settings(dict);
  DeepRegressionOptions options;
  settings.read("interpolate", options.interpolate);
  settings.read("joint", options.joint);
  settings.read("distance_penalty", options.distance_penalty);
  settings.read("sample_weight", options.sample_weight);
  settings.read("landmarks", options.landmarks);
  settings.read("parameters", options.parameters,
                {{"auto", InnerParameters::automatic},
                 {"coefficients", InnerParameters::coefficients},
                 {"features", InnerParameters::features}});
  settings.read(
      "solver", options.solver,
      {{"lbfgs", DeepRegressionSolver::lbfgs}, {"bfgs", DeepRegressionSolver::bfgs}, {"adam", DeepRegressionSolver::adam}});
  settings.read("start_at_identity", options.start_at_identity);
  settings.read("start_scale", options.start_scale);
  settings.read("restarts", options.restarts);
  settings.read("refined_share", options.refined_share);
  settings.read("seed", options.seed);
  settings.read_limits(options);
  settings.read("step", options.step);
  settings.read("memory_budget", options.memory_budget);
  settings.finish();
  return options;
}

ImageLossesArgument::ImageLossesArgument(const py::list& specs) {
  for (const py::handle spec : specs) {
    const auto parts = spec.cast<py::tuple>();
    owned_.push_back(loss_argument(parts[1]));
    ImageLoss image;
    image.layer = parts[0].cast<Index>();
    image.loss = owned_.back().get();
    image.targets = matrix_argument<double>(parts[2], "image_targets");
    image.weight = parts[3].cast<double>();
    losses_.push_back(image);
  }
}

}  // namespace gramian::python

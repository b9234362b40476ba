// SPDX-License-Identifier: BSD-3-Clause
// A concatenated kernel regression on its way from Python.
#pragma once

#include <vector>

#include "arrays.hpp"
#include "gramian/models/deep_regression.hpp"
#include "layer_spec.hpp"

namespace gramian::python {

/// What is minimised. The caller holds the Python objects.
struct DeepRegressionProblem {
  DeepRegressionProblem(const py::object& X, const py::object& targets, const std::vector<LayerPlan>& plans,
                        const deep_regression::Options& given, const std::vector<deep_regression::ImageLoss>& images)
      : points(X, py::none()),
        input(input_argument(points)),
        Y(matrix_argument<double>(targets, "targets")),
        layers(plans),
        options(given) {
    options.image_losses = images;
  }

  PointsArgument points;
  PointSource input;
  MatrixView<const double> Y;
  std::vector<LayerPlan> layers;
  deep_regression::Options options;
};

}  // namespace gramian::python

// SPDX-License-Identifier: BSD-3-Clause
// Deep regressions on their way from Python.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

#include "gramian/models/deep_regression.hpp"

namespace gramian::python {

/// A sequence of (terms, outputs, penalty, theta): theta as penalty_argument() takes it.
std::vector<DeepRegressionLayer> deep_layers_argument(pybind11::handle specs);

/// Options by their names in C++; what is missing keeps its default. Without losses, which images_argument() has.
DeepRegressionOptions deep_options_argument(const pybind11::dict& settings);

/// Losses of images, from a sequence of (layer, loss, targets, weight). It owns the losses; the caller holds the Python objects.
class ImageLossesArgument {
 public:
  explicit ImageLossesArgument(const pybind11::list& specs);
  const std::vector<ImageLoss>& losses() const { return losses_; }

 private:
  std::vector<std::unique_ptr<Loss>> owned_;
  std::vector<ImageLoss> losses_;
};

}  // namespace gramian::python

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/error.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/models/deep_regression.hpp"

namespace gramian {
namespace {

const Kernel& last_kernel(const CompositionModel& model) {
  require(!model.layers.empty(), "the model has no layers");
  require(model.layers.back().terms.size() == 1, "the deep kernel is that of a last layer with one term");
  return model.layers.back().terms.front().kernel;
}

}  // namespace

/// [DKL] (10), (11): the last kernel on inner images.
void deep_gram(const CompositionModel& model, const Points& images, MatrixView<double> K) { full(last_kernel(model), images, K); }

void deep_gram(const CompositionModel& model, const Points& x_images, const Points& y_images, MatrixView<double> K) {
  full(last_kernel(model), x_images, y_images, K);
}

}  // namespace gramian

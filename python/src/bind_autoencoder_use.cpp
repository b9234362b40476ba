// SPDX-License-Identifier: BSD-3-Clause
// What a trained autoencoder does with new samples, and reconstruction in a feature space.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/models/autoencoder.hpp"
#include "layer_spec.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

constexpr const char* advice = "pass fewer samples at a time";

/// supports is None: the codes support the layer.
py::array_t<double> weights_of(const py::tuple& spec, const py::object& codes, const py::object& supports,
                               const py::object& new_codes, const std::vector<double>& sample_weights) {
  const KernelLayer layer = layer_argument(spec);
  const auto Z = matrix_argument<double>(codes, "codes"), Z_new = matrix_argument<double>(new_codes, "new_codes");
  auto weights = new_matrix<double>(Z_new.rows(), Z.rows(), "the weights", advice);
  if (supports.is_none()) {
    call([&, out = writable_view(weights)] { autoencoder::reconstruction_weights(layer, Z, Z_new, out, sample_weights); });
  } else {
    const auto S = matrix_argument<double>(supports, "supports");
    call([&, out = writable_view(weights)] { autoencoder::reconstruction_weights(layer, Z, S, Z_new, out, sample_weights); });
  }
  return weights;
}

py::array_t<double> distortion_of(const py::object& weights, const py::object& cross, const py::object& diagonal,
                                  const py::object& factor) {
  const auto w = matrix_argument<double>(weights, "weights"), K = matrix_argument<double>(cross, "cross");
  const auto squares = matrix_argument<double>(diagonal, "diagonal"), C = matrix_argument<double>(factor, "factor");
  auto distortion = new_matrix<double>(w.rows(), 1, "the distortion", advice);
  call([&, out = writable_view(distortion)] { autoencoder::feature_distortion(w, K, squares, C, out); });
  return distortion;
}

}  // namespace

void bind_autoencoder_use(py::module_& module) {
  module.def("reconstruction_weights", &weights_of, "layer"_a, "codes"_a, "supports"_a, "new_codes"_a, "sample_weights"_a,
             "Weights of the training samples in the reconstruction of new codes.");
  module.def("feature_distortion", &distortion_of, "weights"_a, "cross"_a, "diagonal"_a, "factor"_a,
             "Squared errors of reconstruction in the feature space, as one column.");
}

}  // namespace gramian::python

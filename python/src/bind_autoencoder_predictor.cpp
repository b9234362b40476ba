// SPDX-License-Identifier: BSD-3-Clause
// Autoencoders that are trained, of vectors and of feature spaces.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "advice.hpp"
#include "arrays.hpp"
#include "call.hpp"
#include "gramian/models/autoencoder/feature_space_predictor.hpp"
#include "gramian/models/autoencoder/predictor.hpp"
#include "kernel_spec.hpp"
#include "matrices.hpp"
#include "points.hpp"
#include "predictor.hpp"
#include "results.hpp"
#include "shared_arrays.hpp"
#include "supported_layers.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Space = autoencoder::FeatureSpacePredictor;
using Vectors = autoencoder::Predictor;
using Numbers = py::array_t<double>;

std::shared_ptr<Vectors> vectors_of(const py::sequence& layers, Index code_layer) {
  std::shared_ptr<Vectors> made;
  autoencoder::Parts parts{supported_layers(layers), code_layer};
  call([&] { made = std::make_shared<Vectors>(std::move(parts)); });
  return made;
}

std::shared_ptr<Space> space_of(const py::object& kernel, const py::object& training, std::vector<double> squared_norms,
                                const py::object& factor, std::vector<Index> landmarks, const py::sequence& layers,
                                const py::object& codes, Index code_layer, std::vector<double> sample_weights,
                                const py::object& reconstruction) {
  autoencoder::FeatureSpaceParts parts;
  if (!kernel.is_none()) parts.input_kernel = kernel_argument(kernel);
  parts.training = shared_samples(training, "training");
  parts.squared_norms = std::move(squared_norms), parts.sample_weights = std::move(sample_weights);
  parts.factor = shared_matrix(factor, "factor");
  parts.landmarks = std::move(landmarks), parts.code_layer = code_layer;
  parts.layers = supported_layers(layers);
  parts.codes = shared_matrix(codes, "codes");
  if (!reconstruction.is_none()) parts.reconstruction = shared_matrix(reconstruction, "reconstruction");
  std::shared_ptr<Space> made;
  call([&] { made = std::make_shared<Space>(std::move(parts)); });
  return made;
}

/// Points, or a pair: kernel values with the training samples, and of each sample with itself.
class SpaceArgument {
 public:
  explicit SpaceArgument(const py::object& object) {
    if (py::isinstance<py::tuple>(object) && py::len(object) == 2) {
      const auto parts = object.cast<py::tuple>();
      values_ = {matrix_argument<double>(parts[0], "cross"), matrix_argument<double>(parts[1], "squares")};
    } else {
      points_.emplace(object, py::none());
    }
  }

  Index rows() const { return points_ ? points_->rows() : values_.cross.rows(); }
  /// f(points) or f(values).
  template <class F>
  void visit(F f) const {
    points_ ? f(points_->X()) : f(values_);
  }

 private:
  std::optional<PointsArgument> points_;
  autoencoder::KernelValues values_{};
};

Numbers vector_errors(const Vectors& model, const py::object& X) {
  const auto rows = matrix_argument<double>(X, "X");
  auto out = new_matrix<double>(rows.rows(), 1, "the errors", fewer_samples);
  call([&, to = writable_view(out)] { model.reconstruction_errors(rows, to); });
  return out;
}

Numbers encode(const Space& model, const py::object& cross, const py::object& squares) {
  const autoencoder::KernelValues values{matrix_argument<double>(cross, "cross"), matrix_argument<double>(squares, "squares")};
  auto out = new_matrix<double>(values.cross.rows(), model.parts().codes.cols(), "the codes", fewer_samples);
  call([&, to = writable_view(out)] { model.encode(values, to); });
  return out;
}

Numbers errors(const Space& model, const py::object& samples) {
  const SpaceArgument of(samples);
  auto out = new_matrix<double>(of.rows(), 1, "the errors", fewer_samples);
  call([&, to = writable_view(out)] { of.visit([&](const auto& X) { model.reconstruction_errors(X, to); }); });
  return out;
}

Numbers weights(const Space& model, const py::object& codes) {
  const auto Z = matrix_argument<double>(codes, "codes");
  auto out = new_matrix<double>(Z.rows(), model.parts().training.size(), "the weights", fewer_samples);
  call([&, to = writable_view(out)] { model.weights(Z, to); });
  return out;
}

py::array_t<Index> nearest(const Space& model, const py::object& codes, const py::object& candidates) {
  const auto Z = matrix_argument<double>(codes, "codes");
  std::vector<Index> found;
  if (candidates.is_none()) {
    call([&] { found = model.nearest(Z); });
  } else {
    const SpaceArgument among(candidates);
    call([&] { among.visit([&](const auto& X) { found = model.nearest(Z, X); }); });
  }
  return array_of(found);
}

autoencoder::Reconstructed reconstruct(const Space& model, const py::object& codes) {
  autoencoder::Reconstructed found;
  const auto Z = matrix_argument<double>(codes, "codes");
  call([&] { found = model.reconstruct(Z); });
  return found;
}

}  // namespace

void bind_autoencoder_predictor(py::module_& module) {
  PredictorClass<Vectors>(module, "Predictor", "Codes of vectors, and back: [KAE] (4).")
      .def(py::init(&vectors_of), "layers"_a, "code_layer"_a, "layers: with coefficients and supports.")
      .def("reconstruction_errors", &vector_errors, "X"_a, "Squared errors of reconstruction, as one column.");
  py::class_<autoencoder::Reconstructed> found(module, "Reconstructed", "Points from codes.");
  add_array(found, "points", [](const autoencoder::Reconstructed& all) -> const auto& { return all.points; });
  found.def_readonly("astray", &autoencoder::Reconstructed::astray, "How many were not found.");
  PredictorClass<Space>(module, "FeatureSpacePredictor", "Codes of what has a kernel, and back: [KAE] (5).")
      .def(py::init(&space_of), "kernel"_a, "training"_a, "squared_norms"_a, "factor"_a, "landmarks"_a, "layers"_a, "codes"_a,
           "code_layer"_a, "sample_weights"_a, "reconstruction"_a)
      .def("encode", &encode, "cross"_a, "squares"_a, "Codes from kernel values with the landmarks, or all training samples.")
      .def("reconstruction_errors", &errors, "samples"_a, "Squared errors in the feature space; samples may be (cross, squares).")
      .def("weights", &weights, "codes"_a, "Of the training samples in reconstructions.")
      .def("nearest", &nearest, "codes"_a, "candidates"_a, "The nearest training samples, or candidates.")
      .def("reconstruct", &reconstruct, "codes"_a, "Points whose images are close to reconstructions.");
}

}  // namespace gramian::python

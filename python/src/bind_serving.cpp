// SPDX-License-Identifier: BSD-3-Clause
// Fitted models as values of the engine: what all families have in common.
#include <pybind11/native_enum.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>

#include "advice.hpp"
#include "arrays.hpp"
#include "call.hpp"
#include "gramian/model_file.hpp"
#include "points.hpp"
#include "predictor.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

py::array_t<double> apply(const Predictor& model, Verb verb, const py::object& X) {
  const PointsArgument points(X, py::none());
  if (!points.float64() || points.inner()) throw py::type_error("X must be points of dtype float64");
  auto out = new_matrix<double>(points.rows(), model.outputs(verb), "the result", fewer_samples);
  call([&, to = writable_view(out)] { model.apply(verb, points.X(), to); });
  return out;
}

io::Document document(const Predictor& model) {
  io::Document made;
  call([&] { made = document_of(model); });
  return made;
}

std::shared_ptr<Predictor> model(const io::Document& from) {
  std::shared_ptr<const Predictor> made;
  call([&] { made = model_of(from).predictor(); });
  return std::const_pointer_cast<Predictor>(made);  // what is bound has const functions only
}

}  // namespace

void bind_serving(py::module_& module) {
  py::native_enum<Verb> verbs(module, "Verb", "enum.Enum");
  for (const Verb verb : {Verb::predict, Verb::predict_proba, Verb::transform, Verb::inverse_transform, Verb::scores}) {
    verbs.value(name_of(verb), verb);
  }
  verbs.finalize();
  PredictorClass<Predictor>(module, "Predictor", "A fitted model, which any number of threads may use.")
      .def_property_readonly("family", &Predictor::family)
      .def_property_readonly("classes", &Predictor::classes)
      .def("inputs", &Predictor::inputs, "verb"_a, "How many numbers a row of its argument has; 0: there is no such operation.")
      .def("outputs", &Predictor::outputs, "verb"_a, "How many numbers it returns for each row.")
      .def("apply", &apply, "verb"_a, "X"_a, "The results, row by row.");
  module.def("document", &document, "model"_a, "The document of a model's file. ValueError for what a file can't hold.");
  module.def("model", &model, "document"_a, "The model of a document. ModelFileError.");
}

}  // namespace gramian::python

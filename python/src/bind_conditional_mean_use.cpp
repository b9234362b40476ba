// SPDX-License-Identifier: BSD-3-Clause
// Fitted conditional mean embeddings, and what can be asked of them.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <utility>
#include <vector>

#include "advice.hpp"
#include "arrays.hpp"
#include "call.hpp"
#include "dependency_spec.hpp"
#include "gramian/models/conditional_mean/predictor.hpp"
#include "kernel_spec.hpp"
#include "matrices.hpp"
#include "optional_matrix.hpp"
#include "points.hpp"
#include "predictor.hpp"
#include "shared_arrays.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Mean = conditional_mean::Predictor;
using Numbers = py::array_t<double>;

std::shared_ptr<Mean> predictor(const py::object& kernel, const py::object& inputs, const py::object& factor,
                                const py::object& samples, const py::object& mixing, const py::object& roots,
                                const py::object& coefficients, const py::object& output_kernel, const py::object& outputs,
                                const py::object& output_gram, const py::sequence& labels) {
  conditional_mean::Parts parts;
  if (!kernel.is_none()) parts.kernel = kernel_argument(kernel);
  parts.inputs = shared_samples(inputs, "inputs");
  parts.factor = shared_matrix(factor, "factor");
  parts.samples = shared_samples(samples, "samples");
  parts.mixing = shared_matrix_or_none(mixing, "mixing");
  parts.roots = shared_matrix_or_none(roots, "roots");
  parts.coefficients = shared_matrix_or_none(coefficients, "coefficients");
  if (!output_kernel.is_none()) parts.output_kernel = kernel_argument(output_kernel);
  parts.outputs = shared_samples(outputs, "outputs");
  parts.output_gram = shared_matrix_or_none(output_gram, "output_gram");
  parts.labels = labels_of(labels);
  std::shared_ptr<Mean> made;
  call([&] { made = std::make_shared<Mean>(std::move(parts)); });
  return made;
}

Numbers weights_of(const Mean& mean, const py::object& X) {
  const PointsArgument points(X, py::none());
  auto weights = new_matrix<double>(points.rows(), mean.size(), "the weights", fewer_samples);
  call([&, out = writable_view(weights)] { mean.weights(points.X(), out); });
  return weights;
}

Numbers expectation_of(const Mean& mean, const py::object& X, const py::object& values) {
  const PointsArgument points(X, py::none());
  const auto G = matrix_argument<double>(values, "G");
  auto expectation = new_matrix<double>(points.rows(), G.cols(), "the expectations", fewer_samples);
  call([&, out = writable_view(expectation)] { mean.expectation(points.X(), G, out); });
  return expectation;
}

Numbers values_of(const Mean& mean, const py::object& X, const py::object& Y) {
  const PointsArgument points(X, py::none()), others(Y, py::none());
  auto values = new_matrix<double>(points.rows(), others.rows(), "the values", fewer_samples);
  call([&, out = writable_view(values)] { mean.evaluate(points.X(), others.X(), out); });
  return values;
}

Numbers losses_of(const Mean& mean, const py::object& X, const py::object& Y, const py::object& squares) {
  const PointsArgument points(X, py::none()), others(Y, py::none());
  const auto diagonal = matrix_or_none(squares, "squares");
  auto losses = new_matrix<double>(points.rows(), 1, "the losses", fewer_samples);
  call([&, out = writable_view(losses)] { mean.losses(points.X(), others.X(), diagonal, out); });
  return losses;
}

Index pairs_of(const PointsArgument& a, const PointsArgument& b) { return a.rows() == 1 ? b.rows() : a.rows(); }

Numbers distances_of(const Mean& mean, const py::object& Xa, const py::object& Xb) {
  const PointsArgument a(Xa, py::none()), b(Xb, py::none());
  auto distances = new_matrix<double>(pairs_of(a, b), 1, "the distances", fewer_samples);
  call([&, out = writable_view(distances)] { mean.distances(a.X(), b.X(), out); });
  return distances;
}

Numbers distances_to(const Mean& mean, const py::object& Xa, const Mean& other, const py::object& Xb, const py::object& both) {
  const PointsArgument a(Xa, py::none()), b(Xb, py::none());
  const GramSource Y = gram_source_argument(both, "both");
  auto distances = new_matrix<double>(pairs_of(a, b), 1, "the distances", fewer_samples);
  call([&, out = writable_view(distances)] { mean.distances(a.X(), other, b.X(), Y, out); });
  return distances;
}

py::array_t<Index> sampled(const Mean& mean, const py::object& X, Index count, const py::object& candidates,
                           const py::object& gram) {
  const PointsArgument points(X, py::none());
  std::vector<Index> rows;
  if (candidates.is_none()) {
    call([&] { rows = mean.sample(points.X(), count); });
  } else {
    const PointsArgument others(candidates, py::none());
    const auto own = matrix_or_none(gram, "gram");
    call([&] { rows = mean.sample(points.X(), count, others.X(), own); });
  }
  return array_of(rows).reshape({points.rows(), count});
}

}  // namespace

void bind_conditional_mean_use(py::module_& module) {
  PredictorClass<Mean>(module, "Predictor", "mu(x), [MCE] (1), and what follows from it.")
      .def(py::init(&predictor), "kernel"_a, "inputs"_a, "factor"_a, "samples"_a, "mixing"_a, "roots"_a, "coefficients"_a,
           "output_kernel"_a, "outputs"_a, "output_gram"_a, "labels"_a)
      .def("weights", &weights_of, "X"_a, "Weights of the training samples, q x n.")
      .def("expectation", &expectation_of, "X"_a, "G"_a,
           "Expectations of functions with values G at the training outputs, q x r.")
      .def("evaluate", &values_of, "X"_a, "Y"_a, "Embeddings at outputs, q x c.")
      .def("losses", &losses_of, "X"_a, "Y"_a, "squares"_a, "Squared distances from outputs in pairs, a column.")
      .def("distances", &distances_of, "Xa"_a, "Xb"_a, "Squared distances between embeddings in pairs, a column.")
      .def("distances_to", &distances_to, "Xa"_a, "other"_a, "Xb"_a, "both"_a,
           "The same of two models; both: the training outputs of the two.")
      .def("sample", &sampled, "X"_a, "count"_a, "candidates"_a, "gram"_a, "Rows of candidates, q x count.");
}

}  // namespace gramian::python

// SPDX-License-Identifier: BSD-3-Clause
#include "layer_spec.hpp"

#include "arrays.hpp"
#include "kernel_spec.hpp"

namespace gramian::python {

OutputOperator operator_argument(py::handle object) {
  if (py::isinstance<py::int_>(object)) return OutputOperator::identity(object.cast<Index>());
  const auto A = matrix_argument<double>(py::reinterpret_borrow<py::object>(object), "operator");
  if (A.rows() != 1) return OutputOperator::full(A);
  std::vector<double> entries;
  for (Index j = 0; j < A.cols(); ++j) entries.push_back(A(0, j));
  return OutputOperator::diagonal(std::move(entries));
}

py::array_t<double> new_copy(MatrixView<const double> source) {
  auto result = new_matrix<double>(source.rows(), source.cols(), "the result", layer_advice);
  const auto out = writable_view(result);
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index j = 0; j < out.cols(); ++j) out(i, j) = source(i, j);
  }
  return result;
}

std::vector<LayerTerm> terms_argument(py::handle terms) {
  std::vector<LayerTerm> result;
  for (const py::handle term : terms) {
    const auto parts = term.cast<py::tuple>();
    result.push_back({kernel_argument(parts[0]), operator_argument(parts[1])});
  }
  return result;
}

KernelLayer layer_argument(py::handle spec) {
  const auto parts = spec.cast<py::tuple>();
  KernelLayer layer;
  layer.terms = terms_argument(parts[0]);
  layer.penalty = parts[1].cast<double>();
  return layer;
}

std::vector<KernelLayer> layers_argument(py::handle specs) {
  std::vector<KernelLayer> layers;
  for (const py::handle spec : specs) layers.push_back(layer_argument(spec));
  return layers;
}

PointSource input_argument(const PointsArgument& points) {
  if (!points.one_set()) throw py::type_error("layers take one set of points");
  if (!points.float64()) throw py::type_error("the points of layers must have dtype float64");
  return points.inner() ? PointSource(points.inner_products()) : PointSource(points.X());
}

}  // namespace gramian::python

// SPDX-License-Identifier: BSD-3-Clause
// Trained layers as a map of points, below a kernel.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <utility>
#include <vector>

#include "advice.hpp"
#include "arrays.hpp"
#include "call.hpp"
#include "gramian/layers/composition_map.hpp"
#include "supported_layers.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

std::shared_ptr<CompositionMap> map_of(const py::sequence& layers, std::vector<double> shift, std::vector<double> scale) {
  auto parts = supported_layers(layers);
  std::shared_ptr<CompositionMap> made;
  call([&] { made = std::make_shared<CompositionMap>(std::move(parts), ColumnScaling{std::move(shift), std::move(scale)}); });
  return made;
}

py::array_t<double> images(const CompositionMap& map, const py::object& X) {
  const auto points = matrix_argument<double>(X, "X");
  auto out = new_matrix<double>(points.rows(), map.outputs(), "the images", fewer_samples);
  call([&, to = writable_view(out)] { map.apply(points, to); });
  return out;
}

}  // namespace

void bind_composition_map(py::module_& module) {
  py::class_<CompositionMap, std::shared_ptr<CompositionMap>>(module, "CompositionMap", "Trained layers as a map of points.")
      .def(py::init(&map_of), "layers"_a, "shift"_a, "scale"_a, "The first layer sees (x - shift) / scale.")
      .def("apply", &images, "X"_a, "The images of points.");
}

}  // namespace gramian::python

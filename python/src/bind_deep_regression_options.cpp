// SPDX-License-Identifier: BSD-3-Clause
// How a concatenated kernel regression is trained.
#include <pybind11/numpy.h>
#include <pybind11/native_enum.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "gramian/models/deep_regression.hpp"
#include "loss_argument.hpp"
#include "option_fields.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

deep_regression::ImageLoss image_loss(Index layer, const py::object& loss, const py::object& targets, double weight) {
  return {layer, loss_argument(loss), matrix_argument<double>(targets, "image_targets"), weight};
}

}  // namespace

void bind_deep_regression_options(py::module_& module) {
  py::native_enum<deep_regression::InnerParameters>(module, "InnerParameters", "enum.Enum",
                                                    "What the first layer is described by.")
      .value("auto", deep_regression::InnerParameters::automatic)
      .value("coefficients", deep_regression::InnerParameters::coefficients)
      .value("features", deep_regression::InnerParameters::features)
      .finalize();
  py::class_<deep_regression::MaternShape>(module, "MaternShape", "A Matern kernel by its smoothness and its width.")
      .def_readonly("nu", &deep_regression::MaternShape::nu)
      .def_readonly("length_scale", &deep_regression::MaternShape::length_scale);
  bind_options<deep_regression::Regression>(module, "Regression", "a regression")
      .def_static("outer_kernel", &deep_regression::Regression::outer_kernel, "features"_a,
                  "The last kernel, if nobody chose one.");
  py::class_<deep_regression::Interpolation>(module, "Interpolation", "Targets are met.")
      .def(py::init<>())
      .def_readonly_static("inner_penalty", &deep_regression::Interpolation::inner_penalty)
      .def_static("outer_kernel", &deep_regression::Interpolation::outer_kernel, "features"_a,
                  "The last kernel, if nobody chose one.");
  py::class_<deep_regression::ImageLoss>(module, "ImageLoss", "A loss of the images of an inner layer. It views the targets.")
      .def(py::init(&image_loss), "layer"_a, "loss"_a, "targets"_a, "weight"_a, py::keep_alive<1, 4>());
  bind_options<deep_regression::Options>(module, "Options", "a concatenated regression");
  bind_options<deep_regression::Grid>(module, "Grid", "the grid");
  module.def("options_of_a_choice", &deep_regression::options_of_a_choice, "options"_a,
             "For the fits of a choice, which need not be finished.");
  module.def("default_depth", [] { return deep_regression::default_depth; }, "Layers where nobody names any.");
  module.def("limits", [] { return deep_regression_limits; }, "When training ends by default.");
}

}  // namespace gramian::python

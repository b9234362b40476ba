// SPDX-License-Identifier: BSD-3-Clause
// The list of kernels, and what is known of any of them.
#include <pybind11/native_enum.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>

#include "gramian/kernels/kernel.hpp"
#include "gramian/kernels/width.hpp"
#include "kernel_spec.hpp"

namespace gramian::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

std::optional<KernelWidth> width_of(const KernelInfo& info) {
  return info.width.exists() ? std::optional<KernelWidth>(info.width) : std::nullopt;
}

void bind_entry(py::module_& module) {
  py::class_<ParameterInfo>(module, "Parameter",
                            "A parameter of a kernel: finite, and above `lower` or equal to it if `inclusive`.")
      .def_readonly("name", &ParameterInfo::name)
      .def_readonly("meaning", &ParameterInfo::meaning)
      .def_readonly("lower", &ParameterInfo::lower)
      .def_readonly("inclusive", &ParameterInfo::inclusive)
      .def_readonly("upper", &ParameterInfo::upper)
      .def_readonly("whole", &ParameterInfo::whole);
  py::class_<KernelWidth>(module, "Width", "The place of the parameter that is a length: parameter = factor * length**power.")
      .def_readonly("parameter", &KernelWidth::parameter)
      .def_readonly("factor", &KernelWidth::factor)
      .def_readonly("power", &KernelWidth::power);
  py::native_enum<PointKind>(module, "PointKind", "enum.Enum", "What the points of a kernel are.")
      .value("vectors", PointKind::vectors)
      .value("sets", PointKind::sets)
      .value("labels", PointKind::labels)
      .finalize();
  py::class_<KernelTraits>(module, "Traits", "What is known of a kernel, made of others or not.")
      .def_readonly("smooth_at_coincidence", &KernelTraits::smooth_at_coincidence)
      .def_readonly("explicit_features", &KernelTraits::explicit_features)
      .def_readonly("inner_product", &KernelTraits::inner_product)
      .def_readonly("proportional_slope", &KernelTraits::proportional_slope)
      .def_readonly("squared_lipschitz", &KernelTraits::squared_lipschitz)
      .def_readonly("points", &KernelTraits::points);
  py::class_<KernelInfo>(module, "Info", "An entry of the registry.")
      .def_readonly("name", &KernelInfo::name)
      .def_readonly("formula", &KernelInfo::formula)
      .def_readonly("parameters", &KernelInfo::parameters)
      .def_readonly("needs_coordinates", &KernelInfo::needs_coordinates)
      .def_property_readonly("width", &width_of)
      .def_property_readonly("has_spectrum", [](const KernelInfo& info) { return info.spectrum.exists(); })
      .def_readonly("traits", &KernelInfo::traits)
      .def_readonly("samples", &KernelInfo::samples);
}

}  // namespace

void bind_kernels(py::module_& module) {
  bind_entry(module);
  module.def("registry", &kernel_registry, "Every kernel of the engine, in its order.");
  module.def(
      "traits", [](const py::object& kernel) { return kernel_argument(kernel).traits(); }, "kernel"_a,
      "Of a combination, from those of its parts.");
  module.def(
      "needs_coordinates", [](const py::object& kernel) { return kernel_argument(kernel).needs_coordinates(); }, "kernel"_a,
      "Whether a kernel needs the points themselves, and not just their inner products.");
  module.def(
      "with_width",
      [](const py::object& kernel, double gamma, Index features) {
        return with_width(kernel_argument(kernel), gamma, features).parameters();
      },
      "kernel"_a, "gamma"_a, "features"_a, "Parameters of a kernel, or of a sum, with the length of the Gaussian of this gamma.");
}

}  // namespace gramian::python

// SPDX-License-Identifier: BSD-3-Clause
// Conditional mean embeddings in the span of landmarks: fits, fits to sums, and cross-validation.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call.hpp"
#include "gramian/models/conditional_mean/landmarks.hpp"
#include "kernel_spec.hpp"
#include "optional_matrix.hpp"
#include "points.hpp"
#include "python_rows.hpp"
#include "results.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using conditional_mean::LandmarkFit;
using conditional_mean::SummedFit;
using Numbers = py::array_t<double>;
using Rows = std::vector<Index>;

LandmarkFit fit(const py::object& kernel, const py::object& samples, const py::object& landmarks, const py::object& weights,
                const py::object& values, const conditional_mean::Options& options) {
  const Kernel k = kernel_argument(kernel);
  const PointsArgument Z(landmarks, py::none());
  const auto w = matrix_or_none(weights, "weights"), Y = matrix_or_none(values, "Y");
  LandmarkFit found;
  if (PythonRows::is_one(samples)) {
    const PythonRows X(samples);
    call([&] { found = conditional_mean::fit_landmarks(k, static_cast<const RowSource&>(X), Z.X(), w, Y, options); });
  } else {
    const PointsArgument X(samples, py::none());
    call([&] { found = conditional_mean::fit_landmarks(k, X.X(), Z.X(), w, Y, options); });
  }
  return found;
}

SummedFit fit_sums(const py::object& kernel, const py::object& landmarks, const py::object& output_kernel,
                   const py::object& outputs, const NormalSystem& system, double weight,
                   const conditional_mean::Options& options) {
  const Kernel k = kernel_argument(kernel), l = kernel_argument(output_kernel);
  const PointsArgument Z(landmarks, py::none()), Y(outputs, py::none());
  SummedFit found;
  call([&] { found = conditional_mean::fit_sums(k, Z.X(), l, Y.X(), system, weight, options); });
  return found;
}

Numbers losses_of(const py::object& kernel, const py::object& samples, const py::object& landmarks,
                  const py::object& output_kernel, const py::object& outputs, const py::object& output_landmarks,
                  const py::object& weights, const std::vector<std::pair<Rows, Rows>>& splits,
                  const conditional_mean::Grid& grid) {
  const Kernel k = kernel_argument(kernel), l = kernel_argument(output_kernel);
  const PointsArgument X(samples, py::none()), Z(landmarks, py::none()), Y(outputs, py::none()), T(output_landmarks, py::none());
  const auto w = matrix_or_none(weights, "weights");
  std::vector<conditional_mean::ValidationSplit> all;
  for (const auto& [training, held_out] : splits) all.push_back({training, held_out});
  auto losses = new_matrix<double>(static_cast<Index>(all.size()), static_cast<Index>(grid.lambdas.size()), "the losses",
                                   "try fewer penalties");
  call([&, out = writable_view(losses)] {
    conditional_mean::cross_validation_losses(LandmarkFeatures(k, Z.X()), X.X(), LandmarkFeatures(l, T.X()), Y.X(), w, all, grid,
                                              out);
  });
  return losses;
}

Numbers losses_of_each(const py::object& kernel, const py::object& samples, const py::object& landmarks,
                       const py::object& output_kernel, const py::object& outputs, const py::object& output_landmarks,
                       const py::object& weights, const conditional_mean::Grid& grid) {
  const Kernel k = kernel_argument(kernel), l = kernel_argument(output_kernel);
  const PointsArgument X(samples, py::none()), Z(landmarks, py::none()), Y(outputs, py::none()), T(output_landmarks, py::none());
  const auto w = matrix_or_none(weights, "weights");
  auto losses = new_matrix<double>(1, static_cast<Index>(grid.lambdas.size()), "the losses", "try fewer penalties");
  call([&, out = writable_view(losses)] {
    conditional_mean::leave_one_out_losses(LandmarkFeatures(k, Z.X()), X.X(), LandmarkFeatures(l, T.X()), Y.X(), w, grid, out);
  });
  return losses;
}

template <class Result>
void add_fit(py::class_<Result>& type) {
  add_array(type, "pivots", [](const Result& it) -> const auto& { return it.pivots; });
  add_array(type, "factor", [](const Result& it) -> const auto& { return it.factor; });
  type.def_property_readonly("coefficients",
                             [](const py::object& self) { return array_or_none(self.cast<const Result&>().coefficients, self); });
}

}  // namespace

void bind_conditional_mean_landmarks(py::module_& module) {
  py::class_<LandmarkFit> found(module, "LandmarkFit", "An embedding in the span of landmarks.");
  add_fit(found);
  py::class_<SummedFit> summed(module, "SummedFit", "The same from sums, with weights of some outputs.");
  add_fit(summed);
  add_array(summed, "output_pivots", [](const SummedFit& it) -> const auto& { return it.output_pivots; });
  add_array(summed, "mixing", [](const SummedFit& it) -> const auto& { return it.mixing; });
  module.def("fit_landmarks", &fit, "kernel"_a, "X"_a, "landmarks"_a, "weights"_a, "Y"_a, "options"_a,
             "Of points, or of rows that are read.");
  module.def("fit_sums", &fit_sums, "kernel"_a, "landmarks"_a, "output_kernel"_a, "outputs"_a, "system"_a, "weight"_a,
             "options"_a, "Of a normal system, in whose last columns are kernel values to the outputs.");
  module.def("landmark_losses", &losses_of, "kernel"_a, "X"_a, "landmarks"_a, "output_kernel"_a, "Y"_a, "output_landmarks"_a,
             "weights"_a, "splits"_a, "grid"_a, "cross_validation_losses in the span of landmarks.");
  module.def("landmark_leave_one_out_losses", &losses_of_each, "kernel"_a, "X"_a, "landmarks"_a, "output_kernel"_a, "Y"_a,
             "output_landmarks"_a, "weights"_a, "grid"_a, "leave_one_out_losses in the span of landmarks.");
}

}  // namespace gramian::python

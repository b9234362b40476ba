// SPDX-License-Identifier: BSD-3-Clause
// What deep kernel PCA minimises, for those who put their own training together.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "call.hpp"
#include "gramian/base/error.hpp"
#include "gramian/models/deep_pca/objective.hpp"
#include "layer_spec.hpp"
#include "value_and_gradient.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Flat = py::array_t<double, py::array::c_style>;

class BoundDeepPcaObjective {
 public:
  BoundDeepPcaObjective(py::object X, const std::vector<deep_pca::Level>& levels, const deep_pca::ObjectiveOptions& options)
      : X_(std::move(X)), points_(X_, py::none()) {
    const PointSource input = input_argument(points_);
    call([&] { engine_.emplace(input, levels, options); });
  }

  double value(const Flat& x) {
    const double* at = checked(x);
    double found = 0.0;
    call(mutex_, [&] { found = engine_->evaluate(at, nullptr); });
    return found;
  }

  ValueGradientPair value_and_gradient(const Flat& x) {
    const double* at = checked(x);
    Flat gradient(engine_->size());
    double found = 0.0;
    call(mutex_, [&, to = gradient.mutable_data()] { found = engine_->evaluate(at, to); });
    return py::make_tuple(found, gradient);
  }

  deep_pca::State state(const Flat& x) {
    const double* at = checked(x);
    deep_pca::State found;
    call(mutex_, [&] { found = engine_->describe(at); });
    return found;
  }

  Flat energy_gradient(const Flat& x) {
    const double* at = checked(x);
    Flat gradient(engine_->manifold().free_offset());
    call(mutex_, [&, to = gradient.mutable_data()] { engine_->energy_gradient(at, to); });
    return gradient;
  }

 private:
  const double* checked(const Flat& x) const {
    require(x.size() == engine_->size(),
            "x has " + std::to_string(x.size()) + " numbers, it must have " + std::to_string(engine_->size()));
    return x.data();
  }

  py::object X_;  // points_ views it
  PointsArgument points_;
  std::optional<deep_pca::TrainingObjective> engine_;
  std::mutex mutex_;
};

}  // namespace

void bind_deep_pca_objective(py::module_& module) {
  py::class_<BoundDeepPcaObjective>(module, "Objective", "J on a sample.")
      .def(py::init<py::object, const std::vector<deep_pca::Level>&, const deep_pca::ObjectiveOptions&>(), "X"_a, "levels"_a,
           "options"_a)
      .def("value", &BoundDeepPcaObjective::value, py::arg("x").noconvert(), "J.")
      .def("value_and_gradient", &BoundDeepPcaObjective::value_and_gradient, py::arg("x").noconvert(), "J and its gradient.")
      .def("state", &BoundDeepPcaObjective::state, py::arg("x").noconvert(), "What is known of a point beside J.")
      .def("energy_gradient", &BoundDeepPcaObjective::energy_gradient, py::arg("x").noconvert(), "A_j of all levels, flat.");
}

}  // namespace gramian::python

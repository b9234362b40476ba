// SPDX-License-Identifier: BSD-3-Clause
// What deep kernel PCA minimises, for those who put their own training together.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "call.hpp"
#include "deep_pca_spec.hpp"
#include "gramian/base/error.hpp"
#include "layer_spec.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

using Flat = py::array_t<double, py::array::c_style>;

class BoundDeepPcaObjective {
 public:
  BoundDeepPcaObjective(py::object X, const py::list& levels, bool joint, bool centred, std::uint64_t memory_budget)
      : X_(std::move(X)), points_(X_, py::none()) {
    const PointSource input = input_argument(points_);
    auto parts = deep_pca_levels_argument(levels);
    const auto eigenvalues = joint ? DeepPcaEigenvalues::joint : DeepPcaEigenvalues::eliminated;
    call([&] { engine_.emplace(input, std::move(parts), DeepPcaObjectiveOptions{eigenvalues, centred, memory_budget}); });
  }

  double value(const Flat& x) {
    const double* at = checked(x);
    double found = 0.0;
    call(mutex_, [&] { found = engine_->evaluate(at, nullptr); });
    return found;
  }

  py::tuple value_and_gradient(const Flat& x) {
    const double* at = checked(x);
    Flat gradient(engine_->size());
    double found = 0.0;
    call(mutex_, [&, to = gradient.mutable_data()] { found = engine_->evaluate(at, to); });
    return py::make_tuple(found, gradient);
  }

  /// A_j of all levels, flat, is part of the state.
  Facts state(const Flat& x) {
    const double* at = checked(x);
    Flat energy_gradient(engine_->manifold().free_offset());
    DeepPcaState found;
    call(mutex_, [&, to = energy_gradient.mutable_data()] {
      found = engine_->describe(at);
      engine_->energy_gradient(at, to);
    });
    Facts facts = deep_pca_state_facts(found);
    facts["energy_gradient"] = energy_gradient;
    return facts;
  }

 private:
  const double* checked(const Flat& x) const {
    require(x.size() == engine_->size(),
            "x has " + std::to_string(x.size()) + " numbers, it must have " + std::to_string(engine_->size()));
    return x.data();
  }

  py::object X_;  // points_ views it
  PointsArgument points_;
  std::optional<DeepPcaObjective> engine_;
  std::mutex mutex_;
};

}  // namespace

void bind_deep_pca_objective(py::module_& module) {
  py::class_<BoundDeepPcaObjective>(module, "Objective", "J on a sample. A level is (kernel, components, eta).")
      .def(py::init<py::object, const py::list&, bool, bool, std::uint64_t>(), "X"_a, "levels"_a, "joint"_a, "centred"_a,
           "memory_budget"_a)
      .def("value", &BoundDeepPcaObjective::value, py::arg("x").noconvert(), "J.")
      .def("value_and_gradient", &BoundDeepPcaObjective::value_and_gradient, py::arg("x").noconvert(), "J and its gradient.")
      .def("state", &BoundDeepPcaObjective::state, py::arg("x").noconvert(), "What is known of a point beside J.");
}

}  // namespace gramian::python

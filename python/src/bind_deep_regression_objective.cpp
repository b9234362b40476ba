// SPDX-License-Identifier: BSD-3-Clause
// What concatenated kernel regression minimises, for an optimiser of one's own.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <mutex>
#include <vector>

#include "call.hpp"
#include "deep_regression_problem.hpp"
#include "value_and_gradient.hpp"

namespace gramian::python {

using namespace py::literals;

namespace {

class BoundDeepObjective {
 public:
  BoundDeepObjective(const py::object& X, const py::object& targets, const std::vector<LayerPlan>& layers,
                     const deep_regression::Options& options, const std::vector<deep_regression::ImageLoss>& images)
      : problem_(X, targets, layers, options, images) {
    call([&] { engine_ = deep_regression::objective(problem_.input, problem_.Y, problem_.layers, problem_.options); });
  }

  Index size() const { return engine_->size(); }

  ValueGradientPair evaluate(const py::array_t<double, py::array::c_style>& x) {
    if (x.size() != size()) throw py::value_error("x has another size than there are variables");
    py::array_t<double> gradient(size());
    double value = 0.0;
    call(mutex_, [&, at = x.data(), out = gradient.mutable_data()] { value = engine_->evaluate(at, out); });
    return py::make_tuple(value, gradient);
  }

 private:
  DeepRegressionProblem problem_;
  std::unique_ptr<Objective> engine_;
  std::mutex mutex_;
};

}  // namespace

void bind_deep_regression_objective(py::module_& module) {
  // Its parts view X, the targets and those of the image losses.
  py::class_<BoundDeepObjective>(module, "Objective", "What a fit minimises.")
      .def(py::init<const py::object&, const py::object&, const std::vector<LayerPlan>&, const deep_regression::Options&,
                    const std::vector<deep_regression::ImageLoss>&>(),
           "X"_a, "targets"_a, "layers"_a, "options"_a, "image_losses"_a, py::keep_alive<1, 2>(), py::keep_alive<1, 3>(),
           py::keep_alive<1, 6>())
      .def("size", &BoundDeepObjective::size, "The number of variables.")
      .def("evaluate", &BoundDeepObjective::evaluate, py::arg("x").noconvert(), "The value and the gradient in the variables.");
}

}  // namespace gramian::python

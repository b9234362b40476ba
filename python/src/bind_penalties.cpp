// SPDX-License-Identifier: BSD-3-Clause
// Penalties that are not linear, of the engine and of Python.
#include <pybind11/pybind11.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "gramian/losses/penalty.hpp"
#include "scalars.hpp"

namespace gramian::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

/// A penalty that is written in Python: its methods are called with the GIL, by whichever thread evaluates them.
class PythonPenalty final : public Penalty {
 public:
  PythonPenalty(double weight, py::object theta) : weight_(weight), theta_(std::move(theta)) {}
  ~PythonPenalty() override {
    const py::gil_scoped_acquire gil;
    theta_ = py::object();
  }
  PythonPenalty(const PythonPenalty&) = delete;
  PythonPenalty& operator=(const PythonPenalty&) = delete;

  double value(double square) const override { return weight_ * result_of("value", square); }
  double slope(double square) const override {
    const double slope = result_of("slope", square);
    if (!(slope >= 0.0 && std::isfinite(slope))) {
      const py::gil_scoped_acquire gil;
      throw py::value_error("what " + who("slope") + " returns must be a finite number, 0 or greater: theta increases");
    }
    return weight_ * slope;
  }

 private:
  std::string who(const char* method) const { return text_of(py::type::of(theta_).attr("__name__")) + "." + method; }

  double result_of(const char* method, double square) const {
    const py::gil_scoped_acquire gil;
    const double result = number_of(theta_.attr(method)(square), "what " + who(method) + " returns");
    if (std::isnan(result)) throw py::value_error("what " + who(method) + " returns is not a number");
    return result;
  }

  double weight_;
  py::object theta_;
};

}  // namespace

void bind_penalties(py::module_& module) {
  py::class_<Penalty, std::shared_ptr<Penalty>>(module, "Penalty", "Theta(s) of a squared norm s.");
  module.def(
      "norm_penalty", [](double weight) -> std::shared_ptr<Penalty> { return norm_penalty(weight); }, "weight"_a,
      "weight * sqrt(s).");
  module.def(
      "power_penalty", [](double weight, double exponent) -> std::shared_ptr<Penalty> { return power_penalty(weight, exponent); },
      "weight"_a, "exponent"_a, "weight * s**exponent.");
  module.def(
      "own_penalty",
      [](double weight, py::object theta) -> std::shared_ptr<Penalty> {
        return std::make_shared<PythonPenalty>(weight, std::move(theta));
      },
      "weight"_a, "theta"_a, "weight * theta.value(s), with the derivative weight * theta.slope(s).");
}

}  // namespace gramian::python

// SPDX-License-Identifier: BSD-3-Clause
#include "penalty_argument.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "scalars.hpp"

namespace gramian::python {

namespace py = pybind11;

namespace {

/// A penalty that is written in Python.
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

std::shared_ptr<Penalty> penalty_argument(py::handle spec) {
  if (spec.is_none()) return nullptr;
  const auto parts = spec.cast<py::tuple>();
  const auto name = parts[0].cast<std::string>();
  const auto weight = parts[1].cast<double>();
  if (name == "norm") return norm_penalty(weight);
  if (name == "power") return power_penalty(weight, parts[2].cast<double>());
  if (name == "own") return std::make_shared<PythonPenalty>(weight, parts[2]);
  throw py::value_error("a penalty can't be " + name);
}

}  // namespace gramian::python

// SPDX-License-Identifier: BSD-3-Clause
#include "loss_argument.hpp"

#include <pybind11/numpy.h>

#include <cmath>
#include <string>
#include <utility>

#include "value_and_gradient.hpp"

namespace gramian::python {

namespace {

/// A copy: what Python keeps of it may outlive the view.
py::array_t<double> array_from(MatrixView<const double> view) {
  py::array_t<double> array({view.rows(), view.cols()});
  auto out = array.mutable_unchecked<2>();
  for (Index i = 0; i < view.rows(); ++i) {
    for (Index j = 0; j < view.cols(); ++j) out(i, j) = view(i, j);
  }
  return array;
}

/// A loss that is written in Python.
class PythonLoss final : public Loss {
 public:
  explicit PythonLoss(py::object loss) : loss_(std::move(loss)) {}
  ~PythonLoss() override {
    const py::gil_scoped_acquire gil;
    loss_ = py::object();
  }
  PythonLoss(const PythonLoss&) = delete;
  PythonLoss& operator=(const PythonLoss&) = delete;

  double evaluate(MatrixView<const double> target, MatrixView<const double> output,
                  MatrixView<double> output_bar) const override {
    const py::gil_scoped_acquire gil;
    const std::string who = text_of(py::type::of(loss_).attr("__name__")) + ".evaluate";
    const py::object result = loss_.attr("evaluate")(array_from(target), array_from(output));
    const ValueAndGradient found = value_and_gradient(result, who, {output.rows(), output.cols()});
    if (!std::isfinite(found.value)) throw py::value_error("the value that " + who + " returns is not finite");
    if (!output_bar.empty()) copy_finite(found.gradient, output_bar, who);
    return found.value;
  }

 private:
  static void copy_finite(const py::array_t<double>& gradient, MatrixView<double> out, const std::string& who) {
    const auto in = gradient.unchecked<2>();
    bool finite = true;
    for (Index i = 0; i < out.rows(); ++i) {
      for (Index j = 0; j < out.cols(); ++j) {
        out(i, j) = in(i, j);
        finite = finite && std::isfinite(in(i, j));
      }
    }
    if (!finite) throw py::value_error("the gradient that " + who + " returns has an entry that is not finite");
  }

  py::object loss_;
};

[[noreturn]] void refuse(const py::object& loss) {
  throw py::type_error("loss must be 'squared', a loss of gramian.losses, or an object with evaluate(target, output), got " +
                       py::repr(loss).cast<std::string>());
}

std::unique_ptr<Loss> loss_of_tuple(const py::tuple& spec) {
  const std::string name = !spec.empty() && py::isinstance<py::str>(spec[0]) ? spec[0].cast<std::string>() : "";
  if (spec.size() == 1 && name == "squared") return squared_loss();
  if (spec.size() == 1 && name == "logistic") return logistic_loss();
  if (spec.size() == 3 && name == "clipped_cross_entropy") {
    return clipped_cross_entropy_loss(number_of(spec[1], "epsilon"), number_of(spec[2], "the shift of a loss"));
  }
  if (spec.size() != 2) refuse(spec);
  const double parameter = number_of(spec[1], "the parameter of a loss");
  if (name == "epsilon_insensitive") return epsilon_insensitive_loss(parameter);
  if (name == "squared_epsilon_insensitive") return squared_epsilon_insensitive_loss(parameter);
  if (name == "huber") return huber_loss(parameter);
  if (name == "clipped_cross_entropy") return clipped_cross_entropy_loss(parameter);
  refuse(spec);
}

}  // namespace

std::unique_ptr<Loss> loss_argument(const py::object& loss) {
  if (py::isinstance<py::tuple>(loss)) return loss_of_tuple(py::reinterpret_borrow<py::tuple>(loss));
  if (py::isinstance<py::str>(loss)) {
    if (loss.cast<std::string>() != "squared") refuse(loss);
    return squared_loss();
  }
  if (py::isinstance<py::type>(loss)) refuse(loss);  // the class itself, for an object of it
  if (py::hasattr(loss, "_lower")) {
    const py::object spec = loss.attr("_lower")();
    if (!spec.is_none()) return loss_argument(spec);
  }
  if (!py::hasattr(loss, "evaluate")) refuse(loss);
  return std::make_unique<PythonLoss>(loss);
}

}  // namespace gramian::python

// SPDX-License-Identifier: BSD-3-Clause
#include "loss_argument.hpp"

#include <pybind11/numpy.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

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
  if (spec.empty() || !py::isinstance<py::str>(spec[0])) refuse(spec);
  const auto name = spec[0].cast<std::string>();
  const std::vector<LossEntry> all = all_losses();
  const auto entry = std::find_if(all.begin(), all.end(), [&](const LossEntry& one) { return one.name == name; });
  if (entry == all.end()) refuse(spec);
  const auto needed =
      std::count_if(entry->parameters.begin(), entry->parameters.end(), [](const auto& p) { return !p.otherwise; });
  const std::size_t given = spec.size() - 1;
  if (given < static_cast<std::size_t>(needed) || given > entry->parameters.size()) refuse(spec);
  std::vector<double> parameters;
  for (std::size_t i = 1; i < spec.size(); ++i) {
    parameters.push_back(number_of(spec[i], "a parameter of the loss " + name));
  }
  return make_loss(name, parameters);
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

// SPDX-License-Identifier: BSD-3-Clause
#include "optim_options.hpp"

#include <type_traits>
#include <utility>

#include "value_and_gradient.hpp"

namespace gramian::python {

namespace {

Index whole_of(py::handle object, const std::string& name) {
  if (PyIndex_Check(object.ptr()) == 0 || PyBool_Check(object.ptr()) != 0) {
    throw py::type_error(name + " must be an integer, got " + py::repr(object).cast<std::string>());
  }
  return object.cast<Index>();
}

}  // namespace

Options::Options(const py::dict& options, const std::string& solver) : left_(options.attr("copy")()), solver_(solver) {}

template <class T>
void Options::take(const char* name, T& field) {
  if (!left_.contains(name)) return;
  const py::object value = left_.attr("pop")(name);
  if constexpr (std::is_same_v<T, double>) {
    field = number_of(value, name);
  } else {
    field = whole_of(value, name);
  }
}

void Options::take(const char* name, StepRule& field) {
  if (!left_.contains(name)) return;
  const std::string text = text_of(left_.attr("pop")(name));
  constexpr std::pair<const char*, StepRule> rules[] = {{"constant", StepRule::constant},
                                                        {"inverse_time", StepRule::inverse_time},
                                                        {"inverse_root", StepRule::inverse_root},
                                                        {"backtracking", StepRule::backtracking}};
  for (const auto& [known, rule] : rules) {
    if (text == known) {
      field = rule;
      return;
    }
  }
  throw py::value_error(std::string(name) + " must be 'constant', 'inverse_time', 'inverse_root' or 'backtracking', got '" +
                        text + "'");
}

void Options::require_empty() const {
  for (const auto& item : left_) {
    throw py::type_error("solver '" + solver_ + "' has no option " + py::repr(item.first).cast<std::string>());
  }
}

template <class T>
void Options::take_limits(T& options) {
  take("max_iterations", options.max_iterations);
  take("gradient_tolerance", options.gradient_tolerance);
  take("value_tolerance", options.value_tolerance);
}

template <class T>
void Options::take_rule(T& options) {
  take("rule", options.rule);
  take("step", options.step);
  take("decay", options.decay);
  take("momentum", options.momentum);
}

template <class T>
void Options::take_search(T& options) {
  take_limits(options);
  take("max_evaluations", options.max_evaluations);
  take("sufficient_decrease", options.sufficient_decrease);
  take("curvature", options.curvature);
}

LbfgsOptions Options::lbfgs() {
  LbfgsOptions options;
  take_search(options);
  take("memory", options.memory);
  require_empty();
  return options;
}

BfgsOptions Options::bfgs() {
  BfgsOptions options;
  take_search(options);
  require_empty();
  return options;
}

GradientDescentOptions Options::gradient_descent() {
  GradientDescentOptions options;
  take_limits(options);
  take_rule(options);
  require_empty();
  return options;
}

SgdOptions Options::sgd() {
  SgdOptions options;
  take_limits(options);
  take_rule(options);
  take("check_every", options.check_every);
  require_empty();
  return options;
}

AdamOptions Options::adam(bool estimates) {
  AdamOptions options;
  take_limits(options);
  take("step", options.step);
  take("beta1", options.beta1);
  take("beta2", options.beta2);
  take("epsilon", options.epsilon);
  if (estimates) take("check_every", options.check_every);
  require_empty();
  return options;
}

}  // namespace gramian::python

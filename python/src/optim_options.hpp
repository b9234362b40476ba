// SPDX-License-Identifier: BSD-3-Clause
// Options of optimisers on their way from Python: by the names, and with the defaults, of the engine.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "gramian/optim/bfgs.hpp"
#include "gramian/optim/lbfgs.hpp"
#include "gramian/optim/stochastic.hpp"

namespace gramian::python {

/// Each function takes what belongs to its struct. TypeError for a name that is not known there, or a value of the wrong kind.
class Options {
 public:
  Options(const pybind11::dict& options, const std::string& solver);
  LbfgsOptions lbfgs();
  BfgsOptions bfgs();
  GradientDescentOptions gradient_descent();
  SgdOptions sgd();
  AdamOptions adam(bool estimates);

 private:
  template <class T>
  void take(const char* name, T& field);
  void take(const char* name, StepRule& field);
  template <class T>
  void take_limits(T& options);
  template <class T>
  void take_search(T& options);
  template <class T>
  void take_rule(T& options);
  void require_empty() const;

  pybind11::dict left_;
  std::string solver_;
};

}  // namespace gramian::python

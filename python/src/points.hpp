// SPDX-License-Identifier: BSD-3-Clause
// What kernels are evaluated on, on its way from Python.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <variant>

#include "gramian/gram/points.hpp"

namespace gramian::python {

/// One set of points, two sets, or inner products. Points are a matrix or ("sparse", row_start, columns, values, features); inner
/// products are ("inner", K, x_squares, y_squares), with None for both squares if K is of one set, and no second argument. All of
/// it are views: the caller holds the Python objects as long as it lives.
class PointsArgument {
 public:
  PointsArgument(const pybind11::object& X, const pybind11::object& Y);

  bool float64() const;
  bool inner() const { return inner_.has_value(); }
  bool one_set() const;
  bool sparse() const { return !inner() && X_->sparse(); }
  Index rows() const;
  Index cols() const;
  Index dimension() const { return inner() ? rows() : X_->dimension(); }

  /// f(inner products), f(X, Y) or f(X).
  template <class T, class F>
  void apply(F&& f) const {
    if (inner()) {
      f(std::get<InnerProducts<T>>(*inner_));
    } else if (Y_) {
      f(*X_, *Y_);
    } else {
      f(*X_);
    }
  }

  const Points& X() const { return *X_; }
  const Points& Y() const { return *Y_; }
  const InnerProducts<double>& inner_products() const { return std::get<InnerProducts<double>>(*inner_); }

 private:
  std::optional<Points> X_, Y_;
  std::optional<std::variant<InnerProducts<double>, InnerProducts<float>>> inner_;
};

}  // namespace gramian::python

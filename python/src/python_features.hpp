// SPDX-License-Identifier: BSD-3-Clause
// Features that are written in Python, as the engine sees them: each call takes the GIL, and what it raises goes through.
#pragma once

#include <pybind11/pybind11.h>

#include "gramian/layers/feature_map.hpp"

namespace gramian::python {

namespace py = pybind11;

/// An object with whole numbers inputs, outputs and parameter_count, and start(seed) -> theta, forward(theta, X, training=,
/// seed=, step=) -> Z, reverse(Zbar) -> theta_bar. What it gets are copies, which it may keep.
class PythonFeatures final : public FeatureMap {
 public:
  /// The GIL must be held. Throws TypeError for an object that lacks any of these.
  explicit PythonFeatures(py::object object);
  ~PythonFeatures() override;
  PythonFeatures(const PythonFeatures&) = delete;
  PythonFeatures& operator=(const PythonFeatures&) = delete;

  Index inputs() const override { return inputs_; }
  Index outputs() const override { return outputs_; }
  Index parameter_count() const override { return parameter_count_; }
  std::vector<double> start(std::uint64_t seed) const override;
  void forward(const double* theta, MatrixView<const double> X, MatrixView<double> Z, const FeaturePass& pass) override;
  void reverse(MatrixView<const double> Zbar, double* theta_bar) override;

 private:
  py::object object_;
  Index inputs_, outputs_, parameter_count_;
};

}  // namespace gramian::python

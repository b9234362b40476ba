// SPDX-License-Identifier: BSD-3-Clause
// Layers on their way from Python: as nested tuples, so that no C++ object lives there.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <vector>

#include "gramian/layers/composition.hpp"
#include "gramian/layers/layer.hpp"
#include "points.hpp"

namespace gramian::python {

/// What helps when the coefficients of layers do not fit.
constexpr const char* layer_advice = "use landmarks";

/// A matrix of the engine's own as a new array.
pybind11::array_t<double> new_copy(MatrixView<const double> source);

/// The number of outputs for the identity, one row of numbers for a diagonal, or a square matrix.
OutputOperator operator_argument(pybind11::handle object);

/// The sum that a sequence of (kernel, operator) describes.
std::vector<LayerTerm> terms_argument(pybind11::handle terms);

/// (terms, penalty).
KernelLayer layer_argument(pybind11::handle spec);

/// A sequence of these.
std::vector<KernelLayer> layers_argument(pybind11::handle specs);

/// What the first layer sees: one set of points, or the inner products of one. It views what `points` views.
PointSource input_argument(const PointsArgument& points);

}  // namespace gramian::python

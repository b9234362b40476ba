// SPDX-License-Identifier: BSD-3-Clause
// The penalty that keeps images apart, [DKL] (15).
#pragma once

#include "gramian/base/matrix.hpp"

namespace gramian::deep_regression {

/// factor sum_{i<j} coth |x_i - x_j|^2: infinity if two rows are equal. Its gradient is added to Xbar, unless that is empty.
/// O(n^2 d), the same bits for any number of threads. room: for use within, kept by who calls again.
double add_distance_penalty(double factor, MatrixView<const double> X, MatrixView<double> Xbar, Matrix& room);

}  // namespace gramian::deep_regression

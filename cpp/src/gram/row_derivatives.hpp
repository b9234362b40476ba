// SPDX-License-Identifier: BSD-3-Clause
// Weighted sums of kernel values of many points with the same supports, and their first and second derivatives in each point: one
// sweep over the tiles gives all of them.
#pragma once

#include "gramian/base/matrix.hpp"
#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

/// For rows x of X with weights w of their own, supports y_i and vectors q_i.
struct RowDerivatives {
  Matrix values;     ///< q x p: sum_i k(x, y_i) q_i
  Matrix slopes;     ///< q x (p d): their derivatives; that of value c in coordinate k stands in column c d + k
  Matrix curvature;  ///< q x (d d): second derivatives of <w, values>
};

/// The values, and the gradients of <w, values>: q x d.
struct RowGradients {
  Matrix values, gradients;
};

/// Whether there is a sweep for the kernel: it is a function of distances or of inner products, or a sum or a multiple of such.
bool has_row_derivatives(const Kernel& kernel);

/// rough: computed in float32, in half the time. Numbers beyond its range are refused as if they were not finite.
enum class Accuracy { full, rough };

/// X: q x d, Y: n x d, Q: n x p, W: q x p. O(q n (p d + d^2)). What a row gets does not depend on the others. Second partials are
/// taken as 0 where they are unbounded. Throws std::invalid_argument for points that are not finite.
RowDerivatives row_derivatives(const Kernel& kernel, MatrixView<const double> X, MatrixView<const double> Y,
                               MatrixView<const double> Q, MatrixView<const double> W, Accuracy accuracy = Accuracy::full);

/// The same without what costs most: O(q n (p + d)).
RowGradients row_gradients(const Kernel& kernel, MatrixView<const double> X, MatrixView<const double> Y,
                           MatrixView<const double> Q, MatrixView<const double> W);

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// The derivative of the adjoint along directions: products of Hessians with vectors, and none of these matrices.
#pragma once

#include "gramian/base/view.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

/// What moves: the points along Xdot (n x d), Kbar along Kbar_dot (for Kbar = P Q^T it is [Pdot P] [Q Qdot]^T).
/// out (n x d) is overwritten with the derivative of adjoint()'s Xbar. For K = k(X, X), both roles. O(n^2 (d + r)) time, nothing
/// n x n is stored. Second partials are taken as 0 where they are unbounded. Throws std::invalid_argument if shapes or types
/// disagree, an entry is not finite, or points are not dense.
GRAMIAN_API void hessian_vector(const Kernel& kernel, const Points& X, MatrixView<const double> Xdot,
                                const GramGradient<double>& Kbar, const GramGradient<double>& Kbar_dot, MatrixView<double> out);

/// For K = k(X, Y), with Y moving along Ydot (m x d); either result may be empty.
GRAMIAN_API void hessian_vector(const Kernel& kernel, const Points& X, const Points& Y, MatrixView<const double> Xdot,
                                MatrixView<const double> Ydot, const GramGradient<double>& Kbar,
                                const GramGradient<double>& Kbar_dot, MatrixView<double> X_out, MatrixView<double> Y_out);

}  // namespace gramian

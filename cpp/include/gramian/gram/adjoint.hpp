// SPDX-License-Identifier: BSD-3-Clause
// The reverse of a Gram matrix: from the gradient in its entries to gradients in the points and in the kernel's parameters.
#pragma once

#include <vector>

#include "gramian/base/view.hpp"
#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

/// Kbar, the gradient of a scalar in the entries of a Gram matrix: a product P Q^T that is never formed, or a dense matrix.
template <class T>
class GramGradient {
 public:
  /// Kbar = P Q^T, P: n x r, Q: m x r.
  GramGradient(MatrixView<const T> P, MatrixView<const T> Q) : P_(P), Q_(Q) {}
  /// Kbar itself, n x m.
  explicit GramGradient(MatrixView<const T> dense) : dense_form_(true), P_(dense) {}

  bool dense() const { return dense_form_; }
  MatrixView<const T> P() const { return P_; }  ///< or the dense matrix
  MatrixView<const T> Q() const { return Q_; }

 private:
  bool dense_form_ = false;
  MatrixView<const T> P_, Q_;
};

/// For K = k(X, X): Xbar (n x d) is overwritten with sum_ij Kbar_ij dk(x_i, x_j)/dX, both roles; the result is sum_ij Kbar_ij
/// dK_ij/dtheta for all of Kernel::parameters(), in its order. An empty Xbar asks for the parameters alone; sparse points allow
/// nothing else. O(n^2 (d + r)) time, neither K nor Kbar is stored. Where a kernel has a kink (coincident points) its partials
/// are taken as 0. Throws std::invalid_argument if shapes or types disagree or an entry is not finite.
GRAMIAN_API std::vector<double> adjoint(const Kernel& kernel, const Points& X, const GramGradient<double>& Kbar,
                                        MatrixView<double> Xbar);
GRAMIAN_API std::vector<double> adjoint(const Kernel& kernel, const Points& X, const GramGradient<float>& Kbar,
                                        MatrixView<float> Xbar);

/// For K = k(X, Y): the same for both sets of points; either of Xbar (n x d) and Ybar (m x d) may be empty.
GRAMIAN_API std::vector<double> adjoint(const Kernel& kernel, const Points& X, const Points& Y, const GramGradient<double>& Kbar,
                                        MatrixView<double> Xbar, MatrixView<double> Ybar);
GRAMIAN_API std::vector<double> adjoint(const Kernel& kernel, const Points& X, const Points& Y, const GramGradient<float>& Kbar,
                                        MatrixView<float> Xbar, MatrixView<float> Ybar);

/// For a kernel on inner products of one set: their gradient, symmetric, n x n, with what flows through the squared norms on its
/// diagonal. May be empty.
GRAMIAN_API std::vector<double> adjoint(const Kernel& kernel, const InnerProducts<double>& XX, const GramGradient<double>& Kbar,
                                        MatrixView<double> inner_bar);

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// Explicit Jacobians by the forward recursion of [KAE] App. B.3: slow, for inspection and as a check of the reverse mode.
#pragma once

#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/layers/composition.hpp"

namespace gramian {

/// Jac_{x_i^(L)}(phi_{l0, i0}) for all samples i, at the given flat coefficients: n matrices of d_L x d_l0, one below the other
/// (n d_L x d_l0). Own layer: [K_l]_{i, i0} A_l. Higher layers: A_l sum_i' phi_{l, i'} times the two terms of d k_l(x_i, x_i'),
/// because supports move too, [KAE] App. B.3. O(n^2 (L - l0) p^2) for one (l0, i0), O(n^2 p L) memory. Without landmarks. l0 =
/// 1 .. L, i0 = 0 .. n - 1, else std::invalid_argument; layers and input are refused as Composition refuses them.
GRAMIAN_API Matrix forward_jacobian(const PointSource& input, const std::vector<KernelLayer>& layers, const double* flat,
                                    Index l0, Index i0);

/// The gradient of (1/n) sum |x_i - x_i^(L)|^2 + sum lambda_l |f_l|^2 by [KAE] (9), (11) and (12) from explicit Jacobians,
/// O(n^3 L^2 p^3): flat, as Composition has it. targets: n x d_L.
GRAMIAN_API void jacobian_gradient(const PointSource& input, const std::vector<KernelLayer>& layers, const double* flat,
                                   MatrixView<const double> targets, double* gradient);

}  // namespace gramian

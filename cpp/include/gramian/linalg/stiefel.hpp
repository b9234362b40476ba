// SPDX-License-Identifier: BSD-3-Clause
// Matrices with orthonormal columns, H: n x s with HᵀH = I, as a manifold: projections, gradients, retractions.
// n >= s everywhere; views of any strides; out may be one of the arguments. O(n s^2) each. The same bits for any number of
// threads.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// The nearest matrix with orthonormal columns, the polar factor H (HᵀH)^(-1/2). Through HᵀH while its condition number is below
/// 1e4, through QR and SVD beyond. Throws std::invalid_argument if shapes disagree or an entry is not finite, NumericalError if
/// the columns of H are linearly dependent up to rounding.
GRAMIAN_API void stiefel_project(MatrixView<const double> H, MatrixView<double> out);

/// Z - H sym(HᵀZ): the nearest tangent vector at H. It is also the Riemannian gradient of the Euclidean metric, if Z is the
/// ordinary one.
GRAMIAN_API void stiefel_tangent(MatrixView<const double> H, MatrixView<const double> Z, MatrixView<double> out);

/// polar: (H + Z)(I + ZᵀZ)^(-1/2) for a tangent vector Z, computed as stiefel_project(H + Z).
/// qr: the factor Q of H + Z = Q R with a positive diagonal of R.
enum class StiefelRetraction { polar, qr };

/// A point near H + Z. Throws as stiefel_project(H + Z) does.
GRAMIAN_API void stiefel_retract(MatrixView<const double> H, MatrixView<const double> Z, StiefelRetraction retraction,
                                 MatrixView<double> out);

/// The largest entry of |HᵀH - I|.
GRAMIAN_API double stiefel_infeasibility(MatrixView<const double> H);

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// The QR factorization of a tall matrix above a multiple of the identity, for inverses of W Wᵀ + shift I.
#pragma once

#include "gramian/base/matrix.hpp"

namespace gramian {

/// W becomes Q of [W; root I] = [Q; .] R with orthonormal columns, by Cholesky factorizations of the Gram matrix, up to three of
/// them, as many as its condition needs. Returns root^2: 1 or 1e-14 |W|^2, whichever is larger, as what is below that is
/// rounding. Then (W Wᵀ + root^2 I)^-1 = (I - Q Qᵀ) / root^2. Throws NumericalError if |W|^2 overflows.
double tall_qr(Matrix& W);

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// The QR factorization of a tall matrix above a multiple of the identity, for inverses of WᵀW + shift I and W Wᵀ + shift I.
#pragma once

#include "gramian/base/matrix.hpp"

namespace gramian {

/// [W; root I] = [Q; below] R with orthonormal columns, by Cholesky factorizations of its Gram matrix, up to three of them, as
/// many as its condition needs. root^2 is 1 or 1e-14 |W|^2, whichever is larger: below that is rounding. Then (W Wᵀ + root^2
/// I)^-1 = (I - Q Qᵀ) / root^2, and (WᵀW + root^2 I)^-1 = below belowᵀ / root^2.
class TallQr {
 public:
  /// W becomes Q. Throws NumericalError if |W|^2 overflows.
  explicit TallQr(Matrix& W);

  double square() const { return root_ * root_; }
  Matrix& below() { return below_; }  ///< m x m, upper triangular up to rounding

 private:
  double divide();

  Matrix& Q_;
  Matrix below_;
  double root_;
};

}  // namespace gramian

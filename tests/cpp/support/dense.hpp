// SPDX-License-Identifier: BSD-3-Clause
// Dense matrices, in which tests write formulas down.
#pragma once

#include "gramian/base/matrix.hpp"
#include "gramian/base/shared_matrix.hpp"
#include "gramian/gram/full.hpp"
#include "support/spectral.hpp"

namespace support {

using Dense = spectral::Matrix;

/// |A - B| / |B|
inline double relative(const Dense& A, const Dense& B) { return (A - B).norm() / B.norm(); }

inline Dense dense(const gramian::Matrix& A) { return Eigen::Map<const Dense>(A.data(), A.rows(), A.cols()); }
inline gramian::SharedMatrix shared(const Dense& A) { return gramian::SharedMatrix::copy_of(gramian::view(A)); }

inline Dense gram(const gramian::Kernel& kernel, const Dense& X, const Dense& Y) {
  Dense K(X.rows(), Y.rows());
  full(kernel, gramian::Points(gramian::view(X)), gramian::Points(gramian::view(Y)), gramian::view(K));
  return K;
}
/// Of one set: exactly symmetric.
inline Dense gram(const gramian::Kernel& kernel, const Dense& X) {
  Dense K(X.rows(), X.rows());
  full(kernel, gramian::Points(gramian::view(X)), gramian::view(K));
  return K;
}

}  // namespace support

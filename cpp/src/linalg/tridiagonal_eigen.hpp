// SPDX-License-Identifier: BSD-3-Clause
// All eigenpairs of a tridiagonal matrix, by implicit QR steps whose rotations are applied a whole sweep at a time.
#pragma once

#include <vector>

#include "base/view_ops.hpp"
#include "gramian/base/export.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// Vectors of `size` numbers, contiguous and `stride` numbers apart; what is between two of them may be overwritten.
struct GRAMIAN_API RotatedVectors {
  explicit RotatedVectors(Index count, Index rows);
  double* at(Index index) { return numbers.data() + index * stride; }

  Index size;
  Index stride;
  Buffer<double> numbers;
};

/// T has `diagonal` and `beside` it one number less. On return `diagonal` holds the eigenvalues in no order, and vector j of Q
/// is Q T's eigenvector j, where Q's vectors were columns. About 1 in magnitude, so that squares neither overflow nor vanish.
/// Throws NumericalError if the iteration does not converge.
GRAMIAN_API void tridiagonal_eigen(std::vector<double>& diagonal, std::vector<double>& beside, RotatedVectors& Q);

}  // namespace gramian

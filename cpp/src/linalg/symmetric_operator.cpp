// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/symmetric_operator.hpp"

#include "base/check.hpp"
#include "gramian/linalg/gemm.hpp"

namespace gramian {

SymmetricOperator::~SymmetricOperator() = default;
Preconditioner::~Preconditioner() = default;

double SymmetricOperator::unit_roundoff() const { return 0x1p-53; }

StoredOperator::StoredOperator(MatrixView<const double> A) : A_(A) { require_square(A, "A"); }

void StoredOperator::apply(MatrixView<const double> V, MatrixView<double> out) const { gemm(1.0, A_, V, 0.0, out); }

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// Operator-valued kernels in model files.
#pragma once

#include "gramian/ovk/operator_kernel.hpp"
#include "serving/stored/reader.hpp"
#include "serving/stored/writer.hpp"

namespace gramian::stored {

/// "form": "separable" with "kernel" and "operator", "pointwise", or "sum" with "terms", and of each of them "terms.<m>.factor"
/// and the entries here. Throws std::invalid_argument for a kernel of a program's own.
void put_operator_kernel(Writer& writer, const OperatorKernel& kernel);
/// `outputs`: known from the coefficients of the model.
OperatorKernelPointer take_operator_kernel(Reader& reader, Index outputs);

}  // namespace gramian::stored

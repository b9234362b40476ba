// SPDX-License-Identifier: BSD-3-Clause
// Operator-valued kernels as Python holds them.
#pragma once

#include "gramian/ovk/operator_kernel.hpp"

namespace gramian::python {

/// A value that is cheap to copy.
struct Operator {
  OperatorKernelPointer kernel;
};

}  // namespace gramian::python

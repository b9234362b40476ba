// SPDX-License-Identifier: BSD-3-Clause
// Operator-valued kernels on their way from Python: as nested tuples, so that no C++ object lives there.
#pragma once

#include <pybind11/pybind11.h>

#include "gramian/ovk/operator_kernel.hpp"

namespace gramian::python {

/// ("separable", kernel, operator), ("pointwise", outputs), ("diagonal", kernel, weight, outputs), or ("sum", ((factor, part),
/// ...)), where a part is such a tuple. An operator is what operator_argument takes.
OperatorKernelPointer operator_kernel_argument(pybind11::handle spec);

}  // namespace gramian::python

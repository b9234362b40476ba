// SPDX-License-Identifier: BSD-3-Clause
// The build of the library that is loaded.
#pragma once

#include <string>

#include "gramian/base/export.hpp"

namespace gramian {

/// Which library is loaded, and how it was built.
struct BuildReport {
  std::string version;     ///< GRAMIAN_VERSION of the library that is loaded
  std::string isa;         ///< the build of the hot kernels in use: "v2", "v3", "v4" (x86-64 levels) or "generic"
  std::string isa_reason;  ///< "best this processor has", "GRAMIAN_ISA=v3", ...
  std::string compiler;    ///< "gcc 12.2.0"
  std::string blas;        ///< "none" (the engine's own)
  std::string eigen;       ///< version of Eigen inside the library
};

/// The report of the library that this process has loaded.
GRAMIAN_API BuildReport build_report();

}  // namespace gramian

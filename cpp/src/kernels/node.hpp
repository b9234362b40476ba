// SPDX-License-Identifier: BSD-3-Clause
// What is behind a Kernel, and the parts of its profile that are needed once a call and not once an entry.
#pragma once

#include "gramian/kernels/kernel.hpp"
#include "isa/table.hpp"

namespace gramian {

struct Kernel::Node {
  isa::KernelId id;
  const KernelInfo* info;
  std::vector<double> parameters;
};

/// The factor that the kernel wants its points multiplied by.
double point_scale(const Kernel& kernel);

/// k(x, x) for a kernel that depends on x - y alone: set exactly where two points are the same row.
double value_at_coincidence(const Kernel& kernel);

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// What the control groups of this process leave it: the usual counts of processors and bytes do not see a container's limits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gramian::base_detail {

/// Where the kernel shows its files; a test gives a tree of its own.
struct CgroupPaths {
  std::string proc = "/proc";
  std::string sys = "/sys/fs/cgroup";
};

/// Processors (may be a fraction) that the tightest quota on the path of this process grants; none if nothing limits it.
std::optional<double> cgroup_cpu_quota(const CgroupPaths& paths = {});

/// Bytes still free under the tightest memory limit on the path of this process; none if nothing limits it. Inactive file cache,
/// which the kernel gives back on demand, counts as free.
std::optional<std::uint64_t> cgroup_memory_left(const CgroupPaths& paths = {});

}  // namespace gramian::base_detail

// SPDX-License-Identifier: BSD-3-Clause
#include "base/cgroup.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace gramian::base_detail {
namespace {

struct Membership {
  bool unified;             ///< version 2
  std::string controllers;  ///< as listed, "cpu,cpuacct"; empty for version 2
  std::string path;
};

std::vector<Membership> memberships(const CgroupPaths& paths) {
  std::vector<Membership> found;
  std::ifstream file(paths.proc + "/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string controllers = line.substr(first + 1, second - first - 1);
    const bool unified = controllers.empty() && line.compare(0, first, "0") == 0;
    found.push_back({unified, std::move(controllers), line.substr(second + 1)});
  }
  return found;
}

bool lists(const std::string& controllers, std::string_view wanted) {
  std::istringstream stream(controllers);
  for (std::string name; std::getline(stream, name, ',');) {
    if (name == wanted) return true;
  }
  return false;
}

std::vector<std::string> words(const std::string& file_name) {
  std::ifstream file(file_name);
  std::vector<std::string> result;
  for (std::string word; file >> word;) result.push_back(word);
  return result;
}

template <class Number>
std::optional<Number> number(const std::string& word) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

template <class Number>
std::optional<Number> number_in(const std::string& file_name) {
  const auto all = words(file_name);
  return all.empty() ? std::nullopt : number<Number>(all.front());
}

/// The value after `key` in a file of "key value" lines; 0 if it is not there.
std::uint64_t entry(const std::string& file_name, std::string_view key) {
  const auto all = words(file_name);
  for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
    if (all[i] == key) return number<std::uint64_t>(all[i + 1]).value_or(0);
  }
  return 0;
}

template <class Number>
void tighten(std::optional<Number>& limit, const std::optional<Number>& other) {
  if (other && (!limit || *other < *limit)) limit = other;
}

/// Calls visit(directory) from the mount point down to the group itself. Inside a container the path may be the host's, of which
/// only the mount point exists here; what does not exist limits nothing when its files are read.
template <class Visit>
void walk(const std::string& mount, const std::string& path, Visit visit) {
  std::string directory = mount;
  visit(directory);
  std::istringstream stream(path);
  for (std::string name; std::getline(stream, name, '/');) {
    if (name.empty()) continue;
    if (name == "..") return;  // a group outside of this namespace: its files cannot be seen
    visit(directory += '/' + name);
  }
}

/// Calls unified(directory) or legacy(directory) for every directory that may limit this process through `controller`.
template <class Unified, class Legacy>
void visit_groups(const CgroupPaths& paths, std::string_view controller, Unified unified, Legacy legacy) {
  for (const Membership& group : memberships(paths)) {
    if (group.unified) {
      walk(paths.sys, group.path, unified);
      walk(paths.sys + "/unified", group.path, unified);  // where both versions are mounted
    } else if (lists(group.controllers, controller)) {
      const std::string alone = paths.sys + '/' + std::string(controller);
      const std::string joint = paths.sys + '/' + group.controllers;
      walk(alone, group.path, legacy);
      if (joint != alone) walk(joint, group.path, legacy);
    }
  }
}

std::optional<double> ratio(const std::optional<std::int64_t>& quota, const std::optional<std::int64_t>& period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::uint64_t left(std::uint64_t limit, std::uint64_t usage, std::uint64_t reclaimable) {
  const std::uint64_t held = usage - std::min(usage, reclaimable);
  return limit - std::min(limit, held);
}

std::optional<std::uint64_t> unified_memory_left(const std::string& directory) {
  auto limit = number_in<std::uint64_t>(directory + "/memory.max");
  // Above memory.high the kernel does not kill, it stalls the process: no place to plan for either.
  tighten(limit, number_in<std::uint64_t>(directory + "/memory.high"));
  if (!limit) return std::nullopt;
  return left(*limit, number_in<std::uint64_t>(directory + "/memory.current").value_or(0),
              entry(directory + "/memory.stat", "inactive_file"));
}

std::optional<std::uint64_t> legacy_memory_left(const std::string& directory) {
  // Version 1 says "no limit" by the largest multiple of the page size.
  constexpr std::uint64_t no_limit = std::uint64_t{1} << 62;
  const auto limit = number_in<std::uint64_t>(directory + "/memory.limit_in_bytes");
  if (!limit || *limit >= no_limit) return std::nullopt;
  return left(*limit, number_in<std::uint64_t>(directory + "/memory.usage_in_bytes").value_or(0),
              entry(directory + "/memory.stat", "total_inactive_file"));
}

}  // namespace

std::optional<double> cgroup_cpu_quota(const CgroupPaths& paths) {
  std::optional<double> quota;
  visit_groups(
      paths, "cpu",
      [&](const std::string& directory) {
        const auto both = words(directory + "/cpu.max");
        if (both.size() == 2) tighten(quota, ratio(number<std::int64_t>(both[0]), number<std::int64_t>(both[1])));
      },
      [&](const std::string& directory) {
        tighten(quota, ratio(number_in<std::int64_t>(directory + "/cpu.cfs_quota_us"),
                             number_in<std::int64_t>(directory + "/cpu.cfs_period_us")));
      });
  return quota;
}

std::optional<std::uint64_t> cgroup_memory_left(const CgroupPaths& paths) {
  std::optional<std::uint64_t> bytes;
  visit_groups(
      paths, "memory", [&](const std::string& directory) { tighten(bytes, unified_memory_left(directory)); },
      [&](const std::string& directory) { tighten(bytes, legacy_memory_left(directory)); });
  return bytes;
}

}  // namespace gramian::base_detail

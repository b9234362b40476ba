// SPDX-License-Identifier: BSD-3-Clause
#include "base/cgroup.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "support/check.hpp"

namespace {

namespace fs = std::filesystem;
using gramian::base_detail::cgroup_cpu_quota;
using gramian::base_detail::cgroup_memory_left;
using gramian::base_detail::CgroupPaths;

/// A folder that stands for /proc and /sys/fs/cgroup.
class FakeSystem {
 public:
  explicit FakeSystem(const std::string& membership) {
    const auto stamp = std::chrono::steady_clock::now().time_since_epoch().count();
    root_ = fs::temp_directory_path() / ("gramian_cgroup_" + std::to_string(stamp) + "_" + std::to_string(++count_));
    write("proc/self/cgroup", membership);
  }
  ~FakeSystem() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  void group(const std::string& name, const std::string& text) { write("sys/" + name, text + "\n"); }

  CgroupPaths paths() const { return {(root_ / "proc").string(), (root_ / "sys").string()}; }
  std::optional<double> quota() const { return cgroup_cpu_quota(paths()); }
  std::optional<std::uint64_t> left() const { return cgroup_memory_left(paths()); }

 private:
  static inline int count_ = 0;
  fs::path root_;
};

const char* const v1_membership = "4:memory:/a/b\n2:cpu,cpuacct:/a/b\n1:name=systemd:/\n0::/\n";

TEST(no_files_no_limits) {
  const CgroupPaths nowhere{"/nonexistent/proc", "/nonexistent/sys"};
  CHECK(!cgroup_cpu_quota(nowhere));
  CHECK(!cgroup_memory_left(nowhere));
  FakeSystem system("0::/a\n");
  CHECK(!system.quota());
  CHECK(!system.left());
}

TEST(this_machine_can_be_read) {
  const auto quota = cgroup_cpu_quota();
  CHECK(!quota || *quota > 0);
  cgroup_memory_left();
}

TEST(v2_quota) {
  FakeSystem system("0::/a/b\n");
  system.group("a/b/cpu.max", "150000 100000");
  CHECK_NEAR(system.quota().value_or(-1), 1.5, 0);
}

TEST(v2_tightest_quota_on_the_path) {
  FakeSystem system("0::/a/b/c\n");
  system.group("a/cpu.max", "300000 100000");
  system.group("a/b/cpu.max", "25000 50000");
  system.group("a/b/c/cpu.max", "max 100000");
  system.group("a/other/cpu.max", "1000 100000");
  CHECK_NEAR(system.quota().value_or(-1), 0.5, 0);
}

TEST(v2_max_is_no_limit) {
  FakeSystem system("0::/a\n");
  system.group("cpu.max", "max 100000");
  system.group("a/cpu.max", "max 100000");
  system.group("a/memory.max", "max");
  system.group("a/memory.current", "1000");
  CHECK(!system.quota());
  CHECK(!system.left());
}

TEST(v2_memory_counts_inactive_cache_as_free) {
  FakeSystem system("0::/a\n");
  system.group("a/memory.max", "1000000");
  system.group("a/memory.current", "700000");
  CHECK_EQ(system.left().value_or(1), 300000);
  system.group("a/memory.stat", "anon 1\nfile 500000\ninactive_anon 7\ninactive_file 200000\nactive_file 300000");
  CHECK_EQ(system.left().value_or(1), 500000);
}

TEST(v2_least_left_on_the_path_wins) {
  FakeSystem system("0::/a/b\n");
  system.group("a/memory.max", "10000");
  system.group("a/memory.current", "9000");
  system.group("a/b/memory.max", "5000");
  system.group("a/b/memory.current", "100");
  CHECK_EQ(system.left().value_or(1), 1000);
}

TEST(v2_memory_high_is_a_limit) {
  FakeSystem system("0::/a\n");
  system.group("a/memory.max", "max");
  system.group("a/memory.high", "4000");
  system.group("a/memory.current", "1000");
  CHECK_EQ(system.left().value_or(1), 3000);
}

TEST(usage_above_the_limit_leaves_nothing) {
  FakeSystem system("0::/a\n");
  system.group("a/memory.max", "1000");
  system.group("a/memory.current", "1500");
  CHECK_EQ(system.left().value_or(1), 0);
  system.group("a/memory.stat", "inactive_file 9999");
  CHECK_EQ(system.left().value_or(1), 1000);
}

TEST(limit_without_usage_is_all_left) {
  FakeSystem system("0::/a\n");
  system.group("a/memory.max", "1000");
  CHECK_EQ(system.left().value_or(1), 1000);
}

TEST(host_path_inside_a_container_falls_back_to_the_mount_point) {
  FakeSystem system("0::/system.slice/docker-0123.scope\n");
  system.group("cpu.max", "200000 100000");
  system.group("memory.max", "5000");
  CHECK_NEAR(system.quota().value_or(-1), 2, 0);
  CHECK_EQ(system.left().value_or(1), 5000);
}

TEST(path_outside_of_the_namespace_is_not_followed) {
  FakeSystem system("0::/../x\n");
  system.group("cpu.max", "200000 100000");
  system.group("../x/cpu.max", "1000 100000");
  CHECK_NEAR(system.quota().value_or(-1), 2, 0);
}

TEST(v1_quota) {
  FakeSystem system(v1_membership);
  system.group("cpu,cpuacct/a/cpu.cfs_quota_us", "250000");
  system.group("cpu,cpuacct/a/cpu.cfs_period_us", "100000");
  system.group("cpu,cpuacct/a/b/cpu.cfs_quota_us", "-1");
  system.group("cpu,cpuacct/a/b/cpu.cfs_period_us", "100000");
  CHECK_NEAR(system.quota().value_or(-1), 2.5, 0);
  system.group("cpu/a/b/cpu.cfs_quota_us", "50000");
  system.group("cpu/a/b/cpu.cfs_period_us", "100000");
  CHECK_NEAR(system.quota().value_or(-1), 0.5, 0);
}

TEST(v1_minus_one_is_no_quota) {
  FakeSystem system(v1_membership);
  system.group("cpu/a/b/cpu.cfs_quota_us", "-1");
  system.group("cpu/a/b/cpu.cfs_period_us", "100000");
  CHECK(!system.quota());
}

TEST(v1_memory) {
  FakeSystem system(v1_membership);
  system.group("memory/memory.limit_in_bytes", "9223372036854771712");
  system.group("memory/memory.usage_in_bytes", "123456789");
  CHECK(!system.left());
  system.group("memory/a/memory.limit_in_bytes", "8000");
  system.group("memory/a/memory.usage_in_bytes", "5000");
  system.group("memory/a/memory.stat", "inactive_file 1\ntotal_inactive_file 500");
  CHECK_EQ(system.left().value_or(1), 3500);
  system.group("memory/a/b/memory.limit_in_bytes", "4000");
  system.group("memory/a/b/memory.usage_in_bytes", "3900");
  CHECK_EQ(system.left().value_or(1), 100);
}

TEST(both_versions_mounted) {
  FakeSystem system("4:memory:/a\n0::/s\n");
  system.group("memory/a/memory.limit_in_bytes", "8000");
  system.group("unified/s/memory.max", "6000");
  system.group("unified/s/cpu.max", "100000 100000");
  CHECK_EQ(system.left().value_or(1), 6000);
  CHECK_NEAR(system.quota().value_or(-1), 1, 0);
}

TEST(nonsense_limits_nothing) {
  FakeSystem system("no colons\n0::\nx:\n::\n3:memory:\n0::/a\n2:cpu:/a\n");
  system.group("a/cpu.max", "lots of it");
  system.group("cpu.max", "0 0");
  system.group("a/memory.max", "12cats");
  system.group("memory.max", "-5");
  system.group("memory/memory.limit_in_bytes", "99999999999999999999999999");
  system.group("cpu/a/cpu.cfs_quota_us", "100000");
  system.group("cpu/a/cpu.cfs_period_us", "0");
  CHECK(!system.quota());
  CHECK(!system.left());
}

}  // namespace

TEST_MAIN

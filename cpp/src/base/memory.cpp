// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>
#include <optional>

#include "base/byte_text.hpp"
#include "base/cgroup.hpp"
#include "gramian/base/error.hpp"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <malloc.h>
#include <windows.h>
#elif defined(__APPLE__)
#include <mach/mach.h>
#else
#include <unistd.h>

#include <fstream>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace gramian {
namespace {

constexpr std::size_t small_alignment = 64;  // a cache line, and the widest vector
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t huge_from = std::size_t{4} << 20;

std::atomic<std::uint64_t> explicit_limit{0};

// What the machine could give without swapping; none where the system does not say.
#if defined(_WIN32)
std::optional<std::uint64_t> machine_memory_left() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof(status);
  if (!GlobalMemoryStatusEx(&status)) return std::nullopt;
  return status.ullAvailPhys;
}
#elif defined(__APPLE__)
std::optional<std::uint64_t> machine_memory_left() {
  const mach_port_t host = mach_host_self();
  vm_size_t page = 0;
  vm_statistics64_data_t pages{};
  mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
  const bool known = host_page_size(host, &page) == KERN_SUCCESS &&
                     host_statistics64(host, HOST_VM_INFO64, reinterpret_cast<host_info64_t>(&pages), &count) == KERN_SUCCESS;
  mach_port_deallocate(mach_task_self(), host);
  if (!known) return std::nullopt;
  return (std::uint64_t{pages.free_count} + pages.inactive_count + pages.purgeable_count) * page;
}
#else
std::optional<std::uint64_t> machine_memory_left() {
  std::ifstream info("/proc/meminfo");
  for (std::string name, unit; info >> name;) {
    std::uint64_t kibibytes = 0;
    if (name == "MemAvailable:" && info >> kibibytes) return kibibytes * 1024;
    std::getline(info, unit);
  }
#if defined(_SC_AVPHYS_PAGES)
  const long pages = sysconf(_SC_AVPHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages >= 0 && page > 0) return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
#endif
  return std::nullopt;
}
#endif

struct LimitVariable {
  std::uint64_t bytes = 0;  // 0: it sets no limit
  std::string text;
  bool understood = true;
};

// Read once: the environment may not be read while another thread of the embedding program changes it.
const LimitVariable& limit_variable() {
  static const LimitVariable variable = [] {
    LimitVariable read;
    const char* text = std::getenv("GRAMIAN_MEMORY_LIMIT");
    if (text == nullptr || *text == '\0') return read;
    const std::optional<std::uint64_t> bytes = base_detail::parse_bytes(text);
    read.text = text;
    read.understood = bytes.has_value();
    read.bytes = bytes.value_or(0);
    return read;
  }();
  return variable;
}

MemoryReport default_report() {
  constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t machine = machine_memory_left().value_or(unknown);
  const std::uint64_t container = base_detail::cgroup_memory_left().value_or(unknown);
  const std::uint64_t available = std::min(machine, container);
  if (available == unknown) return {unknown, unknown, "the system does not say how much is free"};
  const std::uint64_t limit = available / 10 * 9 + available % 10 * 9 / 10;  // no overflow, whatever the system says
  return {available, limit, container < machine ? "90 % of what is free in this container" : "90 % of what is free"};
}

}  // namespace

MemoryReport memory_report() {
  MemoryReport report = default_report();
  const LimitVariable& variable = limit_variable();
  if (const std::uint64_t set = explicit_limit.load(std::memory_order_relaxed); set != 0) {
    report.limit = set;
    report.reason = "set_memory_limit";
  } else if (variable.bytes != 0) {
    report.limit = variable.bytes;
    report.reason = "GRAMIAN_MEMORY_LIMIT=" + variable.text;
  } else if (!variable.understood) {
    report.reason += "; GRAMIAN_MEMORY_LIMIT=" + variable.text + " is ignored, as it is not a size";
  }
  return report;
}

void set_memory_limit(std::uint64_t bytes) { explicit_limit.store(bytes, std::memory_order_relaxed); }

void require_memory(std::uint64_t bytes, const std::string& what, const std::string& advice) {
  // Reading what is free takes 70 microseconds, more than small work itself; without 4 MiB the machine is lost anyway.
  const bool limited = explicit_limit.load(std::memory_order_relaxed) != 0 || limit_variable().bytes != 0;
  if (!limited && bytes <= (std::uint64_t{4} << 20)) return;
  const MemoryReport report = memory_report();
  if (bytes <= report.limit) return;
  using base_detail::format_bytes;
  throw MemoryLimitError(what + " needs " + format_bytes(bytes) + ", " + format_bytes(report.available) + " are free (limit " +
                         format_bytes(report.limit) + ": " + report.reason + "); " + advice);
}

void* allocate_bytes(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) - huge_page) throw std::bad_alloc();
  const bool huge = bytes >= huge_from;
  const std::size_t alignment = huge ? huge_page : small_alignment;
  const std::size_t size = std::max<std::size_t>(bytes, 1);
#if defined(_WIN32)
  void* const pointer = _aligned_malloc(size, alignment);
  if (pointer == nullptr) throw std::bad_alloc();
#else
  void* pointer = nullptr;
  if (posix_memalign(&pointer, alignment, size) != 0) throw std::bad_alloc();
#endif
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  // Advice only: a system without huge pages refuses it, and the memory is as good.
  if (huge) static_cast<void>(madvise(pointer, size, MADV_HUGEPAGE));
#endif
  return pointer;
}

void free_bytes(void* pointer) noexcept {
#if defined(_WIN32)
  _aligned_free(pointer);
#else
  std::free(pointer);
#endif
}

}  // namespace gramian

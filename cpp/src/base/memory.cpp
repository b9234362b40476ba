// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>
#include <optional>

#include "base/block_cache.hpp"
#include "base/byte_text.hpp"
#include "base/cgroup.hpp"
#include "base/default_limit.hpp"
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
#if !defined(_WIN32)
#include <pthread.h>
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

/// A size from the environment.
struct SizeVariable {
  const char* name;
  std::string text;
  std::optional<std::uint64_t> bytes;

  bool unreadable() const { return !text.empty() && !bytes.has_value(); }
  std::string assignment() const { return std::string(name) + "=" + text; }
};

SizeVariable read_size(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return {name, {}, std::nullopt};
  return {name, text, base_detail::parse_bytes(text)};
}

// Read once: the environment may not be read while another thread of the embedding program changes it.
const SizeVariable& limit_variable() {
  static const SizeVariable variable = read_size("GRAMIAN_MEMORY_LIMIT");
  return variable;
}
const SizeVariable& cache_variable() {
  static const SizeVariable variable = read_size("GRAMIAN_MEMORY_CACHE");
  return variable;
}

MemoryReport default_report(std::uint64_t kept) {
  return base_detail::default_limit(machine_memory_left(), base_detail::cgroup_memory_left(), kept);
}

/// Where a limit was set that is no part of what is free: how much, and by what.
struct SetLimit {
  std::uint64_t bytes;
  std::string reason;
};
std::optional<SetLimit> set_limit() {
  if (const std::uint64_t set = explicit_limit.load(std::memory_order_relaxed); set != 0)
    return SetLimit{set, "set_memory_limit"};
  const SizeVariable& variable = limit_variable();
  if (variable.bytes.value_or(0) != 0) return SetLimit{*variable.bytes, variable.assignment()};
  return std::nullopt;
}

/// A limit that was meant and is not kept is worse than an error. A limit that the program sets takes the place of the first one.
void require_readable_variables() {
  const bool set = explicit_limit.load(std::memory_order_relaxed) != 0;
  for (const SizeVariable* variable : {&limit_variable(), &cache_variable()}) {
    if (!variable->unreadable() || (set && variable == &limit_variable())) continue;
    throw std::invalid_argument(std::string("the environment variable ") + variable->name +
                                " must be a number of bytes, or one with K, M, G or T, as 8G, 512 MB or 1.5GiB. Got \"" +
                                variable->text + "\" instead.");
  }
}

constexpr bool is_large(std::size_t bytes) { return bytes >= huge_from; }

/// nullptr if there is none.
void* system_block(std::size_t bytes) {
  const std::size_t alignment = is_large(bytes) ? huge_page : small_alignment;
  const std::size_t size = std::max<std::size_t>(bytes, 1);
#if defined(_WIN32)
  return _aligned_malloc(size, alignment);
#else
  void* pointer = nullptr;
  if (posix_memalign(&pointer, alignment, size) != 0) return nullptr;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  // Advice only: a system without huge pages refuses it, and the memory is as good.
  if (is_large(bytes)) static_cast<void>(madvise(pointer, size, MADV_HUGEPAGE));
#endif
  return pointer;
#endif
}

void free_system_block(void* pointer) noexcept {
#if defined(_WIN32)
  _aligned_free(pointer);
#else
  std::free(pointer);
#endif
}

/// What the cache takes its share of.
std::uint64_t free_memory() noexcept {
  try {
    const std::uint64_t available = default_report(0).available;
    const std::optional<SetLimit> set = set_limit();
    return set ? std::min(available, set->bytes) : available;
  } catch (...) {
    return 0;
  }
}

base_detail::KeepRules keep_rules() {
  if (const SizeVariable& variable = cache_variable(); variable.bytes) return {*variable.bytes, 0};
  return {};
}

/// Never destroyed, as arrays may be freed at the very end of the program.
base_detail::BlockCache& cache() {
  static base_detail::BlockCache& blocks = *new base_detail::BlockCache(keep_rules(), free_system_block, free_memory);
  // What is kept is given back at the end, or when the library is unloaded.
  static const struct AtEnd {
#if !defined(_WIN32)
    AtEnd() {
      pthread_atfork([] { cache().before_fork(); }, [] { cache().after_fork(false); }, [] { cache().after_fork(true); });
    }
#endif
    ~AtEnd() { blocks.close(); }
  } at_end;
  return blocks;
}

}  // namespace

MemoryReport memory_report() {
  MemoryReport report = default_report(cache().kept_bytes());
  if (const std::optional<SetLimit> set = set_limit()) {
    report.limit = set->bytes;
    report.reason = set->reason;
  }
  for (const SizeVariable* variable : {&limit_variable(), &cache_variable()}) {
    if (variable->unreadable()) report.reason += "; " + variable->assignment() + " cannot be read as a size";
  }
  return report;
}

void set_memory_limit(std::uint64_t bytes) {
  explicit_limit.store(bytes, std::memory_order_relaxed);
  release_memory();  // the next ones are kept under the new limit
}

std::uint64_t release_memory() { return cache().release(); }

void require_memory(std::uint64_t bytes, const std::string& what, const std::string& advice) {
  require_readable_variables();
  // Reading what is free takes 70 microseconds, more than small work itself; without 4 MiB the machine is lost anyway.
  const bool limited = set_limit().has_value();
  if (!limited && (bytes <= huge_from || bytes <= cache().kept_bytes())) return;
  const MemoryReport report = memory_report();
  // The last of it is had only without what is kept.
  if (report.kept > 0 && bytes > std::min(report.limit, report.available - report.kept)) release_memory();
  if (bytes <= report.limit) return;
  using base_detail::format_bytes;
  throw MemoryLimitError(what + " needs " + format_bytes(bytes) + ", " + format_bytes(report.available) + " are free (limit " +
                         format_bytes(report.limit) + ": " + report.reason + "); " + advice);
}

void* allocate_bytes(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) - huge_page) throw std::bad_alloc();
  if (is_large(bytes)) {
    if (void* const kept = cache().take(bytes)) return kept;
  }
  void* block = system_block(bytes);
  if (block == nullptr && release_memory() > 0) block = system_block(bytes);
  if (block == nullptr) throw std::bad_alloc();
  if (!is_large(bytes)) return block;
  try {
    cache().own(block, bytes);
  } catch (...) {
    free_system_block(block);
    throw;
  }
  return block;
}

void free_bytes(void* pointer) noexcept {
  // Few small blocks lie where large ones do, so that they seldom pay for the lock.
  const bool may_be_large = pointer != nullptr && reinterpret_cast<std::uintptr_t>(pointer) % huge_page == 0;
  if (may_be_large && cache().keep(pointer)) return;
  free_system_block(pointer);
}

}  // namespace gramian

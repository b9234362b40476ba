// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/memory.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#if !defined(_WIN32)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "base/byte_text.hpp"
#include "base/default_limit.hpp"
#include "gramian/base/error.hpp"
#include "support/check.hpp"
#include "support/message.hpp"

using namespace gramian;
using base_detail::format_bytes;
using base_detail::parse_bytes;

// ThreadSanitizer ends the process where the system has no memory, unless it is asked not to.
extern "C" const char* __tsan_default_options() { return "allocator_may_return_null=1"; }

namespace {

constexpr std::uint64_t one = 1;
constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

using check::contains;

std::string refusal(std::uint64_t bytes, const std::string& what, const std::string& advice) {
  return check::message_of<MemoryLimitError>([&] { require_memory(bytes, what, advice); });
}

struct LimitReset {
  ~LimitReset() { set_memory_limit(0); }
};

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::uint64_t kept() { return memory_report().kept; }

void use_block(std::size_t bytes) {
  void* const block = allocate_bytes(bytes);
  std::memset(block, 1, bytes);
  free_bytes(block);
}

#if !defined(_WIN32)
// The variable is read once in a process, so each value is tried in a child; these tests stand first, as a child that
// inherits a value already read would see that one.
template <class Test>
bool holds_in_child(Test test) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      _exit(test() ? 0 : 1);
    } catch (...) {
      _exit(1);
    }
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
template <class Test>
bool holds_with_variable(const char* value, Test test) {
  return holds_in_child([&] {
    setenv("GRAMIAN_MEMORY_LIMIT", value, 1);
    return test(memory_report());
  });
}
#endif

}  // namespace

#if !defined(_WIN32)
TEST(the_variable_sets_the_limit) {
  CHECK(holds_with_variable("3M", [](const MemoryReport& report) {
    return report.limit == 3 * (one << 20) && report.reason == "GRAMIAN_MEMORY_LIMIT=3M";
  }));
  CHECK(holds_with_variable("3M", [](const MemoryReport&) {
    set_memory_limit(5);
    const bool set = memory_report().limit == 5;
    set_memory_limit(0);
    return set && memory_report().limit == 3 * (one << 20);
  }));
}

TEST(a_variable_that_is_no_size_is_an_error_that_names_it) {
  const auto refused = [](const std::string& value) {
    try {
      require_memory(1, "a test", "nothing");
    } catch (const std::invalid_argument& error) {
      return contains(error.what(), "GRAMIAN_MEMORY_LIMIT") && contains(error.what(), "\"" + value + "\"");
    }
    return false;
  };
  for (const char* value : {"plenty", "-1", "1e9", "8 apples", "99999999999999999999"}) {
    CHECK(holds_with_variable(value, [=](const MemoryReport& report) {
      if (!refused(value)) return false;
      set_memory_limit(1 << 20);  // a limit that the program sets takes its place
      require_memory(1, "a test", "nothing");
      return report.limit <= report.available && contains(report.reason, "90 %") &&
             contains(report.reason, std::string("GRAMIAN_MEMORY_LIMIT=") + value + " cannot be read");
    }));
  }
  // The three ways that its own message recommends.
  CHECK(holds_with_variable("8G", [](const MemoryReport& report) { return report.limit == one << 33; }));
  CHECK(holds_with_variable("512 MB", [](const MemoryReport& report) { return report.limit == one << 29; }));
  CHECK(holds_with_variable("1.5GiB", [](const MemoryReport& report) { return report.limit == 3 * (one << 29); }));
  CHECK(holds_with_variable("", [](const MemoryReport& report) { return !contains(report.reason, "GRAMIAN"); }));
}

TEST(the_variable_of_the_cache_says_how_much_is_kept) {
  const auto kept_with = [](const char* value, std::uint64_t wanted, const std::string& reason = "") {
    return holds_in_child([=] {
      setenv("GRAMIAN_MEMORY_CACHE", value, 1);
      use_block(6 * mebibyte);
      use_block(9 * mebibyte);
      return kept() == wanted && contains(memory_report().reason, reason);
    });
  };
  CHECK(kept_with("0", 0));
  CHECK(kept_with("8M", 0));
  CHECK(kept_with("12M", 9 * mebibyte));
  CHECK(kept_with("1T", 9 * mebibyte));  // the 6 MiB went when 9 were asked for
  CHECK(kept_with("much", 9 * mebibyte, "GRAMIAN_MEMORY_CACHE=much cannot be read as a size"));
}
#endif

TEST(sizes_are_parsed) {
  CHECK_EQ(parse_bytes("0").value(), 0);
  CHECK_EQ(parse_bytes("1048576").value(), one << 20);
  CHECK_EQ(parse_bytes("2K").value(), 2 * (one << 10));
  CHECK_EQ(parse_bytes("2m").value(), 2 * (one << 20));
  CHECK_EQ(parse_bytes("1.5G").value(), 3 * (one << 29));
  CHECK_EQ(parse_bytes("7T").value(), 7 * (one << 40));
  for (const char* text : {"8G", "8GB", "8g", "8gb", "8GiB", "8 GB", " 8G", "8G ", "\t8 GiB\n", "8.0G"}) {
    CHECK_EQ(parse_bytes(text).value(), 8 * (one << 30));
  }
  for (const char* text : {"17", " 17 ", "17B", "17 b"}) CHECK_EQ(parse_bytes(text).value(), 17);
  CHECK_EQ(parse_bytes("18446744073709551615").value(), largest);
}

TEST(what_is_no_size_is_not_parsed) {
  for (const char* text : {"",          "K",        ".5G", "1.G", "1.5", "-1",   "+1",  " ",    "1 GK", "1GBB",
                           "1iB",       "1i",       "1Gi", "1 1", "1P",  "0x10", "1e3", "1,5G", "nan",  "18446744073709551616",
                           "99999999T", "16777216T"}) {
    CHECK(!parse_bytes(text).has_value());
  }
}

TEST(sizes_are_written_with_one_decimal) {
  CHECK_EQ(format_bytes(0), "0 bytes");
  CHECK_EQ(format_bytes(1023), "1023 bytes");
  CHECK_EQ(format_bytes(1024), "1.0 KiB");
  CHECK_EQ(format_bytes(1536), "1.5 KiB");
  CHECK_EQ(format_bytes((one << 20) - 1), "1.0 MiB");
  CHECK_EQ(format_bytes(std::uint64_t{200000} * 200000 * 8), "298.0 GiB");
  CHECK_EQ(format_bytes(largest), "16.0 EiB");
}

TEST(the_report_is_of_this_machine) {
  const MemoryReport report = memory_report();
  CHECK(report.available > one << 20);
  CHECK(report.available < one << 50);
  CHECK(!report.reason.empty());
  if (contains(report.reason, "90 %")) CHECK_NEAR(static_cast<double>(report.limit), 0.9 * report.available, 2.0);
}

TEST(a_limit_is_set_and_reset) {
  const LimitReset reset;
  const std::string before = memory_report().reason;
  set_memory_limit(1000);
  CHECK_EQ(memory_report().limit, 1000);
  CHECK_EQ(memory_report().reason, "set_memory_limit");
  require_memory(1000, "x", "y");
  CHECK_THROWS(MemoryLimitError, require_memory(1001, "x", "y"));
  // An explicit limit counts even where it is above what is free: the user knows more than the machine.
  set_memory_limit(largest);
  require_memory(largest, "x", "y");
  set_memory_limit(0);
  CHECK_EQ(memory_report().reason, before);
}

TEST(an_absurd_request_is_refused_at_once_with_both_figures) {
  const auto start = std::chrono::steady_clock::now();
  const std::string message = refusal(one << 60, "gram of 379625062 x 379625062 float64", "use product() instead");
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  CHECK(seconds.count() < 0.2);
  CHECK_EQ(message.find("gram of 379625062 x 379625062 float64 needs 1.0 EiB, "), 0);
  CHECK(contains(message, " are free (limit "));
  CHECK(contains(message, "iB: " + memory_report().reason + "); use product() instead"));
}

TEST(the_message_has_the_limit_that_was_set) {
  const LimitReset reset;
  set_memory_limit(3 * (one << 29));
  const std::string message = refusal(std::uint64_t{200000} * 200000 * 8, "gram of 200000 x 200000 float64", "ADVICE");
  CHECK(contains(message, "needs 298.0 GiB, "));
  CHECK(contains(message, " are free (limit 1.5 GiB: set_memory_limit); ADVICE"));
}

TEST(small_and_large_blocks_are_aligned_and_writable) {
  const std::size_t large = 4 * mebibyte;
  const std::size_t sizes[] = {0, 1, 63, 64, 65, 4095, mebibyte, large - 1, large, large + 1, 2 * large + 13};
  for (const std::size_t size : sizes) {
    void* const block = allocate_bytes(size);
    CHECK(block != nullptr);
    const std::size_t alignment = size >= large ? 2 * mebibyte : 64;
    CHECK_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0);
    std::memset(block, 0x5A, size);
    if (size > 0) CHECK_EQ(static_cast<unsigned char*>(block)[size - 1], 0x5A);
    free_bytes(block);
  }
  free_bytes(nullptr);
}

TEST(large_blocks_are_kept_until_they_are_released) {
  release_memory();
  use_block(4 * mebibyte - 1);
  CHECK_EQ(kept(), 0);
  void* const first = allocate_bytes(5 * mebibyte);
  free_bytes(first);
  CHECK_EQ(kept(), 5 * mebibyte);
  void* const again = allocate_bytes(5 * mebibyte - 1000);
  CHECK(again == first);
  CHECK_EQ(kept(), 0);
  free_bytes(again);
  CHECK_EQ(release_memory(), 5 * mebibyte);
  CHECK_EQ(kept(), 0);
}

TEST(what_is_kept_counts_as_available) {
  using base_detail::default_limit;
  const MemoryReport machine = default_limit(1000, std::nullopt, 50), container = default_limit(1000, 400, 50);
  CHECK_EQ(machine.available, 1050);
  CHECK_EQ(machine.limit, 945);
  CHECK_EQ(machine.kept, 50);
  CHECK_EQ(machine.reason, "90 % of what is free");
  CHECK_EQ(container.available, 450);
  CHECK_EQ(container.reason, "90 % of what is free in this container");
  CHECK_EQ(default_limit(std::nullopt, 400, 0).available, 400);
  CHECK_EQ(default_limit(300, 400, 0).reason, "90 % of what is free");
  CHECK_EQ(default_limit(largest - 10, std::nullopt, 50).available, largest);
  CHECK_EQ(default_limit(std::nullopt, std::nullopt, 50).limit, largest);
}

TEST(a_refusal_gives_back_what_is_kept_first) {
  const LimitReset reset;
  use_block(5 * mebibyte);
  CHECK_THROWS(MemoryLimitError, require_memory(one << 60, "x", "y"));
  CHECK_EQ(kept(), 0);
  use_block(5 * mebibyte);
  set_memory_limit(80 * mebibyte);
  CHECK_EQ(kept(), 0);
  use_block(5 * mebibyte);  // a sixteenth of the limit
  CHECK_EQ(kept(), 5 * mebibyte);
  use_block(5 * mebibyte + 1);
  CHECK_EQ(kept(), 0);
}

// Under AddressSanitizer address space is never given back.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
TEST(what_is_kept_is_given_back_where_the_system_has_no_more) {
  CHECK(holds_in_child([] {
    std::vector<void*> blocks;
    for (int i = 0; i < 3; ++i) blocks.push_back(allocate_bytes(64 * mebibyte));
    for (void* const block : blocks) free_bytes(block);
    const bool all = kept() == 3 * 64 * mebibyte;
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t room = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + 16 * mebibyte;
    const rlimit limit{room, RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit) != 0) return false;
    free_bytes(allocate_bytes(100 * mebibyte));  // less than what is kept, and more than any of it
    return all && kept() == 100 * mebibyte;
  }));
}
#endif

#if !defined(_WIN32)
TEST(a_child_of_a_program_with_busy_threads_can_allocate) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&stop] {
      while (!stop) free_bytes(allocate_bytes(4 * mebibyte));
    });
  }
  for (int i = 0; i < 50; ++i) {
    CHECK(holds_in_child([] {
      free_bytes(allocate_bytes(4 * mebibyte));
      return kept() == 4 * mebibyte;
    }));
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  release_memory();
}
#endif

TEST(a_block_that_cannot_be_had_is_bad_alloc) {
  CHECK_THROWS(std::bad_alloc, allocate_bytes(std::numeric_limits<std::size_t>::max()));
  CHECK_THROWS(std::bad_alloc, allocate_bytes(static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max())));
}

TEST(a_buffer_owns_its_numbers) {
  Buffer<double> buffer(1000);
  CHECK_EQ(buffer.size(), 1000);
  CHECK_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0);
  buffer[999] = 2.5;
  const double* const place = buffer.data();
  const Buffer<double> moved = std::move(buffer);
  CHECK(moved.data() == place);
  CHECK_EQ(moved[999], 2.5);
  CHECK_EQ(Buffer<float>().size(), 0);
  CHECK(Buffer<float>().data() == nullptr);
  CHECK_EQ(Buffer<float>(0).size(), 0);
  CHECK_THROWS(std::invalid_argument, Buffer<double>(-1));
  CHECK_THROWS(std::length_error, Buffer<double>(std::numeric_limits<Index>::max()));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
#include "base/block_cache.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "support/check.hpp"

using gramian::base_detail::BlockCache;
using gramian::base_detail::KeepRules;

namespace {

std::atomic<int> alive{0};  // blocks that the system has given and not got back
std::atomic<std::uint64_t> free_now{std::uint64_t{1} << 40};

void* system_block(std::size_t bytes) {
  ++alive;
  return std::malloc(bytes);
}
void give_back(void* block) noexcept {
  --alive;
  std::free(block);
}
std::uint64_t free_memory() noexcept { return free_now; }

/// A cache with the two halves of an allocator around it.
struct Source {
  explicit Source(KeepRules rules) : cache(rules, give_back, free_memory) {}
  ~Source() { cache.close(); }

  void* get(std::size_t bytes) {
    if (void* const kept = cache.take(bytes)) return kept;
    void* const block = system_block(bytes);
    cache.own(block, bytes);
    return block;
  }
  void put(void* block) {
    if (!cache.keep(block)) give_back(block);
  }
  /// A block of this size is kept.
  void* keep_one(std::size_t bytes) {
    void* const block = get(bytes);
    put(block);
    return block;
  }

  BlockCache cache;
};

constexpr KeepRules thousand{1000, 0};

struct FreeReset {
  ~FreeReset() { free_now = std::uint64_t{1} << 40; }
};

}  // namespace

TEST(a_freed_block_is_the_next_one_of_its_size) {
  Source source(thousand);
  void* const first = source.keep_one(100);
  CHECK_EQ(source.cache.kept_bytes(), 100);
  CHECK(source.get(100) == first);
  CHECK_EQ(source.cache.kept_bytes(), 0);
  CHECK_EQ(alive.load(), 1);
  source.put(first);
  CHECK_EQ(source.cache.kept_bytes(), 100);
}

TEST(a_block_may_be_a_quarter_too_large_and_the_tightest_is_taken) {
  Source source(thousand);
  void* const blocks[] = {source.get(125), source.get(110), source.get(126)};
  for (void* const block : blocks) source.put(block);
  CHECK(source.get(100) == blocks[1]);
  CHECK(source.get(100) == blocks[0]);
  CHECK(source.cache.take(100) == nullptr);  // 126 is more than a quarter too large
  CHECK_EQ(source.cache.kept_bytes(), 126);
  for (void* const block : {blocks[0], blocks[1]}) source.put(block);
  // The size of the block counts, not that of what was asked for last.
  CHECK_EQ(source.cache.kept_bytes(), 125 + 110 + 126);
}

TEST(a_request_beyond_all_that_is_kept_empties_the_cache) {
  Source source(thousand);
  void* const one = source.get(100);
  void* const other = source.get(200);
  source.put(one);
  source.put(other);
  CHECK(source.cache.take(299) == nullptr);
  CHECK_EQ(source.cache.kept_bytes(), 300);
  CHECK(source.cache.take(301) == nullptr);
  CHECK_EQ(source.cache.kept_bytes(), 0);
  CHECK_EQ(alive.load(), 0);
}

TEST(the_oldest_go_where_there_are_too_many_bytes) {
  Source source(thousand);
  std::vector<void*> blocks;
  for (const std::size_t bytes : {400, 300, 250, 60}) blocks.push_back(source.get(bytes));
  for (void* const block : blocks) source.put(block);
  CHECK_EQ(source.cache.kept_bytes(), 300 + 250 + 60);
  CHECK_EQ(alive.load(), 3);
  CHECK(source.cache.take(400) == nullptr);
  CHECK(source.get(300) == blocks[1]);
  source.put(blocks[1]);
}

TEST(what_is_too_large_is_not_kept_and_forgotten) {
  Source source(thousand);
  void* const kept = source.keep_one(100);
  void* const block = source.get(1001);
  CHECK_EQ(source.cache.kept_bytes(), 0);
  source.put(source.get(100));
  CHECK(!source.cache.keep(block));
  CHECK(!source.cache.keep(block));
  CHECK_EQ(source.cache.kept_bytes(), 100);
  give_back(block);
  static_cast<void>(kept);
}

TEST(no_more_than_a_share_of_what_is_free_is_kept) {
  const FreeReset reset;
  Source source({1000, 10});
  free_now = 3000;
  void* const one = source.get(200);
  void* const other = source.get(150);
  source.put(one);
  CHECK_EQ(source.cache.kept_bytes(), 200);
  source.put(other);  // both would be 350 of 3200
  CHECK_EQ(source.cache.kept_bytes(), 150);
  // After a release the share is looked at anew.
  source.cache.release();
  free_now = 1000;
  source.keep_one(200);
  CHECK_EQ(source.cache.kept_bytes(), 0);
  source.keep_one(100);
  CHECK_EQ(source.cache.kept_bytes(), 100);
}

TEST(a_block_of_others_is_not_kept_nor_one_given_back) {
  Source source(thousand);
  void* const foreign = system_block(10);
  CHECK(!source.cache.keep(foreign));
  give_back(foreign);
  void* const block = source.keep_one(100);
  CHECK_EQ(source.cache.release(), 100);
  // The system may have given its address to somebody else.
  CHECK(!source.cache.keep(block));
  CHECK_EQ(source.cache.release(), 0);
}

TEST(the_number_of_blocks_is_bounded) {
  Source source(thousand);
  std::vector<void*> blocks;
  for (int i = 0; i < 100; ++i) blocks.push_back(source.get(1));
  for (void* const block : blocks) source.put(block);
  CHECK(source.cache.kept_bytes() >= 10);
  CHECK(source.cache.kept_bytes() < 100);
  CHECK_EQ(source.cache.kept_bytes(), alive.load());
}

TEST(a_closed_cache_keeps_nothing) {
  Source source(thousand);
  void* const block = source.get(100);
  source.keep_one(50);
  source.cache.close();
  CHECK_EQ(alive.load(), 1);
  source.put(block);
  CHECK_EQ(alive.load(), 0);
  Source off({0, 0});
  off.keep_one(1);
  CHECK_EQ(off.cache.kept_bytes(), 0);
}

TEST(no_block_has_two_owners) {
  Source source({3000, 0});
  const auto work = [&source](unsigned char mark) {
    for (int round = 0; round < 3000; ++round) {
      const std::size_t bytes = 400 + static_cast<std::size_t>(round * 7 + mark) % 300;
      auto* const block = static_cast<unsigned char*>(source.get(bytes));
      std::memset(block, mark, bytes);
      if (round % 5 == 0) std::this_thread::yield();
      CHECK(block[0] == mark && block[bytes / 2] == mark && block[bytes - 1] == mark);
      source.put(block);
      if (round % 100 == 99) source.cache.release();
    }
  };
  std::vector<std::thread> threads;
  for (unsigned char mark = 1; mark <= 4; ++mark) threads.emplace_back(work, mark);
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(source.cache.release() == 0, alive.load() == 0);
  CHECK_EQ(alive.load(), 0);
}

#if !defined(_WIN32)
TEST(a_forked_child_begins_with_nothing_kept) {
  Source source(thousand);
  source.keep_one(100);
  source.cache.before_fork();
  const pid_t child = fork();
  source.cache.after_fork(child == 0);
  if (child == 0) {
    const bool empty = source.cache.kept_bytes() == 0 && alive == 0;
    source.keep_one(70);
    _exit(empty && source.cache.kept_bytes() == 70 ? 0 : 1);
  }
  int status = 1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK_EQ(source.cache.kept_bytes(), 100);
}
#endif

TEST_MAIN

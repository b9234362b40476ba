// SPDX-License-Identifier: BSD-3-Clause
// Large blocks that were freed and wait for the next owner: the first touch of fresh pages takes longer than many a result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace gramian::base_detail {

/// How much may be kept.
struct KeepRules {
  std::uint64_t most = std::uint64_t{1} << 30;  ///< bytes
  std::uint64_t share = 16;                     ///< and no more than this part of what is free; 0: without regard to it
};

/// All functions may be called from any thread, and in a forked child, which begins with nothing kept. The cache knows blocks by
/// their addresses; where they come from and how they are given back is the user's.
class BlockCache {
 public:
  using Give = void (*)(void* block) noexcept;
  using Free = std::uint64_t (*)() noexcept;  ///< bytes that are free, kept ones not counted

  BlockCache(KeepRules rules, Give give_back, Free free_memory)
      : rules_(rules), give_back_(give_back), free_memory_(free_memory) {}

  /// A kept block of at least `bytes` and at most a quarter more, the tightest; nullptr if there is none. Then, if all that is
  /// kept is less than `bytes`, it is given back: a large request need not fit in beside it.
  void* take(std::size_t bytes) noexcept;

  /// The block has an owner, and may be kept later. Throws std::bad_alloc.
  void own(void* block, std::size_t bytes);

  /// Keeps a block, and gives the oldest ones back where the rules ask for it. False if it is none of those owned, or may not be
  /// kept: then it is the caller's to give back.
  bool keep(void* block) noexcept;

  /// Gives everything back. Returns the bytes.
  std::uint64_t release() noexcept;

  /// From here on nothing is kept.
  void close() noexcept;

  std::uint64_t kept_bytes() noexcept;

  /// Around fork(): the child of a program with threads has to find the lock open.
  void before_fork() noexcept { mutex_.lock(); }
  void after_fork(bool in_child) noexcept;

 private:
  struct Block {
    void* address;
    std::size_t bytes;
  };

  /// In the order they came. Room for a fixed number: freeing memory must not need any.
  struct Blocks {
    static constexpr std::size_t most = 32;
    std::array<Block, most> blocks{};
    std::size_t count = 0;
    std::uint64_t bytes = 0;

    void add(Block block);
    Block remove(std::size_t index);
  };

  /// Given back when the lock is no longer held: to unmap a gigabyte takes a while.
  class Gone;
  /// Holds the lock.
  class Locked;

  bool allows(std::uint64_t bytes) noexcept;
  void let_go(std::size_t index, Gone& gone) noexcept;
  void let_go_of_all(Gone& gone) noexcept;

  std::mutex mutex_;
  KeepRules rules_;
  Give give_back_;
  Free free_memory_;
  std::unordered_map<void*, std::size_t> known_;  // the bytes of blocks in use and of kept ones
  Blocks kept_;
  std::uint64_t approved_ = 0;  // was within the share when what is free was last looked at
  bool inherited_ = false;      // what is kept was kept by the parent of this process
};

}  // namespace gramian::base_detail

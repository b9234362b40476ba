// SPDX-License-Identifier: BSD-3-Clause
#include "base/block_cache.hpp"

#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GRAMIAN_POISON
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define GRAMIAN_POISON
#endif
#if defined(GRAMIAN_POISON)
#include <sanitizer/asan_interface.h>
#endif

namespace gramian::base_detail {
namespace {

// A kept block is as forbidden as a freed one, and what a reused block has beyond its new size stays so.
void forbid([[maybe_unused]] void* address, [[maybe_unused]] std::size_t bytes) {
#if defined(GRAMIAN_POISON)
  __asan_poison_memory_region(address, bytes);
#endif
}
void allow([[maybe_unused]] void* address, [[maybe_unused]] std::size_t bytes) {
#if defined(GRAMIAN_POISON)
  __asan_unpoison_memory_region(address, bytes);
#endif
}

}  // namespace

void BlockCache::Blocks::add(Block block) {
  blocks[count++] = block;
  bytes += block.bytes;
}

BlockCache::Block BlockCache::Blocks::remove(std::size_t index) {
  const Block block = blocks[index];
  --count;
  for (std::size_t i = index; i < count; ++i) blocks[i] = blocks[i + 1];
  bytes -= block.bytes;
  return block;
}

class BlockCache::Gone {
 public:
  explicit Gone(Give give_back) : give_back_(give_back) {}
  ~Gone() {
    for (std::size_t i = 0; i < blocks_.count; ++i) {
      allow(blocks_.blocks[i].address, blocks_.blocks[i].bytes);
      give_back_(blocks_.blocks[i].address);
    }
  }
  Gone(const Gone&) = delete;
  Gone& operator=(const Gone&) = delete;

  void add(Block block) { blocks_.add(block); }
  std::uint64_t bytes() const { return blocks_.bytes; }

 private:
  Give give_back_;
  Blocks blocks_;
};

class BlockCache::Locked {
 public:
  Locked(BlockCache& cache, Gone& gone) : lock_(cache.mutex_) {
    if (std::exchange(cache.inherited_, false)) cache.let_go_of_all(gone);
  }

 private:
  std::lock_guard<std::mutex> lock_;
};

void BlockCache::let_go(std::size_t index, Gone& gone) noexcept {
  const Block block = kept_.remove(index);
  known_.erase(block.address);  // the system may give the address to a block of another size
  gone.add(block);
}

void BlockCache::let_go_of_all(Gone& gone) noexcept {
  while (kept_.count > 0) let_go(kept_.count - 1, gone);
  approved_ = 0;
}

void* BlockCache::take(std::size_t bytes) noexcept {
  Gone gone(give_back_);
  const Locked locked(*this, gone);
  std::size_t best = kept_.count;
  for (std::size_t i = 0; i < kept_.count; ++i) {
    const std::size_t size = kept_.blocks[i].bytes;
    if (size < bytes || size - bytes > bytes / 4) continue;
    if (best == kept_.count || size <= kept_.blocks[best].bytes) best = i;
  }
  if (best == kept_.count) {
    if (kept_.bytes < bytes) let_go_of_all(gone);
    return nullptr;
  }
  void* const address = kept_.remove(best).address;
  allow(address, bytes);
  return address;
}

void BlockCache::own(void* block, std::size_t bytes) {
  Gone gone(give_back_);
  const Locked locked(*this, gone);
  known_.insert_or_assign(block, bytes);
}

bool BlockCache::allows(std::uint64_t bytes) noexcept {
  if (bytes > rules_.most) return false;
  if (rules_.share == 0 || bytes <= approved_) return true;
  if (bytes > free_memory_() / rules_.share + kept_.bytes / rules_.share) return false;
  approved_ = bytes;
  return true;
}

bool BlockCache::keep(void* block) noexcept {
  Gone gone(give_back_);
  const Locked locked(*this, gone);
  const auto found = known_.find(block);
  if (found == known_.end()) return false;
  const std::size_t bytes = found->second;
  if (!allows(bytes)) {
    known_.erase(found);
    return false;
  }
  while (kept_.count > 0 && (kept_.count == Blocks::most || !allows(kept_.bytes + bytes))) let_go(0, gone);
  forbid(block, bytes);
  kept_.add({block, bytes});
  return true;
}

std::uint64_t BlockCache::release() noexcept {
  Gone gone(give_back_);
  const Locked locked(*this, gone);
  let_go_of_all(gone);
  return gone.bytes();
}

void BlockCache::close() noexcept {
  Gone gone(give_back_);
  const Locked locked(*this, gone);
  let_go_of_all(gone);
  rules_.most = 0;
}

std::uint64_t BlockCache::kept_bytes() noexcept {
  Gone gone(give_back_);
  const Locked locked(*this, gone);
  return kept_.bytes;
}

void BlockCache::after_fork(bool in_child) noexcept {
  inherited_ = inherited_ || in_child;
  mutex_.unlock();
}

}  // namespace gramian::base_detail

// SPDX-License-Identifier: BSD-3-Clause
// Memory: how much is available, a refusal in time if it is not enough, and the allocator of large arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "gramian/base/export.hpp"
#include "gramian/base/index.hpp"

namespace gramian {

/// How much memory a computation may take, and why.
struct MemoryReport {
  std::uint64_t available;  ///< bytes that this process may still take, swap not counted; kept ones among them
  std::uint64_t limit;      ///< bytes that one computation may take: set_memory_limit, or 90 % of available
  std::string reason;       ///< what decided it: the machine, a container's limit, GRAMIAN_MEMORY_LIMIT, ...
  std::uint64_t kept = 0;   ///< bytes of freed arrays that wait for the next ones, see release_memory
};

/// Reads the machine and every control group on the path of this process (both versions); cheap, never cached.
GRAMIAN_API MemoryReport memory_report();

/// Bytes that one computation may take; 0 returns to the default. That is GRAMIAN_MEMORY_LIMIT if it is set (bytes, or a number
/// with K, M, G, T: powers of 1024; read once, at the first use), else 90 % of what is available.
GRAMIAN_API void set_memory_limit(std::uint64_t bytes);

/// Throws MemoryLimitError if `bytes` exceed the limit; the message has `what`, both figures and `advice`.
GRAMIAN_API void require_memory(std::uint64_t bytes, const std::string& what, const std::string& advice);

/// Memory for arrays: 64-byte aligned; from 4 MiB on in 2 MiB pages where the system has them, as first touch is the cost of a
/// large result. Throws std::bad_alloc. bytes == 0 gives a pointer that may be freed. For the same reason some freed arrays of
/// 4 MiB and more are kept for the next ones of about their size: up to 1 GiB and a sixteenth of what is free, the last ones
/// freed; or up to GRAMIAN_MEMORY_CACHE (as GRAMIAN_MEMORY_LIMIT; 0: none), read at the first use. An allocation that is larger
/// than all that is kept, or that fails, and a require_memory that needs it give it back to the system first.
GRAMIAN_API void* allocate_bytes(std::size_t bytes);
GRAMIAN_API void free_bytes(void* pointer) noexcept;

/// Gives what is kept back to the system now. Returns the bytes.
GRAMIAN_API std::uint64_t release_memory();

/// An uninitialised array of plain numbers from allocate_bytes.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept : size_(std::exchange(other.size_, 0)), data_(std::move(other.data_)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    size_ = std::exchange(other.size_, 0);
    data_ = std::move(other.data_);
    return *this;
  }
  explicit Buffer(Index size)
      : size_(size), data_(static_cast<T*>(allocate_bytes(static_cast<std::size_t>(checked_product(size, sizeof(T)))))) {}

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  Index size() const { return size_; }
  T& operator[](Index i) { return data_.get()[i]; }
  const T& operator[](Index i) const { return data_.get()[i]; }

 private:
  struct Free {
    void operator()(T* pointer) const noexcept { free_bytes(pointer); }
  };
  Index size_ = 0;
  std::unique_ptr<T, Free> data_;
};

}  // namespace gramian

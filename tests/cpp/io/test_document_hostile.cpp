// SPDX-License-Identifier: BSD-3-Clause
// Files that somebody damaged, or made to do harm.
#include <cstdlib>
#include <cstring>
#include <string>

#include "gramian/base/memory.hpp"
#include "gramian/base/random.hpp"
#include "gramian/io/document.hpp"
#include "support/check.hpp"
#include "support/model_files.hpp"

using namespace gramian;
using support::bytes_of;
using support::file_of;
using support::parsed;
using support::says;

namespace {

constexpr std::uint64_t usual_flips = 10000;

/// How many flips a test makes: GRAMIAN_FLIPS is for those who have time.
std::uint64_t flips() {
  const char* asked = std::getenv("GRAMIAN_FLIPS");
  return asked == nullptr ? usual_flips : std::strtoull(asked, nullptr, 10);
}

/// Every byte of every tensor is there to be read.
std::uint64_t sum_of(const io::Document& document) {
  std::uint64_t sum = 0;
  for (const io::Tensor& tensor : document.tensors()) {
    for (Index k = 0; k < tensor.bytes(); ++k) sum += static_cast<const unsigned char*>(tensor.data)[k];
  }
  return sum;
}

/// Whether the bytes are a document; if not, the exception must be the one of model files.
bool loads(const std::string& bytes) {
  try {
    sum_of(parsed(bytes));
    return true;
  } catch (const ModelFileError&) {
    return false;
  }
}

}  // namespace

TEST(a_file_that_ends_early_is_refused_wherever_it_ends) {
  const std::string bytes = bytes_of(support::small_document());
  for (std::size_t size = 0; size < bytes.size(); ++size) CHECK(!loads(bytes.substr(0, size)));
  CHECK(loads(bytes));
}

TEST(a_file_on_disk_that_ends_early_is_refused_wherever_it_ends) {
  const support::Folder folder;
  const std::string bytes = bytes_of(support::small_document()), path = folder / "model";
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    support::put(path, bytes.substr(0, size));
    CHECK(says(path + ": ", [&] { io::read_document(path); }));
  }
}

TEST(bytes_behind_the_data_are_refused) {
  const std::string bytes = bytes_of(support::small_document());
  CHECK(!loads(bytes + '\0'));
  CHECK(!loads(bytes + bytes));
}

TEST(flipped_bits_give_a_document_or_an_error) {
  const std::string bytes = bytes_of(support::small_document());
  const RandomStream random(11);
  std::uint64_t accepted = 0;
  for (std::uint64_t flip = 0; flip < flips(); ++flip) {
    std::string damaged = bytes;
    // One to four bits, so that some damages look right.
    for (std::uint64_t k = 0; k <= random.bits(8 * flip) % 4; ++k) {
      const auto bit = static_cast<std::size_t>(random.below(8 * flip + 1 + k, static_cast<Index>(8 * bytes.size())));
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    }
    accepted += loads(damaged) ? 1 : 0;
  }
  CHECK(accepted > 0 && accepted < flips());  // numbers may be others, the header may not
}

TEST(bytes_that_are_replaced_or_left_out_give_a_document_or_an_error) {
  const std::string bytes = bytes_of(support::small_document());
  const RandomStream random(12);
  std::uint64_t accepted = 0;
  for (std::uint64_t flip = 0; flip < flips(); ++flip) {
    std::string damaged = bytes;
    const auto at = static_cast<std::size_t>(random.below(4 * flip, static_cast<Index>(bytes.size())));
    const auto other = static_cast<std::size_t>(random.below(4 * flip + 1, static_cast<Index>(bytes.size())));
    switch (random.bits(4 * flip + 2) % 3) {
      case 0: damaged[at] = damaged[other]; break;
      case 1: damaged.erase(at, other % 16); break;
      default: damaged.insert(at, damaged.substr(other, 16)); break;
    }
    accepted += loads(damaged) ? 1 : 0;
  }
  CHECK(accepted > 0 && accepted < flips());
}

TEST(a_byte_that_is_no_boolean_is_refused) {
  const std::string header = R"({"m":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})";
  CHECK(loads(file_of(header) + std::string("\1\0", 2)));
  CHECK(says("tensor 'm' has a byte that is neither 0 nor 1", [&] { parsed(file_of(header) + std::string("\1\2", 2)); }));
}

TEST(nothing_is_allocated_for_a_header_that_lies) {
  // 2^62 bytes would not fit: the sizes are compared with what is there before.
  const std::string large = std::to_string(Index(1) << 62);
  const std::string lie = R"({"a":{"dtype":"U8","shape":[)" + large + R"(],"data_offsets":[0,)" + large + "]}}";
  CHECK(says("the file is cut off", [&] { parsed(file_of(lie, 64)); }));
  std::string longest = file_of("{}");
  std::memcpy(longest.data(), "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", 8);
  CHECK(says("this is no model file", [&] { parsed(longest); }));
}

TEST(memory_that_is_not_there_is_asked_for_and_not_taken) {
  const std::string header = R"({"a":{"dtype":"U8","shape":[2097152],"data_offsets":[0,2097152]}})";
  const std::string bytes = file_of(header, 2097152);
  set_memory_limit(2097151);
  CHECK_THROWS(MemoryLimitError, parsed(bytes));
  set_memory_limit(2097152);
  CHECK(loads(bytes));
  set_memory_limit(0);
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// What reading takes: at most twice the bytes of the file, and a little for a small one. Counted by the operators of this
// program.
#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>

#include "gramian/io/document.hpp"
#include "support/check.hpp"
#include "support/model_files.hpp"

namespace {

// Where the size of a block is kept, with the alignment of all blocks.
constexpr std::size_t before = alignof(std::max_align_t);
std::size_t taken = 0, most = 0;

}  // namespace

void* operator new(std::size_t size) {
  void* block = std::malloc(size + before);
  if (block == nullptr) throw std::bad_alloc();
  *static_cast<std::size_t*>(block) = size;
  most = std::max(most, taken += size);
  return static_cast<char*>(block) + before;
}
void operator delete(void* pointer) noexcept {
  if (pointer == nullptr) return;
  void* block = static_cast<char*>(pointer) - before;
  taken -= *static_cast<std::size_t*>(block);
  std::free(block);
}
void operator delete(void* pointer, std::size_t) noexcept { operator delete(pointer); }

using namespace gramian;
using support::file_of;

namespace {

constexpr std::size_t little = 4u << 20;

/// The most memory that reading these bytes takes beside them, without the arrays: these are as long as the data.
std::size_t peak_of(const std::string& bytes) {
  const std::size_t start = most = taken;
  try {
    io::parse_document(bytes.data(), bytes.size());
  } catch (const ModelFileError&) {
    // A hostile header takes no more before it is refused.
  }
  return most - start;
}

void check_peak(const std::string& header) {
  const std::string bytes = file_of(header);
  const std::size_t peak = peak_of(bytes);
  if (peak > 2 * bytes.size() + little) CHECK_EQ(bytes.substr(8, 30), std::to_string(peak) + " bytes");
}

std::string repeated(const std::string& part, std::size_t count) {
  std::string text;
  text.reserve(part.size() * count);
  for (std::size_t k = 0; k < count; ++k) text += part;
  return text;
}

}  // namespace

TEST(the_counter_counts) {
  const std::size_t start = most = taken;
  std::string(1000000, 'x').swap(*std::make_unique<std::string>());
  CHECK(most - start >= 1000000);
}

TEST(long_texts_take_their_length) {
  check_peak(R"({"__metadata__":{"k":")" + std::string(30000000, 'x') + "\"}}");
  check_peak(R"({"__metadata__":{"k":")" + repeated("\\n", 15000000) + "\"}}");
  check_peak(R"({"__metadata__":{")" + std::string(30000000, 'x') + "\":\"\"}}");
  check_peak("{\"" + std::string(30000000, 'x') + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})");
}

TEST(many_small_values_take_little) {
  check_peak("{\"a\":" + repeated("[", 10000000));
  check_peak("{\"a\":[" + repeated("0,", 5000000) + "0]}");
  check_peak(R"({"a":{"shape":[)" + repeated("1,", 5000000) + "1]}}");
  check_peak("{\"__metadata__\":{" + repeated("\"\":\"\",", 2000000));
  std::string texts, tensors;
  for (int k = 0; k < 300000; ++k) {
    const std::string name = "\"" + std::to_string(k) + "\":";
    texts += name + "\"\",";
    tensors += name + R"({"dtype":"U8","shape":[0],"data_offsets":[0,0]},)";
  }
  check_peak("{\"__metadata__\":{" + texts);
  check_peak("{" + tensors);
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Model files byte by byte, and folders to keep them in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/io/document.hpp"
#include "support/message.hpp"

namespace support {

using gramian::Index;

/// A header of this text, however wrong, with as many bytes behind it.
inline std::string file_of(const std::string& header, std::size_t data_bytes = 0) {
  std::string bytes;
  for (int k = 0; k < 8; ++k) bytes += static_cast<char>((static_cast<std::uint64_t>(header.size()) >> (8 * k)) & 255u);
  return bytes + header + std::string(data_bytes, '\0');
}

inline gramian::io::Document parsed(const std::string& bytes) {
  // On a heap of its own: a sanitizer sees what is read beyond the end.
  const std::unique_ptr<char[]> copy(new char[bytes.size()]);
  std::memcpy(copy.get(), bytes.data(), bytes.size());
  return gramian::io::parse_document(copy.get(), bytes.size());
}

inline std::string bytes_of(const gramian::io::Document& document) {
  const std::vector<std::byte> bytes = gramian::io::format_document(document);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <class Error = gramian::ModelFileError, class F>
bool says(const std::string& part, F&& f) {
  return check::contains(check::message_of<Error>(f), part);
}

/// A tensor with a copy of these numbers.
template <class T>
gramian::io::Tensor tensor_of(std::string name, gramian::io::Element type, std::vector<Index> shape, std::vector<T> numbers) {
  const auto kept = std::make_shared<const std::vector<T>>(std::move(numbers));
  return {std::move(name), type, std::move(shape), kept->data(), kept};
}

/// A document with a tensor of each type and two texts.
inline gramian::io::Document small_document() {
  using gramian::io::Element;
  gramian::io::Document document;
  document.add(tensor_of<std::uint8_t>("bytes", Element::u8, {3}, {1, 2, 255}));
  document.add(tensor_of<double>("weights", Element::f64, {2, 3}, {1.0, -2.5, 3e300, 4e-320, -0.0, 6.0}));
  document.add(tensor_of<float>("small", Element::f32, {1, 2}, {1.5f, -2.0f}));
  document.add(tensor_of<std::int64_t>("labels", Element::i64, {2}, {-1, INT64_MAX}));
  document.add(tensor_of<std::int32_t>("rows", Element::i32, {}, {-7}));
  document.add(tensor_of<std::uint8_t>("mask", Element::boolean, {2}, {0, 1}));
  document.add(tensor_of<double>("none", Element::f64, {0, 5}, {}));
  document.set_text("format", "test");
  document.set_text("text", "a \"line\"\n\\ \xC3\xA9 \xF0\x9F\x98\x80");
  return document;
}

/// A new folder that is gone at the end.
class Folder {
 public:
  Folder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("gramian-test-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + "-" + std::to_string(++count) + "-" +
             std::to_string(std::filesystem::file_time_type::clock::now().time_since_epoch().count()));
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::size_t entries() const { return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {})); }

 private:
  std::filesystem::path path_;
};

inline std::string content_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void put(const std::string& path, const std::string& content) { std::ofstream(path, std::ios::binary) << content; }

}  // namespace support

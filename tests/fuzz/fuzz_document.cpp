// SPDX-License-Identifier: BSD-3-Clause
// The reader of model files on whatever bytes libFuzzer thinks of: a document or ModelFileError, and what it accepts comes back.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "gramian/io/document.hpp"
#include "io/json.hpp"

namespace {

using namespace gramian;

void require_same(bool same) {
  if (!same) throw std::logic_error("a document is another one after it was written and read");
}

/// Reads every byte: what is not there is the sanitizer's to find.
bool same_bytes(const io::Tensor& a, const io::Tensor& b) {
  return a.bytes() == b.bytes() && (a.bytes() == 0 || std::memcmp(a.data, b.data, static_cast<std::size_t>(a.bytes())) == 0);
}

void check_document(const io::Document& document) {
  const std::vector<std::byte> bytes = io::format_document(document);
  const io::Document again = io::parse_document(bytes.data(), bytes.size());
  require_same(again.texts() == document.texts() && again.tensors().size() == document.tensors().size());
  for (const io::Tensor& tensor : document.tensors()) {
    const io::Tensor* other = again.find_tensor(tensor.name);
    require_same(other != nullptr && other->type == tensor.type && other->shape == tensor.shape && same_bytes(tensor, *other));
  }
}

void check_json(const std::string& text) {
  std::string written;
  try {
    written = io::format_json(io::parse_json(text, "text"));
  } catch (const ModelFileError&) {
    return;
  }
  require_same(io::format_json(io::parse_json(written, "text")) == written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const io::Document document = io::parse_document(data, size);
    check_document(document);
    for (const auto& [name, text] : document.texts()) check_json(text);
  } catch (const ModelFileError&) {
    // Most inputs are no model file. Any other exception ends the run.
  }
  return 0;
}

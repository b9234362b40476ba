// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/io/document.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "gramian/base/memory.hpp"
#include "io/file.hpp"
#include "io/header.hpp"
#include "io/utf8.hpp"

namespace gramian::io {
namespace {

constexpr Index large = Index(1) << 20;  // below, asking the system for what is free takes longer than to read

/// Where a tensor of this name is, or would be.
std::vector<Tensor>::const_iterator place_of(const std::vector<Tensor>& tensors, std::string_view name) {
  return std::lower_bound(tensors.begin(), tensors.end(), name, [](const Tensor& a, std::string_view b) { return a.name < b; });
}

void check_tensor(const Tensor& tensor) {
  const std::string name = "tensor " + quoted(tensor.name);
  require(is_utf8(tensor.name), name + ": the name is not UTF-8");
  require(tensor.name != "__metadata__", name + ": the name is reserved");
  require(static_cast<Index>(tensor.shape.size()) <= most_dimensions,
          name + " has more than " + std::to_string(most_dimensions) + " dimensions");
  require(tensor.bytes() == 0 || tensor.data != nullptr, name + " has no data");
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.data);
  require(address % static_cast<std::uintptr_t>(element_size(tensor.type)) == 0, name + " is not aligned");
}

/// A bool with any other byte is undefined behaviour for its reader.
void check_booleans(const HeaderEntry& entry, const std::byte* data) {
  if (entry.tensor.type != Element::boolean) return;
  const bool fits =
      std::all_of(data + entry.begin, data + entry.end, [](std::byte byte) { return std::to_integer<int>(byte) < 2; });
  if (!fits) throw ModelFileError("tensor " + quoted(entry.tensor.name) + " has a byte that is neither 0 nor 1");
}

/// The document that a header and the data behind it make.
Document assembled(Header header, const std::shared_ptr<const Buffer<std::byte>>& data) {
  // add() puts each tensor behind those that are there if they come in order.
  std::sort(header.entries.begin(), header.entries.end(),
            [](const HeaderEntry& a, const HeaderEntry& b) { return a.tensor.name < b.tensor.name; });
  Document document;
  for (HeaderEntry& entry : header.entries) {
    check_booleans(entry, data->data());
    entry.tensor.data = data->data() + entry.begin;
    entry.tensor.owner = data;
    document.add(std::move(entry.tensor));
  }
  while (!header.texts.empty()) {
    auto text = header.texts.extract(header.texts.begin());  // a copy of a long name would count twice
    document.set_text(std::move(text.key()), std::move(text.mapped()));
  }
  return document;
}

using Read = FunctionRef<void(void* out, Index bytes)>;

std::string read_text(Read read, Index bytes) {
  std::string text(static_cast<std::size_t>(bytes), '\0');
  read(text.data(), bytes);
  return text;
}

Document read_from(Index size, Read read) {
  require_little_endian();
  if (size < length_bytes) {
    throw ModelFileError("byte 0: " + std::to_string(size) + " bytes are too few for a model file");
  }
  unsigned char first[length_bytes];
  read(first, length_bytes);
  const Index header_bytes = header_length(first, size), data_bytes = size - length_bytes - header_bytes;
  Header header = parse_header(read_text(read, header_bytes), data_bytes);
  if (data_bytes >= large) require_memory(static_cast<std::uint64_t>(data_bytes), "the arrays of a model file", "free memory");
  auto data = std::make_shared<Buffer<std::byte>>(data_bytes);
  read(data->data(), data_bytes);
  return assembled(std::move(header), data);
}

void write_to(const Document& document, FunctionRef<void(const void*, Index)> write) {
  const std::vector<const Tensor*> order = order_of(document);
  const std::string header = format_header(document, order);
  write(header.data(), static_cast<Index>(header.size()));
  for (const Tensor* tensor : order) write(tensor->data, tensor->bytes());
}

}  // namespace

Index element_size(Element type) {
  switch (type) {
    case Element::f64:
    case Element::i64: return 8;
    case Element::f32:
    case Element::i32: return 4;
    case Element::u8:
    case Element::boolean: return 1;
  }
  throw std::invalid_argument("a tensor has no such type");
}

const char* element_name(Element type) {
  switch (type) {
    case Element::f64: return "F64";
    case Element::f32: return "F32";
    case Element::i64: return "I64";
    case Element::i32: return "I32";
    case Element::u8: return "U8";
    case Element::boolean: return "BOOL";
  }
  throw std::invalid_argument("a tensor has no such type");
}

Index Tensor::size() const {
  Index product = 1;
  for (const Index extent : shape) product = checked_product(product, extent);
  return product;
}

Index Tensor::bytes() const { return checked_product(size(), element_size(type)); }

void Document::add(Tensor tensor) {
  check_tensor(tensor);
  require(static_cast<Index>(tensors_.size()) < most_tensors,
          "a model file has at most " + std::to_string(most_tensors) + " tensors");
  const auto at = place_of(tensors_, tensor.name);
  require(at == tensors_.end() || at->name != tensor.name, "tensor " + quoted(tensor.name) + " stands twice");
  tensors_.insert(at, std::move(tensor));
}

void Document::set_text(std::string name, std::string text) {
  require(is_utf8(name) && is_utf8(text), "the text " + quoted(name) + " is not UTF-8");
  require(static_cast<Index>(texts_.size()) < most_texts, "a model file has at most " + std::to_string(most_texts) + " texts");
  require(texts_.find(name) == texts_.end(), "the text " + quoted(name) + " stands twice");
  texts_.emplace(std::move(name), std::move(text));
}

const Tensor* Document::find_tensor(std::string_view name) const {
  const auto at = place_of(tensors_, name);
  return at == tensors_.end() || at->name != name ? nullptr : &*at;
}

const std::string* Document::find_text(std::string_view name) const {
  const auto at = texts_.find(name);
  return at == texts_.end() ? nullptr : &at->second;
}

Document parse_document(const void* bytes, std::size_t size) {
  const auto* at = static_cast<const std::byte*>(bytes);
  return read_from(static_cast<Index>(size), [&at](void* out, Index count) {
    if (count > 0) std::memcpy(out, at, static_cast<std::size_t>(count));
    at += count;
  });
}

Document read_document(const std::string& path) {
  try {
    const std::unique_ptr<InputFile> file = open_file(path);
    return read_from(file->size(), [&file](void* out, Index count) { file->read(out, count); });
  } catch (const ModelFileError& error) {
    throw ModelFileError(path + ": " + error.what());
  }
}

void write_document(const Document& document, const std::string& path) {
  require_little_endian();
  replace_file(path, [&](Write write) { write_to(document, write); });
}

std::vector<std::byte> format_document(const Document& document) {
  require_little_endian();
  std::vector<std::byte> bytes;
  write_to(document, [&bytes](const void* more, Index count) {
    const auto* first = static_cast<const std::byte*>(more);
    bytes.insert(bytes.end(), first, first + count);
  });
  return bytes;
}

}  // namespace gramian::io

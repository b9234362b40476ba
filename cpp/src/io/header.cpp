// SPDX-License-Identifier: BSD-3-Clause
#include "io/header.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "io/json.hpp"
#include "io/json_cursor.hpp"
#include "io/utf8.hpp"

namespace gramian::io {
namespace {

constexpr Index alignment = 64;
constexpr const char* metadata_name = "__metadata__";
constexpr Element elements[] = {Element::f64, Element::f32, Element::i64, Element::i32, Element::u8, Element::boolean};

[[noreturn]] void refuse(const HeaderEntry& entry, const std::string& why) {
  throw ModelFileError("tensor " + quoted(entry.tensor.name) + " " + why);
}

/// The numbers of a shape or of offsets.
std::vector<Index> whole_numbers(JsonCursor& cursor, Index most, const char* what) {
  std::vector<Index> values;
  cursor.items([&] {
    if (static_cast<Index>(values.size()) == most) {
      cursor.fail(std::string(what) + " must have at most " + std::to_string(most) + " numbers");
    }
    values.push_back(cursor.integer());
  });
  return values;
}

Element read_element(JsonCursor& cursor) {
  const std::string name = cursor.string();
  std::string known;
  for (const Element type : elements) {
    if (name == element_name(type)) return type;
    known += std::string(known.empty() ? "" : ", ") + element_name(type);
  }
  cursor.fail("dtype " + quoted(name) + " is none of " + known);
}

/// {"dtype": .., "shape": [..], "data_offsets": [begin, end]}, each once and nothing else.
HeaderEntry read_entry(JsonCursor& cursor, std::string name) {
  HeaderEntry entry;
  entry.tensor.name = std::move(name);
  std::optional<Element> type;
  std::optional<std::vector<Index>> shape, offsets;
  const auto once = [&](const auto& value, const std::string& key) {
    if (value) cursor.fail(quoted(key) + " of tensor " + quoted(entry.tensor.name) + " stands twice");
  };
  cursor.members([&](const std::string& key) {
    if (key == "dtype") {
      once(type, key);
      type = read_element(cursor);
    } else if (key == "shape") {
      once(shape, key);
      shape = whole_numbers(cursor, most_dimensions, "a shape");
    } else if (key == "data_offsets") {
      once(offsets, key);
      offsets = whole_numbers(cursor, 2, "data_offsets");
    } else {
      cursor.fail("tensor " + quoted(entry.tensor.name) + " has the unknown entry " + quoted(key));
    }
  });
  if (!type || !shape || !offsets) refuse(entry, "needs dtype, shape and data_offsets");
  if (offsets->size() != 2) refuse(entry, "needs two data_offsets");
  entry.tensor.type = *type;
  entry.tensor.shape = std::move(*shape);
  entry.begin = (*offsets)[0];
  entry.end = (*offsets)[1];
  return entry;
}

void read_texts(JsonCursor& cursor, Header& header) {
  cursor.members([&](std::string name) {
    if (static_cast<Index>(header.texts.size()) == most_texts) {
      cursor.fail("there are more than " + std::to_string(most_texts) + " texts");
    }
    std::string text = cursor.string();
    const auto [at, added] = header.texts.emplace(std::move(name), std::move(text));
    if (!added) cursor.fail("the text " + quoted(at->first) + " stands twice");
  });
}

void check_names(const Header& header) {
  std::vector<const std::string*> names;
  for (const HeaderEntry& entry : header.entries) names.push_back(&entry.tensor.name);
  if (const std::string* name = duplicate_of(std::move(names))) {
    throw ModelFileError("tensor " + quoted(*name) + " stands twice");
  }
}

/// The bytes that its shape asks for; they may not fit 63 bits.
Index bytes_of(const HeaderEntry& entry) {
  try {
    return entry.tensor.bytes();
  } catch (const std::length_error&) {
    refuse(entry, "has a shape whose product is 2^63 or more");
  }
}

/// Entries in the order of the data: each begins where the one before ends, and the last one ends with the data.
void check_places(const Header& header, Index data_size) {
  Index position = 0;
  for (const HeaderEntry& entry : header.entries) {
    const std::string at = "at byte " + std::to_string(position) + " of the data";
    if (entry.end < entry.begin) refuse(entry, "ends before it begins");
    if (entry.begin < position) refuse(entry, "overlaps another one " + at);
    if (entry.begin > position) refuse(entry, "leaves a gap " + at);
    if (entry.end > data_size) {
      refuse(entry, "ends at byte " + std::to_string(entry.end) + " of the data, and there are " + std::to_string(data_size) +
                        ": the file is cut off");
    }
    const Index bytes = bytes_of(entry);
    if (bytes != entry.end - entry.begin) {
      refuse(entry, "has a shape of " + std::to_string(bytes) + " bytes, and data_offsets of " +
                        std::to_string(entry.end - entry.begin));
    }
    if (entry.begin % element_size(entry.tensor.type) != 0) refuse(entry, "is not aligned " + at);
    position = entry.end;
  }
  if (position != data_size) {
    throw ModelFileError(std::to_string(data_size - position) + " bytes follow the last tensor, which ends at byte " +
                         std::to_string(position) + " of the data");
  }
}

}  // namespace

Index header_length(const unsigned char (&first)[length_bytes], Index size) {
  std::uint64_t length = 0;
  for (Index k = length_bytes; k-- > 0;) length = (length << 8) | first[k];
  if (length > static_cast<std::uint64_t>(most_header_bytes)) {
    throw ModelFileError("byte 0: a header of " + std::to_string(length) + " bytes, more than " +
                         std::to_string(most_header_bytes) + ": this is no model file");
  }
  const auto result = static_cast<Index>(length);
  if (result > size - length_bytes) {
    throw ModelFileError("byte 0: a header of " + std::to_string(result) + " bytes, and " + std::to_string(size - length_bytes) +
                         " follow: the file is cut off");
  }
  return result;
}

Header parse_header(std::string_view text, Index data_size) {
  JsonCursor cursor(text, "header", length_bytes);
  Header header;
  bool has_texts = false;
  cursor.members([&](std::string name) {
    if (name == metadata_name) {
      if (has_texts) cursor.fail(quoted(name) + " stands twice");
      has_texts = true;
      return read_texts(cursor, header);
    }
    if (static_cast<Index>(header.entries.size()) == most_tensors) {
      cursor.fail("there are more than " + std::to_string(most_tensors) + " tensors");
    }
    header.entries.push_back(read_entry(cursor, std::move(name)));
  });
  cursor.end();
  check_names(header);
  std::sort(header.entries.begin(), header.entries.end(), [](const HeaderEntry& a, const HeaderEntry& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;  // those without entries come first
  });
  check_places(header, data_size);
  return header;
}

std::vector<const Tensor*> order_of(const Document& document) {
  std::vector<const Tensor*> order;
  for (const Tensor& tensor : document.tensors()) order.push_back(&tensor);
  std::stable_sort(order.begin(), order.end(),
                   [](const Tensor* a, const Tensor* b) { return element_size(a->type) > element_size(b->type); });
  return order;
}

std::string format_header(const Document& document, const std::vector<const Tensor*>& order) {
  std::string text(length_bytes, '\0');
  text += '{';
  const auto begin_member = [&text](const std::string& name) {
    if (text.back() != '{') text += ',';
    append_json_string(text, name);
    text += ':';
  };
  if (!document.texts().empty()) {
    begin_member(metadata_name);
    text += '{';
    for (const auto& [key, value] : document.texts()) {
      begin_member(key);
      append_json_string(text, value);
    }
    text += '}';
  }
  Index position = 0;
  for (const Tensor* tensor : order) {
    begin_member(tensor->name);
    text += std::string(R"({"dtype":")") + element_name(tensor->type) + R"(","shape":[)";
    for (std::size_t k = 0; k < tensor->shape.size(); ++k) text += (k > 0 ? "," : "") + std::to_string(tensor->shape[k]);
    text += "],\"data_offsets\":[" + std::to_string(position) + ",";
    position += tensor->bytes();
    text += std::to_string(position) + "]}";
  }
  text += '}';
  text.resize((text.size() + alignment - 1) / alignment * alignment, ' ');
  const auto length = static_cast<std::uint64_t>(text.size()) - length_bytes;
  if (length > static_cast<std::uint64_t>(most_header_bytes))
    throw std::invalid_argument("the texts of a model file are too long");
  for (Index k = 0; k < length_bytes; ++k) {
    text[static_cast<std::size_t>(k)] = static_cast<char>(static_cast<unsigned char>(length >> (8 * k)));
  }
  return text;
}

void require_little_endian() {
  const std::uint16_t one = 1;
  unsigned char first = 0;
  std::memcpy(&first, &one, 1);
  if (first != 1) throw std::runtime_error("model files are little-endian, and this machine is not: they can't be used on it");
}

}  // namespace gramian::io

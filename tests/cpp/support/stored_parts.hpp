// SPDX-License-Identifier: BSD-3-Clause
// Parts of models through the bytes of a file and back, and with a part of the file replaced.
#pragma once

#include <string>

#include "serving/stored/reader.hpp"
#include "serving/stored/writer.hpp"
#include "support/model_files.hpp"

namespace support {

using gramian::stored::Reader;
using gramian::stored::Writer;

/// What a file with these entries gives.
inline Reader reread(const Writer& writer) { return Reader(parsed(bytes_of(writer.document()))); }

/// The same document with another JSON text 'model'.
inline gramian::io::Document with_model(const gramian::io::Document& document, const std::string& model) {
  gramian::io::Document result;
  for (const gramian::io::Tensor& tensor : document.tensors()) result.add(tensor);
  for (const auto& [name, text] : document.texts()) result.set_text(name, name == "model" ? model : text);
  return result;
}

/// The reader of a file that has nothing but this JSON text.
inline Reader reader_of(const std::string& model) { return Reader(with_model(Writer("test").document(), model)); }

/// The text with each `from` replaced, at least one of them.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  auto at = text.find(from);
  gramian::require(at != std::string::npos, "there is no " + from);
  for (; at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

}  // namespace support

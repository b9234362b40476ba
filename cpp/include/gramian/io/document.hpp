// SPDX-License-Identifier: BSD-3-Clause
// The container of model files, in the safetensors format: named arrays and texts, safe to read from strangers.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/export.hpp"
#include "gramian/base/index.hpp"

namespace gramian::io {

/// The type of a tensor's entries. In files: F64, F32, I64, I32, U8, BOOL.
enum class Element { f64, f32, i64, i32, u8, boolean };

/// The bytes of an entry.
GRAMIAN_API Index element_size(Element type);
/// Its name in files.
GRAMIAN_API const char* element_name(Element type);

/// A named array, row-major. Its bytes never change; copies share them.
struct GRAMIAN_API Tensor {
  std::string name;
  Element type = Element::f64;
  std::vector<Index> shape;           ///< empty: one entry
  const void* data = nullptr;         ///< aligned for the type; may be null where there is no entry
  std::shared_ptr<const void> owner;  ///< keeps the bytes alive

  Index size() const;   ///< entries
  Index bytes() const;  ///< size() times element_size()
};

/// What a document may have at most, so that a hostile header takes no more memory than its file.
constexpr Index most_tensors = 10000, most_dimensions = 8, most_texts = 1000, most_header_bytes = 100000000;

/// Tensors and texts, each with a unique name. Copies share the bytes of tensors.
class GRAMIAN_API Document {
 public:
  /// Adds a tensor. Throws std::invalid_argument for a name that is taken, reserved ("__metadata__") or not UTF-8, a shape that
  /// is negative or overflows, data that are missing or misaligned, and what exceeds the limits above.
  void add(Tensor tensor);
  /// Adds a text. Throws std::invalid_argument for a name that is taken, and for what is not UTF-8.
  void set_text(std::string name, std::string text);

  /// In the order of their names.
  const std::vector<Tensor>& tensors() const { return tensors_; }
  const std::map<std::string, std::string, std::less<>>& texts() const { return texts_; }

  /// Null if there is none of this name.
  const Tensor* find_tensor(std::string_view name) const;
  const std::string* find_text(std::string_view name) const;

 private:
  std::vector<Tensor> tensors_;
  std::map<std::string, std::string, std::less<>> texts_;
};

/// The document of a file, UTF-8 on Windows. Everything is validated before memory for the tensors is taken, which share one
/// buffer; all in all at most twice the size of the file. Throws ModelFileError, FileError, MemoryLimitError.
GRAMIAN_API Document read_document(const std::string& path);

/// The document of bytes in memory, which are copied.
GRAMIAN_API Document parse_document(const void* bytes, std::size_t size);

/// Replaces a file as a whole, or makes it: whatever happens, the path leads to the old file or to the new one. The new one is
/// written beside it, synchronised, and renamed. A symbolic link stays, and the file that it leads to is replaced; permissions
/// stay. A file that is not writable, or no regular file, is refused. Throws FileError, and then nothing is left behind; a
/// process that is killed may leave a file .gramian-*.tmp.
GRAMIAN_API void write_document(const Document& document, const std::string& path);

/// The bytes that write_document() writes.
GRAMIAN_API std::vector<std::byte> format_document(const Document& document);

}  // namespace gramian::io

// SPDX-License-Identifier: BSD-3-Clause
// Files as a whole: read at once, replaced at once.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "gramian/base/index.hpp"
#include "gramian/base/parallel.hpp"

namespace gramian::io {

/// A regular file that is open for reading, from its beginning on.
class InputFile {
 public:
  virtual ~InputFile();
  /// Bytes of it when it was opened.
  virtual Index size() const = 0;
  /// The next bytes. Throws FileError, and ModelFileError if the file has become shorter.
  virtual void read(void* out, Index bytes) = 0;
};

/// Throws FileError, and ModelFileError for what is no regular file.
std::unique_ptr<InputFile> open_file(const std::string& path);

/// Takes the bytes of the new file in their order.
using Write = FunctionRef<void(const void* bytes, Index size)>;

/// Calls fill(write), and puts what it wrote in the place of the file; document.hpp says how. If fill or the system fails, the
/// old file is as it was.
void replace_file(const std::string& path, FunctionRef<void(Write)> fill);

/// The same for systems that are not POSIX: neither synchronised nor with the permissions of the old file.
std::unique_ptr<InputFile> open_file_portable(const std::string& path);
void replace_file_portable(const std::string& path, FunctionRef<void(Write)> fill);

/// A name for a temporary file, another one at each call.
std::string temporary_name();

}  // namespace gramian::io

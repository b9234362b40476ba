// SPDX-License-Identifier: BSD-3-Clause
// Exceptions. A value outside its domain is std::invalid_argument; the other failures have the classes below.
#pragma once

#include <stdexcept>
#include <string>
#include <system_error>

#include "gramian/base/export.hpp"

namespace gramian {

/// A computation broke down on valid input: the message names the parameter to change.
class GRAMIAN_API NumericalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~NumericalError() override;
};

/// The work was refused before it began because its memory would not fit: bytes needed, bytes free, and what helps.
class GRAMIAN_API MemoryLimitError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~MemoryLimitError() override;
};

/// A StopCheck asked the work to end (base/stop.hpp). Outputs hold unspecified values.
class GRAMIAN_API Interrupted : public std::runtime_error {
 public:
  Interrupted();
  ~Interrupted() override;
};

/// A model file is not one that this library can read. The message says what is wrong, where (a byte or a name), and for versions
/// which one is wanted.
class GRAMIAN_API ModelFileError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
  ~ModelFileError() override;
};

/// The system refused to open, read, write or rename a file: code() has its reason, in std::generic_category() on POSIX.
class GRAMIAN_API FileError : public std::system_error {
 public:
  /// The message is "<attempt> <path>: <reason>".
  FileError(std::error_code reason, const std::string& attempt, const std::string& path);
  FileError(const FileError&) = default;
  FileError& operator=(const FileError&) = default;
  ~FileError() override;
  /// The file that was asked for.
  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// Throws std::invalid_argument with this message unless the condition holds.
GRAMIAN_API void require(bool condition, const char* message);
GRAMIAN_API void require(bool condition, const std::string& message);

}  // namespace gramian

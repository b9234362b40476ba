// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/base/error.hpp"

namespace gramian {

// Out of line, so that each class has its type information in this library alone and a catch in another one finds it.
NumericalError::~NumericalError() = default;
MemoryLimitError::~MemoryLimitError() = default;
Interrupted::Interrupted() : std::runtime_error("interrupted") {}
Interrupted::~Interrupted() = default;
ModelFileError::~ModelFileError() = default;
FileError::FileError(std::error_code reason, const std::string& attempt, const std::string& path)
    : std::system_error(reason, attempt + " " + path), path_(path) {}
FileError::~FileError() = default;

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

void require(bool condition, const std::string& message) { require(condition, message.c_str()); }

}  // namespace gramian

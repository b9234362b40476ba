// SPDX-License-Identifier: BSD-3-Clause
// Exceptions. A value outside its domain is std::invalid_argument; the other failures have the classes below.
#pragma once

#include <stdexcept>
#include <string>

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

/// Throws std::invalid_argument with this message unless the condition holds.
GRAMIAN_API void require(bool condition, const char* message);
GRAMIAN_API void require(bool condition, const std::string& message);

}  // namespace gramian

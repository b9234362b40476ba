// SPDX-License-Identifier: BSD-3-Clause
// Messages of exceptions.
#pragma once

#include <stdexcept>
#include <string>

namespace check {

/// The message of the exception of this type that f throws; empty if it throws none.
template <class Error = std::invalid_argument, class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace check

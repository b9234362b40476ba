// SPDX-License-Identifier: BSD-3-Clause
// Memory that is asked for again and again: it grows, and stays.
#pragma once

#include "gramian/base/memory.hpp"

namespace gramian {

/// At least `size` numbers. What stood there is lost if it grows.
template <class T>
void reserve(Buffer<T>& buffer, Index size) {
  if (buffer.size() < size) buffer = Buffer<T>(size);
}

}  // namespace gramian

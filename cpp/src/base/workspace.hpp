// SPDX-License-Identifier: BSD-3-Clause
// Memory that is asked for again and again: it grows, and stays.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gramian/base/matrix.hpp"

namespace gramian {

/// Bytes of so many matrices of this shape, for require_memory().
inline std::uint64_t bytes_of(Index rows, Index cols, Index matrices = 1) {
  return static_cast<std::uint64_t>(checked_product(checked_product(rows, cols), 8 * matrices));
}

/// At least `size` numbers. What stood there is lost if it grows.
template <class T>
void reserve(Buffer<T>& buffer, Index size) {
  if (buffer.size() < size) buffer = Buffer<T>(size);
}

/// A matrix of this shape. What stood there is lost if it had another one.
inline void ensure_shape(Matrix& A, Index rows, Index cols) {
  if (A.rows() != rows || A.cols() != cols) A = Matrix(rows, cols);
}

/// Memory for one matrix at a time, which only grows.
class Room {
 public:
  MatrixView<double> take(Index rows, Index cols) {
    reserve(numbers_, checked_product(rows, cols));
    return {numbers_.data(), rows, cols};
  }

 private:
  Buffer<double> numbers_;
};

/// The same for the length of one call, so that the next call finds its pages: from 256 KiB on it is a block of at least 4 MiB,
/// which is kept when it is freed (base/memory.hpp). A smaller block malloc may return to the system at each call, and the first
/// touch of fresh pages takes longer than a prediction.
class Scratch {
 public:
  MatrixView<double> take(Index rows, Index cols) {
    const Index numbers = checked_product(rows, cols);
    reserve(numbers_, numbers < few ? numbers : std::max(numbers, kept));
    return {numbers_.data(), rows, cols};
  }

 private:
  static constexpr Index few = Index(1) << 15, kept = Index(1) << 19;
  Buffer<double> numbers_;
};

}  // namespace gramian

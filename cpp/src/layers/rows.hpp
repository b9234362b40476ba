// SPDX-License-Identifier: BSD-3-Clause
// Loops over the rows of tall matrices, and room that is taken again and again.
#pragma once

#include "gram/block_vectors.hpp"
#include "gramian/base/matrix.hpp"

namespace gramian {

/// run(first, last) for all rows in pieces. A few numbers are not worth the way through parallel_for.
template <class Run>
void for_rows(Index rows, Index columns, Run run) {
  constexpr Index few = Index(1) << 14;
  rows* columns <= few ? run(Index(0), rows) : fill_rows(rows, columns, run);
}

template <class Entry>
void for_entries(MatrixView<const double> out, Entry entry) {
  for_rows(out.rows(), out.cols(), [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      for (Index j = 0; j < out.cols(); ++j) entry(i, j);
    }
  });
}

inline void fill_zero(MatrixView<double> out) {
  for_entries(out, [&](Index i, Index j) { out(i, j) = 0.0; });
}
inline void copy_rows(MatrixView<const double> from, MatrixView<double> to) {
  for_entries(to, [&](Index i, Index j) { to(i, j) = from(i, j); });
}
inline void add_rows(MatrixView<const double> part, MatrixView<double> to) {
  for_entries(to, [&](Index i, Index j) { to(i, j) += part(i, j); });
}

/// Memory for one matrix at a time, which only grows.
class Room {
 public:
  MatrixView<double> take(Index rows, Index cols) {
    const Index size = checked_product(rows, cols);
    if (size > numbers_.size()) numbers_ = Buffer<double>(size);
    return {numbers_.data(), rows, cols};
  }

 private:
  Buffer<double> numbers_;
};

}  // namespace gramian

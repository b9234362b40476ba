// SPDX-License-Identifier: BSD-3-Clause
// Parts of matrices and of lists, seen or copied, and loops over entries. Nothing here computes more than a sum.
#pragma once

#include <cstddef>
#include <vector>

#include "base/pieces.hpp"
#include "gramian/base/matrix.hpp"

namespace gramian {

/// An index as the standard library counts.
constexpr std::size_t at(Index i) { return static_cast<std::size_t>(i); }

inline Index round_up(Index value, Index step) { return count_pieces(value, step) * step; }

template <class T>
MatrixView<T> part(MatrixView<T> A, Index row, Index rows, Index col, Index cols) {
  return {A.data() + row * A.row_stride() + col * A.col_stride(), rows, cols, A.row_stride(), A.col_stride()};
}

/// Rows first .. first + rows - 1.
template <class T>
MatrixView<T> rows_of(MatrixView<T> A, Index first, Index rows) {
  return part(A, first, rows, 0, A.cols());
}

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

/// Some rows, copied in the order that is asked for.
inline void pick_rows(MatrixView<const double> A, const std::vector<Index>& rows, MatrixView<double> out) {
  for_entries(out, [&](Index i, Index j) { out(i, j) = A(rows[at(i)], j); });
}
inline Matrix picked(MatrixView<const double> A, const std::vector<Index>& rows) {
  Matrix out(static_cast<Index>(rows.size()), A.cols());
  pick_rows(A, rows, out.view());
  return out;
}
/// Some rows of some columns.
inline Matrix picked(MatrixView<const double> A, const std::vector<Index>& rows, const std::vector<Index>& cols) {
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(cols.size()));
  for_entries(out.view(), [&](Index i, Index j) { out(i, j) = A(rows[at(i)], cols[at(j)]); });
  return out;
}
template <class T>
std::vector<T> picked(const std::vector<T>& from, const std::vector<Index>& which) {
  std::vector<T> out;
  out.reserve(which.size());
  for (const Index i : which) out.push_back(from[at(i)]);
  return out;
}

}  // namespace gramian

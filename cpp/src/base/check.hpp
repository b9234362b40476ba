// SPDX-License-Identifier: BSD-3-Clause
// Checks of arguments: each throws std::invalid_argument that names the argument. No text is made of what is right.
#pragma once

#include <string>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// "3 x 4", for messages.
std::string shape_text(Index rows, Index cols);
template <class T>
std::string shape_text(MatrixView<T> A) {
  return shape_text(A.rows(), A.cols());
}

void require_shape(Index rows, Index cols, Index wanted_rows, Index wanted_cols, const char* name);
template <class T>
void require_shape(MatrixView<T> A, Index rows, Index cols, const char* name) {
  require_shape(A.rows(), A.cols(), rows, cols, name);
}
/// Of a result that may be left out.
template <class T>
void require_shape_or_empty(MatrixView<T> A, Index rows, Index cols, const char* name) {
  if (!A.empty()) require_shape(A, rows, cols, name);
}

void require_square(MatrixView<const double> A, const char* name);
/// So many rows, and any number of columns.
void require_rows(Index rows, Index cols, Index wanted_rows, const char* name);

/// "<name> has an entry that is not finite"
void require_finite(MatrixView<const double> A, const char* name);

/// A finite number greater than 0.
void require_positive(double number, const char* name);
/// A finite number, 0 or greater.
void require_not_negative(double number, const char* name);

/// Rows of `size` samples in ascending order, each of them once.
void require_ascending(const std::vector<Index>& rows, Index size, const char* name);

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "base/check.hpp"

#include <cmath>

#include "gramian/base/finite.hpp"

namespace gramian {

std::string shape_text(Index rows, Index cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

void require_shape(Index rows, Index cols, Index wanted_rows, Index wanted_cols, const char* name) {
  if (rows == wanted_rows && cols == wanted_cols) return;
  require(false, std::string(name) + " is " + shape_text(rows, cols) + ", it must be " + shape_text(wanted_rows, wanted_cols));
}

void require_square(MatrixView<const double> A, const char* name) {
  if (A.rows() == A.cols()) return;
  require(false, std::string(name) + " is " + shape_text(A) + ", it must be square");
}

void require_rows(Index rows, Index cols, Index wanted_rows, const char* name) {
  if (rows == wanted_rows) return;
  require(false, std::string(name) + " is " + shape_text(rows, cols) + ", it must have " + std::to_string(wanted_rows) + " rows");
}

void require_finite(MatrixView<const double> A, const char* name) {
  if (!all_finite(A)) require(false, std::string(name) + " has an entry that is not finite");
}

void require_positive(double number, const char* name) {
  if (!(std::isfinite(number) && number > 0.0)) require(false, std::string(name) + " must be a finite number greater than 0");
}

void require_not_negative(double number, const char* name) {
  if (!(std::isfinite(number) && number >= 0.0)) require(false, std::string(name) + " must be a finite number, 0 or greater");
}

void require_ascending(const std::vector<Index>& rows, Index size, const char* name) {
  Index last = -1;
  for (const Index row : rows) {
    if (row <= last || row >= size) {
      require(false, std::string(name) + " must be rows of the " + std::to_string(size) +
                         " samples in ascending order, each of them once: " + std::to_string(row) + " is not");
    }
    last = row;
  }
}

}  // namespace gramian

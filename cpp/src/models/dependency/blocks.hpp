// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices of dependency estimation, whole or in parts, wherever their entries come from.
#pragma once

#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/linalg/incomplete_cholesky.hpp"
#include "gramian/models/dependency_data.hpp"

namespace gramian {

/// Some rows of dense or sparse float64 points, copied in the order that is asked for.
class SomePoints {
 public:
  SomePoints(const Points& from, const std::vector<Index>& rows);
  Points points() const;

 private:
  bool sparse_;
  Matrix dense_;
  Index cols_ = 0;
  std::vector<Index> row_start_, columns_;
  std::vector<double> values_;
};

/// Throws std::invalid_argument naming the argument if there are no samples or a stored matrix is not square, symmetric and
/// finite.
void check_source(const GramSource& source, const char* name);
/// Throws std::invalid_argument unless the source has so many columns, and what is stored is finite.
void check_source(const CrossSource& source, Index cols, const char* name);

/// The whole matrix: what is stored, or `buffer` once it is filled.
MatrixView<const double> whole(const GramSource& source, Matrix& buffer);
IncompleteCholesky low_rank(const GramSource& source, const IncompleteCholeskyOptions& options, const char* name);
/// out: n x 1
void diagonal_of(const GramSource& source, MatrixView<double> out);

/// Some rows of it, as above.
MatrixView<const double> rows_of(const CrossSource& source, Index first, Index rows, Matrix& buffer);
/// out: rows x 1. Throws std::invalid_argument if the source is stored and has no diagonal.
void diagonal_of(const CrossSource& source, Index first, MatrixView<double> out);

/// Some columns of it, in their own memory; all of them if none are named.
class SomeColumns {
 public:
  SomeColumns(const CrossSource& from, const std::vector<Index>& columns);
  const CrossSource& source() const { return source_; }

 private:
  static CrossSource make(const CrossSource& from, const std::vector<Index>& columns, Matrix& stored,
                          std::vector<SomePoints>& points);
  Matrix stored_;
  std::vector<SomePoints> points_;
  CrossSource source_;
};

}  // namespace gramian

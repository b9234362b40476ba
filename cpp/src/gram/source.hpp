// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices, whole or in parts, wherever their entries come from.
#pragma once

#include <vector>

#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gram/rows.hpp"
#include "gramian/base/matrix.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/plan.hpp"
#include "gramian/gram/source.hpp"
#include "gramian/linalg/incomplete_cholesky.hpp"

namespace gramian {

/// Throws std::invalid_argument unless layers can be evaluated on it: float64, finite, one set, at least one sample.
void check_source(const PointSource& source);
/// Throws std::invalid_argument naming the argument if there are no samples or a stored matrix is not square, symmetric and
/// finite.
void check_source(const GramSource& source, const char* name);
/// Throws std::invalid_argument unless the source has so many columns, and what is stored is finite.
void check_source(const CrossSource& source, Index cols, const char* name);

// The operations of gram/ on a source, whichever it is: K = k(X, X) itself, its diagonal, K V, and a plan of it.
void full(const Kernel& kernel, const PointSource& X, MatrixView<double> K);
void diagonal(const Kernel& kernel, const PointSource& X, MatrixView<double> out);
void product(const Kernel& kernel, const PointSource& X, MatrixView<const double> V, MatrixView<double> out);
GramPlan plan_of(const Kernel& kernel, const PointSource& X, TileStorage storage);

/// The whole matrix: what is stored, or `buffer` once it is filled.
MatrixView<const double> whole(const GramSource& source, Matrix& buffer);
IncompleteCholesky low_rank(const GramSource& source, const IncompleteCholeskyOptions& options, const char* name);
/// out: n x 1
void diagonal_of(const GramSource& source, MatrixView<double> out);

/// Some rows of it: what is stored, or `scratch` once it is filled.
MatrixView<const double> rows_of(const CrossSource& source, Index first, Index rows, Scratch& scratch);
/// out: rows x 1. Throws std::invalid_argument if the source is stored and has no diagonal.
void diagonal_of(const CrossSource& source, Index first, MatrixView<double> out);

/// Some columns of it, in their own memory; all of them if none are named.
class SomeColumns {
 public:
  SomeColumns(const CrossSource& from, const std::vector<Index>& columns);
  const CrossSource& source() const { return source_; }

 private:
  CrossSource make(const CrossSource& from, const std::vector<Index>& columns);
  Matrix stored_;
  PickedRows points_;
  CrossSource source_;
};

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "gram/source.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gram/pair_source.hpp"
#include "gramian/base/finite.hpp"
#include "gramian/gram/low_rank.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/symmetry.hpp"
#include "linalg/semidefinite.hpp"

namespace gramian {
namespace {

/// Of what is said to be symmetric, relative to the largest entry of the diagonal.

/// Rows of the rest of A that are looked at.
constexpr Index judged_rows = 128;

/// The least entry that the diagonal of R = A - F Fᵀ has, or the product of two less a square of R between them, in some rows.
double least_of_rest(MatrixView<const double> A, MatrixView<const double> F, double allowed) {
  const Index n = A.rows();
  std::vector<double> rest(at(n));
  double least = 0.0;
  for (Index i = 0; i < n; ++i) {
    double square = 0.0;
    for (Index c = 0; c < F.cols(); ++c) square += F(i, c) * F(i, c);
    rest[at(i)] = A(i, i) - square;
    least = std::min(least, rest[at(i)]);
  }
  const auto root = [&](Index i) { return std::sqrt(std::max(rest[at(i)], 0.0) + allowed); };
  Matrix row(1, n);
  for (Index i = 0; i < n; i += (n + judged_rows - 1) / judged_rows) {
    for (Index j = 0; j < n; ++j) row(0, j) = A(i, j);
    if (F.cols() > 0) gemm(-1.0, part(F, i, 1, 0, F.cols()), transposed(F), 1.0, row.view());
    for (Index j = 0; j < n; ++j) least = std::min(least, root(i) * root(j) - std::fabs(row(0, j)));
  }
  return least;
}

/// A matrix that somebody computed may have few digits, and a factor of all of it would go on into what it has none of.
IncompleteCholesky stored_low_rank(MatrixView<const double> A, const IncompleteCholeskyOptions& options, const char* name) {
  double largest = 0.0, least = 0.0;
  for (Index i = 0; i < A.rows(); ++i) {
    largest = std::max(largest, A(i, i));
    least = std::min(least, A(i, i));
  }
  const double allowed = gram_defect * largest;
  if (least >= 0.0) {
    for (const double tolerance : {options.tolerance, std::max(options.tolerance, gram_defect)}) {
      IncompleteCholeskyOptions careful = options;
      careful.tolerance = tolerance;
      IncompleteCholesky found = incomplete_cholesky(StoredColumns(A), careful);
      least = least_of_rest(A, found.factor(), allowed);
      if (least >= -allowed) return found;
    }
  }
  char figures[96];
  std::snprintf(figures, sizeof(figures), "%.3g is left of an entry, and %.3g is the largest on its diagonal", least, largest);
  throw std::invalid_argument(std::string(name) + " must be positive semidefinite, but " + figures);
}

}  // namespace

void check_source(const PointSource& source) {
  require(source.size() >= 1, "the input has no samples");
  if (source.inner()) {
    require(source.products().one_set(), "the input's inner products must be those of one set, a square matrix");
    static_cast<void>(PairSource<double>(source.products()));  // checks its numbers
    return;
  }
  const Points& points = source.points();
  require(points.scalar() == Scalar::float64, "the input is float32: layers are evaluated in float64, convert it");
  if (points.sparse()) {
    static_cast<void>(PairSource<double>(points));
  } else {
    require_finite(points.float64(), "the input");
  }
}

void check_source(const GramSource& source, const char* name) {
  require(source.size() > 0, std::string(name) + " are empty: there must be at least one sample");
  if (!source.stored()) {
    return require(source.points().scalar() == Scalar::float64, std::string(name) + " must be float64");
  }
  const std::string what = std::string("the Gram matrix of ") + name;
  require_symmetric(source.gram(), symmetry_tolerance, what.c_str());
  require_finite(source.gram(), what.c_str());
}

void check_source(const CrossSource& source, Index cols, const char* name) {
  require(source.cols() == cols, std::string(name) + " have " + std::to_string(source.cols()) +
                                     " columns, the model needs one for each of " + std::to_string(cols) + " training samples");
  if (!source.stored()) {
    return require(source.fresh().scalar() == Scalar::float64 && source.training().scalar() == Scalar::float64,
                   std::string(name) + " must be float64");
  }
  require(all_finite(source.cross()), std::string(name) + " have an entry that is not finite");
  if (source.diagonal().rows() == 0) return;
  require_shape(source.diagonal(), source.rows(), 1, "diagonal");
  require(all_finite(source.diagonal()), std::string("the diagonal of ") + name + " has an entry that is not finite");
}

void full(const Kernel& kernel, const PointSource& X, MatrixView<double> K) {
  X.inner() ? full(kernel, X.products(), K) : full(kernel, X.points(), K);
}

void diagonal(const Kernel& kernel, const PointSource& X, MatrixView<double> out) {
  X.inner() ? diagonal(kernel, X.products(), out) : diagonal(kernel, X.points(), out);
}

void product(const Kernel& kernel, const PointSource& X, MatrixView<const double> V, MatrixView<double> out) {
  X.inner() ? product(kernel, X.products(), V, out) : product(kernel, X.points(), V, out);
}

GramPlan plan_of(const Kernel& kernel, const PointSource& X, TileStorage storage) {
  return X.inner() ? GramPlan(kernel, X.products(), storage) : GramPlan(kernel, X.points(), storage);
}

MatrixView<const double> whole(const GramSource& source, Matrix& buffer) {
  if (source.stored()) return source.gram();
  const Index n = source.size();
  require_memory(bytes_of(n, n), "the Gram matrix", "factors of low rank, which rank gives, need far less");
  buffer = Matrix(n, n);
  full(source.kernel(), source.points(), buffer.view());
  return buffer.view();
}

IncompleteCholesky low_rank(const GramSource& source, const IncompleteCholeskyOptions& options, const char* name) {
  if (source.stored()) return stored_low_rank(source.gram(), options, name);
  return incomplete_cholesky(source.kernel(), source.points(), options);
}

void diagonal_of(const GramSource& source, MatrixView<double> out) {
  if (!source.stored()) return diagonal(source.kernel(), source.points(), out);
  for (Index i = 0; i < source.size(); ++i) out(i, 0) = source.gram()(i, i);
}

MatrixView<const double> rows_of(const CrossSource& source, Index first, Index rows, Scratch& scratch) {
  if (source.stored()) return rows_of(source.cross(), first, rows);
  const MatrixView<double> out = scratch.take(rows, source.cols());
  full(source.kernel(), rows_of(source.fresh(), first, rows), source.training(), out);
  return out;
}

void diagonal_of(const CrossSource& source, Index first, MatrixView<double> out) {
  if (!source.stored()) return diagonal(source.kernel(), rows_of(source.fresh(), first, out.rows()), out);
  require(source.diagonal().rows() == source.rows(),
          "candidates need their diagonal, the output kernel of each of them with itself");
  for (Index i = 0; i < out.rows(); ++i) out(i, 0) = source.diagonal()(first + i, 0);
}

SomeColumns::SomeColumns(const CrossSource& from, const std::vector<Index>& columns) : source_(make(from, columns)) {}

CrossSource SomeColumns::make(const CrossSource& from, const std::vector<Index>& columns) {
  if (columns.empty()) return from;
  if (!from.stored()) {
    points_.take(from.training(), columns);
    return {from.kernel(), from.fresh(), points_.points()};
  }
  stored_ = Matrix(from.rows(), static_cast<Index>(columns.size()));
  for_entries(stored_.view(), [&](Index i, Index j) { stored_(i, j) = from.cross()(i, columns[at(j)]); });
  return {stored_.view(), from.diagonal()};
}

}  // namespace gramian

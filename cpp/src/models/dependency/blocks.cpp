// SPDX-License-Identifier: BSD-3-Clause
#include "models/dependency/blocks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/low_rank.hpp"
#include "gramian/linalg/finite.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/symmetry.hpp"
#include "linalg/small.hpp"
#include "ovk/point_rows.hpp"

namespace gramian {
namespace {

/// Of what is said to be symmetric, relative to the largest entry of the diagonal.
constexpr double asymmetry = 1e-8;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

class SparseColumns final : public SymmetricColumns {
 public:
  SparseColumns(const Kernel& kernel, const Points& X) : kernel_(kernel), X_(X) {}
  Index size() const override { return X_.size(); }
  void diagonal(double* out) const override { gramian::diagonal(kernel_, X_, MatrixView<double>(out, size(), 1)); }
  void columns(const std::vector<Index>& which, MatrixView<double> out) const override {
    const SomePoints some(X_, which);
    full(kernel_, X_, some.points(), out);
  }
  void entries(const std::vector<Index>& rows, const std::vector<Index>& cols, MatrixView<double> out) const override {
    const SomePoints left(X_, rows), right(X_, cols);
    full(kernel_, left.points(), right.points(), out);
  }

 private:
  Kernel kernel_;
  Points X_;
};

/// How far from semi-definite the rest of A may be, relative to the largest entry of its diagonal: what float32 leaves, and more.
constexpr double few_digits = 1e-6;
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
  const double allowed = few_digits * largest;
  if (least >= 0.0) {
    for (const double tolerance : {options.tolerance, std::max(options.tolerance, few_digits)}) {
      IncompleteCholeskyOptions careful = options;
      careful.tolerance = tolerance;
      IncompleteCholesky found = incomplete_cholesky(StoredColumns(A), careful);
      least = least_of_rest(A, found.factor(), allowed);
      if (least >= -allowed) return found;
    }
  }
  char figures[96];
  std::snprintf(figures, sizeof(figures), "%.3g is left of an entry, and %.3g is the largest on its diagonal", least, largest);
  throw std::invalid_argument(std::string(name) + " must be positive semi-definite, but " + figures);
}

}  // namespace

SomePoints::SomePoints(const Points& from, const std::vector<Index>& rows) : sparse_(from.sparse()), cols_(from.dimension()) {
  const Index count = static_cast<Index>(rows.size());
  if (!sparse_) {
    dense_ = Matrix(count, cols_);
    for (Index i = 0; i < count; ++i) {
      for (Index j = 0; j < cols_; ++j) dense_(i, j) = from.float64()(rows[at(i)], j);
    }
    return;
  }
  const SparseRows<double>& all = from.sparse64();
  row_start_.push_back(0);
  for (const Index row : rows) {
    columns_.insert(columns_.end(), all.columns + all.row_start[row], all.columns + all.row_start[row + 1]);
    values_.insert(values_.end(), all.values + all.row_start[row], all.values + all.row_start[row + 1]);
    row_start_.push_back(static_cast<Index>(columns_.size()));
  }
}

Points SomePoints::points() const {
  if (!sparse_) return Points(dense_.view());
  const Index rows = static_cast<Index>(row_start_.size()) - 1;
  return Points(SparseRows<double>{rows, cols_, row_start_.data(), columns_.data(), values_.data()});
}

void check_source(const GramSource& source, const char* name) {
  require(source.size() > 0, std::string(name) + " are empty: there must be at least one sample");
  if (!source.stored()) {
    return require(source.points().scalar() == Scalar::float64, std::string(name) + " must be float64");
  }
  const std::string what = std::string("the Gram matrix of ") + name;
  require_symmetric(source.gram(), asymmetry, what.c_str());
  require(all_finite(source.gram()), what + " has an entry that is not finite");
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

MatrixView<const double> whole(const GramSource& source, Matrix& buffer) {
  if (source.stored()) return source.gram();
  const Index n = source.size();
  require_memory(static_cast<std::uint64_t>(checked_product(8, checked_product(n, n))), "the Gram matrix",
                 "factors of low rank, which rank gives, need far less");
  buffer = Matrix(n, n);
  full(source.kernel(), source.points(), buffer.view());
  return buffer.view();
}

IncompleteCholesky low_rank(const GramSource& source, const IncompleteCholeskyOptions& options, const char* name) {
  if (source.stored()) return stored_low_rank(source.gram(), options, name);
  if (source.points().sparse()) return incomplete_cholesky(SparseColumns(source.kernel(), source.points()), options);
  return incomplete_cholesky(source.kernel(), source.points(), options);
}

void diagonal_of(const GramSource& source, MatrixView<double> out) {
  if (!source.stored()) return diagonal(source.kernel(), source.points(), out);
  for (Index i = 0; i < source.size(); ++i) out(i, 0) = source.gram()(i, i);
}

MatrixView<const double> rows_of(const CrossSource& source, Index first, Index rows, Matrix& buffer) {
  if (source.stored()) return part(source.cross(), first, rows, 0, source.cols());
  if (buffer.rows() < rows || buffer.cols() != source.cols()) buffer = Matrix(rows, source.cols());
  const MatrixView<double> out = part(buffer.view(), 0, rows, 0, source.cols());
  full(source.kernel(), rows_of(source.fresh(), first, rows), source.training(), out);
  return out;
}

void diagonal_of(const CrossSource& source, Index first, MatrixView<double> out) {
  if (!source.stored()) return diagonal(source.kernel(), rows_of(source.fresh(), first, out.rows()), out);
  require(source.diagonal().rows() == source.rows(),
          "candidates need their diagonal, the output kernel of each of them with itself");
  for (Index i = 0; i < out.rows(); ++i) out(i, 0) = source.diagonal()(first + i, 0);
}

SomeColumns::SomeColumns(const CrossSource& from, const std::vector<Index>& columns)
    : source_(make(from, columns, stored_, points_)) {}

CrossSource SomeColumns::make(const CrossSource& from, const std::vector<Index>& columns, Matrix& stored,
                              std::vector<SomePoints>& points) {
  if (columns.empty()) return from;
  if (!from.stored()) {
    points.emplace_back(from.training(), columns);
    return {from.kernel(), from.fresh(), points.back().points()};
  }
  stored = Matrix(from.rows(), static_cast<Index>(columns.size()));
  for (Index i = 0; i < stored.rows(); ++i) {
    for (Index j = 0; j < stored.cols(); ++j) stored(i, j) = from.cross()(i, columns[at(j)]);
  }
  return {stored.view(), from.diagonal()};
}

}  // namespace gramian

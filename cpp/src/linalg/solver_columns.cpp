// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/solver_columns.hpp"

#include <algorithm>
#include <cmath>

#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "linalg/inner_product.hpp"

namespace gramian {
namespace {

constexpr Index matrices = 6;

double power_of(MatrixView<const double> B, Index j) {
  double largest = 0.0;
  for (Index i = 0; i < B.rows(); ++i) largest = std::max(largest, std::fabs(B(i, j)));
  return largest > 0.0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
}

MatrixView<const double> one(const double* column, Index n) { return {column, n, 1}; }

template <class Entry>
void for_all(Index n, Entry entry) {
  for_rows(n, 1, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) entry(i);
  });
}

}  // namespace

SolverColumns::SolverColumns(MatrixView<const double> B) : n_(B.rows()), count_(B.cols()) {
  require_memory(bytes_of(n_, count_, matrices), "conjugate gradients", "pass fewer columns of B at a time");
  for (Matrix& vectors : vectors_) vectors = Matrix(count_, n_);
  block_ = Matrix(count_, n_);
  image_ = Matrix(count_, n_);
  for (Index j = 0; j < count_; ++j) {
    powers_.push_back(power_of(B, j));
    double *b = column(Vectors::targets, j), *r = column(Vectors::residual, j);
    for (Index i = 0; i < n_; ++i) b[i] = r[i] = B(i, j) / powers_.back();
  }
  fill_zero(of(Vectors::solution).view());
  fill_zero(of(Vectors::direction).view());
}

template <class T>
MatrixView<T> SolverColumns::side_by_side(T* data, Index count) const {
  return count == 1 ? MatrixView<T>(data, n_, 1) : MatrixView<T>(data, n_, count, 1, n_);
}

double SolverColumns::dot(Vectors name, Index j, const double* with) const {
  return inner_product(one(column(name, j), n_), one(with, n_));
}

double SolverColumns::norm(Vectors name, Index j) const { return std::sqrt(dot(name, j, column(name, j))); }

double SolverColumns::scaled_square(Index j, double scale) const {
  const double* p = column(Vectors::direction, j);
  double sums[8] = {};
  for (Index i = 0; i < n_; ++i) sums[i % 8] += (p[i] / scale) * (p[i] / scale);
  double sum = 0.0;
  for (const double part : sums) sum += part;
  return sum;
}

double SolverColumns::largest_of(const double* vector) const {
  double largest = 0.0;
  for (Index i = 0; i < n_; ++i) largest = std::max(largest, std::fabs(vector[i]));
  return largest;
}

double SolverColumns::largest(Vectors name, Index j) const { return largest_of(column(name, j)); }

void SolverColumns::begin_at(const SymmetricOperator& A, MatrixView<const double> start) {
  std::vector<Index> all;
  for (Index j = 0; j < count_; ++j) {
    all.push_back(j);
    for (Index i = 0; i < n_; ++i) column(Vectors::solution, j)[i] = start(i, j) / powers_[at(j)];
  }
  const double* images = multiplied(A, all, std::vector<Vectors>(at(count_), Vectors::solution));
  for (Index j = 0; j < count_; ++j) replace_residual(j, images + j * n_);
}

void SolverColumns::clear(Index j) {
  std::fill_n(column(Vectors::solution, j), n_, 0.0);
  std::fill_n(column(Vectors::residual, j), n_, 0.0);
}

void SolverColumns::advance(Index j, double length, const double* image) {
  double *x = column(Vectors::solution, j), *r = column(Vectors::residual, j);
  const double* p = column(Vectors::direction, j);
  for_all(n_, [&](Index i) {
    x[i] += length * p[i];
    r[i] -= length * image[i];
  });
}

void SolverColumns::turn(Index j, const double* z, double factor) {
  double* p = column(Vectors::direction, j);
  if (factor == 0.0) return for_all(n_, [&](Index i) { p[i] = z[i]; });
  for_all(n_, [&](Index i) { p[i] = z[i] + factor * p[i]; });
}

double SolverColumns::true_residual(Index j, const double* image, double& deviation) const {
  const double *b = column(Vectors::targets, j), *r = column(Vectors::residual, j);
  std::vector<double> found(at(n_)), rest(at(n_));
  for_all(n_, [&](Index i) {
    found[at(i)] = b[i] - image[i];
    rest[at(i)] = found[at(i)] - r[i];
  });
  deviation = std::sqrt(inner_product(one(rest.data(), n_), one(rest.data(), n_)));
  return std::sqrt(inner_product(one(found.data(), n_), one(found.data(), n_)));
}

void SolverColumns::replace_residual(Index j, const double* image) {
  double* r = column(Vectors::residual, j);
  const double* b = column(Vectors::targets, j);
  for_all(n_, [&](Index i) { r[i] = b[i] - image[i]; });
}

const double* SolverColumns::multiplied(const SymmetricOperator& A, const std::vector<Index>& which,
                                        const std::vector<Vectors>& names) {
  const Index some = static_cast<Index>(which.size());
  for (Index c = 0; c < some; ++c) std::copy_n(column(names[at(c)], which[at(c)]), n_, block_.data() + c * n_);
  A.apply(side_by_side<const double>(block_.data(), some), side_by_side(image_.data(), some));
  return image_.data();
}

const double* SolverColumns::divided(const Preconditioner* inverse, const std::vector<Index>& which) {
  const Index some = static_cast<Index>(which.size());
  for (Index c = 0; c < some; ++c) std::copy_n(column(Vectors::residual, which[at(c)]), n_, block_.data() + c * n_);
  if (inverse == nullptr) return block_.data();
  inverse->apply(side_by_side<const double>(block_.data(), some), side_by_side(image_.data(), some));
  return image_.data();
}

void SolverColumns::write_solution(MatrixView<double> out) const {
  for_entries(out, [&](Index i, Index j) { out(i, j) = powers_[at(j)] * column(Vectors::solution, j)[i]; });
}

void SolverColumns::fields(SnapshotFields& state, Vectors name, const char* label) {
  Matrix& vectors = of(name);
  std::vector<double> numbers(at(vectors.size()));
  if (!state.reads()) std::copy_n(vectors.data(), numbers.size(), numbers.begin());
  state(label, numbers);
  std::copy_n(numbers.begin(), numbers.size(), vectors.data());
}

}  // namespace gramian

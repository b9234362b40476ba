// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/ovk/output_operator.hpp"

#include <cmath>
#include <string>

#include "base/check.hpp"
#include "base/pieces.hpp"
#include "gram/block_vectors.hpp"
#include "gramian/base/error.hpp"
#include "gramian/linalg/eigen_symmetric.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/symmetry.hpp"
#include "linalg/semidefinite.hpp"

namespace gramian {
namespace {

/// Up to here the loop below beats a product that packs its factors first, and it needs no memory.
constexpr Index most_by_loop = 32;

const Matrix& no_matrix() {
  static const Matrix none;
  return none;
}

void apply_by_loop(MatrixView<const double> V, const Matrix& A, MatrixView<double> out) {
  const Index size = A.cols();
  fill_rows(V.rows(), size * size, [&](Index first, Index last) {
    double row[most_by_loop];
    for (Index i = first; i < last; ++i) {
      for (Index k = 0; k < size; ++k) row[k] = V(i, k);
      for (Index j = 0; j < size; ++j) {
        double sum = 0.0;
        for (Index k = 0; k < size; ++k) sum += row[k] * A(k, j);
        out(i, j) = sum;
      }
    }
  });
}

}  // namespace

OutputOperator OutputOperator::identity(Index size) {
  require(size >= 1, "A must act on at least one output");
  return {Form::identity, std::vector<double>(static_cast<std::size_t>(size), 1.0)};
}

OutputOperator OutputOperator::diagonal(std::vector<double> entries) {
  require(!entries.empty(), "A must act on at least one output");
  for (std::size_t j = 0; j < entries.size(); ++j) {
    require(std::isfinite(entries[j]) && entries[j] >= 0.0,
            "A: entry " + std::to_string(j) + " of the diagonal is negative or not finite");
  }
  return {Form::diagonal, std::move(entries)};
}

OutputOperator OutputOperator::full(MatrixView<const double> A) {
  require(A.rows() >= 1, "A must act on at least one output");
  require_finite(A, "A");
  require_symmetric(A, 1e-12, "A");
  const Index size = A.rows();
  Full parts{Matrix(size, size), Matrix(size, size)};
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) parts.numbers(i, j) = 0.5 * (A(i, j) + A(j, i));
  }
  std::vector<double> values(static_cast<std::size_t>(size));
  eigen_symmetric(parts.numbers.view(), {values.data(), size, 1}, parts.eigenvectors.view());
  clamp_eigenvalues({values.data(), size, 1}, rounding_of(size), "A");
  OutputOperator result(Form::full, std::move(values));
  result.full_ = std::make_shared<const Full>(std::move(parts));
  return result;
}

double OutputOperator::trace() const {
  double sum = 0.0;
  for (const double value : eigenvalues_) sum += value;
  return sum;
}

const Matrix& OutputOperator::eigenvectors() const { return full_ ? full_->eigenvectors : no_matrix(); }
const Matrix& OutputOperator::numbers() const { return full_ ? full_->numbers : no_matrix(); }

void OutputOperator::apply(MatrixView<const double> V, MatrixView<double> out) const {
  require_shape(V, V.rows(), size(), "V");
  require_shape(out, V.rows(), size(), "out");
  if (form_ == Form::full) return apply_full(V, out);
  fill_rows(V.rows(), size(), [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      for (Index j = 0; j < size(); ++j) out(i, j) = V(i, j) * eigenvalues_[static_cast<std::size_t>(j)];
    }
  });
}

void OutputOperator::apply_full(MatrixView<const double> V, MatrixView<double> out) const {
  const Matrix& A = full_->numbers;
  if (size() <= most_by_loop) return apply_by_loop(V, A, out);
  if (V.data() != out.data()) return gemm(1.0, V, A.view(), 0.0, out);
  const Matrix copy = Matrix::copy_of(V);
  gemm(1.0, copy.view(), A.view(), 0.0, out);
}

}  // namespace gramian

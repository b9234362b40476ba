// SPDX-License-Identifier: BSD-3-Clause
#include "models/dependency/components.hpp"

#include <cmath>

#include "base/view_ops.hpp"
#include "gramian/linalg/gemm.hpp"
#include "ovk/separable_parts.hpp"

namespace gramian {
namespace {

std::vector<double> row_means(MatrixView<const double> L) {
  std::vector<double> means(at(L.rows()), 0.0);
  for (Index i = 0; i < L.rows(); ++i) {
    for (Index j = 0; j < L.cols(); ++j) means[at(i)] += L(i, j);
    means[at(i)] /= static_cast<double>(L.cols());
  }
  return means;
}

Matrix centred_gram(MatrixView<const double> L, const std::vector<double>& means) {
  double mean = 0.0;
  for (const double value : means) mean += value / static_cast<double>(L.rows());
  Matrix out(L.rows(), L.rows());
  for (Index i = 0; i < L.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) out(i, j) = out(j, i) = L(i, j) - means[at(i)] - means[at(j)] + mean;
  }
  return out;
}

/// A = V (Vᵀ A)
void project(const Matrix& V, MatrixView<double> A) {
  Matrix inner(V.cols(), A.cols());
  gemm(1.0, transposed(V.view()), A, 0.0, inner.view());
  gemm(1.0, V.view(), inner.view(), 0.0, A);
}

}  // namespace

/// [KDE] Sec. 5.1: kernel PCA of the outputs.
OutputComponents::OutputComponents(MatrixView<const double> L, Index count, bool centred) : count_(count), centred_(centred) {
  if (count == 0) return;
  const Index n = L.rows();
  const std::vector<double> means = row_means(L);
  Matrix values(n, 1), vectors(n, n), work = centred ? centred_gram(L, means) : Matrix::copy_of(L);
  double scale = 0.0;
  for (Index i = 0; i < n; ++i) scale += std::fabs(L(i, i));
  decompose(work.view(), values, vectors, "L", scale);
  // Directions that outputs have by rounding alone are none.
  Index kept = 0;
  while (kept < count && values(n - 1 - kept, 0) > rounding_of(n) * scale) ++kept;
  V_ = Matrix(n, kept);
  components_ = Matrix(n, kept);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < kept; ++c) {
      V_(i, c) = vectors(i, n - 1 - c);
      components_(i, c) = V_(i, c) / std::sqrt(values(n - 1 - c, 0));
      work(i, c) = V_(i, c) * std::sqrt(values(n - 1 - c, 0));
    }
  }
  gram_ = Matrix::filled(n, n, 0.0);
  if (kept > 0) gemm_symmetric(1.0, {work.data(), n, kept, n, 1}, 0.0, gram_.view());
  if (!centred) return;
  mean_.assign(at(kept), 0.0);
  for (Index c = 0; c < kept; ++c) {
    for (Index i = 0; i < n; ++i) mean_[at(c)] += components_(i, c) * means[at(i)];
  }
}

void OutputComponents::project_weights(Matrix& weights) const {
  if (count_ == 0) return;
  const Index n = weights.cols();
  if (V_.cols() > 0) {
    project(V_, transposed(weights.view()));
  } else {
    weights = Matrix::filled(weights.rows(), n, 0.0);
  }
  if (!centred_) return;
  for (Index i = 0; i < weights.size(); ++i) weights.data()[i] += 1.0 / static_cast<double>(n);
}

void OutputComponents::finish(DependencyModel& model) {
  if (count_ == 0) return;
  if (V_.cols() > 0) {
    project(V_, model.coefficients.view());
  } else {
    model.coefficients = Matrix::filled(model.outputs(), model.inputs(), 0.0);
  }
  model.components = std::move(components_);
  model.mean = std::move(mean_);
  model.centred = centred_;
}

}  // namespace gramian

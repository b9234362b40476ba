// SPDX-License-Identifier: BSD-3-Clause
#include "models/dependency/components.hpp"

#include <utility>

#include "gramian/eigen.hpp"
#include "gramian/linalg/gemm.hpp"
#include "linalg/semidefinite.hpp"

namespace gramian::dependency {
namespace {

/// A = V (Vᵀ A)
void project(const Matrix& V, MatrixView<double> A) {
  if (V.cols() == 0) {
    as_eigen(A).setZero();
    return;
  }
  Matrix inner(V.cols(), A.cols());
  gemm(1.0, transposed(V.view()), A, 0.0, inner.view());
  gemm(1.0, V.view(), inner.view(), 0.0, A);
}

}  // namespace

/// [KDE] Sec. 5.1: kernel PCA of the outputs.
OutputComponents::OutputComponents(MatrixView<const double> L, Index count, bool centred) : count_(count), centred_(centred) {
  if (count == 0) return;
  const Index n = L.rows();
  const Eigen::VectorXd means = as_eigen(L).rowwise().mean();
  Matrix values, vectors, work = Matrix::copy_of(L);
  auto W = as_eigen(work.view());
  if (centred) W = (((W.colwise() - means).rowwise() - means.transpose()).array() + means.mean()).matrix();
  const double scale = W.diagonal().cwiseAbs().sum();
  decompose(work.view(), values, vectors, "L", scale);
  // Directions that outputs have by rounding alone are none.
  Index kept = 0;
  while (kept < count && values(n - 1 - kept, 0) > rounding_of(n) * scale) ++kept;
  const Eigen::VectorXd roots = as_eigen(values.view()).col(0).tail(kept).reverse().cwiseSqrt();
  V_ = Matrix(n, kept);
  components_ = Matrix(n, kept);
  auto V = as_eigen(V_.view());
  V = as_eigen(vectors.view()).rightCols(kept).rowwise().reverse();
  as_eigen(components_.view()) = V * roots.cwiseInverse().asDiagonal();
  W.leftCols(kept) = V * roots.asDiagonal();
  gram_ = Matrix::filled(n, n, 0.0);
  if (kept > 0) gemm_symmetric(1.0, {work.data(), n, kept, n, 1}, 0.0, gram_.view());
  mean_.resize(centred ? static_cast<std::size_t>(kept) : 0);
  if (centred) Eigen::Map<Eigen::VectorXd>(mean_.data(), kept) = as_eigen(components_.view()).transpose() * means;
}

void OutputComponents::project_weights(Matrix& weights) const {
  if (count_ == 0) return;
  project(V_, transposed(weights.view()));
  if (centred_) as_eigen(weights.view()).array() += 1.0 / static_cast<double>(weights.cols());
}

void OutputComponents::finish(Model& model) {
  if (count_ == 0) return;
  project(V_, model.coefficients.view());
  model.components = std::move(components_);
  model.mean = std::move(mean_);
  model.centred = centred_;
}

}  // namespace gramian::dependency

// SPDX-License-Identifier: BSD-3-Clause
#include "models/autoencoder/reconstruction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"

namespace gramian::autoencoder {
namespace {

const Kernel& checked_kernel(const KernelLayer& last) {
  check_reconstruction(last);
  return last.terms.front().kernel;
}

/// Their sum; n for none.
double total_of(const std::vector<double>& sample_weights, Index n) {
  require(sample_weights.empty() || static_cast<Index>(sample_weights.size()) == n, "there must be a weight for each sample");
  return sample_weights.empty() ? static_cast<double>(n) : std::accumulate(sample_weights.begin(), sample_weights.end(), 0.0);
}

void require_weights_memory(Index n, Index columns, const char* advice) {
  const Index numbers = checked_product(n, columns);
  require_memory(16 * static_cast<std::uint64_t>(numbers), "the system of the last layer", advice);
}

}  // namespace

void check_reconstruction(const KernelLayer& last) {
  require(last.terms.size() == 1 && last.terms.front().A.form() == OutputOperator::Form::identity,
          "weights of a reconstruction exist for a last layer k I alone");
  require(std::isfinite(last.penalty) && last.penalty > 0.0, "the penalty of the last layer must be greater than 0");
}

/// [KAE] App. B.7: W = K_L + n lambda_L I, and W = K_L + lambda_L sum(w) diag(w)^-1 with weights.
Reconstruction::Reconstruction(const KernelLayer& last, MatrixView<const double> codes, MatrixView<const double> supports,
                               const std::vector<double>& sample_weights)
    : kernel_(checked_kernel(last)),
      codes_(Matrix::copy_of(codes)),
      supports_(Matrix::copy_of(supports)),
      ridge_(last.penalty * total_of(sample_weights, codes.rows())) {
  for (const double weight : sample_weights) {
    require_positive(weight, "a weight of a sample");
    roots_.push_back(std::sqrt(weight));
  }
  supports.empty() ? factorize_on_samples(sample_weights) : factorize_on_landmarks();
}

Reconstruction::Reconstruction(const KernelLayer& last, MatrixView<const double> supports, MatrixView<const double> given)
    : kernel_(checked_kernel(last)), supports_(Matrix::copy_of(supports)), given_(Matrix::copy_of(given)) {
  require_shape(given, supports.rows(), given.cols(), "reconstruction");
}

void Reconstruction::factorize_on_samples(const std::vector<double>& sample_weights) {
  const Index n = codes_.rows();
  require_weights_memory(n, n, "use landmarks");
  factor_ = Matrix(n, n);
  full(kernel_, Points(codes_.view()), factor_.view());
  for (Index i = 0; i < n; ++i) factor_(i, i) += sample_weights.empty() ? ridge_ : ridge_ / sample_weights[at(i)];
  cholesky_in_place(factor_.view());
}

void Reconstruction::factorize_on_landmarks() {
  const Index n = codes_.rows(), m = supports_.rows();
  require_weights_memory(n, m, "use fewer landmarks");
  cross_ = Matrix(n, m);
  factor_ = Matrix(m, m);
  full(kernel_, Points(codes_.view()), Points(supports_.view()), cross_.view());
  full(kernel_, Points(supports_.view()), factor_.view());
  for (Index i = 0; i < n && !roots_.empty(); ++i) {
    for (Index k = 0; k < m; ++k) cross_(i, k) *= roots_[at(i)];
  }
  gemm_symmetric(1.0, transposed(MatrixView<const double>(cross_.view())), ridge_, factor_.view());
  cholesky_in_place(factor_.view());
}

/// [KAE] App. B.7: W^-1 k_L(codes, new codes).
void Reconstruction::weights(MatrixView<const double> new_codes, MatrixView<double> weights) const {
  require_shape(weights, new_codes.rows(), given_.empty() ? codes_.rows() : given_.cols(), "weights");
  if (supports_.empty()) {
    full(kernel_, Points(new_codes), Points(codes_.view()), weights);
    return cholesky_solve(factor_.view(), transposed(weights));
  }
  Matrix part(new_codes.rows(), supports_.rows());
  full(kernel_, Points(new_codes), Points(supports_.view()), part.view());
  if (!given_.empty()) return gemm(1.0, part.view(), given_.view(), 0.0, weights);
  cholesky_solve(factor_.view(), transposed(part.view()));
  gemm(1.0, part.view(), transposed(MatrixView<const double>(cross_.view())), 0.0, weights);
  if (roots_.empty()) return;
  for_entries(weights, [&](Index i, Index j) { weights(i, j) *= roots_[at(j)]; });
}

/// [KAE] App. B.7: k(x, x) - 2 <w, k(x)> + |Cᵀw|^2 for the weights w of x, with C Cᵀ = K_in.
void feature_distortion(MatrixView<const double> weights, MatrixView<const double> cross, MatrixView<const double> diagonal,
                        MatrixView<const double> factor, MatrixView<double> out) {
  const Index q = weights.rows(), n = weights.cols();
  require_shape(cross, q, n, "cross");
  require_shape(diagonal, q, 1, "diagonal");
  require_shape(factor, n, factor.cols(), "factor");
  require_shape(out, q, 1, "out");
  Matrix reconstruction(q, factor.cols());
  gemm(1.0, weights, factor, 0.0, reconstruction.view());
  for (Index i = 0; i < q; ++i) {
    double across = 0.0, square = 0.0;
    for (Index j = 0; j < n; ++j) across += weights(i, j) * cross(i, j);
    for (Index j = 0; j < factor.cols(); ++j) square += reconstruction(i, j) * reconstruction(i, j);
    out(i, 0) = std::max(0.0, diagonal(i, 0) - 2.0 * across + square);  // below 0 by rounding alone
  }
}

}  // namespace gramian::autoencoder

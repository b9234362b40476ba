// SPDX-License-Identifier: BSD-3-Clause
// What an embedding misses of held-out samples, for many lambdas at once.
#include <algorithm>
#include <cmath>
#include <string>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/symmetry.hpp"
#include "gramian/models/conditional_mean.hpp"
#include "models/conditional_mean/spectrum.hpp"
#include "ovk/separable_parts.hpp"

namespace gramian::conditional_mean {
namespace {

void check_grams(MatrixView<const double> K, MatrixView<const double> L) {
  require(K.rows() > 0, "there are no training samples");
  require_symmetric(K, symmetry_tolerance, "K");
  require_shape(L, K.rows(), K.rows(), "L");
  require_symmetric(L, symmetry_tolerance, "L");
  require_finite(K, "K");
  require_finite(L, "L");
}

/// What a held-out part of the samples is known by: k and l of it with the training part, and l of each with itself.
struct HeldOut {
  MatrixView<const double> cross, outputs, diagonal;
};

/// With K = Q diag(D) Qᵀ, R = cross Q and S = outputs Q: linear is the diagonal of Rᵀ S, H is (Rᵀ R) ∘ M for M = Qᵀ L Q, and
/// norms are those of M times D.
Spectrum spectrum_of(MatrixView<const double> K, MatrixView<const double> L, const HeldOut& held_out) {
  const Index n = K.rows(), J = held_out.cross.rows();
  require_square_memory(n, 4);
  Spectrum out{0.0, Matrix(n, 1), Matrix::filled(n, 1, 0.0), Matrix(n, 1), Matrix(n, n)};
  Matrix Q(n, n), M(n, n), R(J, n), S(J, n);
  decompose(K, out.D, Q, "K");
  gemm(1.0, held_out.cross, Q.view(), 0.0, R.view());
  gemm(1.0, held_out.outputs, Q.view(), 0.0, S.view());
  gemm(1.0, L, Q.view(), 0.0, out.H.view());
  gemm(1.0, transposed(Q.view()), out.H.view(), 0.0, M.view());
  gemm_symmetric(1.0, transposed(R.view()), 0.0, out.H.view());
  for (Index a = 0; a < n; ++a) {
    for (Index b = 0; b < n; ++b) out.H(a, b) *= M(a, b);
    out.norms(a, 0) = M(a, a) * out.D(a, 0);
  }
  for (Index j = 0; j < J; ++j) {
    for (Index a = 0; a < n; ++a) out.linear(a, 0) += R(j, a) * S(j, a);
    out.own += held_out.diagonal(j, 0);
  }
  return out;
}

/// Checked already.
std::vector<double> losses_of(MatrixView<const double> K, MatrixView<const double> L, const HeldOut& held_out, const Grid& grid) {
  const Spectrum spectrum = spectrum_of(K, L, held_out);
  std::vector<double> losses;
  const Shares shares{static_cast<double>(K.rows()), static_cast<double>(held_out.cross.rows())};
  for (const double lambda : grid.lambdas) losses.push_back(loss_of(spectrum, lambda, shares, grid.regularised));
  return losses;
}

}  // namespace

void cross_validation_losses(MatrixView<const double> K, MatrixView<const double> L, const std::vector<ValidationSplit>& splits,
                             const Grid& grid, MatrixView<double> out) {
  check_lambdas(grid.lambdas);
  check_grams(K, L);
  require_shape(out, static_cast<Index>(splits.size()), static_cast<Index>(grid.lambdas.size()), "out");
  check_splits(splits, K.rows());
  for (Index row = 0; row < out.rows(); ++row) {
    poll_stop();
    const auto& [training, held_out] = splits[static_cast<std::size_t>(row)];
    const Matrix own_K = picked(K, training, training), own_L = picked(L, training, training),
                 cross = picked(K, held_out, training), outputs = picked(L, held_out, training);
    Matrix diagonal(cross.rows(), 1);
    for (Index j = 0; j < cross.rows(); ++j) {
      const Index sample = held_out[static_cast<std::size_t>(j)];
      diagonal(j, 0) = L(sample, sample);
    }
    const HeldOut part{cross.view(), outputs.view(), diagonal.view()};
    const std::vector<double> losses = losses_of(own_K.view(), own_L.view(), part, grid);
    for (Index i = 0; i < out.cols(); ++i) out(row, i) = losses[static_cast<std::size_t>(i)];
  }
}

}  // namespace gramian::conditional_mean

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
#include "ovk/separable_parts.hpp"

namespace gramian::conditional_mean {
namespace {

void check_lambdas(const std::vector<double>& lambdas) {
  require(!lambdas.empty(), "lambdas are empty: there must be one to compare");
  for (const double lambda : lambdas) {
    require(std::isfinite(lambda) && lambda > 0.0, "lambdas must be finite numbers greater than 0");
  }
}

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

/// With K = Q diag(D) Qᵀ and z = 1 / (D + n lambda) the losses' sum is own - 2 linearᵀ z + zᵀ H z, and
/// |U|^2 = sum_a norms_a D_a z_a^2: n numbers a lambda, however many samples are held out.
struct Spectrum {
  double own = 0.0;
  Matrix D;       // n x 1
  Matrix linear;  // n x 1: diagonal of Rᵀ S for R = cross Q, S = outputs Q
  Matrix norms;   // n x 1: diagonal of M = Qᵀ L Q
  Matrix H;       // n x n: (Rᵀ R) ∘ M
};

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
    out.norms(a, 0) = M(a, a);
  }
  for (Index j = 0; j < J; ++j) {
    for (Index a = 0; a < n; ++a) out.linear(a, 0) += R(j, a) * S(j, a);
    out.own += held_out.diagonal(j, 0);
  }
  return out;
}

/// [MCE] Sec. 2.2: the mean of |l(y, .) - U k(x, .)|^2 over held-out samples, and lambda |U|^2.
double loss_of(const Spectrum& spectrum, double lambda, Index held_out, bool regularised) {
  const Index n = spectrum.D.rows();
  const double shift = static_cast<double>(n) * lambda;
  Matrix z(n, 1), image(n, 1);
  for (Index a = 0; a < n; ++a) z(a, 0) = 1.0 / (spectrum.D(a, 0) + shift);
  gemm(1.0, spectrum.H.view(), z.view(), 0.0, image.view());
  double sum = spectrum.own, norm = 0.0;
  for (Index a = 0; a < n; ++a) {
    sum += z(a, 0) * (image(a, 0) - 2.0 * spectrum.linear(a, 0));
    norm += spectrum.norms(a, 0) * spectrum.D(a, 0) * z(a, 0) * z(a, 0);
  }
  return sum / static_cast<double>(held_out) + (regularised ? lambda * norm : 0.0);
}

void check_rows(const std::vector<Index>& rows, Index n) {
  require(!rows.empty(), "a split has no training or no held-out samples");
  for (const Index row : rows) {
    require(row >= 0 && row < n, "a split has row " + std::to_string(row) + ", there are " + std::to_string(n));
  }
}

/// Checked already.
std::vector<double> losses_of(MatrixView<const double> K, MatrixView<const double> L, const HeldOut& held_out, const Grid& grid) {
  const Spectrum spectrum = spectrum_of(K, L, held_out);
  std::vector<double> losses;
  for (const double lambda : grid.lambdas) losses.push_back(loss_of(spectrum, lambda, held_out.cross.rows(), grid.regularised));
  return losses;
}

}  // namespace

void cross_validation_losses(MatrixView<const double> K, MatrixView<const double> L, const std::vector<ValidationSplit>& splits,
                             const Grid& grid, MatrixView<double> out) {
  check_lambdas(grid.lambdas);
  check_grams(K, L);
  require_shape(out, static_cast<Index>(splits.size()), static_cast<Index>(grid.lambdas.size()), "out");
  for (const ValidationSplit& split : splits) {
    check_rows(split.training, K.rows());
    check_rows(split.held_out, K.rows());
  }
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

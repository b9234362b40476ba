// SPDX-License-Identifier: BSD-3-Clause
// What a trained autoencoder is asked for.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/models/autoencoder.hpp"

namespace gramian::autoencoder {
namespace {

const Kernel& reconstruction_kernel(const KernelLayer& last) {
  require(last.terms.size() == 1 && last.terms.front().A.form() == OutputOperator::Form::identity,
          "weights of a reconstruction exist for a last layer k I alone");
  require(std::isfinite(last.penalty) && last.penalty > 0.0, "the penalty of the last layer must be greater than 0");
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

/// 0 times infinity is 0 here: an operator of trace 0 makes nothing of its kernel.
double weighted(double trace, double value) { return trace > 0.0 ? trace * value : 0.0; }

}  // namespace

/// [KAE] App. B.7: W^-1 k_L(codes, new codes) with W = K_L + n lambda_L I, and W = K_L + lambda_L sum(w) diag(w)^-1 with weights.
void reconstruction_weights(const KernelLayer& last, MatrixView<const double> codes, MatrixView<const double> new_codes,
                            MatrixView<double> weights, const std::vector<double>& sample_weights) {
  const Kernel& kernel = reconstruction_kernel(last);
  const Index n = codes.rows();
  require_shape(weights, new_codes.rows(), n, "weights");
  require_weights_memory(n, n, "use landmarks");
  Matrix W(n, n);
  full(kernel, Points(codes), W.view());
  const double ridge = last.penalty * total_of(sample_weights, n);
  for (Index i = 0; i < n; ++i) W(i, i) += sample_weights.empty() ? ridge : ridge / sample_weights[at(i)];
  cholesky_in_place(W.view());
  full(kernel, Points(new_codes), Points(codes), weights);
  cholesky_solve(W.view(), transposed(weights));
}

void reconstruction_weights(const KernelLayer& last, MatrixView<const double> codes, MatrixView<const double> supports,
                            MatrixView<const double> new_codes, MatrixView<double> weights,
                            const std::vector<double>& sample_weights) {
  const Kernel& kernel = reconstruction_kernel(last);
  const Index n = codes.rows(), m = supports.rows();
  require_shape(weights, new_codes.rows(), n, "weights");
  require_weights_memory(n, m, "use fewer landmarks");
  Matrix C(n, m), M(m, m), part(new_codes.rows(), m);
  full(kernel, Points(codes), Points(supports), C.view());
  full(kernel, Points(supports), M.view());
  const auto root = [&](Index i) { return sample_weights.empty() ? 1.0 : std::sqrt(sample_weights[at(i)]); };
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < m; ++k) C(i, k) *= root(i);
  }
  const MatrixView<const double> across = transposed(MatrixView<const double>(C.view()));
  gemm_symmetric(1.0, across, last.penalty * total_of(sample_weights, n), M.view());
  cholesky_in_place(M.view());
  full(kernel, Points(new_codes), Points(supports), part.view());
  cholesky_solve(M.view(), transposed(part.view()));
  gemm(1.0, part.view(), across, 0.0, weights);
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = 0; j < n; ++j) weights(i, j) *= root(j);
  }
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

/// [KAE] Thm. 5: s, t, p and M, besides K and L.
GeneralizationTerms generalization_terms(const Fit& fit, MatrixView<const double> targets) {
  const std::vector<KernelLayer>& layers = fit.model.layers;
  require(layers.size() == 2 && fit.squared_norms.size() == 2,
          "[KAE] Thm. 5 is about two layers, the model has " + std::to_string(layers.size()));
  GeneralizationTerms terms;
  terms.s = std::sqrt(fit.squared_norms[0]);
  terms.t = std::sqrt(fit.squared_norms[1]);
  terms.p = layers[0].outputs();
  // [KAE] Ass. 3: tr K_1(x, x) <= K p.
  for (const LayerTerm& term : layers[0].terms) {
    terms.K += weighted(term.A.trace(), term.kernel.supremum()) / static_cast<double>(terms.p);
  }
  // [KAE] Ass. 4: tr (K_2(y, y) - 2 K_2(y, y') + K_2(y', y')) <= L^2 |y - y'|^2.
  for (const LayerTerm& term : layers[1].terms)
    terms.L_squared += weighted(term.A.trace(), term.kernel.traits().squared_lipschitz);
  for (Index i = 0; i < targets.rows(); ++i) {
    double square = 0.0;
    for (Index j = 0; j < targets.cols(); ++j) square += targets(i, j) * targets(i, j);
    terms.M = std::max(terms.M, std::sqrt(square));
  }
  return terms;
}

}  // namespace gramian::autoencoder

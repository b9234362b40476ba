// SPDX-License-Identifier: BSD-3-Clause
// What the bound on the excess risk of a trained autoencoder is made of.
#include <algorithm>
#include <cmath>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/models/autoencoder.hpp"

namespace gramian::autoencoder {
namespace {

/// 0 times infinity is 0 here: an operator of trace 0 makes nothing of its kernel.
double weighted(double trace, double value) { return trace > 0.0 ? trace * value : 0.0; }

}  // namespace

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

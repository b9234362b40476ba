// SPDX-License-Identifier: BSD-3-Clause
// The kernels that every operation is tested with: each of the registry, with and without length scales, and what they combine
// to.
#pragma once

#include <vector>

#include "support/naive_kernels.hpp"

namespace naive {

/// 0.6, 1.1, 1.7, 0.6, ...: one for each feature.
inline std::vector<double> sample_scales(Index d) {
  std::vector<double> scales;
  for (Index k = 0; k < d; ++k) scales.push_back(0.6 + 0.5 * static_cast<double>(k % 3) + (k % 3 == 2 ? 0.1 : 0.0));
  return scales;
}

/// Every kernel with each of its samples.
inline std::vector<Expression> leaf_samples() {
  std::vector<Expression> all;
  for (const gramian::KernelInfo& info : gramian::kernel_registry()) {
    for (const std::vector<double>& sample : info.samples) all.push_back(leaf(info.name, sample));
  }
  return all;
}

/// Every kernel once, with a length scale for each feature.
inline std::vector<Expression> scaled_samples(Index d) {
  std::vector<Expression> all;
  for (const gramian::KernelInfo& info : gramian::kernel_registry())
    all.push_back(leaf(info.name, info.samples.front(), sample_scales(d)));
  return all;
}

inline std::vector<Expression> combined_samples(Index d) {
  const Expression gaussian = leaf("gaussian", {0.3}), linear = leaf("linear"), tensor = leaf("tensor_matern2", {0.6});
  const Expression matern = leaf("matern32", {1.3}), quadratic = leaf("rational_quadratic", {0.7, 1.1});
  return {gaussian + linear,
          gaussian * leaf("polynomial", {2, 0.5, 1.0}),
          1.7 * leaf("laplacian", {0.6}),
          2.0 * (gaussian + linear) * matern + 0.5 * quadratic,
          0.8 * (tensor * leaf("cosine")) + 1.5 * (leaf("tanimoto") * (leaf("arc_cosine1") + 0.3 * leaf("delta"))),
          3.0 * (0.5 * leaf("gaussian", {0.4}, sample_scales(d))) * (linear + leaf("matern52", {1.5}, sample_scales(d)))};
}

inline std::vector<Expression> all_samples(Index d) {
  std::vector<Expression> all = leaf_samples();
  for (const std::vector<Expression>& more : {scaled_samples(d), combined_samples(d)})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Kernels whose every part allows points that are known by inner products alone.
inline std::vector<Expression> inner_product_samples() {
  std::vector<Expression> all;
  for (const Expression& e : all_samples(1)) {
    if (!needs_coordinates(e)) all.push_back(e);
  }
  return all;
}

}  // namespace naive

// SPDX-License-Identifier: BSD-3-Clause
// Sums of kernel values with weights, against sums in long double.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/naive_kernels.hpp"

namespace naive {

struct SumsOf {
  MatrixView<const double> X;
  MatrixView<const double> supports;
  MatrixView<const double> weights;
};

/// The largest error of out = K(X, S) W, row-major, in units of what rounding allows; distances are taken around the origin.
inline double worst_error_of_sums(const Expression& e, const SumsOf& sums, const Numbers& origin,
                                  const std::vector<double>& out) {
  const std::vector<Numbers> x = points(sums.X), s = points(sums.supports);
  const std::size_t vectors = static_cast<std::size_t>(sums.weights.cols());
  constexpr Real u = unit_roundoff<double>;
  Real worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t c = 0; c < vectors; ++c) {
      Real sum = 0, allowed = 1e-300L;
      for (std::size_t j = 0; j < s.size(); ++j) {
        const Bounded k = with_error(e, s[j], x[i], origin, u);
        const Real w = sums.weights(static_cast<Index>(j), static_cast<Index>(c));
        sum += k.value * w;
        allowed += std::fabs(w) * (k.error + static_cast<Real>(s.size() + 2) * u * std::fabs(k.value));
      }
      worst = std::max(worst, std::fabs(out[i * vectors + c] - sum) / allowed);
    }
  }
  return static_cast<double>(worst);
}

}  // namespace naive

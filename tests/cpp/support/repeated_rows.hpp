// SPDX-License-Identifier: BSD-3-Clause
// Samples that are there several times, in place of samples with weights.
#pragma once

#include <vector>

#include "support/spectral.hpp"

namespace repeated {

using gramian::Index;
using Dense = spectral::Matrix;

/// 1, 3, 2, 1, 3, 2, ...
inline std::vector<double> counts(Index n) {
  std::vector<double> out;
  for (Index i = 0; i < n; ++i) out.push_back(static_cast<double>(1 + 2 * i % 3));
  return out;
}

inline Index total(const std::vector<double>& counts) {
  double sum = 0.0;
  for (const double count : counts) sum += count;
  return static_cast<Index>(sum);
}

/// N x n with N the sum of the counts: row r is the unit vector of the sample that it repeats.
inline Dense selection(const std::vector<double>& counts) {
  Dense out = Dense::Zero(total(counts), static_cast<Index>(counts.size()));
  Index row = 0;
  for (Index i = 0; i < out.cols(); ++i) {
    for (int copy = 0; copy < static_cast<int>(counts[static_cast<std::size_t>(i)]); ++copy) out(row++, i) = 1.0;
  }
  return out;
}

inline Dense dense(gramian::MatrixView<const double> A) { return gramian::as_eigen(A); }

inline Dense rows(gramian::MatrixView<const double> X, const std::vector<double>& counts) { return selection(counts) * dense(X); }

/// The roots of the counts on a diagonal.
inline Dense roots(const std::vector<double>& counts) {
  return spectral::Vector(Eigen::Map<const spectral::Vector>(counts.data(), static_cast<Index>(counts.size())).cwiseSqrt())
      .asDiagonal();
}

}  // namespace repeated

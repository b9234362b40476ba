// SPDX-License-Identifier: BSD-3-Clause
#include "models/conditional_mean/spectrum.hpp"

#include <cmath>
#include <string>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/linalg/gemm.hpp"

namespace gramian::conditional_mean {

double loss_of(const Spectrum& spectrum, double lambda, const Shares& shares, bool regularised) {
  const Index n = spectrum.D.rows();
  const double shift = shares.training * lambda;
  Matrix z(n, 1), image(n, 1);
  for (Index a = 0; a < n; ++a) z(a, 0) = 1.0 / (spectrum.D(a, 0) + shift);
  gemm(1.0, spectrum.H.view(), z.view(), 0.0, image.view());
  double sum = spectrum.own, norm = 0.0;
  for (Index a = 0; a < n; ++a) {
    sum += z(a, 0) * (image(a, 0) - 2.0 * spectrum.linear(a, 0));
    norm += spectrum.norms(a, 0) * z(a, 0) * z(a, 0);
  }
  return sum / shares.held_out + (regularised ? lambda * norm : 0.0);
}

void check_lambdas(const std::vector<double>& lambdas) {
  require(!lambdas.empty(), "lambdas are empty: there must be one to compare");
  for (const double lambda : lambdas) {
    require(std::isfinite(lambda) && lambda > 0.0, "lambdas must be finite numbers greater than 0");
  }
}

namespace {

void check_rows(const std::vector<Index>& rows, Index n) {
  require(!rows.empty(), "a split has no training or no held-out samples");
  for (const Index row : rows) {
    if (row < 0 || row >= n) require(false, "a split has row " + std::to_string(row) + ", there are " + std::to_string(n));
  }
}

}  // namespace

void check_splits(const std::vector<ValidationSplit>& splits, Index n) {
  for (const ValidationSplit& split : splits) {
    check_rows(split.training, n);
    check_rows(split.held_out, n);
  }
}

}  // namespace gramian::conditional_mean

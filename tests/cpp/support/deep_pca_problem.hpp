// SPDX-License-Identifier: BSD-3-Clause
// The residuals of deep kernel PCA as they are printed, [DKPCA] (6) and (9), in long double and with partial derivatives of the
// kernels by differences.
#pragma once

#include <vector>

#include "gramian/models/deep_pca/objective.hpp"
#include "support/naive_kernels.hpp"

namespace naive {

using Rows = std::vector<Numbers>;

struct PcaLevel {
  Expression kernel;
  std::size_t components;
  double eta;
};

/// Two Gaussian kernels, as in most of the paper's experiments.
inline std::vector<PcaLevel> gaussian_levels(double eta2 = 1.0, std::size_t s1 = 3, std::size_t s2 = 2) {
  return {{leaf("gaussian", {0.3}), s1, 1.0}, {leaf("gaussian", {0.8}), s2, eta2}};
}

inline std::vector<gramian::deep_pca::Level> engine_levels(const std::vector<PcaLevel>& levels) {
  std::vector<gramian::deep_pca::Level> out;
  for (const PcaLevel& level : levels) out.push_back({kernel_of(level.kernel), static_cast<Index>(level.components), level.eta});
  return out;
}

inline Rows pca_rows(MatrixView<const double> X) {
  Rows out;
  for (Index i = 0; i < X.rows(); ++i) {
    out.emplace_back();
    for (Index k = 0; k < X.cols(); ++k) out.back().push_back(static_cast<Real>(X(i, k)));
  }
  return out;
}

struct PcaProblem {
  Rows X;
  std::vector<PcaLevel> levels;
  bool centred = false;

  std::size_t n() const { return X.size(); }

  /// H_1, ..., H_J one behind the other.
  std::vector<Rows> split(const Numbers& x) const {
    std::vector<Rows> H;
    std::size_t at = 0;
    for (const PcaLevel& level : levels) {
      H.emplace_back(n());
      for (Numbers& row : H.back()) {
        for (std::size_t c = 0; c < level.components; ++c) row.push_back(x[at++]);
      }
    }
    return H;
  }

  /// dk(x, y) / dx_c: error h^4 and 1e-19 / h.
  static Real partial(const Expression& e, Numbers x, const Numbers& y, std::size_t c) {
    constexpr Real h = 2e-4L;
    const Real at = x[c];
    const auto value = [&](Real t) {
      x[c] = at + t;
      return evaluate(e, x, y);
    };
    return (8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h);
  }

  Rows centre(Rows H) const {
    for (std::size_t c = 0; centred && c < H[0].size(); ++c) {
      Real mean = 0;
      for (const Numbers& row : H) mean += row[c] / static_cast<Real>(n());
      for (Numbers& row : H) row[c] -= mean;
    }
    return H;
  }

  /// K_j H_j / eta_j + G_j / eta_{j+1}: rows of level j (from 0).
  Rows left_side(const std::vector<Rows>& H, std::size_t j) const {
    const Rows& below = j == 0 ? X : H[j - 1];
    const Rows own = centre(H[j]);
    Rows A(n(), Numbers(levels[j].components, 0));
    for (std::size_t i = 0; i < n(); ++i) {
      for (std::size_t m = 0; m < n(); ++m) {
        const Real k = evaluate(levels[j].kernel, below[i], below[m]);
        for (std::size_t c = 0; c < A[i].size(); ++c) A[i][c] += k * own[m][c] / static_cast<Real>(levels[j].eta);
      }
    }
    A = centre(std::move(A));
    if (j + 1 == levels.size()) return A;
    const Rows above = centre(H[j + 1]);
    for (std::size_t i = 0; i < n(); ++i) {
      for (std::size_t m = 0; m < n(); ++m) {
        Real together = 0;
        for (std::size_t c = 0; c < above[i].size(); ++c) together += above[i][c] * above[m][c];
        for (std::size_t c = 0; c < A[i].size(); ++c) {
          A[i][c] += together * partial(levels[j + 1].kernel, H[j][i], H[j][m], c) / static_cast<Real>(levels[j + 1].eta);
        }
      }
    }
    return A;
  }

  /// J; with eigenvalues behind the features in x, or the best ones.
  Real value(const Numbers& x, bool joint = false) const {
    const std::vector<Rows> H = split(x);
    std::size_t at = 0;
    for (const PcaLevel& level : levels) at += n() * level.components;
    Real sum = 0;
    for (std::size_t j = 0; j < levels.size(); ++j) {
      const Rows A = left_side(H, j);
      for (std::size_t c = 0; c < levels[j].components; ++c) {
        Real cross = 0, square = 0;
        for (std::size_t i = 0; i < n(); ++i) cross += H[j][i][c] * A[i][c], square += H[j][i][c] * H[j][i][c];
        const Real lambda = joint ? x[at++] : cross / square;
        for (std::size_t i = 0; i < n(); ++i) {
          const Real r = A[i][c] - H[j][i][c] * lambda;
          sum += r * r / 2;
        }
      }
    }
    return sum;
  }

  Real energy(const Numbers& x) const {
    const std::vector<Rows> H = split(x);
    Real sum = 0;
    for (std::size_t j = 0; j < levels.size(); ++j) {
      const Rows& below = j == 0 ? X : H[j - 1];
      const Rows own = centre(H[j]);
      for (std::size_t i = 0; i < n(); ++i) {
        for (std::size_t m = 0; m < n(); ++m) {
          Real together = 0;
          for (std::size_t c = 0; c < own[i].size(); ++c) together += own[i][c] * own[m][c];
          sum += together * evaluate(levels[j].kernel, below[i], below[m]) / (2 * static_cast<Real>(levels[j].eta));
        }
      }
    }
    return sum;
  }
};

}  // namespace naive

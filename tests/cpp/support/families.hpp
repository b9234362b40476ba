// SPDX-License-Identifier: BSD-3-Clause
// Symmetric matrices that factorizations are tried on, and how large a residual may be.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/naive.hpp"

namespace families {

using gramian::Index;
using gramian::MatrixView;
using naive::Matrix;

struct Family {
  const char* name;
  Matrix<double> (*make)(Index n);
};

template <class Entry>
Matrix<double> fill(Index n, Entry entry) {
  Matrix<double> A(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) A(i, j) = entry(i, j);
  }
  return A;
}

inline double if_equal(Index i, Index j, double value) { return i == j ? value : 0.0; }

/// G Gᵀ / rank + ridge I with normal G: n x rank.
inline Matrix<double> wishart(Index n, Index rank, double ridge) {
  const auto G = naive::normal<double>(n, rank, 41);
  return fill(n, [&](Index i, Index j) {
    double sum = 0.0;
    for (Index k = 0; k < rank; ++k) sum += G.view(i, k) * G.view(j, k);
    return sum / static_cast<double>(rank) + if_equal(i, j, ridge);
  });
}
inline Matrix<double> random_spd(Index n) { return wishart(n, std::max<Index>(n, 1), 0.1); }

/// The Gaussian Gram of `distinct` points, each in the middle of a cluster of the given width.
inline Matrix<double> gram(Index n, Index distinct, double cluster, double ridge) {
  const auto X = naive::normal<double>(n, 3, 42), noise = naive::normal<double>(n, 3, 43);
  Matrix<double> P(n, 3);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < 3; ++k) P(i, k) = X.view(i % std::max<Index>(distinct, 1), k) + cluster * noise.view(i, k);
  }
  return fill(n, [&](Index i, Index j) { return naive::gaussian(P.view, i, P.view, j, 0.5) + if_equal(i, j, ridge); });
}

inline Matrix<double> scaled(Index n, double factor) {
  auto A = random_spd(n);
  for (double& a : A.numbers) a *= factor;
  return A;
}

inline Matrix<double> graded(Index n) {
  auto A = random_spd(n);
  const auto scale = [n](Index i) { return std::pow(10.0, -6.0 * static_cast<double>(i) / static_cast<double>(n)); };
  return fill(n, [&](Index i, Index j) { return A(i, j) * scale(i) * scale(j); });
}

inline Matrix<double> block_diagonal(Index n) {
  auto A = random_spd(n);
  return fill(n, [&](Index i, Index j) { return i / 7 == j / 7 ? A(i, j) : if_equal(i, j, 1.0); });
}

inline const std::vector<Family>& all() {
  static const std::vector<Family> families = {
      {"identity", [](Index n) { return fill(n, [](Index i, Index j) { return if_equal(i, j, 1.0); }); }},
      {"random", random_spd},
      {"hilbert", [](Index n) { return fill(n, [](Index i, Index j) { return 1.0 / static_cast<double>(i + j + 1); }); }},
      {"clustered points", [](Index n) { return gram(n, n / 5 + 1, 1e-4, 0.0); }},
      {"duplicate rows", [](Index n) { return gram(n, n / 2 + 1, 0.0, 1e-8); }},
      {"scaled up", [](Index n) { return scaled(n, 1e12); }},
      {"scaled down", [](Index n) { return scaled(n, 1e-12); }},
      {"graded", graded},
      {"block diagonal", block_diagonal},
      {"tridiagonal",
       [](Index n) { return fill(n, [](Index i, Index j) { return i == j                 ? 2.0
                                                                  : std::abs(i - j) == 1 ? -1.0
                                                                                         : 0.0; }); }},
      {"low rank", [](Index n) { return wishart(n, n / 10 + 1, 1e-8); }},
  };
  return families;
}

inline const std::vector<Index>& sizes() {
  static const std::vector<Index> sizes = {0, 1, 2, 3, 5, 10, 50, 500};
  return sizes;
}

/// A ratio below this is what LAPACK's own tests ask for.
constexpr double largest_ratio = 30.0;
constexpr double unit = 0x1p-53;

/// max over columns of sum |a|
inline double norm(MatrixView<const double> A) {
  double largest = 0.0;
  for (Index j = 0; j < A.cols(); ++j) {
    double sum = 0.0;
    for (Index i = 0; i < A.rows(); ++i) sum += std::fabs(A(i, j));
    if (!(sum <= largest)) largest = sum;
  }
  return largest;
}

/// A B, by the triple loop.
inline Matrix<double> times(MatrixView<const double> A, MatrixView<const double> B) {
  Matrix<double> C(A.rows(), B.cols());
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index k = 0; k < A.cols(); ++k) {
      const double a = A(i, k);
      for (Index j = 0; j < B.cols(); ++j) C(i, j) += a * B(k, j);
    }
  }
  return C;
}

/// |A X - B| / (|A| |X| n u); 0 for nothing to solve.
inline double solve_ratio(MatrixView<const double> A, MatrixView<const double> X, MatrixView<const double> B) {
  auto residual = times(A, X);
  for (Index i = 0; i < B.rows(); ++i) {
    for (Index j = 0; j < B.cols(); ++j) residual(i, j) -= B(i, j);
  }
  const double error = norm(residual.view);
  return error == 0.0 ? 0.0 : error / (norm(A) * norm(X) * static_cast<double>(A.rows()) * unit);
}

}  // namespace families

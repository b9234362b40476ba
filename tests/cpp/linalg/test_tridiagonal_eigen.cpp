// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/tridiagonal_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/check.hpp"
#include "support/naive.hpp"

using namespace gramian;

namespace {

struct Tridiagonal {
  std::vector<double> diagonal, beside;
};

Tridiagonal made(const std::string& kind, Index n) {
  const auto numbers = naive::normal<double>(n, 2, 11);
  Tridiagonal T{std::vector<double>(static_cast<std::size_t>(n)), std::vector<double>(static_cast<std::size_t>(n - 1))};
  for (Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double graded = std::pow(10.0, -0.1 * static_cast<double>(i));
    T.diagonal[at] = kind == "laplacian" ? 2.0 : kind == "graded" ? graded : kind == "zero" ? 0.0 : numbers.view(i, 0);
    if (i + 1 == n) break;
    T.beside[at] = kind == "laplacian" ? -1.0 : kind == "graded" ? 0.3 * graded : kind == "zero" ? 0.0 : numbers.view(i, 1);
    if (kind == "split" && i % 5 == 4) T.beside[at] = 0.0;
  }
  return T;
}

/// |T V - V D| and |Vᵀ V - I|, largest entries.
double worst_error(const Tridiagonal& T, const std::vector<double>& values, RotatedVectors& V) {
  const Index n = static_cast<Index>(values.size());
  double worst = 0.0;
  for (Index j = 0; j < n; ++j) {
    const double* v = V.at(j);
    for (Index i = 0; i < n; ++i) {
      double sum = T.diagonal[static_cast<std::size_t>(i)] * v[i], inner = i == j ? -1.0 : 0.0;
      if (i > 0) sum += T.beside[static_cast<std::size_t>(i - 1)] * v[i - 1];
      if (i + 1 < n) sum += T.beside[static_cast<std::size_t>(i)] * v[i + 1];
      for (Index k = 0; k < n; ++k) inner += V.at(i)[k] * v[k];
      worst = std::max({worst, std::fabs(sum - values[static_cast<std::size_t>(j)] * v[i]), std::fabs(inner)});
    }
  }
  return worst;
}

}  // namespace

TEST(eigenvectors_of_every_kind_of_matrix) {
  for (const char* kind : {"random", "laplacian", "graded", "zero", "split"}) {
    for (const Index n : {1, 2, 3, 8, 31, 33, 100}) {
      const Tridiagonal T = made(kind, n);
      std::vector<double> values = T.diagonal, beside = T.beside;
      RotatedVectors V(n, n);
      for (Index i = 0; i < n; ++i) V.at(i)[i] = 1.0;
      tridiagonal_eigen(values, beside, V);
      CHECK(worst_error(T, values, V) <= 1e-14 * static_cast<double>(n + 10));
    }
  }
}

TEST(eigenvalues_of_the_second_difference_are_known) {
  const Index n = 60;
  const Tridiagonal T = made("laplacian", n);
  std::vector<double> values = T.diagonal, beside = T.beside;
  RotatedVectors none(n, 0);
  tridiagonal_eigen(values, beside, none);
  std::sort(values.begin(), values.end());
  for (Index j = 0; j < n; ++j) {
    const double half = std::sin(0.5 * 3.14159265358979323846 * static_cast<double>(j + 1) / static_cast<double>(n + 1));
    CHECK_NEAR(values[static_cast<std::size_t>(j)], 4.0 * half * half, 1e-13);
  }
}

TEST_MAIN

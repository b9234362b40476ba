// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/tridiagonal_divide.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "linalg/tridiagonal_eigen.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using gramian::tridiagonal_divide;
using namespace spectral;

namespace {

using Numbers = std::vector<double>;

struct Tridiagonal {
  Numbers diagonal, beside;
};

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Of Wilkinson's matrix: pairs of eigenvalues that agree to rounding; glued, as many times as there are blocks of 21.
double wilkinson(Index i, Index n) { return std::fabs(static_cast<double>(i) - 0.5 * static_cast<double>(n - 1)); }

double diagonal_of(const std::string& kind, Index i, Index n, double normal) {
  if (kind == "wilkinson") return wilkinson(i, n) / static_cast<double>(n);
  if (kind == "glued wilkinson") return wilkinson(i % 21, 21) / 10.0;
  if (kind == "toeplitz") return 2.0;
  if (kind == "graded") return std::pow(10.0, -0.5 * static_cast<double>(i));
  if (kind == "graded upwards") return std::pow(10.0, -0.5 * static_cast<double>(n - 1 - i));
  if (kind == "repeats") return static_cast<double>(i % 3);
  if (kind == "zero") return 0.0;
  return kind == "identity" ? 1.0 : normal;
}

double beside_of(const std::string& kind, Index i, Index n, double normal) {
  if (kind == "wilkinson") return 1.0 / static_cast<double>(n);
  if (kind == "glued wilkinson") return i % 21 == 20 ? 1e-8 : 0.1;
  if (kind == "toeplitz") return -1.0;
  if (kind == "graded") return 0.3 * std::pow(10.0, -0.5 * static_cast<double>(i));
  if (kind == "graded upwards") return 0.3 * std::pow(10.0, -0.5 * static_cast<double>(n - 1 - i));
  if (kind == "repeats" || kind == "zero" || kind == "identity") return 0.0;
  if (kind == "tiny") return 1e-170 * normal;
  return kind == "split" && i % 5 == 4 ? 0.0 : normal;
}

const char* const kinds[] = {"random",  "wilkinson", "glued wilkinson", "toeplitz", "graded", "graded upwards",
                             "repeats", "zero",      "identity",        "tiny",     "split"};

Tridiagonal made(const std::string& kind, Index n) {
  const Matrix numbers = normal(n, 2, 11);
  Tridiagonal T{Numbers(at(n)), Numbers(at(std::max<Index>(n - 1, 0)))};
  for (Index i = 0; i < n; ++i) T.diagonal[at(i)] = diagonal_of(kind, i, n, numbers(i, 0));
  for (Index i = 0; i + 1 < n; ++i) T.beside[at(i)] = beside_of(kind, i, n, numbers(i, 1));
  return T;
}

Matrix dense(const Tridiagonal& T) {
  const Index n = static_cast<Index>(T.diagonal.size());
  Matrix out = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    out(i, i) = T.diagonal[at(i)];
    if (i + 1 < n) out(i + 1, i) = out(i, i + 1) = T.beside[at(i)];
  }
  return out;
}

struct Found {
  Vector values;
  Matrix vectors;
};

Found divided(Tridiagonal T) {
  const gramian::Matrix numbers = tridiagonal_divide(T.diagonal, T.beside);
  const Index n = static_cast<Index>(T.diagonal.size());
  return {Eigen::Map<const Vector>(T.diagonal.data(), n), gramian::as_eigen(numbers.view()).leftCols(n)};
}

}  // namespace

TEST(eigenpairs_of_every_kind_of_matrix) {
  for (const char* kind : kinds) {
    for (const Index n : {1, 2, 3, 47, 48, 49, 63, 96, 97, 98, 131, 193, 260}) {
      const Tridiagonal T = made(kind, n);
      const Found found = divided(T);
      const Matrix A = dense(T);
      const double residual = eigen_ratio(A, found.values, found.vectors), defect = orthogonality_ratio(found.vectors);
      if (!(residual < good && defect < good)) check::fail(kind, static_cast<int>(n), check::show(std::max(residual, defect)));
      CHECK(residual < good);
      CHECK(defect < good);
    }
  }
}

TEST(eigenvalues_are_those_of_rotations_alone) {
  for (const char* kind : kinds) {
    Tridiagonal T = made(kind, 150);
    Vector values = divided(T).values;
    const double norm = std::max(norm1(dense(T)), 1e-300);
    gramian::RotatedVectors none(150, 0);
    gramian::tridiagonal_eigen(T.diagonal, T.beside, none);
    std::sort(T.diagonal.begin(), T.diagonal.end());
    std::sort(values.data(), values.data() + values.size());
    for (Index i = 0; i < 150; ++i) CHECK(std::fabs(values(i) - T.diagonal[at(i)]) <= good * 150.0 * norm * unit);
  }
}

TEST(the_measure_rejects_vectors_that_are_not_those_of_the_matrix) {
  const Tridiagonal T = made("toeplitz", 100);
  Found found = divided(T);
  found.vectors.col(7).swap(found.vectors.col(8));
  CHECK(eigen_ratio(dense(T), found.values, found.vectors) > good);
}

TEST(nothing_has_no_eigenpairs) { CHECK_EQ(divided(made("random", 0)).vectors.size(), 0); }

TEST(any_number_of_threads_gives_the_same_bits) {
  for (const char* kind : {"random", "glued wilkinson"}) {
    const Tridiagonal T = made(kind, 500);
    CHECK(check::same_for_any_threads([&] { return std::pair(divided(T).values, divided(T).vectors); }));
  }
}

TEST_MAIN

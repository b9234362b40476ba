// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/pivots.hpp"

#include <cmath>
#include <vector>

#include "support/check.hpp"
#include "support/naive.hpp"

using gramian::best_candidates;
using gramian::ChosenPivots;
using gramian::Index;
using gramian::keep_candidates;
using naive::Matrix;

namespace {

/// B Bᵀ
Matrix<double> semidefinite(Index n, Index rank, std::uint64_t seed) {
  const auto B = naive::normal<double>(n, rank, seed);
  Matrix<double> A(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      for (Index k = 0; k < rank; ++k) A(i, j) += B.view(i, k) * B.view(j, k);
    }
  }
  return A;
}

/// A -= A[:, p] A[p, :] / A(p, p)
void take_off(Matrix<double>& A, Index p) {
  const auto n = static_cast<std::size_t>(A.view.rows()), pivot = static_cast<std::size_t>(p);
  const std::vector<double> before = A.numbers;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      A.numbers[i * n + j] -= before[i * n + pivot] * before[pivot * n + j] / before[pivot * n + pivot];
  }
}

bool always(double, double) { return true; }

}  // namespace

TEST(the_factor_of_the_kept_is_theirs) {
  const auto A = semidefinite(8, 8, 1);
  // Every third candidate is turned away.
  int seen = 0;
  const ChosenPivots chosen = keep_candidates(A.view, 1e-12, [&seen](double, double) { return seen++ % 3 != 1; });
  CHECK(chosen.kept == std::vector<std::size_t>({0, 2, 3, 5, 6}));
  for (std::size_t a = 0; a < chosen.kept.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      double sum = 0.0;
      for (std::size_t k = 0; k <= b; ++k) sum += chosen.factor[a * chosen.stride + k] * chosen.factor[b * chosen.stride + k];
      CHECK_NEAR(sum, A.view(static_cast<Index>(chosen.kept[a]), static_cast<Index>(chosen.kept[b])), 1e-13 * 64);
    }
  }
}

TEST(what_the_kept_leave_of_a_candidate_is_what_it_is_judged_by) {
  const auto A = semidefinite(5, 5, 2);
  std::vector<double> left;
  keep_candidates(A.view, 1e-12, [&left](double rest, double) { return left.push_back(rest), true; });
  Matrix<double> rest = semidefinite(5, 5, 2);
  for (Index c = 0; c < 5; ++c) {
    CHECK_NEAR(left[static_cast<std::size_t>(c)], rest.view(c, c), 1e-12);
    take_off(rest, c);
  }
}

TEST(rounding_is_no_pivot) {
  const auto A = semidefinite(6, 2, 3);
  CHECK_EQ(keep_candidates(A.view, 1e-10, always).kept.size(), std::size_t(2));
  Matrix<double> left = semidefinite(6, 2, 3), rows(1, 6);
  CHECK_EQ(best_candidates(left.view, rows.view, 1.0, 6, 1e-10).size(), std::size_t(2));
}

TEST(the_best_candidates_take_most_off_the_trace) {
  // Candidates are the first 7 of 30 points, and the other 23 the judges: then the gain is that in the whole trace, once the
  // entries among candidates count for their diagonal alone.
  const Index n = 30, count = 7;
  Matrix<double> rest = semidefinite(n, 12, 4), left(count, count), rows(n - count, count);
  for (Index j = 0; j < count; ++j) {
    for (Index i = 0; i < n; ++i) (i < count ? left(i, j) : rows(i - count, j)) = rest.view(i, j);
  }
  const std::vector<std::size_t> chosen = best_candidates(left.view, rows.view, 1.0, 4, 1e-12);
  CHECK_EQ(chosen.size(), std::size_t(4));
  for (const std::size_t pivot : chosen) {
    Index best = -1;
    double most = -1.0;
    for (Index c = 0; c < count; ++c) {
      if (rest.view(c, c) < 1e-9) continue;
      double gain = rest.view(c, c);
      for (Index i = count; i < n; ++i) gain += rest.view(i, c) * rest.view(i, c) / rest.view(c, c);
      if (gain > most) best = c;
      most = std::max(most, gain);
    }
    CHECK_EQ(static_cast<Index>(pivot), best);
    take_off(rest, best);
  }
}

TEST_MAIN

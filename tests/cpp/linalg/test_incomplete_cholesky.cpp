// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/incomplete_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using gramian::incomplete_cholesky;
using gramian::IncompleteCholesky;
using gramian::IncompleteCholeskyOptions;
using gramian::IncompleteStop;
using gramian::Index;
using gramian::MatrixView;
using gramian::Pivoting;
using naive::Matrix;

namespace {

constexpr Pivoting every_pivoting[] = {Pivoting::random, Pivoting::greedy, Pivoting::gain};

class Stored final : public gramian::SymmetricColumns {
 public:
  explicit Stored(const Matrix<double>& A) : A_(A.view) {}
  Index size() const override { return A_.rows(); }
  void diagonal(double* out) const override {
    for (Index i = 0; i < size(); ++i) out[i] = A_(i, i);
  }
  void columns(const std::vector<Index>& which, MatrixView<double> out) const override {
    for (std::size_t c = 0; c < which.size(); ++c) {
      for (Index i = 0; i < size(); ++i) out(i, static_cast<Index>(c)) = A_(i, which[c]);
    }
  }

 private:
  MatrixView<const double> A_;
};

/// B Bᵀ of the given rank, with columns of B that fall off by `decay`.
Matrix<double> of_rank(Index n, Index rank, double decay, std::uint64_t seed) {
  const auto B = naive::normal<double>(n, rank, seed);
  Matrix<double> A(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      double weight = 1.0;
      for (Index k = 0; k < rank; ++k, weight *= decay) A(i, j) += weight * B.view(i, k) * B.view(j, k);
    }
  }
  return A;
}

/// max |A - F Fᵀ| over all entries, or over the rows of the pivots.
double error_of(const Matrix<double>& A, const IncompleteCholesky& result, bool pivots_only) {
  double worst = 0.0;
  const MatrixView<const double> F = result.factor();
  for (Index i = 0; i < A.view.rows(); ++i) {
    const std::vector<Index>& pivots = result.pivots();
    if (pivots_only && std::find(pivots.begin(), pivots.end(), i) == pivots.end()) continue;
    for (Index j = 0; j < A.view.rows(); ++j) {
      double sum = 0.0;
      for (Index k = 0; k < F.cols(); ++k) sum += F(i, k) * F(j, k);
      worst = std::max(worst, std::fabs(A.view(i, j) - sum));
    }
  }
  return worst;
}

double trace_of(const Matrix<double>& A) {
  double sum = 0.0;
  for (Index i = 0; i < A.view.rows(); ++i) sum += A.view(i, i);
  return sum;
}

}  // namespace

TEST(the_rank_of_a_matrix_is_found) {
  for (const Pivoting pivoting : every_pivoting) {
    for (const Index n : {1, 2, 3, 5, 10, 50, 200}) {
      const Index rank = std::min<Index>(n, 7);
      const auto A = of_rank(n, rank, 1.0, 1);
      const IncompleteCholesky result = incomplete_cholesky(Stored(A), {0, 0.0, pivoting, 3});
      CHECK_EQ(result.rank(), rank);
      CHECK(result.stop_reason() == IncompleteStop::exhausted);
      // Backward error of a semi-definite factorization of rank r: 4 r (r + 1) (|W| + 1)^2 u |A|, with a modest |W| here.
      CHECK(error_of(A, result, false) <= 4.0 * 7 * 8 * 100 * 0x1p-53 * trace_of(A));
    }
  }
}

TEST(pivots_are_exact_and_the_residual_is_what_is_missed) {
  for (const Pivoting pivoting : every_pivoting) {
    const auto A = of_rank(150, 100, 0.9, 2);
    const IncompleteCholesky result = incomplete_cholesky(Stored(A), {20, 0.0, pivoting, 5});
    CHECK_EQ(result.rank(), 20);
    CHECK(result.stop_reason() == IncompleteStop::rank);
    CHECK_EQ(std::set<Index>(result.pivots().begin(), result.pivots().end()).size(), std::size_t(20));
    CHECK(error_of(A, result, true) <= 1e-11 * trace_of(A));
    CHECK(error_of(A, result, false) > 1e-6 * trace_of(A));  // rank 20 is not enough: the check above can fail
    double captured = 0.0;
    for (Index i = 0; i < 150; ++i) {
      for (Index k = 0; k < 20; ++k) captured += result.factor()(i, k) * result.factor()(i, k);
    }
    CHECK_NEAR(result.trace(), trace_of(A), 1e-12 * trace_of(A));
    CHECK_NEAR(result.residual_trace(), trace_of(A) - captured, 1e-11 * trace_of(A));
  }
}

TEST(the_tolerance_is_met_by_few_columns) {
  const auto A = of_rank(300, 120, 0.8, 3);
  for (const Pivoting pivoting : every_pivoting) {
    const IncompleteCholesky result = incomplete_cholesky(Stored(A), {0, 1e-4, pivoting, 7});
    CHECK(result.stop_reason() == IncompleteStop::tolerance);
    CHECK(result.residual_trace() <= 1e-4 * result.trace());
    // The best rank is about log(1e-4) / log(0.8) = 41; random pivots come in blocks of as many as there are.
    CHECK(result.rank() <= 41 * 4);
  }
}

TEST(greedy_pivots_are_those_of_the_textbook) {
  const auto A = of_rank(60, 60, 0.9, 4);
  const IncompleteCholesky result = incomplete_cholesky(Stored(A), {10, 0.0, Pivoting::greedy, 0});
  // Gaussian elimination on the whole matrix, the largest diagonal entry first.
  std::vector<double> S = A.numbers;
  for (Index step = 0; step < 10; ++step) {
    Index best = 0;
    for (Index i = 1; i < 60; ++i) best = S[static_cast<std::size_t>(i * 61)] > S[static_cast<std::size_t>(best * 61)] ? i : best;
    CHECK_EQ(result.pivots()[static_cast<std::size_t>(step)], best);
    const double pivot = S[static_cast<std::size_t>(best * 61)];
    std::vector<double> column(60);
    for (Index i = 0; i < 60; ++i) column[static_cast<std::size_t>(i)] = S[static_cast<std::size_t>(i * 60 + best)];
    for (Index i = 0; i < 60; ++i) {
      for (Index j = 0; j < 60; ++j) {
        S[static_cast<std::size_t>(i * 60 + j)] -=
            column[static_cast<std::size_t>(i)] * column[static_cast<std::size_t>(j)] / pivot;
      }
    }
  }
}

TEST(random_pivots_follow_the_diagonal) {
  // Of a diagonal matrix the first pivot is i with probability a_i / sum a: here 0.9 for the first entry. 400 seeds, 4 sigma.
  Matrix<double> A(10, 10);
  for (Index i = 0; i < 10; ++i) A(i, i) = i == 0 ? 0.9 : 0.1 / 9;
  int first = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed)
    first += incomplete_cholesky(Stored(A), {1, 0.0, Pivoting::random, seed}).pivots()[0] == 0;
  CHECK(std::abs(first - 360) <= 4 * 6);
}

TEST(pivots_with_the_largest_gain_leave_less_than_random_ones) {
  // Columns that fall off slowly: the choice matters. The mean of 20 seeds, whose means differ by many times their spread.
  const auto A = of_rank(400, 200, 0.97, 6);
  double random = 0.0, gain = 0.0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    random += incomplete_cholesky(Stored(A), {50, 0.0, Pivoting::random, seed}).residual_trace();
    gain += incomplete_cholesky(Stored(A), {50, 0.0, Pivoting::gain, seed}).residual_trace();
  }
  CHECK(gain < 0.97 * random);
}

TEST(a_diagonal_matrix_has_no_other_row_to_gain_from) {
  Matrix<double> A(500, 500);
  for (Index i = 0; i < 500; ++i) A(i, i) = 1.0 + static_cast<double>(i % 7);
  const IncompleteCholesky result = incomplete_cholesky(Stored(A), {0, 0.0, Pivoting::gain, 1});
  CHECK_EQ(result.rank(), 500);
  CHECK(error_of(A, result, false) <= 1e-14);
}

TEST(a_matrix_that_is_there_is_read_where_it_is) {
  auto A = of_rank(20, 6, 0.9, 9);
  for (Index i = 0; i < 20; ++i) {
    for (Index j = 0; j < i; ++j) A.view(j, i) = A.view(i, j);
  }
  const gramian::StoredColumns ours(A.view);
  const Stored theirs(A);
  const std::vector<Index> rows = {4, 0, 19}, cols = {7, 4};
  Matrix<double> one(20, 2), other(20, 2), few(3, 2), same(3, 2), here(20, 1), there(20, 1);
  ours.columns(cols, one.view);
  theirs.columns(cols, other.view);
  ours.entries(rows, cols, few.view);
  theirs.entries(rows, cols, same.view);
  ours.diagonal(here.view.data());
  theirs.diagonal(there.view.data());
  CHECK_EQ(ours.size(), 20);
  for (Index i = 0; i < 20; ++i) {
    CHECK_EQ(here(i, 0), there(i, 0));
    for (Index j = 0; j < 2; ++j) CHECK_EQ(one(i, j), other(i, j));
  }
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 2; ++j) CHECK_EQ(few(i, j), same(i, j));
  }
  CHECK(incomplete_cholesky(ours).pivots() == incomplete_cholesky(theirs).pivots());
}

TEST(entries_are_taken_from_columns_where_nothing_better_is_known) {
  const auto A = of_rank(20, 20, 0.9, 8);
  Matrix<double> out(3, 2);
  Stored(A).entries({4, 0, 19}, {7, 4}, out.view);
  const Index rows[] = {4, 0, 19}, cols[] = {7, 4};
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 2; ++j) CHECK_EQ(out(i, j), A.view(rows[i], cols[j]));
  }
}

TEST(a_factor_beyond_the_limit_is_refused_before_any_work) {
  const auto A = of_rank(300, 10, 1.0, 9);
  gramian::set_memory_limit(300 * 200 * 8 - 1);
  CHECK_THROWS(gramian::MemoryLimitError, incomplete_cholesky(Stored(A), {200}));
  CHECK_EQ(incomplete_cholesky(Stored(A), {199, 1e-10}).rank(), 10);
  gramian::set_memory_limit(0);
}

TEST(nothing_and_zero_have_rank_zero) {
  Matrix<double> none(0, 0), zero(5, 5);
  CHECK_EQ(incomplete_cholesky(Stored(none)).rank(), 0);
  CHECK_EQ(incomplete_cholesky(Stored(zero)).rank(), 0);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const auto A = of_rank(700, 300, 0.97, 5);
  for (const Pivoting pivoting : every_pivoting) {
    gramian::set_num_threads(1);
    const IncompleteCholesky one = incomplete_cholesky(Stored(A), {130, 0.0, pivoting, 11});
    for (const int threads : {2, 7}) {
      gramian::set_num_threads(threads);
      const IncompleteCholesky other = incomplete_cholesky(Stored(A), {130, 0.0, pivoting, 11});
      CHECK(other.pivots() == one.pivots());
      bool same = true;
      for (Index i = 0; i < 700; ++i) {
        for (Index k = 0; k < 130; ++k) same = same && other.factor()(i, k) == one.factor()(i, k);
      }
      CHECK(same);
    }
  }
  gramian::set_num_threads(0);
}

TEST(a_gram_matrix_has_a_factor_of_its_rank) {
  const auto A = of_rank(300, 7, 1.0, 6);
  const IncompleteCholesky found = gramian::gram_factor(A.view);
  CHECK_EQ(found.rank(), 7);
  CHECK(error_of(A, found, false) <= 1e-12 * trace_of(A));
  CHECK_EQ(gramian::gram_factor(Matrix<double>(5, 5).view).rank(), 0);
}

TEST(a_gram_matrix_with_a_negative_eigenvalue_is_refused) {
  auto A = of_rank(300, 7, 1.0, 6);
  double most = 0.0;
  for (Index i = 0; i < 300; ++i) most = std::max(most, A(i, i));
  // What a text or float32 leaves is no mistake; a tenth of an entry is.
  A(280, 3) += 1e-7 * most;
  A(3, 280) += 1e-7 * most;
  CHECK(gramian::gram_factor(A.view).rank() >= 7);
  A(280, 3) += 0.1 * most;
  A(3, 280) += 0.1 * most;
  CHECK_THROWS(std::invalid_argument, gramian::gram_factor(A.view));
  CHECK_THROWS(std::invalid_argument, gramian::gram_factor(Matrix<double>(3, 2).view));
}

TEST(what_is_not_semidefinite_is_refused) {
  Matrix<double> A(3, 3);
  for (const double bad : {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    A(1, 1) = bad;
    CHECK_THROWS(std::invalid_argument, incomplete_cholesky(Stored(A)));
  }
  A(1, 1) = 1.0;
  CHECK_THROWS(std::invalid_argument, incomplete_cholesky(Stored(A), {-1}));
  CHECK_THROWS(std::invalid_argument, incomplete_cholesky(Stored(A), {0, -0.5}));
}

TEST_MAIN

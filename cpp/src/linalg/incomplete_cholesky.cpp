// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/incomplete_cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/random.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"

namespace gramian {

SymmetricColumns::~SymmetricColumns() = default;

void IncompleteCholesky::copy_factor(MatrixView<double> out) const {
  require(out.rows() == size_ && out.cols() == rank(), "out must be n x rank, as the factor");
  for (Index i = 0; i < size_; ++i) {
    for (Index k = 0; k < rank(); ++k) out(i, k) = numbers_[i * capacity_ + k];
  }
}

namespace {

/// Random pivots drawn together; more, and too many of a block are rejected.
constexpr Index block_size = 48;
constexpr Index rows_per_task = 2048;
constexpr double rounding = 0x1p-53;

/// Calls body(i) for every row, in parallel.
template <class Body>
void for_each_row(Index rows, Index numbers_per_row, Body body) {
  const double seconds = 1e-9 * static_cast<double>(rows_per_task * numbers_per_row);
  parallel_for((rows + rows_per_task - 1) / rows_per_task, seconds, [&](Index task, int) {
    for (Index i = task * rows_per_task; i < std::min(rows, (task + 1) * rows_per_task); ++i) body(i);
  });
}

}  // namespace

/// One factorization under way.
class IncompleteFactorization {
 public:
  IncompleteFactorization(const SymmetricColumns& A, const IncompleteCholeskyOptions& options);
  IncompleteCholesky run();

 private:
  bool done();
  std::vector<Index> candidates();
  std::vector<Index> random_candidates();
  std::vector<std::size_t> accept(const std::vector<Index>& which, MatrixView<double> left, std::vector<double>& factor) const;
  void take(const std::vector<Index>& which);
  void subtract_known(const std::vector<Index>& which, MatrixView<double> columns) const;
  void reserve(Index columns);
  void update_left(Index first);
  double sum_left() const;
  MatrixView<const double> rows_of_factor(const std::vector<Index>& which, Buffer<double>& numbers) const;

  const SymmetricColumns& A_;
  IncompleteCholeskyOptions options_;
  Index most_;
  IncompleteCholesky result_;
  Buffer<double> columns_;    // of candidates, kept from block to block
  std::vector<double> left_;  // the diagonal of A - F Fᵀ
  double smallest_;           // what is below is rounding
  std::uint64_t drawn_ = 0;
  mutable std::uint64_t judged_ = 0;
};

IncompleteFactorization::IncompleteFactorization(const SymmetricColumns& A, const IncompleteCholeskyOptions& options)
    : A_(A), options_(options), left_(static_cast<std::size_t>(A.size())) {
  require(options.max_rank >= 0, "max_rank must not be negative");
  require(std::isfinite(options.tolerance) && options.tolerance >= 0.0, "tolerance must be finite and not negative");
  result_.size_ = A.size();
  most_ = options.max_rank == 0 ? A.size() : std::min(options.max_rank, A.size());
  A.diagonal(left_.data());
  double largest = 0.0;
  for (const double entry : left_) {
    require(std::isfinite(entry) && entry >= 0.0,
            "the diagonal has an entry that is negative or not finite: the matrix is not semi-definite");
    largest = std::max(largest, entry);
  }
  smallest_ = static_cast<double>(A.size()) * rounding * largest;
  result_.trace_ = sum_left();
  result_.residual_trace_ = result_.trace_;
  reserve(options.max_rank == 0 ? std::min<Index>(A.size(), 4 * block_size) : most_);
}

/// Row by row in fixed pieces, so that the sum does not depend on the threads (there are none) nor on the order.
double IncompleteFactorization::sum_left() const {
  double total = 0.0;
  for (std::size_t first = 0; first < left_.size(); first += rows_per_task) {
    double sum = 0.0;
    for (std::size_t i = first; i < std::min(left_.size(), first + rows_per_task); ++i) sum += left_[i];
    total += sum;
  }
  return total;
}

void IncompleteFactorization::reserve(Index columns) {
  if (columns <= result_.capacity_) return;
  Buffer<double> numbers(checked_product(result_.size_, columns));
  for (Index i = 0; i < result_.size_; ++i) {
    std::copy_n(result_.numbers_.data() + i * result_.capacity_, result_.rank(), numbers.data() + i * columns);
  }
  result_.numbers_ = std::move(numbers);
  result_.capacity_ = columns;
}

bool IncompleteFactorization::done() {
  const auto stop = [this](IncompleteStop reason) {
    result_.stop_reason_ = reason;
    return true;
  };
  const double largest = left_.empty() ? 0.0 : *std::max_element(left_.begin(), left_.end());
  if (largest <= smallest_) return stop(IncompleteStop::exhausted);
  if (result_.residual_trace_ <= options_.tolerance * result_.trace_) return stop(IncompleteStop::tolerance);
  if (result_.rank() >= most_) return stop(IncompleteStop::rank);
  return false;
}

std::vector<Index> IncompleteFactorization::random_candidates() {
  std::vector<double> below(left_.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < left_.size(); ++i) below[i] = sum += left_[i];
  const RandomStream random(options_.seed, 0);
  std::vector<Index> which;
  for (Index draw = 0; draw < std::min(block_size, most_ - result_.rank()); ++draw) {
    const double target = random.uniform(drawn_++) * sum;
    const auto at = std::upper_bound(below.begin(), below.end(), target);
    const Index index = std::min<Index>(at - below.begin(), result_.size_ - 1);
    // A point that is drawn again has nothing left the second time.
    if (left_[static_cast<std::size_t>(index)] > smallest_ && std::find(which.begin(), which.end(), index) == which.end()) {
      which.push_back(index);
    }
  }
  return which;
}

std::vector<Index> IncompleteFactorization::candidates() {
  if (options_.pivoting == Pivoting::random) return random_candidates();
  return {std::max_element(left_.begin(), left_.end()) - left_.begin()};
}

MatrixView<const double> IncompleteFactorization::rows_of_factor(const std::vector<Index>& which, Buffer<double>& numbers) const {
  const Index rank = result_.rank();
  numbers = Buffer<double>(checked_product(static_cast<Index>(which.size()), rank));
  for (std::size_t c = 0; c < which.size(); ++c) {
    std::copy_n(result_.numbers_.data() + which[c] * result_.capacity_, rank, numbers.data() + static_cast<Index>(c) * rank);
  }
  return {numbers.data(), static_cast<Index>(which.size()), rank};
}

/// columns -= F F[which]ᵀ
void IncompleteFactorization::subtract_known(const std::vector<Index>& which, MatrixView<double> columns) const {
  Buffer<double> numbers;
  const MatrixView<const double> rows = rows_of_factor(which, numbers);
  const Index rank = rows.cols();
  if (which.size() > 1) {
    // Some rows at a time: a product of matrices copies its factors, and the copy of all of F would be as large as F.
    constexpr Index rows_together = 6144;
    for (Index first = 0; first < result_.size_; first += rows_together) {
      const Index count = std::min(rows_together, result_.size_ - first);
      const MatrixView<const double> F(result_.numbers_.data() + first * result_.capacity_, count, rank, result_.capacity_, 1);
      const MatrixView<double> part(&columns(first, 0), count, columns.cols(), columns.row_stride(), columns.col_stride());
      gemm(-1.0, F, transposed(rows), 1.0, part);
    }
    return;
  }
  // A single column is bound by reading F: in place, without the copies that a product of matrices makes.
  const double seconds = 1e-10 * static_cast<double>(rank * rows_per_task);
  parallel_for((result_.size_ + rows_per_task - 1) / rows_per_task, seconds, [&](Index task, int) {
    for (Index i = task * rows_per_task; i < std::min(result_.size_, (task + 1) * rows_per_task); ++i) {
      const double* f = result_.numbers_.data() + i * result_.capacity_;
      double lanes[8] = {};
      Index k = 0;
      for (; k + 8 <= rank; k += 8) {
        for (Index l = 0; l < 8; ++l) lanes[l] += f[k + l] * numbers[k + l];
      }
      for (; k < rank; ++k) lanes[0] += f[k] * numbers[k];
      columns(i, 0) -= ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    }
  });
}

/// Which candidates stay: each with the probability that what the earlier ones left of it bears to what it was drawn for.
/// `factor` is left with the Cholesky factor of the accepted block, row by row.
std::vector<std::size_t> IncompleteFactorization::accept(const std::vector<Index>& which, MatrixView<double> left,
                                                         std::vector<double>& factor) const {
  const std::size_t count = which.size();
  const RandomStream random(options_.seed, 1);
  std::vector<std::size_t> kept;
  std::vector<double> rows(count * count, 0.0);  // row c: candidate c in terms of those that were kept
  factor.assign(count * count, 0.0);
  for (std::size_t c = 0; c < count; ++c) {
    double* row = rows.data() + c * count;
    double rest = left(which[c], static_cast<Index>(c));
    const double drawn_for = rest;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      double sum = left(which[c], static_cast<Index>(kept[k]));
      for (std::size_t j = 0; j < k; ++j) sum -= row[j] * factor[k * count + j];
      row[k] = sum / factor[k * count + k];
      rest -= row[k] * row[k];
    }
    const bool lucky = options_.pivoting == Pivoting::greedy || random.uniform(judged_++) * drawn_for < rest;
    if (!lucky || !(rest > smallest_)) continue;
    std::copy_n(row, kept.size(), factor.data() + kept.size() * count);
    factor[kept.size() * count + kept.size()] = std::sqrt(rest);
    kept.push_back(c);
  }
  return kept;
}

/// left -= the squares of the new columns; a pivot has nothing left.
void IncompleteFactorization::update_left(Index first) {
  const Index rank = result_.rank();
  for_each_row(result_.size_, rank - first, [&](Index i) {
    const double* f = result_.numbers_.data() + i * result_.capacity_;
    double& left = left_[static_cast<std::size_t>(i)];
    for (Index k = first; k < rank; ++k) left -= f[k] * f[k];
    left = std::max(left, 0.0);
  });
  for (const Index pivot : result_.pivots_) left_[static_cast<std::size_t>(pivot)] = 0.0;
  result_.residual_trace_ = sum_left();
}

void IncompleteFactorization::take(const std::vector<Index>& which) {
  const Index n = result_.size_, count = static_cast<Index>(which.size());
  if (columns_.size() < n * count) columns_ = Buffer<double>(checked_product(n, count));
  const MatrixView<double> columns(columns_.data(), n, count);
  A_.columns(which, columns);
  if (result_.rank() > 0) subtract_known(which, columns);
  std::vector<double> factor;
  const std::vector<std::size_t> kept = accept(which, columns, factor);
  const Index first = result_.rank(), fresh = static_cast<Index>(kept.size());
  // What its own column says is rounding would be drawn again and again.
  for (Index c = 0; c < count; ++c) {
    if (!(columns(which[static_cast<std::size_t>(c)], c) > smallest_))
      left_[static_cast<std::size_t>(which[static_cast<std::size_t>(c)])] = 0.0;
  }
  if (fresh == 0) return;
  if (first + fresh > result_.capacity_) reserve(std::min(most_, std::max(2 * result_.capacity_, first + fresh)));
  const MatrixView<double> target(result_.numbers_.data() + first, n, fresh, result_.capacity_, 1);
  for_each_row(n, fresh, [&](Index i) {
    for (Index k = 0; k < fresh; ++k) target(i, k) = columns(i, static_cast<Index>(kept[static_cast<std::size_t>(k)]));
  });
  solve_lower(MatrixView<const double>(factor.data(), fresh, fresh, count, 1), transposed(target));
  for (const std::size_t c : kept) result_.pivots_.push_back(which[c]);
  update_left(first);
}

IncompleteCholesky IncompleteFactorization::run() {
  while (!done()) {
    poll_stop();
    const std::vector<Index> which = candidates();
    if (!which.empty()) take(which);
  }
  return std::move(result_);
}

IncompleteCholesky incomplete_cholesky(const SymmetricColumns& A, const IncompleteCholeskyOptions& options) {
  return IncompleteFactorization(A, options).run();
}

}  // namespace gramian

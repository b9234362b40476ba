// SPDX-License-Identifier: BSD-3-Clause
// Block by block: candidates are drawn and judged by their own rows and columns, which costs next to nothing; then the columns of
// those that stay are evaluated where they belong, and one sweep over the rows takes off what is known, divides and updates what
// is left.
#include "gramian/linalg/incomplete_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/random.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "linalg/pivots.hpp"
#include "linalg/semidefinite.hpp"

namespace gramian {

SymmetricColumns::~SymmetricColumns() = default;

void SymmetricColumns::entries(const std::vector<Index>& rows, const std::vector<Index>& cols, MatrixView<double> out) const {
  const Index n = size(), count = static_cast<Index>(cols.size());
  Buffer<double> numbers(checked_product(n, count));
  columns(cols, MatrixView<double>(numbers.data(), n, count));
  for (Index i = 0; i < out.rows(); ++i) {
    const double* row = numbers.data() + rows[static_cast<std::size_t>(i)] * count;
    for (Index j = 0; j < count; ++j) out(i, j) = row[j];
  }
}

void StoredColumns::diagonal(double* out) const {
  for (Index i = 0; i < size(); ++i) out[i] = A_(i, i);
}

// Columns are read as rows, which lie together.
void StoredColumns::columns(const std::vector<Index>& which, MatrixView<double> out) const {
  for (Index i = 0; i < size(); ++i) {
    for (Index j = 0; j < out.cols(); ++j) out(i, j) = A_(which[static_cast<std::size_t>(j)], i);
  }
}

void StoredColumns::entries(const std::vector<Index>& rows, const std::vector<Index>& cols, MatrixView<double> out) const {
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index j = 0; j < out.cols(); ++j) {
      out(i, j) = A_(cols[static_cast<std::size_t>(j)], rows[static_cast<std::size_t>(i)]);
    }
  }
}

void IncompleteCholesky::copy_factor(MatrixView<double> out) const {
  require(out.rows() == size_ && out.cols() == rank(), "out must be n x rank, as the factor");
  for (Index i = 0; i < size_; ++i) {
    for (Index k = 0; k < rank(); ++k) out(i, k) = numbers_[i * capacity_ + k];
  }
}

namespace {

constexpr Index least_block = 32;  // pivots that are drawn together: as many as there are, within these bounds
constexpr Index most_block = 96;
constexpr Index tries = 3;     // candidates for each pivot where the best ones are taken
constexpr Index judges = 256;  // rows on which they are judged
constexpr Index rows_per_task = 512;
constexpr double seconds_per_operation = 1.0 / 60e9;
constexpr double rounding = 0x1p-53;

/// Streams of random numbers: what draws candidates, rejects them, draws judges.
enum : std::uint64_t { draws = 0, rejections = 1, judging = 2 };

}  // namespace

/// One factorization under way.
class IncompleteFactorization {
 public:
  IncompleteFactorization(const SymmetricColumns& A, const IncompleteCholeskyOptions& options);
  IncompleteCholesky run();

 private:
  bool done();
  std::vector<Index> pivots();
  std::vector<Index> draw_candidates(Index count);
  std::vector<Index> thinned_out(const std::vector<Index>& which);
  std::vector<Index> best_of(const std::vector<Index>& which, Index wanted);
  void subtract_known(const std::vector<Index>& rows, const std::vector<Index>& cols, MatrixView<double> out) const;
  Buffer<double> rows_of_factor(const std::vector<Index>& which) const;
  void reserve(Index columns);
  void take(std::vector<Index> which);
  void finish_rows(Index first, Index last, const double* known, const ChosenPivots& chosen);
  void forget_rounding(const std::vector<Index>& which, MatrixView<const double> left);
  double sum_left() const;

  const SymmetricColumns& A_;
  IncompleteCholeskyOptions options_;
  Index most_;
  IncompleteCholesky result_;
  std::vector<double> left_;  // the diagonal of A - F Fᵀ
  double smallest_;           // what is below is rounding
  std::uint64_t drawn_ = 0;
  std::uint64_t judged_ = 0;
  std::uint64_t judges_drawn_ = 0;
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
  reserve(options.max_rank == 0 ? std::min(A.size(), most_block) : most_);
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
  const Index count = checked_product(result_.size_, columns);
  require_memory(bytes_of(result_.size_, columns), "the factor", "ask for a lower rank");
  Buffer<double> numbers(count);
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

std::vector<Index> IncompleteFactorization::draw_candidates(Index count) {
  std::vector<double> below(left_.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < left_.size(); ++i) below[i] = sum += left_[i];
  const RandomStream random(options_.seed, draws);
  std::vector<Index> which;
  std::vector<bool> taken(left_.size(), false);
  for (Index draw = 0; draw < count; ++draw) {
    const double target = random.uniform(drawn_++) * sum;
    const auto at = std::upper_bound(below.begin(), below.end(), target);
    const Index index = std::min<Index>(at - below.begin(), result_.size_ - 1);
    // A point that is drawn again has nothing left the second time.
    if (!(left_[static_cast<std::size_t>(index)] > smallest_) || taken[static_cast<std::size_t>(index)]) continue;
    taken[static_cast<std::size_t>(index)] = true;
    which.push_back(index);
  }
  return which;
}

Buffer<double> IncompleteFactorization::rows_of_factor(const std::vector<Index>& which) const {
  const Index rank = result_.rank();
  Buffer<double> numbers(checked_product(static_cast<Index>(which.size()), rank));
  for (std::size_t c = 0; c < which.size(); ++c) {
    std::copy_n(result_.numbers_.data() + which[c] * result_.capacity_, rank, numbers.data() + static_cast<Index>(c) * rank);
  }
  return numbers;
}

/// out -= F[rows] F[cols]ᵀ
void IncompleteFactorization::subtract_known(const std::vector<Index>& rows, const std::vector<Index>& cols,
                                             MatrixView<double> out) const {
  const Index rank = result_.rank();
  if (rank == 0 || out.empty()) return;
  const Buffer<double> left = rows_of_factor(rows), right = rows_of_factor(cols);
  gemm(-1.0, {left.data(), out.rows(), rank}, transposed(MatrixView<const double>(right.data(), out.cols(), rank)), 1.0, out);
}

/// What its own row says is rounding would be drawn again and again.
void IncompleteFactorization::forget_rounding(const std::vector<Index>& which, MatrixView<const double> left) {
  for (Index c = 0; c < left.rows(); ++c) {
    const std::size_t index = static_cast<std::size_t>(which[static_cast<std::size_t>(c)]);
    if (!(left(c, c) > smallest_)) left_[index] = 0.0;
  }
}

/// Each stays with the probability that what the earlier ones left of it bears to what it was drawn for.
std::vector<Index> IncompleteFactorization::thinned_out(const std::vector<Index>& which) {
  const Index count = static_cast<Index>(which.size());
  Buffer<double> numbers(checked_product(count, count));
  const MatrixView<double> left(numbers.data(), count, count);
  A_.entries(which, which, left);
  subtract_known(which, which, left);
  forget_rounding(which, left);
  const RandomStream random(options_.seed, rejections);
  const ChosenPivots chosen =
      keep_candidates(left, smallest_, [&](double rest, double entry) { return random.uniform(judged_++) * entry < rest; });
  std::vector<Index> kept;
  for (const std::size_t c : chosen.kept) kept.push_back(which[c]);
  return kept;
}

std::vector<Index> IncompleteFactorization::best_of(const std::vector<Index>& which, Index wanted) {
  const Index n = result_.size_, count = static_cast<Index>(which.size()), rows = std::min(judges, n);
  const RandomStream random(options_.seed, judging);
  std::vector<Index> judge;
  for (Index i = 0; i < rows; ++i) {
    judge.push_back(std::min(n - 1, static_cast<Index>(random.uniform(judges_drawn_++) * static_cast<double>(n))));
  }
  Buffer<double> numbers(checked_product(count + rows, count));
  const MatrixView<double> left(numbers.data(), count, count), judged(numbers.data() + count * count, rows, count);
  A_.entries(which, which, left);
  A_.entries(judge, which, judged);
  subtract_known(which, which, left);
  subtract_known(judge, which, judged);
  forget_rounding(which, left);
  const double weight = static_cast<double>(n) / static_cast<double>(rows);
  std::vector<Index> kept;
  for (const std::size_t c : best_candidates(left, judged, weight, static_cast<std::size_t>(wanted), smallest_)) {
    kept.push_back(which[c]);
  }
  return kept;
}

/// The next pivots; none if all candidates were rejected.
std::vector<Index> IncompleteFactorization::pivots() {
  const Index wanted = std::min(std::clamp(result_.rank(), least_block, most_block), most_ - result_.rank());
  if (options_.pivoting == Pivoting::greedy) return {std::max_element(left_.begin(), left_.end()) - left_.begin()};
  const bool best = options_.pivoting == Pivoting::gain;
  const std::vector<Index> which = draw_candidates(best ? tries * wanted : wanted);
  if (which.empty()) return which;
  return best ? best_of(which, wanted) : thinned_out(which);
}

/// Rows [first, last) of the new columns: what is known is taken off, then they are divided by the factor of the pivots' rows.
void IncompleteFactorization::finish_rows(Index first, Index last, const double* known, const ChosenPivots& chosen) {
  const Index rank = result_.rank(), stride = result_.capacity_, count = last - first;
  const Index fresh = static_cast<Index>(chosen.kept.size());
  double* rows = result_.numbers_.data() + first * stride;
  if (fresh == 1) {
    // A single column is bound by reading F: in place, without the copies that a product of matrices makes.
    for (Index i = 0; i < count; ++i) {
      const double* f = rows + i * stride;
      double lanes[8] = {};
      Index k = 0;
      for (; k + 8 <= rank; k += 8) {
        for (Index l = 0; l < 8; ++l) lanes[l] += f[k + l] * known[k + l];
      }
      for (; k < rank; ++k) lanes[0] += f[k] * known[k];
      rows[i * stride + rank] -=
          ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
      rows[i * stride + rank] /= chosen.factor[0];
    }
  } else {
    const MatrixView<double> columns(rows + rank, count, fresh, stride, 1);
    if (rank > 0) {
      const MatrixView<const double> pivots(known, fresh, rank);
      gemm(-1.0, MatrixView<const double>(rows, count, rank, stride, 1), transposed(pivots), 1.0, columns);
    }
    const auto factor_stride = static_cast<Index>(chosen.stride);
    solve_lower(MatrixView<const double>(chosen.factor.data(), fresh, fresh, factor_stride, 1), transposed(columns));
  }
  for (Index i = 0; i < count; ++i) {
    const double* f = rows + i * stride + rank;
    double left = left_[static_cast<std::size_t>(first + i)];
    for (Index k = 0; k < fresh; ++k) left -= f[k] * f[k];
    left_[static_cast<std::size_t>(first + i)] = std::max(left, 0.0);
  }
}

void IncompleteFactorization::take(std::vector<Index> which) {
  const Index n = result_.size_, rank = result_.rank(),
              stride = std::max(result_.capacity_, rank + static_cast<Index>(which.size()));
  if (stride > result_.capacity_) reserve(std::min(most_, std::max(2 * result_.capacity_, stride)));
  ChosenPivots chosen;
  // Columns where they belong, and what is left of them in the rows of the pivots. Candidates were judged by other roundings: one
  // that is rounding after all goes, and the columns of the others are evaluated again.
  for (bool all = false; !all && !which.empty();) {
    const Index count = static_cast<Index>(which.size());
    const MatrixView<double> columns(result_.numbers_.data() + rank, n, count, result_.capacity_, 1);
    A_.columns(which, columns);
    Buffer<double> numbers(checked_product(count, count));
    const MatrixView<double> left(numbers.data(), count, count);
    for (Index i = 0; i < count; ++i) {
      for (Index j = 0; j < count; ++j) left(i, j) = columns(which[static_cast<std::size_t>(i)], j);
    }
    subtract_known(which, which, left);
    forget_rounding(which, left);
    chosen = keep_candidates(left, smallest_, [](double, double) { return true; });
    all = chosen.kept.size() == which.size();
    std::vector<Index> kept;
    for (const std::size_t c : chosen.kept) kept.push_back(which[c]);
    which = kept;
  }
  if (which.empty()) return;
  const Buffer<double> known = rows_of_factor(which);
  const double operations = 2.0 * static_cast<double>(rank + most_block) * static_cast<double>(which.size() * rows_per_task);
  parallel_for((n + rows_per_task - 1) / rows_per_task, operations * seconds_per_operation, [&](Index task, int) {
    finish_rows(task * rows_per_task, std::min(n, (task + 1) * rows_per_task), known.data(), chosen);
  });
  result_.pivots_.insert(result_.pivots_.end(), which.begin(), which.end());
  for (const Index pivot : result_.pivots_) left_[static_cast<std::size_t>(pivot)] = 0.0;
  result_.residual_trace_ = sum_left();
}

IncompleteCholesky IncompleteFactorization::run() {
  while (!done()) {
    poll_stop();
    const std::vector<Index> which = pivots();
    if (!which.empty()) take(which);
  }
  return std::move(result_);
}

IncompleteCholesky incomplete_cholesky(const SymmetricColumns& A, const IncompleteCholeskyOptions& options) {
  return IncompleteFactorization(A, options).run();
}

namespace {

/// The largest magnitude of an entry of K - F Fᵀ.
double largest_left(MatrixView<const double> K, MatrixView<const double> F) {
  constexpr Index rows_at_once = 256;
  double largest = 0.0;
  for (Index first = 0; first < K.rows(); first += rows_at_once) {
    poll_stop();
    const Index rows = std::min(rows_at_once, K.rows() - first);
    Matrix left = Matrix::copy_of(part(K, first, rows, 0, K.cols()));
    gemm(-1.0, part(F, first, rows, 0, F.cols()), transposed(F), 1.0, left.view());
    for (Index i = 0; i < left.size(); ++i) largest = std::max(largest, std::fabs(left.data()[i]));
  }
  return largest;
}

}  // namespace

IncompleteCholesky gram_factor(MatrixView<const double> K) {
  require(K.rows() == K.cols(), "K must be square");
  IncompleteCholeskyOptions options;
  options.tolerance = 1e-12;
  IncompleteCholesky found = incomplete_cholesky(StoredColumns(K), options);
  double most = 0.0;
  for (Index i = 0; i < K.rows(); ++i) most = std::max(most, std::fabs(K(i, i)));
  const double left = largest_left(K, found.factor());
  if (!(left <= gram_defect * most)) {
    char figures[128];
    std::snprintf(figures, sizeof(figures), "%.3g of an entry is left when its largest diagonal entry is %.3g", left, most);
    throw std::invalid_argument(std::string("K is not positive semidefinite: ") + figures +
                                ". Add to the diagonal, or use another kernel.");
  }
  return found;
}

}  // namespace gramian

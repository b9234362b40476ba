// SPDX-License-Identifier: BSD-3-Clause
#include "gram/normal_accumulator.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/linalg/gemm.hpp"

namespace gramian {
namespace {

/// With few centres the summands of a product are what threads share, and there must be many of them (linalg/gemm.cpp).
constexpr Index few_centres = 2 * isa::tile_size, long_chunk = 6144, short_chunk = 1536;
static_assert(NormalAccumulator::page_rows % long_chunk == 0 && NormalAccumulator::page_rows % short_chunk == 0);

void add_lower(MatrixView<const double> from, MatrixView<double> to) {
  for_rows(to.rows(), to.cols(), [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      for (Index j = 0; j <= i; ++j) to(i, j) += from(i, j);
    }
  });
}

void add_vector(const std::vector<double>& from, std::vector<double>& to) {
  for (std::size_t c = 0; c < to.size(); ++c) to[c] += from[c];
}

}  // namespace

void require_weights_and_targets(MatrixView<const double> weights, MatrixView<const double> Y, Index n, Index outputs) {
  if (!weights.empty() || weights.rows() > 0) require_shape(weights, n, 1, "weights");
  if (outputs > 0) require_shape(Y, n, outputs, "Y");
  if (outputs == 0)
    require(Y.empty(), "Y has " + std::to_string(Y.cols()) + " columns, and there are no outputs: leave it empty");
}

MatrixView<const double> some_weights(MatrixView<const double> weights, Index first, Index rows) {
  if (weights.empty()) return {};
  for (Index i = first; i < first + rows; ++i) {
    if (!std::isfinite(weights(i, 0)) || weights(i, 0) < 0.0) {
      require(false, "the weight of row " + std::to_string(i) + " is negative or not finite: it must be a number of at least 0");
    }
  }
  return rows_of(weights, first, rows);
}

MatrixView<const double> some_targets(MatrixView<const double> Y, Index first, Index rows) {
  if (Y.empty()) return {};
  const MatrixView<const double> some = rows_of(Y, first, rows);
  require_finite(some, "Y");
  return some;
}

NormalAccumulator::NormalAccumulator(const Kernel& kernel, const Points& C, Index outputs)
    : gram_(kernel, C), size_(C.size()), outputs_(outputs), chunk_rows_(size_ <= few_centres ? long_chunk : short_chunk) {}

NormalAccumulator::NormalAccumulator(const Kernel& kernel, const Points& C, Index outputs, const LandmarkBasis& basis)
    : NormalAccumulator(kernel, C, outputs) {
  require(C.size() == basis.rank(), "C must have the pivots of the basis");
  basis_ = &basis;
}

NormalSystem& NormalAccumulator::open_page() {
  if (sums_.empty() || sums_.back().level >= 0) {
    const auto r = outputs_;
    sums_.push_back({-1, {Matrix::filled(size_, size_, 0.0), Matrix::filled(size_, r, 0.0), std::vector<double>(at(r), 0.0)}});
  }
  return sums_.back().system;
}

void NormalAccumulator::add(const Points& X, MatrixView<const double> weights, MatrixView<const double> Y, Index first_row) {
  if (X.size() == 0) return;
  const MatrixView<double> K = gram_.take(X, first_row);
  if (basis_ != nullptr) basis_->divide(transposed(K));
  NormalSystem& page = open_page();
  if (!weights.empty()) {
    for_entries(K, [&](Index i, Index j) { K(i, j) *= std::sqrt(weights(i, 0)); });
  }
  gemm_symmetric(1.0, transposed(MatrixView<const double>(K)), 1.0, page.square.view(), Triangle::lower);
  if (outputs_ > 0) {
    const MatrixView<double> T = targets_.take(X.size(), outputs_);
    for_entries(T, [&](Index i, Index c) { T(i, c) = weights.empty() ? Y(i, c) : std::sqrt(weights(i, 0)) * Y(i, c); });
    gemm(1.0, transposed(MatrixView<const double>(K)), T, 1.0, page.right.view());
    for (Index i = 0; i < T.rows(); ++i) {
      for (Index c = 0; c < outputs_; ++c) page.y_square[at(c)] += T(i, c) * T(i, c);
    }
  }
  if (++open_chunks_ == page_rows / chunk_rows_) close();
}

void NormalAccumulator::close() {
  if (open_chunks_ == 0) return;
  WaitingSum page = std::move(sums_.back());
  sums_.pop_back();
  open_chunks_ = 0;
  page.level = 0;
  push(std::move(page), 0);
}

void NormalAccumulator::push(WaitingSum sum, Index open_chunks) {
  open_chunks_ = open_chunks;
  while (sum.level >= 0 && !sums_.empty() && sums_.back().level <= sum.level) {
    WaitingSum older = std::move(sums_.back());
    sums_.pop_back();
    add_lower(sum.system.square.view(), older.system.square.view());
    add_rows(sum.system.right.view(), older.system.right.view());
    add_vector(sum.system.y_square, older.system.y_square);
    older.level = sum.level + 1;
    sum = std::move(older);
  }
  sums_.push_back(std::move(sum));
}

void NormalAccumulator::write(MatrixView<double> square, MatrixView<double> right, std::vector<double>& y_square) const {
  fill_zero(square);
  fill_zero(right);
  y_square.assign(at(outputs_), 0.0);
  for (auto sum = sums_.rbegin(); sum != sums_.rend(); ++sum) {
    add_lower(sum->system.square.view(), square);
    add_rows(sum->system.right.view(), right);
    add_vector(sum->system.y_square, y_square);
  }
  for_rows(square.rows(), square.cols(), [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      for (Index j = i + 1; j < square.cols(); ++j) square(i, j) = square(j, i);
    }
  });
}

}  // namespace gramian

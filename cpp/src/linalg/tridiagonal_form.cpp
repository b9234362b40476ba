// SPDX-License-Identifier: BSD-3-Clause
// Householder's reduction from the last row up, so that what is left is always the leading part and rows are contiguous. Some
// rows are reduced before the rest is updated, [DSH]: with v_c and w_c of those before, A is to become
// A - sum_c (v_c w_cᵀ + w_c v_cᵀ), and the next row and the next product with A are corrected by that.
#include "linalg/tridiagonal_form.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/view_ops.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/linalg/gemm.hpp"
#include "linalg/inner_product.hpp"
#include "linalg/packed_lower.hpp"
#include "linalg/progress.hpp"

namespace gramian {
namespace {

constexpr Index together = 32;  // rows that are reduced between two updates of all of A
constexpr Index strip = isa::symmetric_strip;
constexpr Index most_pieces = 8;        // of a product with A
constexpr Index rows_for_pieces = 256;  // below it one thread has all of them
constexpr Index chunk_columns = 512;    // of what follows it
constexpr int largest_exponent = 1000;
constexpr double seconds_per_entry = 0.1e-9;
constexpr double seconds_per_copy = 0.3e-9;
/// Below the square of what is lost against a norm of 1 in any case, above where squares lose digits.
constexpr double negligible_square = 1e-280;

class Reduction {
 public:
  Reduction(MatrixView<const double> A, double scale, TridiagonalForm& form)
      : n_(A.rows()),
        stride_(round_up(n_, strip) + strip),
        form_(form),
        A_(checked_product(round_up(n_, strip), stride_)),
        left_(2 * together * stride_),
        right_(2 * together * stride_),
        sums_(most_pieces * stride_),
        x_(stride_),
        p_(stride_) {
    load(A, scale);
  }

  void run() {
    Index row = n_ - 1;
    while (row >= 2) {
      poll_stop();
      const Index count = std::min(together, row - 1);
      reduce(row, count);
      update(row, count);
      row -= count;
    }
    for (Index i = 0; i < std::min<Index>(n_, 2); ++i) form_.diagonal[at(i)] = *entry(i, i);
    if (n_ > 1) form_.beside[0] = *entry(1, 0);
  }

 private:
  /// Rows of A that a piece of a product takes, from the one before to its own end: areas of about the same size.
  Index end_of(Index piece, Index rows) const {
    const double share = std::sqrt(static_cast<double>(piece) / static_cast<double>(pieces_));
    return piece == pieces_ ? round_up(rows, strip) : static_cast<Index>(share * static_cast<double>(rows)) / strip * strip;
  }

  double* entry(Index i, Index j) { return A_.data() + i * stride_ + j; }
  double* sums(Index piece) { return sums_.data() + piece * stride_; }
  double* v(Index c) { return left_.data() + 2 * c * stride_; }
  double* w(Index c) { return right_.data() + 2 * c * stride_; }

  void load(MatrixView<const double> A, double scale) {
    const Index rows = round_up(n_, strip);
    parallel_for(rows, seconds_per_copy * static_cast<double>(n_), [&](Index i, int) {
      const Index count = i < n_ ? i + 1 : 0;
      for (Index j = 0; j < count; ++j) *entry(i, j) = scale * A(i, j);
      std::fill(entry(i, count), entry(i, 0) + stride_, 0.0);
    });
    mirror(n_);
  }

  /// Squares on the diagonal have what is above it too.
  void mirror(Index rows) {
    for (Index i = 0; i < rows; ++i) {
      for (Index j = i / strip * strip; j < i; ++j) *entry(j, i) = *entry(i, j);
    }
  }

  /// `count` rows from `row` up. For each of them pieces of the product with A, then the sums of the pieces, some columns a task.
  void reduce(Index row, Index count) {
    pieces_ = row < rows_for_pieces ? 1 : most_pieces;
    const Index chunks = (row + chunk_columns - 1) / chunk_columns, tasks = pieces_ + chunks;
    Progress pieces_done(pieces_), chunks_done(chunks), vectors_done(1);
    std::copy_n(entry(row, 0), row + 1, x_.data());
    make_vector(row, 0);
    const double entries = 0.5 * static_cast<double>(row) * static_cast<double>(row);
    parallel_for(count * tasks, seconds_per_entry * entries / static_cast<double>(tasks), [&](Index task, int) {
      const Index c = task / tasks, piece = task % tasks, chunk = piece - pieces_;
      if (chunk < 0) {
        vectors_done.wait_for(0, c);
        multiply(row - c, c, piece);
        return pieces_done.set(piece, c + 1);
      }
      for (Index i = 0; i < pieces_; ++i) pieces_done.wait_for(i, c + 1);
      add_up(row - c, c, chunk, c + 1 < count);
      chunks_done.set(chunk, c + 1);
      if (chunk + 1 < chunks) return;
      for (Index i = 0; i < chunks; ++i) chunks_done.wait_for(i, c + 1);
      finish(row - c, c, c + 1 < count);
      vectors_done.set(0, c + 1);
    });
  }

  /// Of v_c, which is that of `row`: rows of A, and of what A is going to lose.
  void multiply(Index row, Index c, Index piece) {
    const Index first = end_of(piece, row), end = end_of(piece + 1, row);
    std::fill_n(sums(piece), end, 0.0);
    dense_ops().symmetric_vector({A_.data(), stride_, first, end - first, v(c), sums(piece)});
    const Index share = 2 * together / pieces_;
    const Index from = piece * share, rows = std::min(share, 2 * c - from);
    if (rows <= 0) return;
    std::fill_n(minus_dots_ + from, rows, 0.0);
    dense_ops().subtract_rows({right_.data() + from * stride_, stride_, rows, row, v(c), minus_dots_ + from});
  }

  /// p = A v_c as A is to become, and the next row of that.
  void add_up(Index row, Index c, Index chunk, bool with_next) {
    const Index from = chunk * chunk_columns, to = std::min(row, from + chunk_columns);
    if (from >= to) return;
    double factors[2 * together];
    std::copy_n(sums(pieces_ - 1) + from, to - from, p_.data() + from);
    for (Index piece = 0; piece + 1 < pieces_; ++piece) {
      const double* own = sums(piece);
      for (Index i = from; i < std::min(to, end_of(piece + 1, row)); ++i) p_[i] += own[i];
    }
    for (Index k = 0; k < 2 * c; ++k) factors[k] = -minus_dots_[k];
    dense_ops().subtract_columns({left_.data() + from, stride_, 2 * c, to - from, factors, p_.data() + from});
    if (!with_next) return;
    for (Index k = 0; k < 2 * c; ++k) factors[k] = right_[k * stride_ + row - 1];
    std::copy(entry(row - 1, from), entry(row - 1, to), x_.data() + from);
    dense_ops().subtract_columns({left_.data() + from, stride_, 2 * c, to - from, factors, x_.data() + from});
  }

  /// w_c, column c of T, and the next vector.
  void finish(Index row, Index c, bool with_next) {
    const double half = 0.5 * tau_ * inner_product(p_.data(), v(c), row);
    for (Index i = 0; i < row; ++i) w(c)[i] = tau_ * (p_[i] - half * v(c)[i]);
    std::fill(w(c) + row, w(c) + stride_, 0.0);
    std::copy_n(w(c), stride_, v(c) + stride_);
    std::copy_n(v(c), stride_, w(c) + stride_);
    for (Index i = 0; i < c; ++i) {
      double sum = 0.0;
      for (Index k = i; k < c; ++k) sum += T_[i][k] * minus_dots_[2 * k + 1];
      T_[i][c] = tau_ * sum;
    }
    T_[c][c] = tau_;
    if (!with_next) return;
    const double factor = w(c)[row - 1];
    for (Index i = 0; i < row; ++i) x_[i] -= factor * v(c)[i] + w(c)[i];
    make_vector(row - 1, c + 1);
  }

  /// The reflection that leaves of x a number on the diagonal and one beside it.
  void make_vector(Index row, Index c) {
    const Index last = row - 1;
    const double alpha = x_[last], square = inner_product(x_.data(), x_.data(), last);
    const bool reflects = square > negligible_square;
    const double beta = reflects ? -std::copysign(std::sqrt(alpha * alpha + square), alpha) : alpha;
    const double factor = reflects ? 1.0 / (alpha - beta) : 0.0;
    tau_ = reflects ? (beta - alpha) / beta : 0.0;
    for (Index i = 0; i < last; ++i) v(c)[i] = factor * x_[i];
    v(c)[last] = 1.0;
    std::fill(v(c) + row, v(c) + stride_, 0.0);
    form_.diagonal[at(row)] = x_[row];
    form_.beside[at(last)] = beta;
  }

  void update(Index row, Index count) {
    const Index rows = row + 1 - count;
    const MatrixView<double> left{left_.data(), 2 * count, rows, stride_, 1}, right{right_.data(), 2 * count, rows, stride_, 1};
    gemm_lower(-1.0, transposed(left), right, 1.0, {A_.data(), rows, rows, stride_, 1});
    mirror(rows);
    Matrix Yt(count, row), T = Matrix::filled(count, count, 0.0);
    for (Index c = 0; c < count; ++c) {
      std::copy_n(v(c), row, &Yt(c, 0));
      for (Index i = 0; i <= c; ++i) T(i, c) = T_[i][c];
    }
    form_.Q.add(0, std::move(Yt), std::move(T));
  }

  Index n_, stride_, pieces_ = 1;
  TridiagonalForm& form_;
  Buffer<double> A_;
  Buffer<double> left_, right_;  // v_c and w_c in turn: A is to lose leftᵀ right
  Buffer<double> sums_;
  Buffer<double> x_, p_;  // the row that is reduced, and a product with A
  double tau_ = 0.0;      // of the last vector
  double minus_dots_[2 * together];
  double T_[together][together];
};

}  // namespace

double unit_scale(double largest) {
  // The inverse of the scale is to be a number too.
  return largest > 0.0 ? std::ldexp(1.0, -std::clamp(std::ilogb(largest), -largest_exponent, largest_exponent)) : 1.0;
}

TridiagonalForm::TridiagonalForm(MatrixView<const double> A, double scale)
    : diagonal(at(A.rows())), beside(at(std::max<Index>(A.rows() - 1, 0))), Q(A.rows()) {
  Reduction(A, scale, *this).run();
  Q.finish();
}

}  // namespace gramian

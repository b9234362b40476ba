// SPDX-License-Identifier: BSD-3-Clause
// [CUP]: T is two blocks plus a matrix of rank one. With the eigenvectors of the blocks that is a diagonal matrix plus
// one of rank one, whose eigenvectors are multiplied by those of the blocks. Vectors are rows until the last product.
#include "linalg/tridiagonal_divide.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/view_ops.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/linalg/gemm.hpp"
#include "linalg/packed_lower.hpp"
#include "linalg/secular.hpp"
#include "linalg/tridiagonal_eigen.hpp"

namespace gramian {
namespace {

constexpr Index largest_leaf = 48;
constexpr Index slack = 16;  // rotations write whole SIMD vectors
constexpr double seconds_per_operation = 1.0 / 40e9;
constexpr double unit = 0.5 * std::numeric_limits<double>::epsilon();

/// Of which block a vector has parts.
enum class Reach { upper, both, lower };

void product(MatrixView<const double> A, MatrixView<const double> B, MatrixView<double> C) {
  if (C.empty()) return;
  // Rows of the result should be contiguous.
  C.col_stride() == 1 ? gemm(1.0, A, B, 0.0, C) : gemm(1.0, transposed(B), transposed(A), 0.0, transposed(C));
}

/// Two neighbouring blocks become one.
class Merge {
 public:
  /// values: of both blocks; from: their vectors in rows, each block's in its own columns; beside: what was torn.
  Merge(double* values, MatrixView<double> from, Index upper, double beside)
      : values_(values),
        from_(from),
        upper_(upper),
        size_(from.rows()),
        weight_(2.0 * std::fabs(beside)),
        z_(at(size_)),
        reach_(at(size_), Reach::upper) {
    const double half = std::sqrt(0.5);
    for (Index i = 0; i < size_; ++i) {
      z_[at(i)] = half * (i < upper_ ? from_(i, upper_ - 1) : std::copysign(1.0, beside) * from_(i, upper_));
      if (i >= upper_) reach_[at(i)] = Reach::lower;
    }
  }

  /// to: rows or columns, whichever is contiguous.
  void run(MatrixView<double> to) {
    deflate();
    const Index k = static_cast<Index>(kept_.size());
    std::vector<double> all(values_, values_ + size_);
    if (k > 0) multiply(to, all.data());
    for (Index i = k; i < size_; ++i) {
      const Index row = dropped_[at(i - k)];
      all[at(i)] = values_[row];
      copy_dropped(row, part(to, i, 1, 0, size_));
    }
    std::copy(all.begin(), all.end(), values_);
  }

 private:
  Reach& reach(Index row) { return reach_[at(row)]; }
  double& z(Index row) { return z_[at(row)]; }

  /// Vectors that serve the whole as they are: those that the matrix of rank one does not see, and one of two whose eigenvalues
  /// are so near to each other that it can be chosen that way.
  void deflate() {
    std::vector<Index> order(at(size_));
    std::iota(order.begin(), order.end(), Index(0));
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return values_[a] < values_[b]; });
    double largest = 0.0;
    for (Index i = 0; i < size_; ++i) largest = std::max({largest, std::fabs(values_[i]), weight_ * std::fabs(z(i))});
    const double negligible = 16.0 * unit * largest;
    Index last = -1;
    for (const Index row : order) {
      if (weight_ * std::fabs(z(row)) <= negligible) {
        dropped_.push_back(row);
        continue;
      }
      if (last >= 0) {
        const double length = std::sqrt(z(last) * z(last) + z(row) * z(row)), c = z(row) / length, s = z(last) / length;
        if (std::fabs((values_[row] - values_[last]) * c * s) <= negligible) {
          z(row) = length;
          rotate(last, row, c, s);
          dropped_.push_back(last);
        } else {
          kept_.push_back(last);
        }
      }
      last = row;
    }
    if (last >= 0) kept_.push_back(last);
  }

  void rotate(Index a, Index b, double c, double s) {
    const double below = values_[a], above = values_[b], sine = -s;
    values_[a] = c * c * below + s * s * above;
    values_[b] = s * s * below + c * c * above;
    if (reach(a) != reach(b)) {
      widen(a);
      widen(b);
    }
    const Index first = reach(a) == Reach::lower ? upper_ : 0, end = reach(a) == Reach::upper ? upper_ : size_;
    dense_ops().rotate({&from_(a, first), &from_(b, first) - &from_(a, first), end - first, 1, &c, &sine});
  }

  void widen(Index row) {
    if (reach(row) == Reach::upper) std::fill(&from_(row, upper_), &from_(row, 0) + size_, 0.0);
    if (reach(row) == Reach::lower) std::fill(&from_(row, 0), &from_(row, upper_), 0.0);
    reach(row) = Reach::both;
  }

  /// Those of `kept_` in the order of their reach, so that what a block has no part in is left out of its product.
  void multiply(MatrixView<double> to, double* values) {
    const Index k = static_cast<Index>(kept_.size());
    std::vector<double> poles(at(k)), z(at(k));
    for (Index i = 0; i < k; ++i) {
      poles[at(i)] = values_[kept_[at(i)]];
      z[at(i)] = z_[at(kept_[at(i)])];
    }
    std::vector<Index> position(at(k));
    Index next = 0, ends[3] = {};
    for (const Reach wanted : {Reach::upper, Reach::both, Reach::lower}) {
      for (Index i = 0; i < k; ++i) {
        if (reach(kept_[at(i)]) == wanted) position[at(i)] = next++;
      }
      ends[static_cast<int>(wanted)] = next;
    }
    Matrix U(k, k);
    {
      SecularEigen eigen(poles, z, weight_);
      eigen.write_vectors(position, U.view());
      std::copy(eigen.values.begin(), eigen.values.end(), values);
    }
    multiply_block(U, position, 0, ends[1], part(to, 0, k, 0, upper_), 0);
    multiply_block(U, position, ends[0], k - ends[0], part(to, 0, k, upper_, size_ - upper_), upper_);
  }

  void multiply_block(const Matrix& U, const std::vector<Index>& position, Index first, Index count, MatrixView<double> to,
                      Index column) {
    Matrix vectors(count, to.cols());
    parallel_for(U.cols(), 0.5e-9 * static_cast<double>(to.cols()), [&](Index i, int) {
      const Index row = position[at(i)] - first;
      if (row >= 0 && row < count) std::copy_n(&from_(kept_[at(i)], column), to.cols(), &vectors(row, 0));
    });
    product(part(U.view(), 0, U.rows(), first, count), vectors.view(), to);
  }

  void copy_dropped(Index row, MatrixView<double> to) {
    const Index first = reach(row) == Reach::lower ? upper_ : 0, end = reach(row) == Reach::upper ? upper_ : size_;
    for (Index j = 0; j < size_; ++j) to(0, j) = j >= first && j < end ? from_(row, j) : 0.0;
  }

  double* values_;
  MatrixView<double> from_;
  Index upper_, size_;
  double weight_;
  std::vector<double> z_;  // the matrix of rank one in the basis of the blocks' vectors, of length 1
  std::vector<Reach> reach_;
  std::vector<Index> kept_, dropped_;
};

class Division {
 public:
  Division(std::vector<double>& diagonal, std::vector<double>& beside)
      : n_(static_cast<Index>(diagonal.size())), values_(diagonal), beside_(beside), from_(n_, n_ + slack), to_(n_, n_ + slack) {
    while (pieces(n_, Index(1) << depth_) > largest_leaf) ++depth_;
  }

  Matrix run() {
    for (Index block = 1; block < Index(1) << depth_; ++block) {
      const Index row = start(block, depth_);
      const double torn = std::fabs(beside_[at(row - 1)]);
      values_[at(row - 1)] -= torn;
      values_[at(row)] -= torn;
    }
    const double side = static_cast<double>(n_ >> depth_);
    parallel_for(Index(1) << depth_, 20.0 * side * side * side * seconds_per_operation, [&](Index block, int) { solve(block); });
    for (Index level = depth_ - 1; level >= 0; --level) {
      poll_stop();
      merge_all(level);
      std::swap(from_, to_);
    }
    return std::move(from_);
  }

 private:
  static Index pieces(Index count, Index size) { return (count + size - 1) / size; }
  Index start(Index block, Index level) const { return block * n_ >> level; }

  void solve(Index block) {
    const Index first = start(block, depth_), size = start(block + 1, depth_) - first;
    std::vector<double> own(values_.begin() + first, values_.begin() + first + size);
    std::vector<double> between(beside_.begin() + first, beside_.begin() + first + std::max<Index>(size - 1, 0));
    RotatedVectors Q(size, size);
    for (Index i = 0; i < size; ++i) Q.at(i)[i] = 1.0;
    tridiagonal_eigen(own, between, Q);
    std::copy(own.begin(), own.end(), values_.begin() + first);
    for (Index i = 0; i < size; ++i) {
      if (depth_ > 0) std::copy_n(Q.at(i), size, &from_(first + i, first));
      for (Index j = 0; j < size && depth_ == 0; ++j) from_(j, i) = Q.at(i)[j];
    }
  }

  /// Where there are enough of them each on a thread of its own, else with all threads one after the other.
  void merge_all(Index level) {
    const Index count = Index(1) << level;
    const auto merge = [&](Index block, int) { merge_pair(block, level); };
    if (count >= 2 * max_workers()) {
      const double side = static_cast<double>(n_ >> level);
      parallel_for(count, side * side * side * seconds_per_operation, merge);
    } else {
      for (Index block = 0; block < count; ++block) merge(block, 0);
    }
  }

  void merge_pair(Index block, Index level) {
    const Index first = start(block, level), size = start(block + 1, level) - first;
    const Index upper = start(2 * block + 1, level + 1) - first;
    const MatrixView<double> to = part(to_.view(), first, size, first, size);
    Merge(&values_[at(first)], part(from_.view(), first, size, first, size), upper, beside_[at(first + upper - 1)])
        .run(level == 0 ? transposed(to) : to);
  }

  Index n_;
  Index depth_ = 0;
  std::vector<double>& values_;
  std::vector<double>& beside_;
  Matrix from_, to_;
};

}  // namespace

Matrix tridiagonal_divide(std::vector<double>& diagonal, std::vector<double>& beside) { return Division(diagonal, beside).run(); }

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/gemm.hpp"

#include <string>
#include <utility>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "linalg/packed_lower.hpp"

namespace gramian {
namespace {

constexpr Index tile = 192;         // rows and columns of C that a task takes
constexpr Index depth = 192;        // summands of a product at a time: a panel of them stays in the first-level cache
constexpr Index slice = 4 * depth;  // summands that are packed at a time
constexpr double small_operations = 4096.0;
constexpr double seconds_per_operation = 1.0 / 90e9;
constexpr double seconds_per_number = 0.4e-9;

Index pieces(Index count, Index size) { return (count + size - 1) / size; }

/// C = beta C, C = 0 for beta == 0.
void scale(double beta, MatrixView<double> C) {
  if (beta == 1.0) return;
  for (Index i = 0; i < C.rows(); ++i) {
    for (Index j = 0; j < C.cols(); ++j) C(i, j) = beta == 0.0 ? 0.0 : beta * C(i, j);
  }
}

void small_product(double alpha, MatrixView<const double> A, MatrixView<const double> B, MatrixView<double> C) {
  for (Index i = 0; i < C.rows(); ++i) {
    for (Index j = 0; j < C.cols(); ++j) {
      double sum = 0.0;
      for (Index k = 0; k < A.cols(); ++k) sum += A(i, k) * B(k, j);
      C(i, j) += alpha * sum;
    }
  }
}

/// Rows of a matrix as panels, `columns` long each.
class Panels {
 public:
  Panels(Index rows, Index columns)
      : stride_(columns * panel_rows), numbers_(checked_product(pieces(rows, panel_rows), stride_)) {}
  double* at(Index panel) { return numbers_.data() + panel * stride_; }
  Index stride() const { return stride_; }
  void load(MatrixView<const double> A, Index panel) {
    const Index row = panel * panel_rows;
    pack_panel(dense_ops(), part(A, row, std::min(panel_rows, A.rows() - row), 0, A.cols()), at(panel));
  }

 private:
  Index stride_;
  Buffer<double> numbers_;
};

/// C(rows of one tile, columns of one tile) in the making, row-major, `tile` numbers apart.
struct TileSums {
  double* sums;
  Index height;
  Index width;

  void clear() const {
    // Products are added in whole register blocks.
    for (Index i = 0; i < round_up(height, panel_rows); ++i) std::fill_n(sums + i * tile, round_up(width, panel_rows), 0.0);
  }

  /// sums += left right over `steps` summands; both panels begin with the first of them.
  void add(const double* left, Index left_stride, const double* right, Index right_stride, Index steps) const {
    for (Index k = 0; k < steps; k += depth) {
      for (Index j = 0; j < width; j += panel_rows) {
        dense_ops().add_product({left + k * panel_rows, left_stride, right + j / panel_rows * right_stride + k * panel_rows,
                                 std::min(depth, steps - k), sums + j, tile, height, std::min(panel_rows, width - j)});
      }
    }
  }

  void write(double alpha, double beta, MatrixView<double> C) const {
    for (Index i = 0; i < C.rows(); ++i) {
      const double* row = sums + i * tile;
      for (Index j = 0; j < C.cols(); ++j) C(i, j) = alpha * row[j] + (beta == 0.0 ? 0.0 : beta * C(i, j));
    }
  }
};

/// One product, cut into tiles of C. Symmetric ones have B = Aᵀ and only the tiles that touch the lower triangle.
class Product {
 public:
  Product(double alpha, MatrixView<const double> A, MatrixView<const double> B, MatrixView<double> C, bool symmetric)
      : alpha_(alpha), A_(A), Bt_(transposed(B)), C_(C), symmetric_(symmetric) {
    for (Index i = 0; i < pieces(C.rows(), tile); ++i) {
      for (Index j = 0; j < (symmetric ? i + 1 : pieces(C.cols(), tile)); ++j) tiles_.emplace_back(i * tile, j * tile);
    }
  }

  void run(double beta) {
    const Index k = A_.cols();
    // With few tiles and many summands the summands are what threads share.
    if (count() <= 4 && k >= 4 * slice) return run_split(beta);
    for (Index from = 0; from < k; from += slice) run_slice(from, std::min(slice, k - from), from == 0 ? beta : 1.0);
  }

 private:
  Index count() const { return static_cast<Index>(tiles_.size()); }
  double operations(Index steps) const {
    return 2.0 * static_cast<double>(std::min(tile, C_.rows())) * static_cast<double>(std::min(tile, C_.cols())) *
           static_cast<double>(steps);
  }
  MatrixView<double> tile_of(Index index) const {
    const auto [row, col] = tiles_[static_cast<std::size_t>(index)];
    return part(C_, row, std::min(tile, C_.rows() - row), col, std::min(tile, C_.cols() - col));
  }

  void run_slice(Index from, Index steps, double beta) {
    const MatrixView<const double> A = part(A_, 0, A_.rows(), from, steps), Bt = part(Bt_, 0, Bt_.rows(), from, steps);
    const Index left_count = pieces(A.rows(), panel_rows), right_count = symmetric_ ? 0 : pieces(Bt.rows(), panel_rows);
    Panels left(A.rows(), steps), right(symmetric_ ? 0 : Bt.rows(), steps);
    parallel_for(left_count + right_count, static_cast<double>(steps * panel_rows) * seconds_per_number,
                 [&](Index task, int) { task < left_count ? left.load(A, task) : right.load(Bt, task - left_count); });
    Panels& second = symmetric_ ? left : right;
    Buffer<double> scratch(max_workers() * tile * tile);
    parallel_for(count(), operations(steps) * seconds_per_operation, [&](Index task, int worker) {
      const auto [row, col] = tiles_[static_cast<std::size_t>(task)];
      const MatrixView<double> C = tile_of(task);
      const TileSums sums{scratch.data() + worker * tile * tile, C.rows(), C.cols()};
      sums.clear();
      sums.add(left.at(row / panel_rows), left.stride(), second.at(col / panel_rows), second.stride(), steps);
      write(sums, C, row == col, beta);
    });
  }

  /// The slices' sums are added in their order, whoever computed them.
  void run_split(double beta) {
    const Index k = A_.cols(), parts = std::min<Index>(16, k / slice), length = round_up(pieces(k, parts), depth);
    Buffer<double> sums(count() * parts * tile * tile);
    parallel_for(count() * parts, operations(length) * seconds_per_operation, [&](Index task, int) {
      const Index from = task % parts * length, to = std::min(k, from + length);
      const auto [row, col] = tiles_[static_cast<std::size_t>(task / parts)];
      const MatrixView<double> C = tile_of(task / parts);
      const TileSums partial{sums.data() + task * tile * tile, C.rows(), C.cols()};
      partial.clear();
      Panels left(C.rows(), depth), right(C.cols(), depth);
      for (Index at = from; at < to; at += depth) {
        const Index steps = std::min(depth, to - at);
        load(left, part(A_, row, C.rows(), at, steps));
        load(right, part(Bt_, col, C.cols(), at, steps));
        partial.add(left.at(0), left.stride(), right.at(0), right.stride(), steps);
      }
    });
    for (Index task = 0; task < count() * parts; ++task) {
      const auto [row, col] = tiles_[static_cast<std::size_t>(task / parts)];
      const TileSums partial{sums.data() + task * tile * tile, tile, tile};
      write(partial, tile_of(task / parts), symmetric_ && row == col, task % parts == 0 ? beta : 1.0);
    }
  }

  static void load(Panels& panels, MatrixView<const double> A) {
    for (Index panel = 0; panel < pieces(A.rows(), panel_rows); ++panel) panels.load(A, panel);
  }

  void write(const TileSums& sums, MatrixView<double> C, bool on_diagonal, double beta) const {
    if (!symmetric_ || !on_diagonal) return sums.write(alpha_, beta, C);
    for (Index i = 0; i < C.rows(); ++i) {
      const TileSums row{sums.sums + i * tile, 1, i + 1};
      row.write(alpha_, beta, part(C, i, 1, 0, i + 1));
    }
  }

  double alpha_;
  MatrixView<const double> A_;
  MatrixView<const double> Bt_;
  MatrixView<double> C_;
  bool symmetric_;
  std::vector<std::pair<Index, Index>> tiles_;  // the first row and column of each
};

void mirror(MatrixView<double> C) {
  const Index n = C.rows(), across = pieces(n, tile);
  parallel_for(across, static_cast<double>(n * tile / 2) * seconds_per_number, [&](Index block, int) {
    for (Index col = 0; col <= block * tile; col += tile) {
      for (Index i = block * tile; i < std::min(n, (block + 1) * tile); ++i) {
        for (Index j = col; j < std::min(i, col + tile); ++j) C(j, i) = C(i, j);
      }
    }
  });
}

std::string shape(MatrixView<const double> A) { return std::to_string(A.rows()) + " x " + std::to_string(A.cols()); }

}  // namespace

void gemm(double alpha, MatrixView<const double> A, MatrixView<const double> B, double beta, MatrixView<double> C) {
  require(A.cols() == B.rows() && C.rows() == A.rows() && C.cols() == B.cols(),
          "gemm: A is " + shape(A) + ", B is " + shape(B) + ", C is " + shape(C) + ": these shapes do not fit");
  if (C.empty()) return;
  const double operations = static_cast<double>(C.rows()) * static_cast<double>(C.cols()) * static_cast<double>(A.cols());
  if (alpha == 0.0 || A.cols() == 0) return scale(beta, C);
  if (operations <= small_operations) {
    scale(beta, C);
    return small_product(alpha, A, B, C);
  }
  Product(alpha, A, B, C, false).run(beta);
}

void gemm_symmetric(double alpha, MatrixView<const double> A, double beta, MatrixView<double> C, Triangle triangle) {
  require(C.rows() == A.rows() && C.cols() == A.rows(),
          "gemm_symmetric: A is " + shape(A) + ", C is " + shape(C) + ": these shapes do not fit");
  if (C.empty()) return;
  if (alpha == 0.0 || A.cols() == 0) {
    for (Index i = 0; i < C.rows(); ++i) scale(beta, part(C, i, 1, 0, i + 1));
  } else {
    Product(alpha, A, transposed(A), C, true).run(beta);
  }
  if (triangle == Triangle::full) mirror(C);
}

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/gemm.hpp"

#include <string>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "linalg/panel_tiles.hpp"

namespace gramian {
namespace {

constexpr Index tile = product_tile, depth = product_depth;
constexpr Index slice = 4 * depth;  // summands that are packed at a time
constexpr double small_operations = 4096.0;
constexpr double seconds_per_operation = 1.0 / 90e9;
constexpr double seconds_per_number = 0.4e-9;

/// C = beta C, C = 0 for beta == 0.
void scale(double beta, MatrixView<double> C) {
  if (beta == 1.0) return;
  for (Index i = 0; i < C.rows(); ++i) {
    for (Index j = 0; j < C.cols(); ++j) C(i, j) = beta == 0.0 ? 0.0 : beta * C(i, j);
  }
}

void scale_lower(double beta, MatrixView<double> C) {
  for (Index i = 0; i < C.rows(); ++i) scale(beta, part(C, i, 1, 0, i + 1));
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

/// All of C, its lower triangle, or that of a product with B = Aᵀ, which is packed once.
enum class Extent { full, lower, symmetric };

/// One product, cut into tiles of C.
class Product {
 public:
  Product(double alpha, MatrixView<const double> A, MatrixView<const double> B, MatrixView<double> C, Extent extent)
      : alpha_(alpha), A_(A), Bt_(transposed(B)), C_(C), lower_(extent != Extent::full), symmetric_(extent == Extent::symmetric) {
    for (Index i = 0; i < pieces(C.rows(), tile); ++i) {
      for (Index j = 0; j < (lower_ ? i + 1 : pieces(C.cols(), tile)); ++j) tiles_.emplace_back(i * tile, j * tile);
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
    parallel_for(count(), operations(steps) * seconds_per_operation, [&](Index task, int) {
      const auto [row, col] = tiles_[static_cast<std::size_t>(task)];
      const MatrixView<double> C = tile_of(task);
      const TileSums sums{tile_scratch(), C.rows(), C.cols()};
      sums.clear();
      add(sums, row == col, left.at(row / panel_rows), left.stride(), second.at(col / panel_rows), second.stride(), steps);
      write(sums, C, row == col, beta);
    });
  }

  /// The slices' sums are added in their order, whoever computed them.
  void run_split(double beta) {
    const Index k = A_.cols(), parts = std::min<Index>(16, k / slice), length = round_up(pieces(k, parts), depth);
    Buffer<double> sums(count() * parts * tile * tile);
    std::vector<Panels> lefts, rights;
    for (int worker = 0; worker < max_workers(); ++worker) {
      lefts.emplace_back(std::min(tile, C_.rows()), depth);
      rights.emplace_back(std::min(tile, C_.cols()), depth);
    }
    parallel_for(count() * parts, operations(length) * seconds_per_operation, [&](Index task, int worker) {
      const Index from = task % parts * length, to = std::min(k, from + length);
      const auto [row, col] = tiles_[static_cast<std::size_t>(task / parts)];
      const MatrixView<double> C = tile_of(task / parts);
      const TileSums partial{sums.data() + task * tile * tile, C.rows(), C.cols()};
      partial.clear();
      Panels& left = lefts[static_cast<std::size_t>(worker)];
      const bool same = symmetric_ && row == col;
      Panels& right = same ? left : rights[static_cast<std::size_t>(worker)];
      for (Index at = from; at < to; at += depth) {
        const Index steps = std::min(depth, to - at);
        load(left, part(A_, row, C.rows(), at, steps));
        if (!same) load(right, part(Bt_, col, C.cols(), at, steps));
        add(partial, row == col, left.at(0), left.stride(), right.at(0), right.stride(), steps);
      }
    });
    for (Index task = 0; task < count() * parts; ++task) {
      const auto [row, col] = tiles_[static_cast<std::size_t>(task / parts)];
      const TileSums partial{sums.data() + task * tile * tile, tile, tile};
      write(partial, tile_of(task / parts), row == col, task % parts == 0 ? beta : 1.0);
    }
  }

  static void load(Panels& panels, MatrixView<const double> A) {
    for (Index panel = 0; panel < pieces(A.rows(), panel_rows); ++panel) panels.load(A, panel);
  }

  void add(const TileSums& sums, bool on_diagonal, const double* left, Index left_stride, const double* right, Index right_stride,
           Index steps) const {
    lower_&& on_diagonal ? sums.add_lower(left, left_stride, right, right_stride, steps)
                         : sums.add(left, left_stride, right, right_stride, steps);
  }

  void write(const TileSums& sums, MatrixView<double> C, bool on_diagonal, double beta) const {
    if (!lower_ || !on_diagonal) return sums.write(alpha_, beta, C);
    for (Index i = 0; i < C.rows(); ++i) {
      const TileSums row{sums.sums + i * tile, 1, i + 1};
      row.write(alpha_, beta, part(C, i, 1, 0, i + 1));
    }
  }

  double alpha_;
  MatrixView<const double> A_;
  MatrixView<const double> Bt_;
  MatrixView<double> C_;
  bool lower_;
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

}  // namespace

void gemm(double alpha, MatrixView<const double> A, MatrixView<const double> B, double beta, MatrixView<double> C) {
  require(A.cols() == B.rows() && C.rows() == A.rows() && C.cols() == B.cols(),
          "gemm: A is " + shape_text(A) + ", B is " + shape_text(B) + ", C is " + shape_text(C) + ": these shapes do not fit");
  if (C.empty()) return;
  const double operations = static_cast<double>(C.rows()) * static_cast<double>(C.cols()) * static_cast<double>(A.cols());
  if (alpha == 0.0 || A.cols() == 0) return scale(beta, C);
  if (operations <= small_operations) {
    scale(beta, C);
    return small_product(alpha, A, B, C);
  }
  Product(alpha, A, B, C, Extent::full).run(beta);
}

void gemm_lower(double alpha, MatrixView<const double> A, MatrixView<const double> B, double beta, MatrixView<double> C) {
  require(
      A.cols() == B.rows() && C.rows() == A.rows() && C.cols() == B.cols() && C.rows() == C.cols(),
      "gemm_lower: A is " + shape_text(A) + ", B is " + shape_text(B) + ", C is " + shape_text(C) + ": these shapes do not fit");
  if (C.empty()) return;
  if (alpha == 0.0 || A.cols() == 0) return scale_lower(beta, C);
  Product(alpha, A, B, C, Extent::lower).run(beta);
}

void gemm_symmetric(double alpha, MatrixView<const double> A, double beta, MatrixView<double> C, Triangle triangle) {
  require(C.rows() == A.rows() && C.cols() == A.rows(),
          "gemm_symmetric: A is " + shape_text(A) + ", C is " + shape_text(C) + ": these shapes do not fit");
  if (C.empty()) return;
  if (alpha == 0.0 || A.cols() == 0) {
    scale_lower(beta, C);
  } else {
    Product(alpha, A, transposed(A), C, Extent::symmetric).run(beta);
  }
  if (triangle == Triangle::full) mirror(C);
}

}  // namespace gramian

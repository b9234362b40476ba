// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/product_tiles.hpp"

#include <atomic>
#include <cmath>
#include <vector>

#include "gramian/linalg/gemm.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using namespace gramian;
using naive::normal;
using Numbers = naive::Matrix<double>;

namespace {

/// All tiles in one matrix, and whether each entry came once, and tiles of the same rows and group from left to right.
struct Collected {
  Collected(MatrixView<const double> A, MatrixView<const double> B, Index groups)
      : numbers(A.rows(), B.cols()), counts(A.rows(), B.cols()) {
    std::vector<Index> last(static_cast<std::size_t>(A.rows() * groups), -1);
    ProductTiles(B).visit(A, groups, [&](const ProductTile& tile) {
      Index& before = last[static_cast<std::size_t>(tile.row * groups + tile.group)];  // of one thread at a time
      if (tile.col <= before) in_order_of_rows = false;
      before = tile.col;
      for (Index i = 0; i < tile.rows; ++i) {
        for (Index j = 0; j < tile.cols; ++j) {
          numbers(tile.row + i, tile.col + j) = tile.numbers[i * ProductTile::stride + j];
          counts(tile.row + i, tile.col + j) += 1.0;
        }
      }
    });
    for (Index row = 0; row < A.rows(); ++row) {
      for (Index group = 1; group < groups; ++group) {
        const Index before = last[static_cast<std::size_t>(row * groups + group - 1)],
                    here = last[static_cast<std::size_t>(row * groups + group)];
        if (here < before) in_order_of_rows = false;
      }
    }
  }
  Numbers numbers, counts;
  std::atomic<bool> in_order_of_rows{true};
};

double difference(MatrixView<const double> A, MatrixView<const double> B, const Numbers& found) {
  Numbers expected(A.rows(), B.cols());
  gemm(1.0, A, B, 0.0, expected.view);
  double worst = 0.0;
  for (std::size_t i = 0; i < found.numbers.size(); ++i) {
    worst = std::max(worst, std::fabs(found.numbers[i] - expected.numbers[i]));
  }
  return worst;
}

}  // namespace

TEST(tiles_are_those_of_the_product) {
  for (const Index rows : {1, 23, 192, 250}) {
    for (const Index steps : {1, 40, 3100}) {  // the last ones in two slices
      for (const Index cols : {1, 193, 500}) {
        const auto A = normal<double>(rows, steps, 1), B = normal<double>(cols, steps, 2);
        const MatrixView<const double> Bt = transposed(MatrixView<const double>(B.view));
        const Index groups = ProductTiles(Bt).groups(rows);
        CHECK(groups >= 1 && groups <= (cols + 191) / 192);
        for (const Index asked : {Index(1), groups}) {
          const Collected found(A.view, Bt, asked);
          CHECK(difference(A.view, Bt, found.numbers) <= 1e-11);
          for (const double count : found.counts.numbers) CHECK_EQ(count, 1.0);
          CHECK(found.in_order_of_rows);
        }
      }
    }
  }
}

TEST(many_rows_are_not_cut_by_columns) {
  const auto B = normal<double>(3, 4000, 3);
  CHECK_EQ(ProductTiles(B.view).groups(16 * 192), 1);
  CHECK_EQ(ProductTiles(B.view).groups(1), 16);
}

TEST(a_product_without_summands_is_zero) {
  const Numbers A(5, 0), B(0, 7);
  const Collected found(A.view, B.view, 1);
  for (const double number : found.numbers.numbers) CHECK_EQ(number, 0.0);
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// The walk: which tiles meet, what they add up to, and what is kept of them.
#include "gram/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using namespace gramian;

namespace {

using Numbers = std::vector<double>;
const Kernel kernel("gaussian", {0.3});

/// What a visit counts for entry (i, j): once for each pair of one set, whichever of them comes first.
Numbers counted(Sweep<double>& sweep) {
  const Index n = sweep.tiles().rows(), m = sweep.tiles().cols();
  Numbers times(static_cast<std::size_t>(n * m), 0.0);
  sweep.evaluate(0, [&](const TileVisit& visit, const double*) {  // visits share no entry
    for (Index i = 0; i < visit.block.height; ++i) {
      for (Index j = 0; j < visit.block.width; ++j)
        times[static_cast<std::size_t>((visit.block.row + i) * m + visit.block.col + j)] += 1;
    }
  });
  return times;
}

Numbers product_of(Sweep<double>& sweep, const naive::Matrix<double>& V) {
  naive::Matrix<double> out(sweep.tiles().rows(), V.view.cols());
  sweep.product(V.view, out.view);
  return out.numbers;
}

/// K V, of which the first `columns` rows or columns count.
bool is_product(const Numbers& got, const naive::Matrix<double>& X, const naive::Matrix<double>& V, Index columns) {
  const MatrixView<const double> points = X.view;
  for (Index i = 0; i < points.rows(); ++i) {
    for (Index c = 0; c < V.view.cols(); ++c) {
      double sum = 0.0, size = 1.0;
      for (Index j = 0; j < points.rows(); ++j) {
        const double term = std::min(i, j) < columns ? naive::gaussian(points, i, points, j, 0.3) * V.view(j, c) : 0.0;
        sum += term;
        size += std::fabs(term);
      }
      if (!(std::fabs(got[static_cast<std::size_t>(i * V.view.cols() + c)] - sum) <= 1e-14 * size)) return false;
    }
  }
  return true;
}

}  // namespace

TEST(every_pair_is_visited_once) {
  for (const Index n : {1, 47, 205, 401}) {
    const naive::Matrix<double> X = naive::normal<double>(n, 2, 1), Y = naive::normal<double>(97, 2, 2);
    const KernelTiles<double> one(kernel, PairSource<double>(Points(X.view))),
        two(kernel, PairSource<double>(Points(X.view), Points(Y.view)));
    Sweep<double> same(one), cross(two);
    for (const double times : counted(cross)) CHECK_EQ(times, 1.0);
    const Numbers times = counted(same);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < i; ++j) {
        const double both = times[static_cast<std::size_t>(i * n + j)] + times[static_cast<std::size_t>(j * n + i)];
        CHECK_EQ(both, i / same.step() == j / same.step() ? 2.0 : 1.0);
      }
    }
  }
}

TEST(sums_of_both_sides_add_up) {
  // Few numbers are summed in pieces, many in one set.
  for (const Index numbers : {8, 40000}) {
    const naive::Matrix<double> X = naive::normal<double>(401, 2, 3), Y = naive::normal<double>(97, 2, 4);
    const KernelTiles<double> one(kernel, PairSource<double>(Points(X.view))),
        two(kernel, PairSource<double>(Points(X.view), Points(Y.view)));
    for (const KernelTiles<double>* tiles : {&one, &two}) {
      Sweep<double> sweep(*tiles);
      // Long enough to be shared out.
      sweep.sum({1e-3, numbers, 1, 0, false}, [](const TileVisit& visit) {
        visit.sums->tile(visit.row_tile)[0] += static_cast<double>(1 + visit.block.col);
        if (!visit.diagonal) visit.sums->tile(visit.col_tile)[1] += static_cast<double>(1 + visit.block.row);
      });
      double left = 0.0, right = 0.0, expected_left = 0.0, expected_right = 0.0;
      for (Index t = 0; t < sweep.sums().tiles(); ++t) left += sweep.sums().tile(t)[0], right += sweep.sums().tile(t)[1];
      for (Index i = 0; i < sweep.row_tiles(); ++i) {
        const bool same = tiles == &one;
        for (Index j = 0; j < (same ? i + 1 : sweep.col_tiles()); ++j) {
          expected_left += static_cast<double>(1 + j * sweep.step());
          if (!same || i != j) expected_right += static_cast<double>(1 + i * sweep.step());
        }
      }
      CHECK_EQ(left, expected_left);
      CHECK_EQ(right, expected_right);
    }
  }
}

TEST(products_are_those_of_a_double_loop_kept_or_not) {
  for (const Index n : {30, 205, 450}) {
    const naive::Matrix<double> X = naive::normal<double>(n, 3, 5), V = naive::normal<double>(n, 2, 6);
    const KernelTiles<double> tiles(kernel, PairSource<double>(Points(X.view)));
    KeptTiles kept(n);
    Sweep<double> fresh(tiles), keeping(tiles, &kept);
    const Numbers expected = product_of(fresh, V);
    CHECK(is_product(expected, X, V, n));
    CHECK(product_of(keeping, V) == expected);  // fills
    CHECK(product_of(keeping, V) == expected);  // reads
    CHECK(check::same_for_any_threads([&] { return product_of(fresh, V); }));
  }
}

TEST(kept_tiles_are_read_until_they_are_forgotten) {
  const naive::Matrix<double> X = naive::normal<double>(130, 3, 7), V = naive::normal<double>(130, 1, 8);
  const KernelTiles<double> tiles(kernel, PairSource<double>(Points(X.view)));
  KeptTiles kept(130);
  Sweep<double> sweep(tiles, &kept);
  sweep.keep();
  kept.tile(0, 0)[1] += 1.0;
  CHECK(!is_product(product_of(sweep, V), X, V, 130));
  kept.forget();
  CHECK(is_product(product_of(sweep, V), X, V, 130));
}

TEST(tiles_beyond_the_columns_that_are_wanted_are_left_out) {
  const naive::Matrix<double> X = naive::normal<double>(200, 3, 9), V = naive::normal<double>(200, 2, 10);
  const KernelTiles<double> tiles(kernel, PairSource<double>(Points(X.view)));
  KeptTiles kept(200);
  Sweep<double> sweep(tiles, &kept);
  sweep.keep_anew(2 * sweep.step());
  CHECK(is_product(product_of(sweep, V), X, V, 2 * sweep.step()));
  sweep.keep_anew(200);
  CHECK(is_product(product_of(sweep, V), X, V, 200));
}

TEST(another_kernel_in_the_same_workspace) {
  const naive::Matrix<double> X = naive::normal<double>(205, 3, 11), V = naive::normal<double>(205, 2, 12);
  const KernelTiles<double> wide(Kernel("matern52", {0.1}) * Kernel("linear", {}), PairSource<double>(Points(X.view))),
      tiles(kernel, PairSource<double>(Points(X.view)));
  Sweep<double> sweep(wide);
  CHECK(!is_product(product_of(sweep, V), X, V, 205));
  sweep.bind(tiles, nullptr);
  CHECK(is_product(product_of(sweep, V), X, V, 205));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Sums against packed supports, in both ways of computing them: naive sums, and the bits of a sweep over the tiles of K(S, X).
#include "gram/support_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gram/sweep.hpp"
#include "gramian/gram/product.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/kernel_samples.hpp"
#include "support/sum_error.hpp"

using namespace gramian;

namespace {

const std::vector<Index> row_counts = {1, 2, 3, 4, 7, 8, 11, 12, 13, 17, 300};

struct Problem {
  Problem(Index n, Index m, Index d, Index vectors)
      : X(naive::normal<double>(n, d, 1, 0.3)), S(naive::normal<double>(m, d, 2, 0.3)), W(naive::normal<double>(m, vectors, 3)) {
    for (Index k = 0; k < d && m > 0; ++k) X(n - 1, k) = S(m / 2, k);  // a sample that is a support
  }
  Index vectors() const { return W.view.cols(); }
  SupportTiles tiles(const Kernel& kernel) const { return {kernel, S.view, W.view, {"supports", "weights"}}; }

  std::vector<double> predicted(const SupportTiles& tiles, Index first, Index rows) const {
    naive::Matrix<double> out(rows, vectors());
    tiles.apply(rows_of<const double>(X.view, first, rows), {out.view});
    return out.numbers;
  }
  /// One walk over the tiles of K(S, X), all points along the vectors.
  std::vector<double> swept(const Kernel& kernel) const {
    naive::Matrix<double> out(X.view.rows(), vectors());
    const KernelTiles<double> transposed(kernel, PairSource<double>(Points(X.view), Points(S.view)).transposed(), true);
    Sweep<double>(transposed).product_over<true>(W.view, out.view);
    return out.numbers;
  }

  naive::Matrix<double> X, S, W;
};

void compare_bits(const naive::Expression& e, const Problem& p) {
  const Kernel kernel = naive::kernel_of(e);
  const SupportTiles tiles = p.tiles(kernel);
  const std::vector<double> batch = p.swept(kernel);
  bool same = true;
  const auto compare = [&](Index first, Index rows) {
    const std::vector<double> some = p.predicted(tiles, first, rows);
    same = same && std::equal(some.begin(), some.end(), batch.begin() + first * p.vectors());
  };
  const Index n = p.X.view.rows();
  for (const Index rows : row_counts) {
    if (rows <= n) compare(0, rows), compare(n - rows, rows);
  }
  check::that(same, "the bits of a sweep: " + e.name, __FILE__, __LINE__);
}

/// In units of what rounding allows.
double worst_error(const naive::Expression& e, const Problem& p, const std::vector<double>& out) {
  const naive::Numbers origin = naive::mean(naive::points(p.S.view), p.S.view.cols());
  return naive::worst_error_of_sums(e, {p.X.view, p.S.view, p.W.view}, origin, out);
}

}  // namespace

TEST(values_are_those_of_the_double_loop) {
  const Problem few(5, 61, 3, 2), many(30, 61, 3, 2);
  for (const naive::Expression& e : naive::all_samples(3)) {
    for (const Problem* p : {&few, &many}) {
      std::vector<double> out = p->predicted(p->tiles(naive::kernel_of(e)), 0, p->X.view.rows());
      check::that(worst_error(e, *p, out) <= 1.0, "the double loop: " + e.name, __FILE__, __LINE__);
      out[1] += 1e-6 * (1.0 + std::fabs(out[1]));
      check::that(worst_error(e, *p, out) > 1.0, "an error is seen: " + e.name, __FILE__, __LINE__);
    }
  }
}

TEST(every_kernel_has_the_bits_of_a_sweep_for_any_number_of_rows) {
  const Problem p(300, 211, 5, 3);
  for (const naive::Expression& e : naive::all_samples(5)) compare_bits(e, p);
}

TEST(any_shape_has_the_bits_of_a_sweep) {
  const naive::Expression gaussian = naive::leaf("gaussian", {0.3}), tensor = naive::leaf("tensor_matern3", {0.4});
  for (const Index vectors : {1, 2, 7, 8, 9, 10, 16, 17, 24, 31, 32, 33, 70})
    compare_bits(gaussian, Problem(17, 100, 4, vectors));
  for (const Index m : {1, 2, 7, 8, 9, 48, 49, 191, 192, 193, 400, 401, 577, 3001}) compare_bits(gaussian, Problem(17, m, 4, 2));
  for (const Index d : {1, 2, 31, 32, 33, 64, 65, 400}) {
    compare_bits(gaussian, Problem(17, 100, d, 2));
    compare_bits(tensor, Problem(17, 100, d, 2));
  }
}

TEST(bits_do_not_depend_on_the_number_of_threads) {
  const Problem p(3000, 700, 4, 3);
  const SupportTiles tiles = p.tiles(Kernel("matern52", {1.3}));
  CHECK(check::same_for_any_threads([&] { return p.predicted(tiles, 0, 3000); }));
}

TEST(without_supports_sums_are_zero) {
  const Problem p(20, 0, 3, 2);
  const SupportTiles tiles = p.tiles(Kernel("gaussian", {0.3}));
  for (const Index rows : {1, 20})
    CHECK(p.predicted(tiles, 0, rows) == std::vector<double>(static_cast<std::size_t>(2 * rows), 0.0));
}

TEST(sums_go_to_their_columns_or_are_added) {
  const Problem p(20, 30, 3, 2);
  const SupportTiles tiles = p.tiles(Kernel("gaussian", {0.3}));
  const std::vector<Index> columns = {3, 1};
  for (const Index rows : {5, 20}) {
    const std::vector<double> sums = p.predicted(tiles, 0, rows);
    Matrix out = Matrix::filled(rows, 4, 0.5);
    tiles.apply(rows_of<const double>(p.X.view, 0, rows), {out.view(), true, &columns});
    for (Index i = 0; i < rows; ++i) {
      CHECK(out(i, 0) == 0.5 && out(i, 2) == 0.5);
      CHECK_EQ(out(i, 3), 0.5 + sums[static_cast<std::size_t>(2 * i)]);
      CHECK_EQ(out(i, 1), 0.5 + sums[static_cast<std::size_t>(2 * i + 1)]);
    }
  }
}

TEST(a_room_within_a_room_is_another_one) {
  PredictionRoomScope outer;
  PredictionRoom* const first = &*outer;
  PredictionRoom* second = nullptr;
  {
    PredictionRoomScope inner;
    second = &*inner;
    CHECK(second != first);
  }
  PredictionRoomScope again;
  CHECK(&*again == second);
}

TEST_MAIN

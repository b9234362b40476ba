// SPDX-License-Identifier: BSD-3-Clause
// Sums against supports that are sparse, or known by inner products: naive sums, and rows that do not depend on each other.
#include "gram/inner_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/kernel_samples.hpp"
#include "support/sum_error.hpp"
#include "support/message.hpp"
#include "support/sparse_copy.hpp"

using namespace gramian;

namespace {

/// Two thirds of the entries are zeros, and a sample is a support.
naive::Matrix<double> gappy(Index rows, Index cols, std::uint64_t seed) {
  naive::Matrix<double> X = naive::normal<double>(rows, cols, seed, 0.3);
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k < cols; ++k) X(i, k) = (i + 2 * k) % 3 == 0 ? X(i, k) : 0.0;
  }
  return X;
}

struct Problem {
  Problem(Index n, Index m, Index d, Index vectors)
      : X(gappy(n, d, 1)),
        S(gappy(m, d, 2)),
        W(naive::normal<double>(m, vectors, 3)),
        inner(n, m),
        x_squares(n, 1),
        s_squares(m, 1),
        weights(std::make_shared<const PackedWeights>(W.view, "weights")) {
    for (Index k = 0; k < d && m > 0; ++k) X(n - 1, k) = S(m / 2, k);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < m; ++j) inner(i, j) = dot(X.view, i, S.view, j);
      x_squares(i, 0) = dot(X.view, i, X.view, i);
    }
    for (Index j = 0; j < m; ++j) s_squares(j, 0) = dot(S.view, j, S.view, j);
    sparse_X = naive::sparse_of(X);
    sparse_S = naive::sparse_of(S);
  }

  static double dot(MatrixView<double> A, Index i, MatrixView<double> B, Index j) {
    double sum = 0.0;
    for (Index k = 0; k < A.cols(); ++k) sum += A(i, k) * B(j, k);
    return sum;
  }

  Index vectors() const { return W.view.cols(); }
  InnerTiles tiles(const Kernel& kernel) const { return {kernel, weights}; }

  std::vector<double> of_sparse(const InnerTiles& tiles, const SparseColumns& columns, Index first, Index rows) const {
    naive::Matrix<double> out(rows, vectors());
    SparseRows<double> some = sparse_X.rows();
    some.rows = rows, some.row_start += first;
    tiles.apply(some, columns, {out.view});
    return out.numbers;
  }
  std::vector<double> of_products(const InnerTiles& tiles, Index first, Index rows) const {
    naive::Matrix<double> out(rows, vectors());
    const InnerProducts<double> some(rows_of<const double>(inner.view, first, rows),
                                     rows_of<const double>(x_squares.view, first, rows), s_squares.view);
    tiles.apply(some, {out.view});
    return out.numbers;
  }

  naive::Matrix<double> X, S, W, inner, x_squares, s_squares;
  naive::Sparse<double> sparse_X, sparse_S;
  std::shared_ptr<const PackedWeights> weights;
};

/// In units of what rounding allows.
double worst_error(const naive::Expression& e, const Problem& p, const std::vector<double>& out) {
  const naive::Numbers origin(static_cast<std::size_t>(p.X.view.cols()), 0.0L);
  return naive::worst_error_of_sums(e, {p.X.view, p.S.view, p.W.view}, origin, out);
}

/// Any rows have the bits that they have among all.
void compare_bits(const naive::Expression& e, const Problem& p) {
  const InnerTiles tiles = p.tiles(naive::kernel_of(e));
  const SparseColumns columns(p.sparse_S.rows(), "S");
  const Index n = p.X.view.rows();
  const std::vector<double> sparse = p.of_sparse(tiles, columns, 0, n), products = p.of_products(tiles, 0, n);
  bool same = true;
  const auto compare = [&](const std::vector<double>& all, const std::vector<double>& some, Index first) {
    same = same && std::equal(some.begin(), some.end(), all.begin() + first * p.vectors());
  };
  for (const Index rows : {1, 2, 3, 5, 7, 8, 9, 17}) {
    for (const Index first : {Index(0), n - rows}) {
      compare(sparse, p.of_sparse(tiles, columns, first, rows), first);
      compare(products, p.of_products(tiles, first, rows), first);
    }
  }
  check::that(same, "one row and a batch: " + e.name, __FILE__, __LINE__);
}

}  // namespace

TEST(values_are_those_of_the_double_loop) {
  const Problem p(11, 61, 7, 2);
  const SparseColumns columns(p.sparse_S.rows(), "S");
  for (const naive::Expression& e : naive::inner_product_samples()) {
    const InnerTiles tiles = p.tiles(naive::kernel_of(e));
    std::vector<double> out = p.of_sparse(tiles, columns, 0, 11);
    check::that(worst_error(e, p, out) <= 1.0, "sparse rows: " + e.name, __FILE__, __LINE__);
    out[1] += 1e-6 * (1.0 + std::fabs(out[1]));
    check::that(worst_error(e, p, out) > 1.0, "an error is seen: " + e.name, __FILE__, __LINE__);
    check::that(worst_error(e, p, p.of_products(tiles, 0, 11)) <= 1.0, "inner products: " + e.name, __FILE__, __LINE__);
  }
}

TEST(a_row_does_not_depend_on_others) {
  const Problem p(40, 211, 5, 3);
  for (const naive::Expression& e : naive::inner_product_samples()) compare_bits(e, p);
}

TEST(any_shape_is_right) {
  const naive::Expression gaussian = naive::leaf("gaussian", {0.3});
  for (const Index vectors : {1, 2, 7, 8, 9, 16, 17, 33}) compare_bits(gaussian, Problem(17, 100, 4, vectors));
  for (const Index m : {1, 2, 15, 16, 17, 191, 192, 193, 1535, 1536, 1537, 4000}) {
    const Problem p(17, m, 4, 2);
    compare_bits(gaussian, p);
    const SparseColumns columns(p.sparse_S.rows(), "S");
    CHECK(worst_error(gaussian, p, p.of_sparse(p.tiles(Kernel("gaussian", {0.3})), columns, 0, 17)) <= 1.0);
  }
}

TEST(a_sample_has_no_distance_from_itself) {
  const Problem p(1, 60, 9, 1);
  const SparseColumns columns(p.sparse_S.rows(), "S");
  std::vector<double> one(60, 0.0);
  one[30] = 1.0;
  const InnerTiles tiles(Kernel("laplacian", {2.0}),
                         std::make_shared<const PackedWeights>(MatrixView<const double>(one.data(), 60, 1), "weights"));
  CHECK_EQ(p.of_sparse(tiles, columns, 0, 1).front(), 1.0);
}

TEST(bits_do_not_depend_on_the_number_of_threads) {
  const Problem p(3000, 300, 4, 3);
  const InnerTiles tiles = p.tiles(Kernel("matern52", {1.3}));
  const SparseColumns columns(p.sparse_S.rows(), "S");
  CHECK(check::same_for_any_threads([&] { return p.of_sparse(tiles, columns, 0, 3000); }));
  CHECK(check::same_for_any_threads([&] { return p.of_products(tiles, 0, 3000); }));
}

TEST(without_supports_sums_are_zero) {
  const Problem p(9, 0, 3, 2);
  const InnerTiles tiles = p.tiles(Kernel("gaussian", {0.3}));
  CHECK(p.of_sparse(tiles, SparseColumns(p.sparse_S.rows(), "S"), 0, 9) == std::vector<double>(18, 0.0));
  CHECK(p.of_products(tiles, 0, 9) == std::vector<double>(18, 0.0));
}

TEST(kernels_of_coordinates_are_refused) {
  const Problem p(2, 3, 2, 1);
  for (const Kernel& kernel : {Kernel("laplacian_l1", {0.3}), Kernel("gaussian", {0.3}, {1.0, 2.0})}) {
    CHECK(!takes_inner_products(kernel.node()));
    CHECK(check::message_of([&] { p.tiles(kernel); }) == kernel_needs_coordinates);
  }
  CHECK(takes_inner_products((Kernel("gaussian", {0.3}) + Kernel("linear", {})).node()));
}

TEST(rows_that_are_wrong_are_named) {
  Problem p(20, 30, 3, 2);
  const InnerTiles tiles = p.tiles(Kernel("gaussian", {0.3})), steep = p.tiles(Kernel("polynomial", {40, 1.0, 0.0}));
  const SparseColumns columns(p.sparse_S.rows(), "S");
  const auto with = [&](double value) {
    naive::Sparse<double> X = p.sparse_X;
    X.values[static_cast<std::size_t>(X.start[13])] = value;
    return X;
  };
  Matrix out(20, 2);
  const auto apply = [&](const InnerTiles& on, const naive::Sparse<double>& X) {
    return check::message_of([&] { on.apply(X.rows(), columns, {out.view()}, 100); });
  };
  CHECK_EQ(apply(tiles, with(std::nan(""))), std::string("row 113 of X has an entry that is not finite"));
  CHECK_EQ(apply(tiles, with(1e200)), std::string("X has an entry in row 113 whose square overflows"));
  CHECK_EQ(apply(steep, with(1e30)), std::string(overflow_message));
  p.inner(3, 4) = std::nan("");
  CHECK(check::message_of([&] { p.of_products(tiles, 0, 20); }).find("not finite") != std::string::npos);
  p.inner(3, 4) = 1.0;
  p.s_squares(5, 0) = -1.0;
  CHECK(check::message_of([&] { p.of_products(tiles, 0, 20); }).find("a squared norm is negative") != std::string::npos);
}

TEST_MAIN

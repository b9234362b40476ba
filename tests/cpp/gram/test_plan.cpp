// SPDX-License-Identifier: BSD-3-Clause
// Products of a plan and its stored triangle, for every kernel and every kind of points.
#include "gramian/gram/plan.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/product.hpp"
#include "support/check.hpp"
#include "support/kernel_samples.hpp"
#include "support/naive.hpp"
#include "support/naive_kernels.hpp"

using gramian::GramPlan;
using gramian::Index;
using gramian::InnerProducts;
using gramian::Kernel;
using gramian::MatrixView;
using gramian::set_num_threads;
using gramian::SparseRows;
using gramian::TileStorage;
using naive::Expression;
using naive::Matrix;
using naive::Real;

namespace {

constexpr TileStorage storages[] = {TileStorage::keep, TileStorage::recompute};

std::string text(TileStorage storage) { return storage == TileStorage::keep ? ", tiles kept" : ", tiles evaluated anew"; }

/// K V from the double loop, and by how much any order of summation of values that are off by their own errors may differ.
void check_product(const Expression& e, const Matrix<double>& X, const Matrix<double>& V, const Matrix<double>& out,
                   const std::string& what) {
  const std::vector<naive::Numbers> x = naive::points(X.view);
  const naive::Numbers centre = naive::mean(x, X.view.cols());
  const Real u = naive::unit_roundoff<double>;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (Index c = 0; c < V.view.cols(); ++c) {
      Real sum = 0, error = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        const naive::Bounded k = naive::with_error(e, x[i], x[j], centre, u);
        const Real v = V.view(static_cast<Index>(j), c);
        sum += k.value * v;
        error += (k.error + static_cast<Real>(x.size()) * u * std::fabs(k.value)) * std::fabs(v);
      }
      const double got = out.view(static_cast<Index>(i), c);
      if (std::fabs(static_cast<Real>(got) - sum) <= error) continue;
      check::fail(__FILE__, __LINE__, e.name + what + ": " + check::show(got) + " and " + check::show(sum));
      return;
    }
  }
}

void check_lower(const Expression& e, GramPlan& plan, const Matrix<double>& X, const std::string& what) {
  const Index n = X.view.rows();
  constexpr double mark = -12345.0;
  Matrix<double> K(n, n), wanted(n, n);
  for (double& k : K.numbers) k = mark;
  plan.store_lower(K.view);
  gramian::full(naive::kernel_of(e), X.view, wanted.view);
  double worst = 0.0;
  bool upper_left_alone = true;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) worst = std::fmax(worst, std::fabs(K(i, j) - wanted(i, j)));
    for (Index j = i + 1; j < n; ++j) upper_left_alone = upper_left_alone && K(i, j) == mark;
  }
  check::that(worst == 0.0, e.name + what + ": the triangle is off by " + check::show(worst), __FILE__, __LINE__);
  CHECK(upper_left_alone);
}

/// Some points twice.
Matrix<double> sample_points(Index n, Index d, std::uint64_t seed) {
  auto X = naive::normal<double>(n, d, seed);
  for (Index i = 0; i + 2 < n; i += 7) {
    for (Index k = 0; k < d; ++k) X(i + 2, k) = X(i, k);
  }
  return X;
}

/// |a - b| against the sum of |V|, which bounds K V of kernels that are bounded by 1.
double gap(const Matrix<double>& a, const Matrix<double>& b, const Matrix<double>& V) {
  double worst = 0.0, size = 1e-300;
  for (const double v : V.numbers) size += std::fabs(v);
  for (std::size_t i = 0; i < a.numbers.size(); ++i) worst = std::fmax(worst, std::fabs(a.numbers[i] - b.numbers[i]));
  return worst / size;
}

}  // namespace

TEST(every_kernel_is_that_of_the_double_loop) {
  for (const Index n : {1, 2, 3, 53}) {
    const auto X = sample_points(n, 3, 201), V = naive::normal<double>(n, 2, 202);
    for (const Expression& e : naive::all_samples(3)) {
      std::vector<std::vector<double>> seen;
      for (const TileStorage storage : storages) {
        GramPlan plan(naive::kernel_of(e), n, 3, storage);
        CHECK_EQ(plan.size(), n);
        plan.move_to(X.view);
        Matrix<double> first(n, 2), second(n, 2);
        plan.product(V.view, first.view);
        plan.product(V.view, second.view);
        check_product(e, X, V, first, text(storage));
        CHECK(first.numbers == second.numbers);
        check_lower(e, plan, X, text(storage));
        seen.push_back(first.numbers);
      }
      check::that(seen[0] == seen[1], e.name + ": kept tiles change bits", __FILE__, __LINE__);
    }
  }
}

TEST(sizes_around_tiles_and_any_width_agree_with_product) {
  const Kernel kernel("gaussian", {0.4});
  for (const Index n : {47, 48, 49, 95, 96, 97, 144, 200, 385, 399, 400, 401, 409, 1000, 3001}) {
    const auto X = naive::normal<double>(n, 2, 203);
    GramPlan kept(kernel, n, 2, TileStorage::keep), anew(kernel, n, 2, TileStorage::recompute);
    kept.move_to(X.view);
    anew.move_to(X.view);
    const Index widest = n < 400 ? 13 : 5;
    for (Index vectors = 1; vectors <= widest; ++vectors) {  // a plan takes them as they come
      const auto V = naive::normal<double>(n, vectors, 204);
      Matrix<double> one(n, vectors), two(n, vectors), wanted(n, vectors);
      kept.product(V.view, one.view);
      anew.product(V.view, two.view);
      gramian::product(kernel, X.view, V.view, wanted.view);
      CHECK(one.numbers == two.numbers);
      CHECK(gap(one, wanted, V) <= 1e-14);
    }
  }
}

TEST(the_first_product_may_come_after_the_triangle) {
  const Index n = 210;
  const auto X = naive::normal<double>(n, 2, 205), V = naive::normal<double>(n, 3, 206);
  const Expression e = naive::leaf("matern32", {0.8});
  for (const TileStorage storage : storages) {
    GramPlan plan(naive::kernel_of(e), n, 2, storage);
    plan.move_to(X.view);
    check_lower(e, plan, X, text(storage));
    Matrix<double> out(n, 3), wanted(n, 3);
    plan.product(V.view, out.view);
    gramian::product(naive::kernel_of(e), X.view, V.view, wanted.view);
    CHECK(gap(out, wanted, V) <= 1e-14);
  }
}

TEST(kept_tiles_are_the_triangle) {
  for (const Index n : {1, 47, 50, 130, 410}) {
    const auto X = sample_points(n, 2, 219), V = naive::normal<double>(n, 1, 220);
    GramPlan plan(Kernel("laplacian_l1", {0.7}), n, 2, TileStorage::keep);
    Matrix<double> K(n, n), out(n, 1);
    for (const bool used_before : {false, true}) {
      plan.move_to(X.view);
      if (used_before) plan.product(V.view, out.view);
      const gramian::GramTiles tiles = plan.kept_tiles();
      plan.store_lower(K.view);
      bool same = true;
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j <= i; ++j) {
          const double* tile = tiles.tile(i / tiles.step, j / tiles.step);
          same = same && tile[i % tiles.step * tiles.stride + j % tiles.step] == K(i, j);
          if (i / tiles.step == j / tiles.step) same = same && tile[j % tiles.step * tiles.stride + i % tiles.step] == K(i, j);
        }
      }
      CHECK(same);
    }
  }
}

TEST(points_that_stay_may_be_of_any_kind) {
  const Index n = 110, d = 4;
  const auto X = sample_points(n, d, 207), V = naive::normal<double>(n, 3, 208);
  std::vector<Index> start = {0}, columns;
  Matrix<double> inner(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < d; ++k) columns.push_back(k);
    start.push_back(static_cast<Index>(columns.size()));
    for (Index j = 0; j < n; ++j) {
      for (Index k = 0; k < d; ++k) inner(i, j) += X.view(i, k) * X.view(j, k);
    }
  }
  const SparseRows<double> sparse{n, d, start.data(), columns.data(), X.numbers.data()};
  for (const Expression& e : naive::inner_product_samples()) {
    const Kernel kernel = naive::kernel_of(e);
    Matrix<double> wanted(n, 3), out(n, 3);
    const auto check = [&](GramPlan plan, const char* what) {
      for (int sweep = 0; sweep < 2; ++sweep) {
        for (double& o : out.numbers) o = std::numeric_limits<double>::quiet_NaN();
        plan.product(V.view, out.view);
        check::that(out.numbers == wanted.numbers, e.name + what + ": not what product() gives", __FILE__, __LINE__);
      }
    };
    for (const TileStorage storage : storages) {
      gramian::product(kernel, X.view, V.view, wanted.view);
      check(GramPlan(kernel, X.view, storage), ", dense");
      gramian::product(kernel, sparse, V.view, wanted.view);
      check(GramPlan(kernel, sparse, storage), ", sparse");
      gramian::product(kernel, InnerProducts<double>(inner.view), V.view, wanted.view);
      check(GramPlan(kernel, InnerProducts<double>(inner.view), storage), ", inner products");
    }
  }
}

TEST(points_that_move_give_fresh_values) {
  for (const Index n : {30, 130}) {
    const auto X = naive::normal<double>(n, 2, 209), Y = naive::normal<double>(n, 2, 210, 3.0),
               V = naive::normal<double>(n, 2, 211);
    for (const Expression& e : naive::all_samples(2)) {
      const Kernel kernel = naive::kernel_of(e);
      for (const TileStorage storage : storages) {
        GramPlan plan(kernel, n, 2, storage);
        Matrix<double> at_x(n, 2), at_y(n, 2), again(n, 2), wanted(n, 2);
        plan.move_to(X.view);
        plan.product(V.view, at_x.view);
        plan.move_to(Y.view);
        plan.product(V.view, at_y.view);
        gramian::product(kernel, Y.view, V.view, wanted.view);
        check::that(at_y.numbers == wanted.numbers, e.name + text(storage) + ": not those of the new positions", __FILE__,
                    __LINE__);
        // Stale tiles would give these.
        check::that(at_x.numbers != at_y.numbers || e.name == "delta", e.name + ": the move changes nothing", __FILE__, __LINE__);
        plan.move_to(X.view);
        plan.product(V.view, again.view);
        CHECK(again.numbers == at_x.numbers);
      }
    }
  }
}

TEST(positions_are_copied) {
  auto X = naive::normal<double>(60, 2, 212);
  const auto V = naive::normal<double>(60, 1, 213);
  GramPlan plan(Kernel("gaussian", {1.0}), 60, 2, TileStorage::recompute);
  Matrix<double> before(60, 1), after(60, 1);
  plan.move_to(X.view);
  plan.product(V.view, before.view);
  for (double& x : X.numbers) x = 0.0;
  plan.product(V.view, after.view);
  CHECK(before.numbers == after.numbers);
}

TEST(threads_change_no_bit) {
  struct Size {
    Index n, vectors;
  };
  // Pieces with sums of their own, and a tournament for sums that are too many for that.
  for (const Size& size : {Size{130, 2}, Size{1100, 3}, Size{1000, 300}, Size{3100, 2}}) {
    const auto X = naive::normal<double>(size.n, 3, 214), V = naive::normal<double>(size.n, size.vectors, 215);
    for (const Kernel& kernel : {Kernel("gaussian", {0.2}), Kernel("laplacian_l1", {0.3}) + Kernel("cosine", {})}) {
      std::vector<std::vector<double>> seen;
      for (const TileStorage storage : storages) {
        GramPlan plan(kernel, size.n, 3, storage);
        plan.move_to(X.view);
        for (const int threads : {1, 2, 7}) {  // the same plan: its workspace grows with their number
          set_num_threads(threads);
          Matrix<double> out(size.n, size.vectors);
          plan.product(V.view, out.view);
          seen.push_back(out.numbers);
        }
        set_num_threads(0);
      }
      for (const std::vector<double>& other : seen) CHECK(other == seen[0]);
    }
  }
}

TEST(siblings_share_tiles_and_nothing_else) {
  const Index n = 310;
  const auto X = naive::normal<double>(n, 2, 219), V = naive::normal<double>(n, 2, 220), W = naive::normal<double>(n, 5, 221);
  for (const TileStorage storage : storages) {
    Matrix<double> wanted(n, 2), wanted_wide(n, 5), out(n, 2), wide(n, 5);
    const Kernel kernel = 0.5 * Kernel("gaussian", {0.3}) + Kernel("linear", {});
    gramian::product(kernel, X.view, V.view, wanted.view);
    gramian::product(kernel, X.view, W.view, wanted_wide.view);
    std::optional<GramPlan> plan(std::in_place, kernel, X.view, storage);
    GramPlan other = plan->sibling(), third = other.sibling();
    CHECK_EQ(other.size(), n);
    other.product(W.view, wide.view);
    plan->product(V.view, out.view);
    CHECK(out.numbers == wanted.numbers && wide.numbers == wanted_wide.numbers);
    plan.reset();  // it may go first
    other.product(V.view, out.view);
    CHECK(out.numbers == wanted.numbers);
    third.product(W.view, wide.view);
    CHECK(wide.numbers == wanted_wide.numbers);
  }
}

TEST(siblings_work_at_the_same_time) {
  const Index n = 310;
  const auto X = naive::normal<double>(n, 2, 222), V = naive::normal<double>(n, 2, 223);
  const Kernel kernel("gaussian", {0.3});
  Matrix<double> wanted(n, 2);
  gramian::product(kernel, X.view, V.view, wanted.view);
  for (const TileStorage storage : storages) {
    for (int round = 0; round < 20; ++round) {  // each begins with tiles that nobody has filled
      std::vector<GramPlan> plans;
      plans.emplace_back(kernel, X.view, storage);
      for (int i = 1; i < 4; ++i) plans.push_back(plans[0].sibling());
      std::vector<Matrix<double>> outs;
      for (int i = 0; i < 4; ++i) outs.emplace_back(n, 2);
      std::vector<std::thread> threads;
      for (std::size_t i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
          for (int sweep = 0; sweep < 3; ++sweep) plans[i].product(V.view, outs[i].view);
        });
      }
      for (std::thread& thread : threads) thread.join();
      for (const Matrix<double>& out : outs) CHECK(out.numbers == wanted.numbers);
    }
  }
}

TEST(nothing_gives_nothing) {
  Matrix<double> none(0, 3), no_vectors(5, 0), K(0, 0);
  const auto X = naive::normal<double>(5, 3, 216);
  for (const TileStorage storage : storages) {
    GramPlan plan(Kernel("gaussian", {1.0}), 0, 3, storage);
    plan.move_to(none.view);
    plan.product(none.view, none.view);
    plan.store_lower(K.view);
    GramPlan some(Kernel("gaussian", {1.0}), 5, 3, storage);
    some.move_to(X.view);
    some.product(no_vectors.view, no_vectors.view);
    // Points without features are one and the same.
    GramPlan flat(Kernel("gaussian", {1.0}), 5, 0, storage);
    flat.move_to(MatrixView<const double>(nullptr, 5, 0));
    Matrix<double> sums(5, 3);
    flat.product(X.view, sums.view);
    for (Index c = 0; c < 3; ++c) {
      double sum = 0.0;
      for (Index i = 0; i < 5; ++i) sum += X.view(i, c);
      for (Index i = 0; i < 5; ++i) CHECK_NEAR(sums(i, c), sum, 1e-14);
    }
  }
}

TEST(views_of_any_strides_are_read_and_written) {
  const Index n = 120;
  const auto X = naive::normal<double>(n, 2, 217), V = naive::normal<double>(n, 3, 218);
  Matrix<double> columns_x(2, n), columns_v(3, n), plain(n, 3), big(6, 2 * n), K(n, n), K_columns(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < 2; ++k) columns_x(k, i) = X.view(i, k);
    for (Index c = 0; c < 3; ++c) columns_v(c, i) = V.view(i, c);
  }
  GramPlan plan(Kernel("gaussian", {0.3}), n, 2, TileStorage::keep);
  plan.move_to(X.view);
  plan.product(V.view, plain.view);
  plan.store_lower(K.view);
  plan.move_to(MatrixView<const double>(columns_x.numbers.data(), n, 2, 1, n));
  const MatrixView<double> strided(big.numbers.data(), n, 3, 2, 4 * n);
  plan.product(MatrixView<const double>(columns_v.numbers.data(), n, 3, 1, n), strided);
  plan.store_lower(MatrixView<double>(K_columns.numbers.data(), n, n, 1, n));
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < 3; ++c) CHECK_EQ(strided(i, c), plain(i, c));
    for (Index j = 0; j <= i; ++j) CHECK_EQ(K_columns(j, i), K(i, j));
  }
}

TEST_MAIN

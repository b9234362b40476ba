// SPDX-License-Identifier: BSD-3-Clause
// What a plan says to do instead of what it refuses, done.
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "gramian/gram/plan.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using gramian::GramPlan;
using gramian::Index;
using gramian::InnerProducts;
using gramian::Kernel;
using gramian::TileStorage;
using naive::Matrix;

namespace {

constexpr Index n = 30, d = 2, r = 3;
const Kernel kernel("gaussian", {0.3});

struct Arrays {
  Matrix<double> X = naive::normal<double>(n, d, 1), V = naive::normal<double>(n, r, 2), P = naive::normal<double>(n, 2, 3),
                 out{n, r}, Xbar{n, d}, inner{n, n};
};

/// The call is refused with this advice, and what it says to do is not.
void follow(const std::string& advice, const std::function<void()>& call, const std::function<void()>& remedy) {
  std::string message;
  try {
    call();
  } catch (const std::invalid_argument& error) {
    message = error.what();
  }
  check::that(message.find(advice) != std::string::npos, "no '" + advice + "' in: " + message, __FILE__, __LINE__);
  remedy();
}

}  // namespace

TEST(points_that_stay_and_points_that_move_have_a_plan_each) {
  Arrays a;
  GramPlan stays(kernel, a.X.view, TileStorage::recompute), moves(kernel, n, d, TileStorage::recompute);
  follow(
      "call move_to() first", [&] { moves.product(a.V.view, a.out.view); },
      [&] {
        moves.move_to(a.X.view);
        moves.product(a.V.view, a.out.view);
      });
  follow(
      "make a plan for points that move", [&] { stays.adjoint_of_symmetric(a.P.view, a.P.view, a.Xbar.view); },
      [&] { moves.adjoint_of_symmetric(a.P.view, a.P.view, a.Xbar.view); });
  follow(
      "make a plan from their number and dimension for points that move", [&] { stays.move_to(a.X.view); },
      [&] { GramPlan(kernel, n, d, TileStorage::recompute).move_to(a.X.view); });
  follow(
      "make another plan instead of a sibling", [&] { moves.sibling(); },
      [&] { GramPlan(kernel, moves.size(), d, TileStorage::recompute).move_to(a.X.view); });
  follow(
      "leave Xdot and X_bar empty", [&] { stays.trace_gradient(a.V.view, a.out.view, a.Xbar.view); },
      [&] { stays.trace_gradient(a.V.view, a.out.view, {}); });
}

TEST(tiles_are_kept_by_a_plan_that_is_made_so) {
  Arrays a;
  follow(
      "make it with TileStorage::keep", [&] { GramPlan(kernel, a.X.view, TileStorage::recompute).kept_tiles(); },
      [&] { CHECK(GramPlan(kernel, a.X.view, TileStorage::keep).kept_tiles().numbers != nullptr); });
}

TEST(a_plan_is_for_the_inner_products_of_one_set) {
  Arrays a;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) a.inner(i, j) = a.X(i, 0) * a.X(j, 0) + a.X(i, 1) * a.X(j, 1);
  }
  Matrix<double> squares(n, 1);
  for (Index i = 0; i < n; ++i) squares(i, 0) = a.inner(i, i);
  follow(
      "give the inner products of one set",
      [&] { GramPlan(kernel, InnerProducts<double>(a.inner.view, squares.view, squares.view), TileStorage::recompute); },
      [&] { GramPlan(kernel, InnerProducts<double>(a.inner.view), TileStorage::recompute); });
}

TEST_MAIN

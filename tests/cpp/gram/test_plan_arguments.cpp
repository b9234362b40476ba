// SPDX-License-Identifier: BSD-3-Clause
// What a plan refuses, and that it is whole again afterwards.
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/plan.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using gramian::GramPlan;
using gramian::Index;
using gramian::InnerProducts;
using gramian::Kernel;
using gramian::MatrixView;
using gramian::TileStorage;
using naive::Matrix;

namespace {

constexpr TileStorage storages[] = {TileStorage::keep, TileStorage::recompute};
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct Arrays {
  Matrix<double> X = naive::normal<double>(110, 2, 241), V = naive::normal<double>(110, 3, 242),
                 P = naive::normal<double>(110, 2, 243), Q = naive::normal<double>(110, 2, 244);
  Matrix<double> out{110, 3}, Xbar{110, 2};
};

/// The call is refused, and what is said has this in it.
template <class Call>
void check_refused(const Call& call, const std::string& part) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    check::that(std::string(error.what()).find(part) != std::string::npos, "no '" + part + "' in: " + error.what(), __FILE__,
                __LINE__);
    return;
  }
  check::fail(__FILE__, __LINE__, "not refused: " + part);
}

}  // namespace

TEST(shapes_are_checked) {
  Arrays a;
  Matrix<double> wide(110, 3), tall(111, 2), narrow(110, 1), short_v(109, 3), big(111, 111);
  GramPlan plan(Kernel("gaussian", {0.3}), 110, 2, TileStorage::keep);
  check_refused([&] { plan.move_to(wide.view); }, "X is 110 x 3, it must be 110 x 2");
  check_refused([&] { plan.move_to(tall.view); }, "X is 111 x 2");
  plan.move_to(a.X.view);
  check_refused([&] { plan.product(short_v.view, a.out.view); }, "V is 109 x 3, it must be 110 x 3");
  check_refused([&] { plan.product(a.V.view, narrow.view); }, "out is 110 x 1, it must be 110 x 3");
  const auto reverse = [&](MatrixView<const double> V, MatrixView<double> out, MatrixView<const double> P,
                           MatrixView<const double> Q, MatrixView<double> Xbar) {
    return [&plan, V, out, P, Q, Xbar] { plan.product_and_adjoint(V, out, P, Q, Xbar); };
  };
  check_refused(reverse(a.V.view, narrow.view, a.P.view, a.Q.view, a.Xbar.view), "out is 110 x 1");
  check_refused(reverse({}, a.out.view, a.P.view, a.Q.view, a.Xbar.view), "V is 0 x 0");
  check_refused(reverse(a.V.view, {}, a.P.view, a.Q.view, a.Xbar.view), "out is 0 x 0");
  check_refused(reverse(a.V.view, a.out.view, a.P.view, narrow.view, a.Xbar.view), "P is 110 x 2 and Q 110 x 1");
  check_refused(reverse(a.V.view, a.out.view, tall.view, a.Q.view, a.Xbar.view), "P is 111 x 2");
  check_refused(reverse(a.V.view, a.out.view, a.P.view, a.Q.view, narrow.view), "Xbar is 110 x 1, it must be 110 x 2");
  check_refused([&] { plan.store_lower(big.view); }, "K is 111 x 111, it must be 110 x 110");
  check_refused([&] { GramPlan(Kernel("gaussian", {1.0}, {1.0, 2.0, 3.0}), 5, 2, TileStorage::keep); }, "length scales");
}

TEST(kinds_of_points_are_checked) {
  Arrays a;
  Matrix<double> oblong(110, 50), square(110, 110);
  Matrix<float> narrow(110, 2);
  const Kernel kernel("gaussian", {0.3});
  for (const TileStorage storage : storages) {
    GramPlan stays(kernel, a.X.view, storage), nowhere(kernel, 110, 2, storage);
    check_refused([&] { stays.move_to(a.X.view); }, "these points stay");
    check_refused([&] { stays.product_and_adjoint(a.V.view, a.out.view, a.P.view, a.Q.view, a.Xbar.view); },
                  "nothing flows back");
    check_refused([&] { nowhere.product(a.V.view, a.out.view); }, "call move_to() first");
    check_refused([&] { nowhere.product_and_adjoint(a.V.view, a.out.view, a.P.view, a.Q.view, a.Xbar.view); }, "move_to()");
    check_refused([&] { nowhere.store_lower(square.view); }, "move_to()");
    check_refused([&] { nowhere.sibling(); }, "these points move");
    check_refused([&] { nowhere.kept_tiles(); }, "move_to()");
    check_refused([&] { nowhere.adjoint_of_symmetric(a.P.view, a.P.view, a.Xbar.view); }, "move_to()");
    check_refused([&] { stays.adjoint_of_symmetric(a.P.view, a.P.view, a.Xbar.view); }, "nothing flows back");
    if (storage == TileStorage::recompute) check_refused([&] { stays.kept_tiles(); }, "keeps no tiles");
    check_refused([&] { GramPlan(kernel, narrow.view, storage); }, "float32");
    check_refused([&] { GramPlan(kernel, InnerProducts<double>(oblong.view), storage); }, "must be square");
    check_refused([&] { GramPlan(kernel, InnerProducts<double>(square.view, a.P.view, a.Q.view), storage); }, "one set");
    check_refused([&] { GramPlan(Kernel("laplacian_l1", {1.0}), InnerProducts<double>(square.view), storage); }, "coordinates");
    CHECK_THROWS(std::invalid_argument, GramPlan(kernel, -1, 2, storage));
  }
}

TEST(entries_that_are_not_finite_are_named) {
  Arrays a;
  GramPlan plan(Kernel("gaussian", {0.3}), 110, 2, TileStorage::keep);
  plan.move_to(a.X.view);
  plan.product(a.V.view, a.out.view);
  const std::vector<double> before = a.out.numbers;
  const auto with = [](double& entry, double value, const auto& call) {
    const double was = std::exchange(entry, value);
    call();
    entry = was;
  };
  for (const double value : {not_a_number, std::numeric_limits<double>::infinity()}) {
    with(a.V(109, 2), value, [&] { check_refused([&] { plan.product(a.V.view, a.out.view); }, "V has an entry"); });
    for (double* entry : {&a.P(3, 1), &a.Q(109, 0)}) {
      with(*entry, value, [&] {
        check_refused([&] { plan.product_and_adjoint(a.V.view, a.out.view, a.P.view, a.Q.view, a.Xbar.view); }, "P or Q");
      });
    }
    with(a.X(57, 1), value, [&] { check_refused([&] { plan.move_to(a.X.view); }, "X has a coordinate in row 57"); });
    check_refused([&] { plan.product(a.V.view, a.out.view); }, "call move_to() first");
    plan.move_to(a.X.view);
    plan.product(a.V.view, a.out.view);
    CHECK(a.out.numbers == before);
  }
}

TEST(what_overflows_is_refused_and_forgotten) {
  Arrays a;
  Matrix<double> far(110, 2);
  for (std::size_t i = 0; i < far.numbers.size(); ++i) far.numbers[i] = 1e9 * a.X.numbers[i];
  const Kernel steep("polynomial", {40, 1.0, 1.0}), tame("gaussian", {1.0});
  for (const Kernel& kernel : {steep, tame * steep}) {
    for (const TileStorage storage : storages) {
      GramPlan plan(kernel, 110, 2, storage), other(kernel, 110, 2, storage);
      plan.move_to(far.view);
      check_refused([&] { plan.product(a.V.view, a.out.view); }, "not finite");
      check_refused([&] { plan.product(a.V.view, a.out.view); }, "not finite");
      check_refused([&] { plan.product_and_adjoint(a.V.view, a.out.view, a.P.view, a.Q.view, a.Xbar.view); }, "not finite");
      check_refused([&] { plan.product_and_adjoint({}, {}, a.P.view, a.Q.view, a.Xbar.view); }, "not finite");
      plan.move_to(a.X.view);
      plan.product(a.V.view, a.out.view);
      const std::vector<double> after = a.out.numbers;
      other.move_to(a.X.view);
      other.product(a.V.view, a.out.view);
      CHECK(after == a.out.numbers);
    }
  }
}

TEST(a_sweep_can_be_stopped_and_begun_again) {
  struct Stop : gramian::StopCheck {
    bool should_stop() override { return stop; }
    bool stop = true;
  };
  Arrays a;
  GramPlan plan(Kernel("gaussian", {0.3}), 110, 2, TileStorage::keep),
      other(Kernel("gaussian", {0.3}), 110, 2, TileStorage::keep);
  plan.move_to(a.X.view);
  {
    Stop stop;
    const gramian::StopScope scope(stop);
    int interruptions = 0;
    for (int i = 0; i < 10000000 && interruptions == 0; ++i) {  // asked only now and then
      try {
        plan.product(a.V.view, a.out.view);
      } catch (const gramian::Interrupted&) {
        ++interruptions;
      }
    }
    CHECK_EQ(interruptions, 1);
  }
  plan.product(a.V.view, a.out.view);
  const std::vector<double> after = a.out.numbers;
  other.move_to(a.X.view);
  other.product(a.V.view, a.out.view);
  CHECK(after == a.out.numbers);
}

TEST(tiles_that_do_not_fit_are_refused_in_time) {
  gramian::set_memory_limit(std::uint64_t(1) << 20);
  CHECK_THROWS(gramian::MemoryLimitError, GramPlan(Kernel("gaussian", {1.0}), 2000, 2, TileStorage::keep));
  GramPlan plan(Kernel("gaussian", {1.0}), 2000, 2, TileStorage::recompute);
  gramian::set_memory_limit(0);
  GramPlan fits(Kernel("gaussian", {1.0}), 2000, 2, TileStorage::keep);
  CHECK_EQ(plan.size(), fits.size());
}

TEST_MAIN

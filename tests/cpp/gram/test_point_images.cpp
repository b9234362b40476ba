// SPDX-License-Identifier: BSD-3-Clause
// Kernels on images of points: values against a double loop, gradients against its differences and by adjointness.
#include "gram/point_images.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/hessian_vector.hpp"
#include "gramian/gram/plan.hpp"
#include "gramian/gram/product.hpp"
#include "support/check.hpp"
#include "support/finite_difference.hpp"
#include "support/naive.hpp"

using namespace gramian;
using difference::Numbers;
using difference::Real;

namespace {

using View = MatrixView<const double>;

/// (x_0, x_1, x_2) -> (x_0 x_1, x_0 + x_2^2); `slip` makes its derivative a wrong one.
class Bent final : public PointMap {
 public:
  explicit Bent(double slip = 1.0) : slip_(slip) {}
  Index inputs() const override { return 3; }
  Index outputs() const override { return 2; }
  void apply(View X, MatrixView<double> Z) const override {
    for (Index i = 0; i < X.rows(); ++i) {
      Z(i, 0) = X(i, 0) * X(i, 1);
      Z(i, 1) = X(i, 0) + X(i, 2) * X(i, 2);
    }
  }
  void pull_back(View X, View bar, MatrixView<double> Xbar) const override {
    for (Index i = 0; i < X.rows(); ++i) {
      Xbar(i, 0) += slip_ * bar(i, 0) * X(i, 1) + bar(i, 1);
      Xbar(i, 1) += bar(i, 0) * X(i, 0);
      Xbar(i, 2) += 2.0 * bar(i, 1) * X(i, 2);
    }
  }

 private:
  double slip_;
};

/// (z_0, z_1) -> z_0 - z_1.
class Difference final : public PointMap {
 public:
  Index inputs() const override { return 2; }
  Index outputs() const override { return 1; }
  void apply(View X, MatrixView<double> Z) const override {
    for (Index i = 0; i < X.rows(); ++i) Z(i, 0) = X(i, 0) - X(i, 1);
  }
  void pull_back(View X, View bar, MatrixView<double> Xbar) const override {
    for (Index i = 0; i < X.rows(); ++i) {
      Xbar(i, 0) += bar(i, 0);
      Xbar(i, 1) -= bar(i, 0);
    }
  }
};

Kernel gaussian_of_images(double slip = 1.0) { return on_images(std::make_shared<Bent>(slip), Kernel("gaussian", {0.5})); }

/// Sums, products and multiples, images of images, lengths of their own, and what sees the points themselves.
Kernel mixed(double slip = 1.0) {
  const Kernel scaled("gaussian", {0.5}, {2.0, 0.8}),
      inner = on_images(std::make_shared<Difference>(), Kernel("gaussian", {0.3}));
  const auto bent = std::make_shared<Bent>(slip);
  return 0.7 * on_images(bent, scaled) * Kernel("polynomial", {2, 0.2, 1.0}) +
         on_images(bent, Kernel("laplacian_l1", {0.4}) + inner);
}

Real mixed_of(const Numbers& x, const Numbers& y) {
  const auto bent = [](const Numbers& p) { return Numbers{p[0] * p[1], p[0] + p[2] * p[2]}; };
  const Numbers u = bent(x), v = bent(y);
  const Real a = (u[0] - v[0]) / 2, b = (u[1] - v[1]) / 0.8L, c = (u[0] - u[1]) - (v[0] - v[1]);
  const Real linear = 0.2L * (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) + 1;
  return 0.7L * std::exp(-0.5L * (a * a + b * b)) * linear * linear +
         std::exp(-0.4L * (std::fabs(u[0] - v[0]) + std::fabs(u[1] - v[1]))) + std::exp(-0.3L * c * c);
}

Numbers row(View X, View V, Real t, Index i) {
  Numbers out;
  for (Index k = 0; k < X.cols(); ++k) out.push_back(static_cast<Real>(X(i, k)) + t * static_cast<Real>(V(i, k)));
  return out;
}

/// All entries of K(X + t V, Y).
Numbers gram_along_of(View X, View V, View Y, Real t) {
  Numbers out;
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < Y.rows(); ++j) out.push_back(mixed_of(row(X, V, t, i), row(Y, Y, 0, j)));
  }
  return out;
}

struct Problem {
  Problem(Index n, Index m)
      : X(naive::normal<double>(n, 3, 1)), Y(naive::normal<double>(m, 3, 2)), V(naive::normal<double>(n, 3, 3)) {}
  naive::Matrix<double> X, Y, V;
};

/// <Jv, w> = <v, J^T w> for w = Kbar, and the derivative of <w, K> along v.
bool gradient_is_right(const Kernel& kernel) {
  const Problem p(7, 5);
  const naive::Matrix<double> Kbar = naive::normal<double>(7, 5, 4);
  Matrix Xbar(7, 3);
  adjoint(kernel, Points(p.X.view), Points(p.Y.view), GramGradient<double>(View(Kbar.view)), Xbar.view(), {});
  const auto along = difference::slopes([&](Real t) { return gram_along_of(p.X.view, p.V.view, p.Y.view, t); }, 1e-4L, 10);
  std::vector<double> back(Xbar.data(), Xbar.data() + Xbar.size());
  const Real size = std::sqrt(difference::dot(back, back)), allowed = 1e-13L * size * 10;
  Real derivative = 0, error = 0;
  for (std::size_t e = 0; e < along.size(); ++e) {
    derivative += along[e].value * static_cast<Real>(Kbar.numbers[e]);
    error += along[e].error * std::fabs(static_cast<Real>(Kbar.numbers[e]));
  }
  return difference::agrees(difference::dot(p.V.numbers, back), {derivative, error}, allowed, size) &&
         difference::adjoint_pair(along, Kbar.numbers, p.V.numbers, back, allowed);
}

}  // namespace

TEST(values_are_those_of_a_double_loop) {
  for (const Index n : {1, 40, 130}) {
    const Problem p(n, 61);
    Matrix K(n, 61), same(n, n), own(n, 1), out(n, 2);
    full(mixed(), Points(p.X.view), Points(p.Y.view), K.view());
    full(mixed(), Points(p.X.view), same.view());
    diagonal(mixed(), Points(p.X.view), own.view());
    const naive::Matrix<double> V = naive::normal<double>(61, 2, 5);
    product(mixed(), Points(p.X.view), Points(p.Y.view), View(V.view), out.view());
    const Numbers expected = gram_along_of(p.X.view, p.V.view, p.Y.view, 0),
                  square = gram_along_of(p.X.view, p.V.view, p.X.view, 0);
    for (Index i = 0; i < n; ++i) {
      Real sum = 0;
      for (Index j = 0; j < 61; ++j) {
        const Real k = expected[static_cast<std::size_t>(i * 61 + j)];
        sum += k * static_cast<Real>(V.view(j, 1));
        CHECK_NEAR(static_cast<Real>(K(i, j)), k, 1e-13L * (1 + k));
      }
      CHECK_NEAR(static_cast<Real>(out(i, 1)), sum, 1e-11L);
      for (Index j = 0; j < n; ++j)
        CHECK_NEAR(static_cast<Real>(same(i, j)), square[static_cast<std::size_t>(i * n + j)], 1e-12L);
      CHECK_EQ(own(i, 0), same(i, i));
    }
  }
}

TEST(float32_points_are_mapped_in_float64) {
  const Problem p(30, 20);
  naive::Matrix<float> X(30, 3), K(30, 30);
  for (std::size_t i = 0; i < X.numbers.size(); ++i) X.numbers[i] = static_cast<float>(p.X.numbers[i]);
  full(gaussian_of_images(), Points(X.view), K.view);
  Matrix expected(30, 30);
  full(gaussian_of_images(), Points(p.X.view), expected.view());
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < 30; ++j) CHECK_NEAR(static_cast<double>(K(i, j)), expected(i, j), 1e-5);
  }
}

TEST(gradients_go_through_the_maps) { CHECK(gradient_is_right(mixed())); }
TEST(a_wrong_map_is_found_out) { CHECK(!gradient_is_right(mixed(1.001))); }

TEST(the_second_set_and_the_parameters_have_gradients_too) {
  const Problem p(6, 9);
  const naive::Matrix<double> Kbar = naive::normal<double>(6, 9, 6);
  Matrix turned(9, 6), Xbar(6, 3), Ybar(9, 3), swapped(6, 3);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 9; ++j) turned(j, i) = Kbar.view(i, j);
  }
  const Kernel kernel = mixed();
  const auto bars =
      adjoint(kernel, Points(p.X.view), Points(p.Y.view), GramGradient<double>(View(Kbar.view)), Xbar.view(), Ybar.view());
  adjoint(kernel, Points(p.Y.view), Points(p.X.view), GramGradient<double>(std::as_const(turned).view()), {}, swapped.view());
  for (Index e = 0; e < 18; ++e) CHECK_NEAR(Xbar.data()[e], swapped.data()[e], 1e-12);
  const std::vector<double> at = kernel.parameters();
  CHECK(bars.size() == at.size());
  for (std::size_t q = 0; q < at.size(); ++q) {
    if (!kernel.learnable_parameters()[q]) continue;
    const auto value = [&](double t) {
      std::vector<double> moved = at;
      moved[q] += t;
      Matrix K(6, 9);
      full(kernel.with_parameters(moved), Points(p.X.view), Points(p.Y.view), K.view());
      double sum = 0.0;
      for (Index e = 0; e < 54; ++e) sum += K.data()[e] * Kbar.numbers[static_cast<std::size_t>(e)];
      return sum;
    };
    const double h = 1e-3, slope = (8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h);
    CHECK_NEAR(bars[q], slope, 1e-8);
  }
}

namespace {

void check_plan_of(const Kernel& kernel) {
  constexpr Index n = 900;  // enough work for more than one
  const Problem p(n, 4);
  const naive::Matrix<double> V = naive::normal<double>(n, 2, 7), P = naive::normal<double>(n, 2, 8);
  Matrix Xbar(n, 3), expected(n, 2), first(n, 3);
  adjoint(kernel, Points(p.X.view), GramGradient<double>(View(P.view), View(V.view)), Xbar.view());
  product(kernel, Points(p.X.view), View(V.view), expected.view());
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    for (const TileStorage storage : {TileStorage::keep, TileStorage::recompute}) {
      GramPlan plan(kernel, n, 3, storage);
      Matrix out(n, 2), bar(n, 3);
      plan.move_to(p.V.view);
      plan.product(View(V.view), out.view());
      plan.move_to(p.X.view);
      plan.product_and_adjoint(View(V.view), out.view(), View(P.view), View(V.view), bar.view());
      for (Index e = 0; e < out.size(); ++e) CHECK_NEAR(out.data()[e], expected.data()[e], 1e-10);
      for (Index e = 0; e < bar.size(); ++e) CHECK_NEAR(bar.data()[e], Xbar.data()[e], 1e-10);
      if (threads == 1) first = bar.clone();
      for (Index e = 0; e < bar.size(); ++e) CHECK_EQ(bar.data()[e], first.data()[e]);
    }
  }
  set_num_threads(0);
}

}  // namespace

TEST(a_plan_of_points_that_move_gives_the_same_for_any_number_of_threads) {
  check_plan_of(mixed());
  check_plan_of(gaussian_of_images());
  check_plan_of(on_images(std::make_shared<Bent>(), Kernel("laplacian_l1", {0.4})));
}

TEST(an_empty_set_gives_no_gradient) {
  const Problem p(0, 70);
  const naive::Matrix<double> Kbar(0, 70), turned(70, 0);
  Matrix Ybar = Matrix::filled(70, 3, 1.0), none(0, 3);
  const Kernel kernel = gaussian_of_images();
  adjoint(kernel, Points(p.X.view), Points(p.Y.view), GramGradient<double>(View(Kbar.view)), none.view(), Ybar.view());
  for (Index e = 0; e < Ybar.size(); ++e) CHECK_EQ(Ybar.data()[e], 0.0);
  Matrix Xbar = Matrix::filled(70, 3, 1.0);
  adjoint(kernel, Points(p.Y.view), Points(p.X.view), GramGradient<double>(View(turned.view)), Xbar.view(), none.view());
  for (Index e = 0; e < Xbar.size(); ++e) CHECK_EQ(Xbar.data()[e], 0.0);
}

TEST(a_kernel_keeps_its_maps_with_other_parameters) {
  const Kernel kernel = gaussian_of_images();
  CHECK(kernel.parameters() == std::vector<double>{0.5});
  CHECK(kernel.needs_coordinates());
  CHECK_EQ((2.0 * kernel).supremum(), 2.0);
  const Problem p(4, 4);
  Matrix K(4, 4), expected(4, 4);
  full(kernel.with_parameters({0.9}), Points(p.X.view), K.view());
  full(on_images(std::make_shared<Bent>(), Kernel("gaussian", {0.9})), Points(p.X.view), expected.view());
  for (Index e = 0; e < 16; ++e) CHECK_EQ(K.data()[e], expected.data()[e]);
}

TEST(what_is_not_there_is_refused) {
  const Problem p(4, 4);
  Matrix K(4, 4), wide = Matrix::filled(4, 2, 0.0), out(4, 3);
  const Kernel kernel = gaussian_of_images();
  CHECK_THROWS(std::invalid_argument, full(kernel, Points(wide.view()), K.view()));
  CHECK_THROWS(std::invalid_argument, full(kernel, InnerProducts<double>(std::as_const(K).view()), K.view()));
  const GramGradient<double> weights(View(p.X.view), View(p.X.view));
  CHECK_THROWS(std::invalid_argument, hessian_vector(kernel, Points(p.X.view), p.V.view, weights, weights, out.view()));
  GramPlan plan(kernel, 4, 3, TileStorage::keep);
  plan.move_to(p.X.view);
  Matrix bar(4, 3);
  CHECK_THROWS(std::invalid_argument, plan.trace_hessian(View(p.X.view), View(p.V.view), View(p.V.view), out.view(), bar.view()));
  CHECK_THROWS(std::invalid_argument, on_images(nullptr, kernel));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// The minimum over the last layer's coefficients, and its gradient in the codes, against the definition and its differences.
#include "gramian/layers/ridge_output.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gramian/gram/adjoint.hpp"
#include "support/check.hpp"
#include "support/finite_difference.hpp"
#include "support/gram_problem.hpp"
#include "support/kernel_samples.hpp"
#include "support/ridge_gradient.hpp"
#include "support/ridge_problem.hpp"

using namespace gramian;
using naive::Expression;
using naive::normal;
using naive::Real;
using naive::RidgeProblem;
using naive::Rows;
using Numbers = naive::Matrix<double>;

namespace {

constexpr Real unit = 0x1p-53L;

struct Case {
  std::string name;
  OutputOperator A;
  Rows dense;
};

Rows diagonal(const std::vector<double>& a) {
  Rows out = naive::rows_of(a.size(), a.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i][i] = a[i];
  return out;
}

Case full_case(const std::string& name, const Numbers& A) { return {name, OutputOperator::full(A.view), naive::points(A.view)}; }

/// Every form of A, with eigenvalues that are equal, and that are 0.
std::vector<Case> cases() {
  Numbers dense(3, 3), projection(3, 3);
  const auto G = normal<double>(3, 3, 5);
  const double v[3] = {2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0};
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) {
      projection(i, j) = (i == j) - v[i] * v[j];
      for (Index k = 0; k < 3; ++k) dense(i, j) += G.view(i, k) * G.view(j, k);
    }
  }
  return {{"identity", OutputOperator::identity(3), diagonal({1, 1, 1})},
          {"diagonal", OutputOperator::diagonal({0.5, 2.0, 0.5}), diagonal({0.5, 2.0, 0.5})},
          {"singular diagonal", OutputOperator::diagonal({0.0, 1.5, 0.3}), diagonal({0.0, 1.5, 0.3})},
          full_case("full", dense),
          full_case("projection", projection)};
}

std::vector<Expression> kernels() {
  return {naive::leaf("gaussian", {0.4}),       naive::leaf("laplacian", {0.6}),   naive::leaf("polynomial", {2, 0.5, 1.0}),
          naive::leaf("tensor_matern2", {0.7}), naive::leaf("matern52", {1.2}),    naive::leaf("linear"),
          naive::combined_samples(2)[1],        naive::leaf("arc_cosine1", {}, {})};
}

KernelLayer layer_of(const Expression& e, const OutputOperator& A, double penalty) {
  KernelLayer layer;
  layer.terms.push_back({naive::kernel_of(e), A});
  layer.penalty = penalty;
  return layer;
}

}  // namespace

TEST(minimum_and_gradient_are_those_of_the_definition) {
  const Index n = 7, p = 2;
  const auto Z = naive::points_apart(n, p, 1);
  const auto C = normal<double>(n, 3, 2);
  for (const Expression& e : kernels()) {
    for (const Case& c : cases()) {
      for (const double lambda : {0.02, 1.5}) {
        const RidgeProblem problem{e, naive::points(C.view), c.dense, lambda};
        const Rows at = naive::points(Z.view), K = naive::gram_of(e, at, at);
        const std::string what = e.name + ", " + c.name + ", lambda " + std::to_string(lambda);
        const Real growth = naive::amplification(problem, K), scale = naive::dot(problem.C, problem.C) / 7;
        const double allowed = static_cast<double>(0x1p8L * unit * growth * scale);

        RidgeOutput ridge(layer_of(e, c.A, lambda), C.view, p);
        Numbers Zbar(n, p);
        const double value = ridge.evaluate(Z.view, Zbar.view);
        const Rows Phi = naive::points(ridge.coefficients());
        CHECK_NEAR(value, static_cast<double>(problem.minimum(at)), allowed);
        CHECK_NEAR(value, static_cast<double>(problem.held(at, Phi)), allowed);
        CHECK_NEAR(ridge.distortion(), static_cast<double>(problem.distortion(K, Phi)), allowed);
        CHECK_NEAR(ridge.distortion() + lambda * ridge.squared_norm(), value, allowed);
        CHECK_EQ(ridge.jitter(), 0.0);
        CHECK_EQ(ridge.evaluate(Z.view, {}), value);
        naive::check_gradient(what, Zbar, at, growth, scale, [&](const Rows& moved) { return problem.minimum(moved); });
      }
    }
  }
}

TEST(held_coefficients_have_their_own_value_and_gradient) {
  const Index n = 6, p = 2;
  const auto Z = naive::points_apart(n, p, 3);
  const auto C = normal<double>(n, 3, 4), Phi = normal<double>(n, 3, 6);
  for (const Expression& e : kernels()) {
    for (const Case& c : cases()) {
      const RidgeProblem problem{e, naive::points(C.view), c.dense, 0.3};
      const Rows at = naive::points(Z.view), held = naive::points(Phi.view);
      RidgeOutput ridge(layer_of(e, c.A, 0.3), C.view, p);
      Numbers Zbar(n, p);
      const double value = ridge.evaluate_at(Phi.view, Z.view, Zbar.view), scale = static_cast<double>(problem.held(at, held));
      CHECK_NEAR(value, scale, 1e-12 * scale);
      CHECK_NEAR(ridge.distortion() + 0.3 * ridge.squared_norm(), value, 1e-14 * scale);
      naive::check_gradient("held, " + e.name + ", " + c.name, Zbar, at, 8, scale,
                            [&](const Rows& moved) { return problem.held(moved, held); });
    }
  }
}

// [KAE] Alg. 1: it and the reduced problem have the same gradient where the coefficients are the best ones.
TEST(at_the_best_coefficients_both_gradients_are_the_same) {
  const Index n = 150, p = 3;
  const auto Z = normal<double>(n, p, 7), C = normal<double>(n, 3, 8);
  for (const Case& c : cases()) {
    RidgeOutput ridge(layer_of(naive::leaf("gaussian", {0.4}), c.A, 1e-2), C.view, p);
    Numbers reduced(n, p), held(n, p);
    const double value = ridge.evaluate(Z.view, reduced.view);
    CHECK_NEAR(ridge.evaluate_at(ridge.coefficients(), Z.view, held.view), value, 1e-12 * value);
    for (Index i = 0; i < n * p; ++i) {
      CHECK_NEAR(reduced.numbers[static_cast<std::size_t>(i)], held.numbers[static_cast<std::size_t>(i)], 1e-11);
    }
  }
}

// The published code for K2AE holds the distortion constant: what is left is the gradient of the penalty alone, lambda N in place
// of -lambda N.
TEST(without_the_distortion_the_gradient_points_uphill) {
  const Index n = 40, p = 2;
  const auto Z = normal<double>(n, p, 9), C = normal<double>(n, 5, 10);
  const Expression e = naive::leaf("gaussian", {0.5});
  const double lambda = 1e-2;
  RidgeOutput ridge(KernelLayer::scalar(naive::kernel_of(e), 5, lambda), C.view, p);
  Numbers Zbar(n, p), trap(n, p), scaled(n, 5), moved(n, p);
  const double value = ridge.evaluate(Z.view, Zbar.view);
  const MatrixView<const double> Phi = ridge.coefficients();
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < 5; ++k) scaled(i, k) = lambda * Phi(i, k);
  }
  adjoint(naive::kernel_of(e), Z.view, GramGradient<double>(scaled.view, Phi), trap.view);
  const Real right = difference::dot(Zbar.numbers, Zbar.numbers), wrong = difference::dot(trap.numbers, trap.numbers);
  CHECK_NEAR(static_cast<double>(difference::dot(Zbar.numbers, trap.numbers) / std::sqrt(right * wrong)), -1.0, 1e-12);

  const auto after = [&](const Numbers& gradient, double length) {
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < p; ++k) moved(i, k) = Z.view(i, k) - length * gradient.view(i, k);
    }
    return ridge.evaluate(moved.view, {});
  };
  const double length = 1e-4, expected = length * static_cast<double>(right);
  CHECK_NEAR(value - after(Zbar, length), expected, 1e-2 * expected);
  CHECK_NEAR(after(trap, length) - value, expected, 1e-2 * expected);
}

TEST_MAIN

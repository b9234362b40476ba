// SPDX-License-Identifier: BSD-3-Clause
// The last layer on landmarks: the definition, its differences in both sets of codes, and the exact layer as a limit.
#include <cmath>
#include <string>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/layers/ridge_output.hpp"
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

std::vector<Expression> kernels() {
  return {naive::leaf("gaussian", {0.4}), naive::leaf("laplacian", {0.6}), naive::leaf("polynomial", {3, 0.5, 1.0}),
          naive::leaf("tensor_matern2", {0.7}), naive::combined_samples(2)[1]};
}

Rows identity(std::size_t size) {
  Rows out = naive::rows_of(size, size);
  for (std::size_t i = 0; i < size; ++i) out[i][i] = 1;
  return out;
}

/// The first and the last rows of points that are all apart.
Numbers rows(const Numbers& all, Index first, Index count) {
  Numbers out(count, all.view.cols());
  for (Index i = 0; i < count; ++i) {
    for (Index k = 0; k < all.view.cols(); ++k) out(i, k) = all.view(first + i, k);
  }
  return out;
}

struct Result {
  double value;
  Numbers Zbar, Sbar;
};
Result evaluate(RidgeOutput& ridge, const Numbers& Z, const Numbers& S) {
  Result out{0.0, Numbers(Z.view.rows(), Z.view.cols()), Numbers(S.view.rows(), S.view.cols())};
  out.value = ridge.evaluate(Z.view, S.view, out.Zbar.view, out.Sbar.view);
  return out;
}

}  // namespace

TEST(minimum_and_gradients_are_those_of_the_definition) {
  const Index n = 8, m = 4, p = 2;
  const auto all = naive::points_apart(n + m, p, 1);
  const Numbers Z = rows(all, 0, n), S = rows(all, n, m);
  const auto C = normal<double>(n, 3, 2);
  for (const Expression& e : kernels()) {
    for (const double lambda : {0.02, 1.5}) {
      const RidgeProblem problem{e, naive::points(C.view), identity(3), lambda};
      const Rows z = naive::points(Z.view), s = naive::points(S.view), across = naive::gram_of(e, z, s);
      // The system holds the square of C_s and the ridge times K_ss: the condition of both.
      const Real growth = naive::amplification(problem, naive::gram_of(e, z, z)) * 50,
                 scale = naive::dot(problem.C, problem.C) / 8;
      const double allowed = static_cast<double>(0x1p8L * 0x1p-53L * growth * scale);
      RidgeOutput ridge(KernelLayer::scalar(naive::kernel_of(e), 3, lambda), C.view, p);
      const Result got = evaluate(ridge, Z, S);
      const Rows Phi = naive::points(ridge.coefficients());
      CHECK_NEAR(got.value, static_cast<double>(problem.landmark_minimum(z, s)), allowed);
      CHECK_NEAR(got.value, static_cast<double>(problem.objective(across, naive::gram_of(e, s, s), Phi)), allowed);
      CHECK_NEAR(ridge.distortion(), static_cast<double>(problem.distortion(across, Phi)), allowed);
      CHECK_NEAR(ridge.distortion() + lambda * ridge.squared_norm(), got.value, allowed);
      CHECK_EQ(ridge.evaluate(Z.view, S.view, {}, {}), got.value);
      const std::string what = e.name + ", lambda " + std::to_string(lambda);
      naive::check_gradient(what + ", Z", got.Zbar, z, growth, scale,
                            [&](const Rows& moved) { return problem.landmark_minimum(moved, s); });
      naive::check_gradient(what + ", S", got.Sbar, s, growth, scale,
                            [&](const Rows& moved) { return problem.landmark_minimum(z, moved); });
    }
  }
}

// With all codes as landmarks it is the exact layer, and both roles together are its gradient.
TEST(all_codes_as_landmarks_are_the_exact_layer) {
  const Index n = 60, p = 3;
  for (const Index r : {Index(2), Index(270)}) {
    const auto Z = normal<double>(n, p, 3), C = normal<double>(n, r, 4);
    RidgeOutput ridge(KernelLayer::scalar(Kernel("laplacian", {1.0}), r, 0.05), C.view, p);
    Numbers exact(n, p);
    const double value = ridge.evaluate(Z.view, exact.view);
    const auto Phi = naive::points(ridge.coefficients());
    const Result got = evaluate(ridge, Z, Z);
    CHECK_NEAR(got.value, value, 1e-12 * value);
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < r; ++k) {
        CHECK_NEAR(ridge.coefficients()(i, k), static_cast<double>(Phi[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)]),
                   1e-10);
      }
      for (Index k = 0; k < p; ++k) CHECK_NEAR(got.Zbar.view(i, k) + got.Sbar.view(i, k), exact.view(i, k), 1e-10 * value);
    }
  }
}

TEST(either_gradient_may_be_left_out_and_landmarks_may_change_in_number) {
  const Index n = 300, p = 2;
  const auto Z = normal<double>(n, p, 5), C = normal<double>(n, 4, 6);
  RidgeOutput ridge(KernelLayer::scalar(Kernel("gaussian", {0.5}), 4, 1e-3), C.view, p);
  for (const Index m : {20, 33, 1, 20}) {
    const Numbers S = rows(Z, 0, m);
    const Result both = evaluate(ridge, Z, S);
    Numbers Zbar(n, p), Sbar(m, p);
    CHECK_EQ(ridge.evaluate(Z.view, S.view, Zbar.view, {}), both.value);
    CHECK_EQ(ridge.evaluate(Z.view, S.view, {}, Sbar.view), both.value);
    CHECK(Zbar.numbers == both.Zbar.numbers);
    CHECK(Sbar.numbers == both.Sbar.numbers);
    CHECK_EQ(ridge.coefficients().rows(), m);
    CHECK(both.value >= ridge.evaluate(Z.view, {}));  // fewer functions to choose from
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Index n = 700, m = 210, p = 3;
  const auto Z = normal<double>(n, p, 7), C = normal<double>(n, 30, 8);
  const Numbers S = rows(Z, 100, m);
  std::vector<Result> results;
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    RidgeOutput ridge(KernelLayer::scalar(Kernel("gaussian", {0.5}), 30, 1e-3), C.view, p);
    results.push_back(evaluate(ridge, Z, S));
  }
  set_num_threads(0);
  for (const Result& result : results) {
    CHECK_EQ(result.value, results[0].value);
    CHECK(result.Zbar.numbers == results[0].Zbar.numbers);
    CHECK(result.Sbar.numbers == results[0].Sbar.numbers);
  }
}

// Landmarks that lie on each other make the system singular, and the data beyond a function of it all the same.
TEST(coincident_landmarks_are_one) {
  const Index n = 50, p = 2;
  const auto Z = normal<double>(n, p, 9), C = normal<double>(n, 2, 10);
  RidgeOutput ridge(KernelLayer::scalar(Kernel("gaussian", {0.5}), 2, 1e-3), C.view, p);
  Numbers S = rows(Z, 0, 5), twice(10, p);
  for (Index i = 0; i < 10; ++i) {
    for (Index k = 0; k < p; ++k) twice(i, k) = S(i % 5, k);
  }
  const double once = ridge.evaluate(Z.view, S.view, {}, {});
  CHECK_NEAR(ridge.evaluate(Z.view, twice.view, {}, {}), once, 1e-9 * once);
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// The last layer at sizes of use, at the ends of its range, and out of it.
#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/layers/ridge_output.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/naive.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using Numbers = naive::Matrix<double>;
using naive::normal;
using support::gram;
using support::relative;
using Dense = spectral::Matrix;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

KernelLayer layer_of(const Kernel& kernel, const OutputOperator& A, double penalty) {
  KernelLayer layer;
  layer.terms.push_back({kernel, A});
  layer.penalty = penalty;
  return layer;
}

using check::contains;
using check::message_of;

}  // namespace

// Phi, value and gradient by the inverse of the paper, [KAE] (54), for few outputs and for many.
TEST(many_points_are_solved_as_the_paper_writes_it) {
  const Index n = 260, p = 3;
  const double lambda = 1e-3;
  const Kernel kernel("gaussian", {0.5});
  for (const Index r : {1, 2, 97, 255, 256, 260, 300}) {
    const Dense Z = spectral::normal(n, p, 1), C = spectral::normal(n, r, 2);
    Dense W = gram(kernel, Z);
    W.diagonal().array() += n * lambda;
    const Dense inverse = W.llt().solve(Dense(Dense::Identity(n, n))), Kbar = -lambda * inverse * C * C.transpose() * inverse;
    Dense expected(n, p), got(n, p);
    adjoint(kernel, view(Z), GramGradient<double>(MatrixView<const double>(view(Kbar))), view(expected));

    RidgeOutput ridge(KernelLayer::scalar(kernel, r, lambda), view(C), p);
    const double value = ridge.evaluate(view(Z), view(got)), trace = lambda * (C.transpose() * inverse * C).trace();
    CHECK_NEAR(value, trace, 1e-11 * trace);
    CHECK(relative(got, expected) < 1e-11);
    const Dense Phi = Eigen::Map<const Dense>(ridge.coefficients().data(), n, r);
    CHECK(relative(Phi, inverse * C) < 1e-11);
    CHECK_NEAR(ridge.distortion(), n * lambda * lambda * Phi.squaredNorm(), 1e-11 * trace);
  }
}

// Kbar = -lambda Phi A Phiᵀ where it is formed, and where it is not.
TEST(weights_of_few_and_of_many_outputs_enter_the_gradient) {
  const Index n = 140, p = 2;
  const double lambda = 1e-2;
  const Kernel kernel("gaussian", {0.5});
  for (const Index r : {6, 300}) {
    const Dense Z = spectral::normal(n, p, 20), C = spectral::normal(n, r, 21);
    std::vector<double> a;
    Dense Kbar = Dense::Zero(n, n);
    for (Index j = 0; j < r; ++j) a.push_back(static_cast<double>(j % 3));
    for (const double value : {1.0, 2.0}) {
      Dense W = value * gram(kernel, Z);
      W.diagonal().array() += n * lambda;
      const Eigen::LLT<Dense> factor(W);
      for (Index j = 0; j < r; ++j) {
        const Eigen::VectorXd psi = factor.solve(Eigen::VectorXd(C.col(j)));
        if (a[static_cast<std::size_t>(j)] == value) Kbar -= lambda * value * psi * psi.transpose();
      }
    }
    Dense expected(n, p), got(n, p);
    adjoint(kernel, view(Z), GramGradient<double>(MatrixView<const double>(view(Kbar))), view(expected));
    RidgeOutput ridge(layer_of(kernel, OutputOperator::diagonal(a), lambda), view(C), p);
    ridge.evaluate(view(Z), view(got));
    CHECK(relative(got, expected) < 1e-11);
  }
}

// K2AE: only C Cᵀ counts.
TEST(any_factor_of_the_inner_products_gives_the_same) {
  const Index n = 120, p = 2;
  const Dense Z = spectral::normal(n, p, 3), C = spectral::normal(n, 40, 4),
              turn = Eigen::HouseholderQR<Dense>(spectral::normal(40, 40, 5)).householderQ();
  Dense wide = Dense::Zero(n, 270);
  wide.leftCols(40) = C * turn;
  RidgeOutput narrow(KernelLayer::scalar(Kernel("gaussian", {0.5}), 40, 1e-2), view(C), p);
  RidgeOutput turned(KernelLayer::scalar(Kernel("gaussian", {0.5}), 270, 1e-2), view(wide), p);
  Dense first(n, p), second(n, p);
  const double value = narrow.evaluate(view(Z), view(first));
  CHECK_NEAR(turned.evaluate(view(Z), view(second)), value, 1e-12 * value);
  CHECK(relative(second, first) < 1e-11);
}

TEST(outputs_with_equal_eigenvalues_are_solved_together_as_alone) {
  const Index n = 130, p = 2;
  const Dense Z = spectral::normal(n, p, 6), C = spectral::normal(n, 4, 7);
  const Kernel kernel("matern52", {1.2});
  RidgeOutput all(layer_of(kernel, OutputOperator::diagonal({2.0, 0.0, 0.5, 2.0}), 1e-2), view(C), p);
  Dense got(n, p), sum = Dense::Zero(n, p), one(n, p);
  const double value = all.evaluate(view(Z), view(got));
  double total = 0.0;
  for (Index j = 0; j < 4; ++j) {
    const Dense column = C.col(j);
    RidgeOutput alone(layer_of(kernel, OutputOperator::diagonal({j == 1 ? 0.0 : j == 2 ? 0.5 : 2.0}), 1e-2), view(column), p);
    total += alone.evaluate(view(Z), view(one));
    sum += one;
    if (j == 1) CHECK_EQ(one.norm(), 0.0);  // nothing of it depends on codes
    for (Index i = 0; i < n; ++i) CHECK_NEAR(all.coefficients()(i, j), alone.coefficients()(i, 0), 1e-10);
  }
  CHECK_NEAR(value, total, 1e-12 * total);
  CHECK(relative(got, sum) < 1e-11);
}

TEST(strided_targets_and_codes_are_read_where_they_are) {
  const Index n = 90;
  const auto Z = normal<double>(2 * n, 6, 8), C = normal<double>(5, n, 9);
  const MatrixView<const double> strided(Z.view.data(), n, 2, 12, 3), flipped(C.view.data(), n, 5, 1, n);
  Numbers codes(n, 2), targets(n, 5), first(n, 2), second(2, n);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < 2; ++k) codes(i, k) = strided(i, k);
    for (Index k = 0; k < 5; ++k) targets(i, k) = flipped(i, k);
  }
  const KernelLayer layer = KernelLayer::scalar(Kernel("gaussian", {0.5}), 5, 1e-2);
  RidgeOutput plain(layer, targets.view, 2), other(layer, flipped, 2);
  const MatrixView<double> out(second.view.data(), n, 2, 1, n);
  const double value = plain.evaluate(codes.view, first.view);
  CHECK_NEAR(other.evaluate(strided, out), value, 1e-14 * value);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < 2; ++k) CHECK_NEAR(out(i, k), first(i, k), 1e-12 * value);
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Index n = 500, p = 3;
  const auto Z = normal<double>(n, p, 10);
  for (const Index r : {3, 270}) {
    const auto C = normal<double>(n, r, 11);
    std::vector<std::pair<double, Numbers>> results;
    for (const int threads : {1, 2, 7}) {
      set_num_threads(threads);
      RidgeOutput ridge(KernelLayer::scalar(Kernel("gaussian", {0.5}), r, 1e-3), C.view, p);
      results.emplace_back(0.0, Numbers(n, p));
      results.back().first = ridge.evaluate(Z.view, results.back().second.view);
      CHECK_EQ(ridge.evaluate(Z.view, results.back().second.view), results.back().first);
    }
    set_num_threads(0);
    for (const auto& result : results) {
      CHECK_EQ(result.first, results[0].first);
      CHECK(result.second.numbers == results[0].second.numbers);
    }
  }
}

// Codes that coincide and a tiny alpha: a singular matrix to rounding. What had to be added is told.
TEST(jitter_is_recorded_and_the_penalty_is_as_it_was) {
  const Index n = 80, p = 2;
  auto Z = normal<double>(n, p, 12);
  for (Index i = 0; i < n / 2; ++i) {
    for (Index k = 0; k < p; ++k) Z(i, k) = Z(i + n / 2, k);
  }
  const auto C = normal<double>(n, 3, 13);
  RidgeOutput tiny(KernelLayer::scalar(Kernel("gaussian", {0.5}), 3, 1e-30), C.view, p);
  const double value = tiny.evaluate(Z.view, {});
  CHECK(std::isfinite(value));
  double apart_by = 0.0;  // a function of the codes can only give the mean of two targets
  for (Index i = 0; i < n / 2; ++i) {
    for (Index k = 0; k < 3; ++k) apart_by += std::pow(C.view(i, k) - C.view(i + n / 2, k), 2) / (2.0 * n);
  }
  CHECK_NEAR(tiny.distortion(), apart_by, 0.1 * apart_by);  // the jitter is of the size of rounding: one digit is known
  CHECK_NEAR(value, tiny.distortion() + tiny.jitter() / n * tiny.squared_norm(), 0.1 * value);
  CHECK(tiny.jitter() > 0.0);
  CHECK(tiny.jitter() <= 1e-8);
  RidgeOutput usual(KernelLayer::scalar(Kernel("gaussian", {0.5}), 3, 1e-6), C.view, p);
  usual.evaluate(Z.view, {});
  CHECK_EQ(usual.jitter(), 0.0);
  const auto apart = normal<double>(n, p, 14);
  RidgeOutput again(KernelLayer::scalar(Kernel("gaussian", {500.0}), 3, 1e-30), C.view, p);
  again.evaluate(Z.view, {});
  CHECK(again.jitter() > 0.0);
  again.evaluate(apart.view, {});
  CHECK_EQ(again.jitter(), 0.0);
}

TEST(a_system_that_cannot_be_solved_names_alpha) {
  const Index n = 20, p = 2;
  const Numbers Z(n, p), S(3, p);  // all zero: K = 0
  const auto C = normal<double>(n, 3, 15);
  RidgeOutput ridge(KernelLayer::scalar(Kernel("linear", {}), 3, 1e-320), C.view, p);
  CHECK_THROWS(NumericalError, ridge.evaluate(Z.view, {}));
  CHECK_THROWS(NumericalError, ridge.evaluate(Z.view, S.view, {}, {}));
  CHECK(contains(message_of<NumericalError>([&] { ridge.evaluate(Z.view, {}); }), "raise the penalty of the last layer"));
  CHECK(contains(message_of<NumericalError>([&] { ridge.evaluate(Z.view, S.view, {}, {}); }),
                 "raise the penalty of the last layer"));
  RidgeOutput unseen(layer_of(Kernel("linear", {}), OutputOperator::diagonal({0.0, 0.0, 0.0}), 1e-320), C.view, p);
  CHECK_THROWS(NumericalError, unseen.evaluate(Z.view, {}));
  RidgeOutput enough(KernelLayer::scalar(Kernel("linear", {}), 3, 1e-3), C.view, p);
  CHECK(std::isfinite(enough.evaluate(Z.view, {})));  // and one that can
}

TEST(bad_input_is_refused) {
  const Index n = 10, p = 2;
  auto Z = normal<double>(n, p, 16);
  auto C = normal<double>(n, 3, 17);
  const Kernel kernel("gaussian", {0.5});
  Numbers Zbar(n, p), wrong(n, 3), S(4, p), few(n - 1, p);
  const auto build = [&](const KernelLayer& layer, Index code_size) { return RidgeOutput(layer, C.view, code_size); };
  for (const double alpha : {0.0, -1.0, not_a_number, std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS(std::invalid_argument, build(KernelLayer::scalar(kernel, 3, alpha), p));
  }
  KernelLayer two = KernelLayer::scalar(kernel, 3, 0.1);
  two.terms.push_back(two.terms.front());
  CHECK_THROWS(std::invalid_argument, build(two, p));
  CHECK_THROWS(std::invalid_argument, build(KernelLayer(), p));
  CHECK_THROWS(std::invalid_argument, build(KernelLayer::scalar(kernel, 2, 0.1), p));
  CHECK_THROWS(std::invalid_argument, build(KernelLayer::scalar(kernel, 3, 0.1), 0));

  RidgeOutput ridge = build(KernelLayer::scalar(kernel, 3, 0.1), p);
  CHECK_THROWS(std::invalid_argument, ridge.evaluate(wrong.view, {}));
  CHECK_THROWS(std::invalid_argument, ridge.evaluate(few.view, {}));
  CHECK_THROWS(std::invalid_argument, ridge.evaluate(Z.view, few.view));
  CHECK_THROWS(std::invalid_argument, ridge.evaluate(Z.view, wrong.view, {}, {}));
  CHECK_THROWS(std::invalid_argument, ridge.evaluate(Z.view, MatrixView<const double>(), {}, {}));
  CHECK_THROWS(std::invalid_argument, ridge.evaluate(Z.view, S.view, Zbar.view, few.view));
  CHECK_THROWS(std::invalid_argument, ridge.evaluate(few.view, S.view, {}, {}));
  CHECK_THROWS(std::invalid_argument, ridge.evaluate_at(few.view, Z.view, {}));
  CHECK_THROWS(std::invalid_argument, ridge.evaluate_at(C.view, few.view, {}));
  RidgeOutput weighted(layer_of(kernel, OutputOperator::diagonal({1.0, 2.0, 3.0}), 0.1), C.view, p);
  CHECK_THROWS(std::invalid_argument, weighted.evaluate(Z.view, S.view, {}, {}));
  CHECK(std::isfinite(ridge.evaluate(Z.view, Zbar.view)));  // and still works

  Z(3, 1) = not_a_number;
  CHECK_THROWS(std::invalid_argument, ridge.evaluate(Z.view, Zbar.view));
  Z(3, 1) = 1e200;
  RidgeOutput steep(KernelLayer::scalar(Kernel("polynomial", {3, 1.0, 0.0}), 3, 0.1), C.view, p);
  CHECK_THROWS(std::invalid_argument, steep.evaluate(Z.view, Zbar.view));
  C(1, 1) = not_a_number;
  CHECK_THROWS(std::invalid_argument, build(KernelLayer::scalar(kernel, 3, 0.1), p));
}

TEST(objects_move_with_what_they_know) {
  const Index n = 30, p = 2;
  const auto Z = normal<double>(n, p, 18), C = normal<double>(n, 2, 19);
  RidgeOutput first(KernelLayer::scalar(Kernel("gaussian", {0.5}), 2, 0.1), C.view, p);
  const double value = first.evaluate(Z.view, {});
  RidgeOutput second = std::move(first);
  CHECK_EQ(second.coefficients().rows(), n);
  CHECK_EQ(second.evaluate(Z.view, {}), value);
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/ovk/operator_kernel.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/gram/full.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using Dense = spectral::Matrix;
using dependency_data::relative;
using dependency_data::Sparse;
using gramian::view;
using spectral::normal;

namespace {

constexpr Index q = 3;  // outputs, and coordinates of points

double k_of(const Dense& X, Index i, const Dense& Y, Index j) { return std::exp(-0.7 * (X.row(i) - Y.row(j)).squaredNorm()); }
Kernel gaussian() { return Kernel("gaussian", {0.7}); }

Dense some_A() {
  const Dense G = normal(q, q, 9);
  return G * G.transpose();
}

struct Case {
  OperatorKernelPointer K;
  std::function<Dense(const Dense&, Index, const Dense&, Index)> block;  // by definition
};

std::vector<Case> cases() {
  const Dense A = some_A(), identity = Dense::Identity(q, q);
  const auto diagonal = [](const Dense& X, Index i, const Dense& Y, Index j) {
    return Dense(X.row(i).cwiseProduct(Y.row(j)).asDiagonal());
  };
  const auto scaled = [](const Dense& B) {
    return [B](const Dense& X, Index i, const Dense& Y, Index j) { return Dense(k_of(X, i, Y, j) * B); };
  };
  const OperatorKernelPointer full = separable_kernel(gaussian(), OutputOperator::full(view(A)));
  const Dense D = Eigen::Vector3d(2.0, 0.0, 0.5).asDiagonal();
  return {{full, scaled(A)},
          {separable_kernel(gaussian(), OutputOperator::identity(q)), scaled(identity)},
          {separable_kernel(gaussian(), OutputOperator::diagonal({2.0, 0.0, 0.5})), scaled(D)},
          {pointwise_kernel(q), diagonal},
          {diagonal_regularization(gaussian(), 0.3, q),
           [=](const Dense& X, Index i, const Dense& Y, Index j) {
             return Dense(0.7 * k_of(X, i, Y, j) * identity + 0.3 * diagonal(X, i, Y, j));
           }},
          {sum_kernel({{1.5, full}, {0.0, pointwise_kernel(q)}, {2.0, pointwise_kernel(q)}}),
           [=](const Dense& X, Index i, const Dense& Y, Index j) {
             return Dense(1.5 * k_of(X, i, Y, j) * A + 2.0 * diagonal(X, i, Y, j));
           }}};
}

Dense block_matrix(const Case& one, const Dense& X, const Dense& Y) {
  Dense out(X.rows() * q, Y.rows() * q);
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < Y.rows(); ++j) out.block(i * q, j * q, q, q) = one.block(X, i, Y, j);
  }
  return out;
}

}  // namespace

TEST(blocks_and_actions_are_those_of_the_definition) {
  for (const auto& [n, m] : {std::pair<Index, Index>{1, 1}, {7, 4}, {4, 9}}) {
    Dense X = normal(n, q, 1), Y = normal(m, q, 2);
    X(0, 1) = Y(0, 0) = 0.0;
    const Dense V = normal(m, q, 3);
    const Sparse sparse_X(X), sparse_Y(Y);
    for (const Case& one : cases()) {
      const Dense expected = block_matrix(one, X, Y);
      const Eigen::VectorXd action = expected * Eigen::Map<const Eigen::VectorXd>(V.data(), V.size());
      for (const auto& [x, y] : {std::pair<Points, Points>{view(X), view(Y)}, {sparse_X.points(), sparse_Y.points()}}) {
        Dense whole(n * q, m * q), block(q, q), out(n, q);
        one.K->matrix(x, y, view(whole));
        CHECK(relative(whole, expected) <= 1e-13);
        one.K->block(x, n - 1, y, m - 1, view(block));
        CHECK((block - expected.bottomRightCorner(q, q)).norm() <= 1e-13 * expected.norm());
        one.K->apply(x, y, view(V), view(out));
        CHECK((Eigen::Map<const Eigen::VectorXd>(out.data(), out.size()) - action).norm() <= 1e-12 * action.norm());
      }
    }
  }
}

TEST(kernels_are_symmetric_and_positive_semi_definite) {
  const Dense X = normal(10, q, 4);
  for (const Case& one : cases()) {
    Dense K(10 * q, 10 * q), there(q, q), back(q, q);
    one.K->matrix(Points(view(X)), Points(view(X)), view(K));
    CHECK(relative(K, K.transpose()) <= 1e-14);
    one.K->block(Points(view(X)), 2, Points(view(X)), 5, view(there));
    one.K->block(Points(view(X)), 5, Points(view(X)), 2, view(back));
    CHECK((there - back.transpose()).norm() <= 1e-14);
    CHECK(Eigen::SelfAdjointEigenSolver<Dense>(K).eigenvalues()(0) >= -1e-12 * K.norm());
  }
}

// [KDE] Sec. 5.2: both joint kernels by their own formulas.
TEST(joint_kernels_are_recovered) {
  const Dense X = normal(6, q, 5), Y = normal(4, q, 6), F = normal(6, q, 7), G = normal(4, q, 8);
  Dense tensor(6, 4), diagonal(6, 4), expected_tensor(6, 4), expected_diagonal(6, 4);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 4; ++j) {
      const double inner = F.row(i).dot(G.row(j));
      expected_tensor(i, j) = k_of(X, i, Y, j) * inner;
      double sum = 0.0;
      for (Index a = 0; a < q; ++a) sum += X(i, a) * Y(j, a) * F(i, a) * G(j, a);
      expected_diagonal(i, j) = (1.0 - 0.4) * k_of(X, i, Y, j) * inner + 0.4 * sum;
    }
  }
  joint_gram(*separable_kernel(gaussian(), OutputOperator::identity(q)), Points(view(X)), view(F), Points(view(Y)), view(G),
             view(tensor));
  joint_gram(*diagonal_regularization(gaussian(), 0.4, q), Points(view(X)), view(F), Points(view(Y)), view(G), view(diagonal));
  CHECK(relative(tensor, expected_tensor) <= 1e-13);
  CHECK(relative(diagonal, expected_diagonal) <= 1e-13);
}

TEST(covariance_operators_are_those_of_the_definition) {
  const Index n = 12;
  const Dense F = normal(n, q, 10), k = spectral::gaussian(normal(n, 2, 11));
  Dense C(q, q), conditional(q, q), identity = Dense::Identity(q, q);
  covariance_operator(view(F)).apply(view(identity), view(C));
  Dense expected = Dense::Zero(q, q);
  for (Index i = 0; i < n; ++i) expected += F.row(i).transpose() * F.row(i) / static_cast<double>(n);
  CHECK(relative(C, expected) <= 1e-14);
  // C_YY - C_YX (C_XX + epsilon I)^-1 C_XY with explicit features of inputs.
  const Eigen::SelfAdjointEigenSolver<Dense> eigen(k);
  const Dense H = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
  const Dense CXX = H.transpose() * H / static_cast<double>(n), CYX = F.transpose() * H / static_cast<double>(n);
  const Dense by_features = expected - CYX * (CXX + 0.05 * Dense::Identity(n, n)).partialPivLu().solve(CYX.transpose());
  conditional_covariance_operator(view(F), view(k), 0.05).apply(view(identity), view(conditional));
  CHECK(relative(conditional, by_features) <= 1e-11);
}

// [KDE] Sec. 3: <T Phi(y1), Phi(y2)> = [T l(y1, .)](y2), T = C_YY on functions sum_i c_i l(y_i, .): c -> L c / n.
TEST(the_generalised_kernel_trick) {
  const Index n = 9;
  const Dense Y = normal(n, 2, 12), L = spectral::gaussian(Y);
  const gramian::Matrix R = span_coordinates(view(L));
  const Dense F = as_eigen(R.view());
  CHECK(relative(F * F.transpose(), L) <= 1e-13);
  Dense turned(n, F.cols());
  covariance_operator(R.view()).apply(R.view(), view(turned));
  const Dense by_features = turned * F.transpose();
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      // [C_YY l(y_i, .)](y_j) = (1/n) sum_s l(y_s, y_i) l(y_s, y_j)
      double value = 0.0;
      for (Index s = 0; s < n; ++s) value += L(s, i) * L(s, j) / static_cast<double>(n);
      CHECK_NEAR(by_features(i, j), value, 1e-13);
    }
  }
}

// The same for both operators, on the explicit features of (y y' + 1)^2, against T as it acts on functions: sums of l(y_s, .).
TEST(the_generalised_kernel_trick_on_explicit_features) {
  const Index n = 8;
  const double epsilon = 0.07, shift = static_cast<double>(n) * epsilon;
  const Dense y = normal(n, 1, 13), k = spectral::gaussian(normal(n, 2, 14));
  const auto l = [](double s, double t) { return (s * t + 1.0) * (s * t + 1.0); };
  Dense phi(n, 3), L(n, n);
  for (Index i = 0; i < n; ++i) {
    phi.row(i) << y(i, 0) * y(i, 0), std::sqrt(2.0) * y(i, 0), 1.0;
    for (Index j = 0; j < n; ++j) L(i, j) = l(y(i, 0), y(j, 0));
  }
  const struct {
    OutputOperator T;
    Dense mixing;  // T f = (1 / n) sum_st mixing(s, t) f(y_t) l(y_s, .)
  } all[] = {{covariance_operator(view(phi)), Dense::Identity(n, n)},
             {conditional_covariance_operator(view(phi), view(k), epsilon),
              Dense::Identity(n, n) - (k + shift * Dense::Identity(n, n)).partialPivLu().solve(k)}};
  for (const auto& [T, mixing] : all) {
    Dense turned(n, 3);
    T.apply(view(phi), view(turned));
    const Dense weights = mixing * L / static_cast<double>(n);  // column i: of l(y_s, .) in T l(y_i, .)
    for (const double t : {-1.3, 0.4, 2.0}) {                   // elsewhere than at the samples
      const Eigen::Vector3d there(t * t, std::sqrt(2.0) * t, 1.0);
      for (Index i = 0; i < n; ++i) {
        double function = 0.0;
        for (Index s = 0; s < n; ++s) function += weights(s, i) * l(y(s, 0), t);
        CHECK_NEAR(turned.row(i).dot(there), function, 1e-11 * (1.0 + std::fabs(function)));
      }
    }
  }
}

// Kernels with a formula of their own for pairs, against the blocks.
TEST(joint_kernels_are_those_of_the_blocks) {
  for (const auto& [n, m] : {std::pair<Index, Index>{1, 1}, {7, 4}, {300, 5}}) {
    const Dense X = normal(n, q, 21), Y = normal(m, q, 22), F = normal(n, q, 23), G = normal(m, q, 24);
    const Sparse sparse_X(X), sparse_Y(Y);
    for (const Case& one : cases()) {
      Dense expected(n, m), out(n, m);
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < m; ++j) expected(i, j) = F.row(i) * one.block(X, i, Y, j) * G.row(j).transpose();
      }
      for (const auto& [x, y] : {std::pair<Points, Points>{view(X), view(Y)}, {sparse_X.points(), sparse_Y.points()}}) {
        joint_gram(*one.K, x, view(F), y, view(G), view(out));
        CHECK(relative(out, expected) <= 1e-13);
        one.K->OperatorKernel::joint(x, view(F), y, view(G), view(out));
        CHECK(relative(out, expected) <= 1e-13);
      }
    }
  }
}

TEST(coordinates_of_a_span_have_its_dimension) {
  const Dense few = normal(10, 4, 15), L = few * few.transpose();
  CHECK_EQ(span_coordinates(view(L)).cols(), 4);
  const Dense zero = Dense::Zero(5, 5);
  CHECK_EQ(span_coordinates(view(zero)).cols(), 0);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Dense X = normal(300, q, 16), V = normal(300, q, 17);
  for (const Case& one : cases()) {
    Dense first(300, q), other(300, q);
    set_num_threads(1);
    one.K->apply(Points(view(X)), Points(view(X)), view(V), view(first));
    for (const int threads : {2, 7}) {
      set_num_threads(threads);
      one.K->apply(Points(view(X)), Points(view(X)), view(V), view(other));
      CHECK(first == other);
    }
  }
  set_num_threads(0);
}

TEST(bad_input_is_refused) {
  const Dense X = normal(4, q, 18), wide = normal(4, q + 1, 19), indefinite = -Dense::Identity(4, 4);
  Dense out(4, q), block(q, q), square(4, 4);
  const OperatorKernelPointer K = pointwise_kernel(q);
  CHECK_THROWS(std::invalid_argument, pointwise_kernel(0));
  CHECK_THROWS(std::invalid_argument, sum_kernel({}));
  CHECK_THROWS(std::invalid_argument, sum_kernel({{-1.0, K}}));
  CHECK_THROWS(std::invalid_argument, sum_kernel({{1.0, nullptr}}));
  CHECK_THROWS(std::invalid_argument, sum_kernel({{1.0, K}, {1.0, pointwise_kernel(q + 1)}}));
  CHECK_THROWS(std::invalid_argument, diagonal_regularization(gaussian(), 1.5, q));
  CHECK_THROWS(std::invalid_argument, K->apply(Points(view(wide)), Points(view(wide)), view(X), view(out)));
  CHECK_THROWS(std::invalid_argument, K->apply(Points(view(X)), Points(view(X)), view(wide), view(out)));
  CHECK_THROWS(std::invalid_argument, K->block(Points(view(X)), 4, Points(view(X)), 0, view(block)));
  const Dense empty(0, 0);
  CHECK_THROWS(std::invalid_argument, covariance_operator(view(empty)));
  CHECK_THROWS(std::invalid_argument, conditional_covariance_operator(view(X), view(indefinite), 0.0));
  CHECK_THROWS(std::invalid_argument, span_coordinates(view(indefinite)));
  const Dense half = Dense(Dense::Ones(4, 4).triangularView<Eigen::Upper>());
  CHECK_THROWS(std::invalid_argument, span_coordinates(view(half)));
  CHECK_THROWS(std::invalid_argument, joint_gram(*K, Points(view(X)), view(wide), Points(view(X)), view(X), view(square)));
}

TEST_MAIN

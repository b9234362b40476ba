// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/ovk/low_rank_ridge.hpp"

#include <Eigen/LU>
#include <Eigen/Eigenvalues>
#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/dependency_problem.hpp"

using namespace gramian;
using namespace dependency_data;
using gramian::view;

namespace {

using Dense = spectral::Matrix;

Dense coefficients(const Dense& Uc, const Dense& Vc, const DependencyOperator& options, double lambda) {
  Dense G(Vc.cols(), Uc.cols());
  LowRankRidge(view(Uc), view(Vc), options).coefficients(lambda, view(G));
  return G;
}

}  // namespace

// What the factors stand for, solved exactly: v_yᵀ G u_x = L_yᵀ C k_x for k_x = Uc u_x, L_y = Vc v_y.
TEST(factors_give_what_the_matrices_they_stand_for_give) {
  for (const Index n : {1, 2, 9, 30}) {
    for (const auto& [p, q] : {std::pair<Index, Index>{1, 1}, {3, 5}, {12, 2}, {30, 30}}) {
      const Dense Uc = normal(n, p, 1), Vc = normal(n, q, 2), k = Uc * Uc.transpose(), L = Vc * Vc.transpose();
      for (const Kind kind : kinds) {
        const DependencyOperator options = operator_of(kind, 0.1);
        Dense C(n, n);
        SeparableRidge(view(k), view(L), options).coefficients(0.05, view(C));
        CHECK(relative(coefficients(Uc, Vc, options, 0.05), Vc.transpose() * C * Uc) <= 1e-9);
      }
    }
  }
}

TEST(leave_one_out_is_that_of_the_matrices_they_stand_for) {
  for (const Index n : {2, 5, 40}) {
    for (const auto& [p, q] : {std::pair<Index, Index>{1, 1}, {3, 5}, {12, 2}}) {
      const Dense Uc = normal(n, p, 3), Vc = normal(n, q, 4), k = Uc * Uc.transpose(), L = Vc * Vc.transpose();
      for (const Kind kind : kinds) {
        const DependencyOperator options = operator_of(kind, 0.1);
        Dense expected(n, 1), errors(n, 1);
        SeparableRidge(view(k), view(L), options).leave_one_out(0.05, view(expected));
        LowRankRidge(view(Uc), view(Vc), options).leave_one_out(0.05, view(errors));
        CHECK(relative(errors, expected) <= 1e-8);
      }
    }
  }
}

// [KDE] (15): to the letter it keeps k_x and L: what k ≈ U Uᵀ drops of them is divided by n lambda.
TEST(exact_inputs_with_truncated_factors_are_wrong) {
  const Index n = 200, m = 30, fresh = 20;
  const double lambda = 1e-4, shift = static_cast<double>(n) * lambda;
  const Dense X = normal(n + fresh, 3, 5), Y = (X.array() * 1.3).sin().matrix();
  const Dense all = spectral::gaussian(X), outputs = spectral::gaussian(Y);
  const Dense k = all.topLeftCorner(n, n), L = outputs.topLeftCorner(n, n), k_x = all.topRightCorner(n, fresh);
  // The first m samples as pivots: columns of the Cholesky factor.
  const auto factor = [&](const Dense& A) {
    const Eigen::LLT<Dense> corner(A.topLeftCorner(m, m));
    return Dense(corner.matrixL().solve(A.topRows(m)).transpose());
  };
  const Dense U = factor(k), V = factor(L), u_x = U.topRows(m).partialPivLu().solve(k_x.topRows(m));
  for (const Kind kind : {Kind::covariance, Kind::conditional}) {
    const DependencyOperator options = operator_of(kind, 1e-2);
    Dense C(n, n);
    SeparableRidge(view(k), view(L), options).coefficients(lambda, view(C));
    const Dense exact = L * C * k_x, ours = V * coefficients(U, V, options, lambda) * u_x;
    // (15): L_y' [L k_x - (k_x' U kron L V) (n lambda I + U'U kron V'V)^-1 vec(V'U)] / (n lambda), T of the operator for the L
    // in front, S V for the V after it.
    Dense T = T_of(k, L, options), SV = T_of(U * U.transpose(), V, options);
    if (kind == Kind::covariance) SV = V;
    Dense X15(m, m);
    const Dense B = V.transpose() * SV;
    const Eigen::SelfAdjointEigenSolver<Dense> a(U.transpose() * U), b(0.5 * (B + B.transpose()));
    X15 = b.eigenvectors().transpose() * V.transpose() * U * a.eigenvectors();
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < m; ++j) X15(i, j) /= shift + b.eigenvalues()(i) * a.eigenvalues()(j);
    }
    X15 = b.eigenvectors() * X15 * a.eigenvectors().transpose();
    const Dense printed = L * T * (Dense::Identity(n, n) - SV * X15 * U.transpose()) * k_x / shift;
    CHECK(relative(printed, exact) > 1.0);
    CHECK(relative(ours, exact) < 0.5);
  }
}

TEST(an_operator_that_all_but_vanishes_is_no_reason_to_refuse) {
  const Dense U = normal(40, 10, 6);
  for (const double epsilon : {1e-16, 1e-12, 1e-6}) {
    CHECK(coefficients(U, U, operator_of(Kind::conditional, epsilon), 1e-3).allFinite());
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Dense U = normal(5000, 20, 7), V = normal(5000, 30, 8);
  for (const Kind kind : kinds) {
    set_num_threads(1);
    const Dense first = coefficients(U, V, operator_of(kind, 0.1), 1e-3);
    Dense errors(5000, 1), other(5000, 1);
    LowRankRidge(view(U), view(V), operator_of(kind, 0.1)).leave_one_out(1e-3, view(errors));
    for (const int threads : {2, 7}) {
      set_num_threads(threads);
      CHECK(coefficients(U, V, operator_of(kind, 0.1), 1e-3) == first);
      LowRankRidge(view(U), view(V), operator_of(kind, 0.1)).leave_one_out(1e-3, view(other));
      CHECK(errors == other);
    }
    set_num_threads(0);
  }
}

TEST(bad_input_is_refused) {
  Dense U = normal(5, 2, 9), V = normal(5, 3, 10), shorter = normal(4, 2, 11), none(0, 2);
  const DependencyOperator options;
  CHECK_THROWS(std::invalid_argument, LowRankRidge(view(U), view(shorter), options));
  CHECK_THROWS(std::invalid_argument, LowRankRidge(view(none), view(none), options));
  CHECK_THROWS(std::invalid_argument, LowRankRidge(view(U), view(V), operator_of(Kind::conditional, 0.0)));
  for (const double lambda : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS(std::invalid_argument, coefficients(U, V, options, lambda));
  }
  Dense square(3, 3);
  CHECK_THROWS(std::invalid_argument, LowRankRidge(view(U), view(V), options).coefficients(0.1, view(square)));
  const Dense small = 1e10 * U, large = 1e300 * V;  // each of them has entries, their product has none
  CHECK_THROWS(std::invalid_argument, LowRankRidge(view(small), view(large), operator_of(Kind::identity, 0.1)));
  U(1, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, LowRankRidge(view(U), view(V), options));
}

TEST_MAIN

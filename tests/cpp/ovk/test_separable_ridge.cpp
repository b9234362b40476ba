// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/ovk/separable_ridge.hpp"

#include <Eigen/LU>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/dependency_problem.hpp"

using namespace gramian;
using namespace dependency_data;
using gramian::view;

namespace {

using Dense = spectral::Matrix;

Dense by_band(const Dense& k, const Dense& L, const DependencyOperator& options, double lambda) {
  Dense C(k.rows(), k.rows());
  separable_ridge(view(k), view(L), options, lambda, view(C));
  return C;
}

Dense by_eigenpairs(const Dense& k, const Dense& L, const DependencyOperator& options, double lambda) {
  Dense C(k.rows(), k.rows());
  SeparableRidge(view(k), view(L), options).coefficients(lambda, view(C));
  return C;
}

/// The sample that is left out is left out of k and of the data, and stays in the operator: [KDE] (3) in coordinates of Phi.
Dense leave_one_out_scores(const Dense& k, const Dense& L, const DependencyOperator& options, double lambda, Vector& errors) {
  const Index n = k.rows();
  const Eigen::SelfAdjointEigenSolver<Dense> eigen(L);
  const Dense features = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
  Dense S = Dense::Identity(n, n);
  if (const auto* conditional = std::get_if<ConditionalOperator>(&options)) {
    S -= (k + static_cast<double>(n) * conditional->epsilon * Dense::Identity(n, n)).partialPivLu().solve(k);
  }
  const bool identity = is_identity(options);
  const Dense A = identity ? Dense(Dense::Identity(n, n)) : Dense(features.transpose() * S * features / static_cast<double>(n));
  const double shift = identity ? static_cast<double>(n) * lambda : lambda;  // the others have the n in A
  Dense inner(n, n);
  for (Index out = 0; out < n; ++out) {
    const Index m = n - 1;
    Eigen::MatrixXd system = shift * Eigen::MatrixXd::Identity(m * n, m * n);
    Vector targets(m * n), prediction = Vector::Zero(n);
    const auto kept = [&](Index i) { return i < out ? i : i + 1; };
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < m; ++j) system.block(i * n, j * n, n, n) += k(kept(i), kept(j)) * A;
      targets.segment(i * n, n) = features.row(kept(i)).transpose();
    }
    const Vector psi = system.partialPivLu().solve(targets);
    for (Index i = 0; i < m; ++i) prediction += k(out, kept(i)) * (A * psi.segment(i * n, n));
    inner.col(out) = features * prediction;
    errors(out) = (features.row(out).transpose() - prediction).squaredNorm();
  }
  return inner;
}

}  // namespace

TEST(both_routes_solve_the_system_of_n_squared_equations) {
  for (const Index n : {1, 2, 3, 9, 16}) {
    for (const Pair& pair : pairs(n)) {
      for (const Kind kind : kinds) {
        for (const double lambda : {1e-3, 1e-1}) {
          const DependencyOperator options = operator_of(kind, 0.03);
          const Dense expected = brute_force(pair.k, pair.L, options, lambda);
          CHECK(relative(by_band(pair.k, pair.L, options, lambda), expected) <= 1e-10);
          CHECK(relative(by_eigenpairs(pair.k, pair.L, options, lambda), expected) <= 1e-10);
        }
      }
    }
  }
  const Pair pair = pairs(40)[0];
  for (const Kind kind : kinds) {
    const DependencyOperator options = operator_of(kind, 0.01);
    const Dense expected = brute_force(pair.k, pair.L, options, 1e-2);
    CHECK(relative(by_band(pair.k, pair.L, options, 1e-2), expected) <= 1e-10);
    CHECK(relative(by_eigenpairs(pair.k, pair.L, options, 1e-2), expected) <= 1e-10);
  }
}

TEST(both_routes_agree_for_more_samples_than_blocks_hold) {
  for (const Index n : {63, 64, 65, 72, 200, 401}) {
    const Pair pair = pairs(n)[0];
    for (const Kind kind : kinds) {
      const DependencyOperator options = operator_of(kind, 1e-3);
      CHECK(relative(by_band(pair.k, pair.L, options, 1e-4), by_eigenpairs(pair.k, pair.L, options, 1e-4)) <= 1e-8);
    }
  }
}

TEST(a_small_epsilon_goes_another_way_to_the_same) {
  for (const Pair& pair : pairs(16)) {
    for (const double epsilon : {1.0, 1e-2, 1e-3, 2e-4, 1e-4, 5e-5, 1e-6}) {  // by a band above 1e-4 or so
      const DependencyOperator options = operator_of(Kind::conditional, epsilon);
      const Dense expected = brute_force(pair.k, pair.L, options, 1e-2);
      CHECK(relative(by_band(pair.k, pair.L, options, 1e-2), expected) <= 1e-13 + 1e-15 / epsilon);
    }
  }
}

TEST(the_identity_has_n_lambda_as_the_others_have) {
  const Pair pair = pairs(30)[0];
  const DependencyOperator identity = operator_of(Kind::identity, 0.0);
  const Dense C = by_band(pair.k, pair.L, identity, 0.2);
  CHECK(relative(C * (pair.k + 30.0 * 0.2 * Dense::Identity(30, 30)), Dense::Identity(30, 30)) <= 1e-12);
}

TEST(limits_of_epsilon) {
  const Pair pair = pairs(25)[0];
  const DependencyOperator covariance = operator_of(Kind::covariance, 0.0);
  const auto conditional = [](double epsilon) { return operator_of(Kind::conditional, epsilon); };
  const Dense expected = by_band(pair.k, pair.L, covariance, 1e-2);
  for (const auto& route : {by_band, by_eigenpairs}) {
    CHECK(relative(route(pair.k, pair.L, conditional(1e9), 1e-2), expected) <= 1e-7);
    // A strictly positive k explains everything: T -> n epsilon k^-1 L -> 0, and with it C -> T / (n lambda).
    const double small = 1e-13;
    const Dense limit = small / 1e-2 * pair.k.partialPivLu().solve(pair.L);
    CHECK(relative(route(pair.k, pair.L, conditional(small), 1e-2), limit) <= 1e-8);
  }
}

TEST(indefinite_only_by_rounding_is_no_reason_to_refuse) {
  // S takes away all that L has: what is left of S L S is rounding of either sign.
  const Index n = 40;
  const double lambda = 1e-3;
  const Dense few = normal(n, 3, 31), L = few * few.transpose(), k = 1e6 * L;
  const Eigen::SelfAdjointEigenSolver<Dense> eigen(L);
  const Dense span = eigen.eigenvectors().rightCols(3);
  for (const double epsilon : {1e-14, 1e-12, 1e-6}) {
    const DependencyOperator options = operator_of(Kind::conditional, epsilon);
    const double shift = static_cast<double>(n) * epsilon, penalty = static_cast<double>(n) * lambda;
    Vector expected(3);
    for (Index j = 0; j < 3; ++j) {
      const double l = eigen.eigenvalues()(n - 3 + j), T = shift * l / (1e6 * l + shift);
      expected(j) = T / (T * 1e6 * l + penalty);
    }
    const Dense C = span * expected.asDiagonal() * span.transpose();
    CHECK((by_band(k, L, options, lambda) - C).norm() <= 1e-12 * L.norm() / penalty);
    CHECK((by_eigenpairs(k, L, options, lambda) - C).norm() <= 1e-12 * L.norm() / penalty);
  }
}

TEST(a_penalty_below_rounding_is_one_all_the_same) {
  // Inputs without an eigenvalue near zero are interpolated: <g(x_i), Phi(y_j)> is L itself, and no smaller than that for others.
  for (const Pair& pair : pairs(30)) {
    const bool interpolated = Eigen::SelfAdjointEigenSolver<Dense>(pair.k).eigenvalues()(0) > 1e-6;
    for (const Kind kind : kinds) {
      for (const auto& route : {by_band, by_eigenpairs}) {
        const Dense C = route(pair.k, pair.L, operator_of(kind, 0.05), 1e-30);
        CHECK(C.allFinite());
        if (interpolated) CHECK((pair.L * C * pair.k - pair.L).norm() <= 1e-9 * pair.L.norm());
      }
    }
  }
  // Two equal samples have no Cholesky factor: eigenpairs take its place.
  const Pair twice = pairs(30)[4];
  const DependencyOperator identity = operator_of(Kind::identity, 0.0);
  CHECK(by_band(twice.k, twice.L, identity, 1e-30) == by_eigenpairs(twice.k, twice.L, identity, 1e-30));
}

namespace {

using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

/// k C for k = F Fᵀ and the identity, without a number that cancels: F (FᵀF + shift I)^-1 Fᵀ.
Dense smoother_of(const Dense& F, double shift) {
  const Long long_F = F.cast<long double>();
  const Long inner = long_F.transpose() * long_F + static_cast<long double>(shift) * Long::Identity(F.cols(), F.cols());
  return (long_F * inner.llt().solve(long_F.transpose())).cast<double>();
}

Dense without_row(const Dense& A, Index out) {
  Dense kept(A.rows() - 1, A.cols());
  kept.topRows(out) = A.topRows(out);
  kept.bottomRows(A.rows() - 1 - out) = A.bottomRows(A.rows() - 1 - out);
  return kept;
}

}  // namespace

TEST(a_singular_matrix_of_inputs_is_one_at_any_penalty) {
  const Index n = 40;
  const Dense few = normal(n, 3, 51), once = normal(n / 2, 10, 52), outputs = normal(n, 4, 53), L = outputs * outputs.transpose();
  Dense twice(n, once.cols());
  for (Index i = 0; i < n; ++i) twice.row(i) = once.row(i / 2);
  for (const Dense& F : {few, twice}) {
    const Dense k = F * F.transpose();
    for (const double lambda : {1e-9, 1e-12, 1e-14, 1e-16, 1e-20, 1e-300}) {
      const double shift = static_cast<double>(n) * lambda;
      const Dense expected = smoother_of(F, shift);
      for (const auto& route : {by_band, by_eigenpairs}) {
        CHECK((k * route(k, L, operator_of(Kind::identity), lambda) - expected).norm() <= 1e-11 * expected.norm());
        // Where inputs are only a few directions, predictions of any operator are those of least squares.
        for (const Kind kind : {Kind::covariance, Kind::conditional}) {
          const Dense found = L * route(k, L, operator_of(kind, 0.05), lambda) * k;
          if (lambda <= 1e-12) CHECK((found - L * expected).norm() <= 1e-8 * L.norm());
        }
      }
      Dense errors(n, 1);
      SeparableRidge(view(k), view(L), operator_of(Kind::identity)).leave_one_out(lambda, view(errors));
      for (Index out = 0; out < n; ++out) {
        const Dense kept = without_row(F, out);
        const Long inner =
            (kept.transpose() * kept).cast<long double>() + static_cast<long double>(shift) * Long::Identity(F.cols(), F.cols());
        const Long weights = inner.llt().solve(F.row(out).transpose().cast<long double>());
        const Dense predicted = (kept * weights.cast<double>()).transpose() * without_row(outputs, out);
        CHECK(std::abs(errors(out, 0) - (outputs.row(out) - predicted).squaredNorm()) <= 1e-10 * errors(out, 0));
      }
    }
  }
}

TEST(few_large_outputs_and_a_small_penalty) {
  // L of low rank: what the penalty alone holds is of size 1 / lambda, and must not reach predictions, which are L C k_x.
  const Index n = 80;
  const Dense k = spectral::gaussian(2.0 * normal(n, 4, 41)), few = normal(n, 8, 42), single = normal(n, 1, 43);
  for (const Dense& features : {few, single}) {
    for (const double scale : {1.0, 16.0, 256.0, 4096.0, 65536.0, 1e9}) {
      const Dense L = scale * scale * features * features.transpose();
      for (const Kind kind : {Kind::covariance, Kind::conditional}) {
        for (const double lambda : {1e-2, 1e-6, 1e-10, 1e-30}) {
          const DependencyOperator options = operator_of(kind, 1e-2);
          const Dense C = by_band(k, L, options, lambda);
          CHECK(C.allFinite());
          CHECK(relative(L * C * k, L * by_eigenpairs(k, L, options, lambda) * k) <= 1e-9);
        }
      }
    }
  }
}

TEST(scales_whose_squares_are_no_numbers) {
  const Pair pair = pairs(30)[3];
  for (const Kind kind : kinds) {
    const DependencyOperator options = operator_of(kind, 0.05);
    const Dense expected = by_band(pair.k, pair.L, options, 0.01);
    for (const double scale : {1e-160, 1e-120, 1e120, 1e160}) {
      for (const auto& route : {by_band, by_eigenpairs}) {
        const double lambda = kind == Kind::identity ? 0.01 : 0.01 * scale;
        CHECK(relative(route(pair.k, scale * pair.L, options, lambda), expected) <= 1e-10);
      }
    }
  }
  // S of an epsilon that is nothing: C -> n epsilon k^-1 L / (n lambda).
  const Dense limit = 1e-300 / 0.01 * pair.k.partialPivLu().solve(pair.L);
  for (const auto& route : {by_band, by_eigenpairs}) {
    const Dense C = route(pair.k, pair.L, operator_of(Kind::conditional, 1e-300), 0.01);
    CHECK(relative(1e300 * C, 1e300 * limit) <= 1e-8);
  }
  const Dense none = Dense::Zero(30, 30), huge = 1e300 * pair.k;
  for (const auto& route : {by_band, by_eigenpairs}) {
    CHECK_THROWS(NumericalError, route(none, huge, operator_of(Kind::covariance, 0.0), 1e-300));
  }
}

TEST(matrices_of_few_digits_are_semidefinite) {
  const Index n = 60;
  const Dense few = normal(n, 4, 51), exact = few * few.transpose(), rounded = exact.cast<float>().cast<double>();
  const Dense k = spectral::gaussian(normal(n, 3, 52));
  CHECK(Eigen::SelfAdjointEigenSolver<Dense>(rounded).eigenvalues()(0) < -1e-9 * exact.norm());
  for (const Kind kind : kinds) {
    const DependencyOperator options = operator_of(kind, 1.0);
    for (const auto& route : {by_band, by_eigenpairs}) {
      CHECK(relative(exact * route(k, rounded, options, 1e-2) * k, exact * route(k, exact, options, 1e-2) * k) <= 1e-5);
      CHECK(relative(k * route(rounded, k, options, 1.0) * rounded, k * route(exact, k, options, 1.0) * exact) <= 1e-4);
    }
  }
  const Dense mistake = exact - 1e-3 * exact.norm() * Dense::Identity(n, n);
  std::string message;
  try {
    by_band(k, mistake, operator_of(Kind::covariance, 0.0), 1e-2);
  } catch (const std::invalid_argument& error) {
    message = error.what();
  }
  CHECK(message.find("L must be positive semidefinite, but it has the eigenvalue -") == 0);
}

TEST(leave_one_out_is_what_refits_say) {
  for (const Index n : {2, 3, 12}) {
    for (const Pair& pair : pairs(n)) {
      for (const Kind kind : kinds) {
        const DependencyOperator options = operator_of(kind, 0.05);
        Vector expected_errors(n);
        const Dense expected = leave_one_out_scores(pair.k, pair.L, options, 0.02, expected_errors);
        Dense inner(n, n), errors(n, 1), alone(n, 1);
        const SeparableRidge ridge(view(pair.k), view(pair.L), options);
        ridge.leave_one_out(0.02, view(errors), view(inner));
        ridge.leave_one_out(0.02, view(alone));
        CHECK((inner - expected).norm() <= 1e-9 * (pair.L.norm() + expected.norm()));
        CHECK((errors.col(0) - expected_errors).norm() <= 1e-9 * (pair.L.norm() + expected_errors.norm()));
        CHECK(errors == alone);
      }
    }
  }
}

TEST(weights_are_coefficients_times_new_inputs) {
  const Index n = 30, q = 7;
  const Pair pair = pairs(n)[1];
  const Dense cross = normal(q, n, 5);
  for (const Kind kind : kinds) {
    const SeparableRidge ridge(view(pair.k), view(pair.L), operator_of(kind, 0.05));
    Dense rotated(q, n), weights(q, n), C(n, n);
    ridge.rotate(view(cross), view(rotated));
    for (const double lambda : {1e-3, 1.0}) {
      ridge.coefficients(lambda, view(C));
      ridge.weights(lambda, view(rotated), view(weights));
      CHECK(relative(weights, cross * C.transpose()) <= 1e-10);
    }
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Pair pair = pairs(300)[0];
  for (const Kind kind : kinds) {
    const DependencyOperator options = operator_of(kind, 0.05);
    set_num_threads(1);
    const Dense band = by_band(pair.k, pair.L, options, 0.01), eigen = by_eigenpairs(pair.k, pair.L, options, 0.01);
    for (const int threads : {2, 7}) {
      set_num_threads(threads);
      CHECK(by_band(pair.k, pair.L, options, 0.01) == band);
      CHECK(by_eigenpairs(pair.k, pair.L, options, 0.01) == eigen);
    }
    set_num_threads(0);
  }
}

TEST(bad_input_is_refused) {
  const Pair pair = pairs(5)[0];
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const DependencyOperator covariance = operator_of(Kind::covariance), conditional = operator_of(Kind::conditional, 0.1);
  for (const double lambda : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS(std::invalid_argument, by_band(pair.k, pair.L, covariance, lambda));
    CHECK_THROWS(std::invalid_argument, by_eigenpairs(pair.k, pair.L, covariance, lambda));
  }
  for (const double epsilon : {0.0, -1.0, nan}) {
    CHECK_THROWS(std::invalid_argument, by_band(pair.k, pair.L, operator_of(Kind::conditional, epsilon), 1.0));
    CHECK_THROWS(std::invalid_argument, by_eigenpairs(pair.k, pair.L, operator_of(Kind::conditional, epsilon), 1.0));
  }
  CHECK_THROWS(std::invalid_argument, by_band(pair.k, pairs(6)[0].L, covariance, 1.0));
  const Dense none(0, 0);
  Dense C(5, 5);
  CHECK_THROWS(std::invalid_argument, separable_ridge(view(none), view(none), covariance, 1.0, view(C)));
  for (const DependencyOperator& options : {covariance, conditional}) {
    for (const double bad : {nan, -0.5}) {
      Dense k = pair.k, L = pair.L;
      k(2, 2) = bad;
      L(2, 2) = bad;
      CHECK_THROWS(std::invalid_argument, by_band(k, pair.L, options, 1.0));
      CHECK_THROWS(std::invalid_argument, by_band(pair.k, L, options, 1.0));
      CHECK_THROWS(std::invalid_argument, by_eigenpairs(k, pair.L, options, 1.0));
      CHECK_THROWS(std::invalid_argument, by_eigenpairs(pair.k, L, options, 1.0));
    }
  }
}

TEST_MAIN

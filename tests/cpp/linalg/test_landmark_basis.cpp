// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/landmark_basis.hpp"

#include <Eigen/Cholesky>
#include <limits>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/linalg/conjugate_gradients.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using gramian::view;
using spectral::normal;
using spectral::Vector;
using Dense = spectral::Matrix;

namespace {

Dense cross(const Dense& X, const Dense& Y) {
  return Dense::NullaryExpr(X.rows(), Y.rows(),
                            [&](Index i, Index j) { return std::exp(-0.5 * (X.row(i) - Y.row(j)).squaredNorm()); });
}

/// Points in clusters, half of them repeated.
Dense clustered(Index n) {
  Dense X = 1e-3 * normal(n, 2, 1);
  for (Index i = 0; i < n; ++i) X.row(i) += 2.0 * normal(8, 2, 2).row(i % 8);
  for (Index i = n - 1; i > n / 2; --i) X.row(i) = X.row(i - n / 2).eval();
  return X;
}

Dense random_rows(const Dense& X, Index count, std::uint64_t seed) {
  const RandomStream random(seed);
  Dense out(count, X.cols());
  for (Index i = 0; i < count; ++i) {
    out.row(i) = X.row(static_cast<Index>(random.uniform(static_cast<std::uint64_t>(i)) * static_cast<double>(X.rows())));
  }
  return out;
}

Matrix copied(const Dense& A) { return Matrix::copy_of(MatrixView<const double>(view(A))); }

/// Features of rows of K_nm.
Dense features(const LandmarkBasis& basis, const Dense& K_nm) {
  Dense G(K_nm.rows(), basis.rank());
  basis.contract(transposed(MatrixView<const double>(view(K_nm))), transposed(view(G)));
  return G;
}

}  // namespace

TEST(coordinates_have_the_norm_of_the_function) {
  for (const Dense& C : {normal(30, 3, 3), clustered(40)}) {
    const Dense K = cross(C, C);
    const LandmarkBasis basis(view(K));
    CHECK(basis.landmarks() == C.rows() && basis.rank() <= C.rows());
    const Dense b = normal(basis.rank(), 2, 4);
    Dense a(C.rows(), 2), back(basis.rank(), 2);
    basis.expand(view(b), view(a));
    for (Index j = 0; j < 2; ++j) {
      CHECK_NEAR(a.col(j).dot(K * a.col(j)), b.col(j).squaredNorm(), 1e-4 * b.col(j).squaredNorm());
    }
    const Dense g = K * a;
    basis.contract(view(g), view(back));
    CHECK((back - b).norm() <= 1e-4 * b.norm());
    const Dense F = as_eigen(basis.features());
    CHECK((F * F.transpose() - K).norm() <= 1e-6 * K.norm());
    CHECK((features(basis, K) - F).norm() <= 1e-8 * F.norm());
  }
}

TEST(repeated_landmarks_are_no_pivots) {
  const Dense C = clustered(40), K = cross(C, C);
  const LandmarkBasis basis(view(K));
  CHECK(basis.rank() <= 21);
  CHECK_EQ(basis.pivots().size(), static_cast<std::size_t>(basis.rank()));
}

TEST(restricted_systems_are_solved_at_any_penalty) {
  const Index n = 2000, m = 120;
  for (const bool close : {false, true}) {
    const Dense X = close ? clustered(n) : normal(n, 3, 5), C = random_rows(X, m, 6), K = cross(C, C), K_nm = cross(X, C);
    const LandmarkBasis basis(view(K));
    const Dense G = features(basis, K_nm), y = normal(n, 1, 7), right = G.transpose() * y;
    const Index s = 3 * m;
    const Dense rows = std::sqrt(static_cast<double>(n) / static_cast<double>(s)) * cross(random_rows(X, s, 8), C);
    const Matrix square = restricted_square(basis, copied(rows));
    for (const double lambda : {1e-12, 1e-9, 1e-6, 1e-3, 1.0}) {
      const double alpha = lambda * static_cast<double>(n);
      const Dense A = G.transpose() * G + alpha * Dense::Identity(basis.rank(), basis.rank());
      const RestrictedInverse inverse(square.view(), alpha);
      const ConjugateGradients found = conjugate_gradients(StoredOperator(view(A)), view(right), {1e-7, 100}, &inverse);
      if (!found.converged) {
        check::fail(__FILE__, __LINE__,
                    std::to_string(lambda) + ": " + name_of(found.stop_reason) + " " + std::to_string(found.residuals[0]));
      }
      CHECK(found.iterations <= 60);
    }
  }
}

TEST(all_rows_and_the_landmarks_make_the_inverse_of_both) {
  const Dense X = normal(200, 3, 9), C = X.topRows(20), K = cross(C, C), K_nm = cross(X, C);
  const LandmarkBasis basis(view(K));
  const Dense G = features(basis, K_nm), R = normal(basis.rank(), 3, 10);
  const Dense A = G.transpose() * G + 0.1 * Dense::Identity(basis.rank(), basis.rank());
  Dense out(R.rows(), R.cols());
  RestrictedInverse(restricted_square(basis, copied(K_nm)).view(), 0.1).apply(view(R), view(out));
  const Dense M = as_eigen(basis.features()).transpose() * as_eigen(basis.features());
  const Dense expected = Eigen::LLT<Dense>(Dense(A + M)).solve(R);
  CHECK((out - expected).norm() <= 1e-10 * expected.norm());
}

TEST(an_alpha_that_is_rounding_of_the_square_is_raised) {
  const Dense F = normal(60, 3, 15), square = F * F.transpose(), R = normal(60, 2, 16);
  Dense out(60, 2), raised(60, 2);
  RestrictedInverse(view(square), 1e-13 * square.trace()).apply(view(R), view(raised));
  for (const double alpha : {1e-14 * square.trace(), 1e-300}) {
    RestrictedInverse(view(square), alpha).apply(view(R), view(out));
    CHECK(out == raised);
  }
  CHECK(out.allFinite());
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Dense C = normal(400, 3, 11), K = cross(C, C);
  const auto applied = [&] {
    const LandmarkBasis basis(view(K));
    const Dense R = normal(basis.rank(), 2, 12);
    Dense out(R.rows(), R.cols());
    RestrictedInverse(restricted_square(basis, copied(K)).view(), 1e-3).apply(view(R), view(out));
    return out;
  };
  set_num_threads(1);
  const Dense one = applied();
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    CHECK(applied() == one);
  }
  set_num_threads(0);
}

TEST(bad_input_is_refused) {
  const Dense C = normal(5, 2, 13), K = cross(C, C), wide = normal(5, 4, 14);
  CHECK_THROWS(std::invalid_argument, LandmarkBasis(view(wide)));
  Dense broken = K;
  broken(1, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, LandmarkBasis(view(broken)));
  const LandmarkBasis basis(view(K));
  CHECK_THROWS(std::invalid_argument, restricted_square(basis, copied(wide)));
  CHECK_THROWS(std::invalid_argument, restricted_square(basis, copied(broken)));
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS(std::invalid_argument, RestrictedInverse(view(K), bad));
  }
  CHECK_THROWS(std::invalid_argument, RestrictedInverse(view(wide), 1.0));
  const Dense negative = -K;
  CHECK_THROWS(NumericalError, RestrictedInverse(view(negative), 1e-3));
  Dense out(4, 1);
  CHECK_THROWS(std::invalid_argument, RestrictedInverse(view(K), 1.0).apply(view(out), view(out)));
}

TEST_MAIN

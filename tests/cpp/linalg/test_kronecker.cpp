// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/kronecker.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using Dense = spectral::Matrix;
using spectral::normal;
using spectral::Vector;

namespace {

const double lambdas[] = {1e-8, 1e-5, 1e-2, 1.0, 1e2};

/// T A k + n lambda A = B as mn equations: (T kron k) of A row by row.
Dense by_kronecker(const Dense& T, const Dense& k, double lambda, const Dense& B) {
  const Index m = T.rows(), n = k.rows();
  Dense system(m * n, m * n);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) system.block(i * n, j * n, n, n) = T(i, j) * k;
  }
  system.diagonal().array() += static_cast<double>(n) * lambda;
  const Vector a = system.householderQr().solve(Eigen::Map<const Vector>(B.data(), m * n));
  return Eigen::Map<const Dense>(a.data(), m, n);
}

double backward_error(const Dense& T, const Dense& k, double lambda, const Dense& A, const Dense& B) {
  const double shift = static_cast<double>(k.rows()) * lambda;
  const Dense residual = T * A * k + shift * A - B;
  return residual.norm() / ((T.norm() * k.norm() + shift) * A.norm() + B.norm());
}

}  // namespace

TEST(solutions_are_those_of_the_explicit_system) {
  for (const Index n : {1, 2, 3, 5, 10, 20}) {
    const Dense T = spectral::gaussian(normal(n, 2, 1)), k = spectral::gaussian(normal(n, 3, 2)), B = normal(n, n, 3);
    const KroneckerSolver solver(view(T), view(k));
    for (const double lambda : lambdas) {
      Dense A(n, n), C(n, n);
      solver.solve(lambda, view(B), view(A));
      solver.solve_identity(lambda, view(C));
      const Dense identity = Dense::Identity(n, n);
      const double condition = 1.0 + T.norm() * k.norm() / (static_cast<double>(n) * lambda);
      const Dense expected = by_kronecker(T, k, lambda, B), expected_identity = by_kronecker(T, k, lambda, identity);
      CHECK((A - expected).norm() <= 100.0 * spectral::unit * condition * expected.norm());
      CHECK((C - expected_identity).norm() <= 100.0 * spectral::unit * condition * expected_identity.norm());
      CHECK(backward_error(T, k, lambda, A, B) <= 30.0 * spectral::unit * static_cast<double>(n));
    }
  }
}

TEST(sizes_of_the_two_sides_are_free) {
  const Dense T = spectral::gaussian(normal(7, 2, 4)), k = spectral::gaussian(normal(4, 3, 5)), B = normal(7, 4, 6);
  const KroneckerSolver solver(view(T), view(k));
  Dense A(7, 4), C(7, 7);
  solver.solve(0.1, view(B), view(A));
  CHECK((A - by_kronecker(T, k, 0.1, B)).norm() <= 1e-12);
  CHECK_THROWS(std::invalid_argument, solver.solve_identity(0.1, view(C)));
}

TEST(every_family_has_a_small_backward_error) {
  for (const auto& family : spectral::families()) {
    if (family.name == "indefinite") continue;
    for (const Index n : {0, 1, 5, 50}) {
      const Dense T = family.make(n), k = spectral::gaussian(normal(n, 2, 7)), B = normal(n, n, 8);
      const KroneckerSolver solver(view(T), view(k));
      for (const double lambda : lambdas) {
        Dense A(n, n);
        solver.solve(lambda, view(B), view(A));
        if (n > 0) CHECK(backward_error(T, k, lambda, A, B) <= 30.0 * spectral::unit * static_cast<double>(n));
      }
    }
  }
}

TEST(the_measure_rejects_a_wrong_answer) {
  const Index n = 20;
  const Dense T = spectral::gaussian(normal(n, 2, 9)), k = spectral::gaussian(normal(n, 2, 10)), B = normal(n, n, 11);
  Dense A(n, n);
  KroneckerSolver(view(T), view(k)).solve(0.1, view(B), view(A));
  A(3, 4) *= 1.0 + 1e-7;
  CHECK(backward_error(T, k, 0.1, A, B) > 30.0 * spectral::unit * static_cast<double>(n));
}

TEST(known_eigenpairs_are_used_and_steps_make_a_path) {
  const Index n = 12;
  const Dense T = spectral::gaussian(normal(n, 2, 12)), k = spectral::gaussian(normal(n, 3, 13)), B = normal(n, n, 14);
  const KroneckerSolver solver(view(T), view(k));
  const KroneckerSolver same(solver.T_values(), solver.T_vectors(), solver.k_values(), solver.k_vectors());
  Dense rotated(n, n), divided(n, n), A(n, n), whole(n, n);
  same.rotate(view(B), view(rotated));
  for (const double lambda : lambdas) {
    same.divide(lambda, view(rotated), view(divided));
    same.rotate_back(view(divided), view(A));
    solver.solve(lambda, view(B), view(whole));
    CHECK(A == whole);
  }
  Dense in_place = B;
  solver.solve(1.0, view(in_place), view(in_place));
  solver.solve(1.0, view(B), view(whole));
  CHECK(in_place == whole);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Index n = 300;
  const Dense T = spectral::gaussian(normal(n, 2, 19)), k = spectral::gaussian(normal(n, 3, 20)), B = normal(n, n, 21);
  const KroneckerSolver solver(view(T), view(k));
  Dense one(n, n), other(n, n);
  set_num_threads(1);
  solver.solve(1e-3, view(B), view(one));
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    solver.solve(1e-3, view(B), view(other));
    CHECK(one == other);
  }
  set_num_threads(0);
}

TEST(bad_input_is_refused) {
  Dense T = Dense::Identity(3, 3), k = Dense::Identity(3, 3), A(3, 3), wide(3, 4);
  const KroneckerSolver solver(view(T), view(k));
  for (const double lambda : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS(std::invalid_argument, solver.solve_identity(lambda, view(A)));
  }
  CHECK_THROWS(std::invalid_argument, solver.solve(1.0, view(wide), view(A)));
  CHECK_THROWS(std::invalid_argument, KroneckerSolver(view(wide), view(k)));
  T(1, 1) = -1e-3;
  CHECK_THROWS(std::invalid_argument, KroneckerSolver(view(T), view(k)));
  T(1, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, KroneckerSolver(view(T), view(k)));
}

TEST_MAIN

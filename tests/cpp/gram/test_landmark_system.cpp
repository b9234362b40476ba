// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/landmark_system.hpp"

#include <Eigen/Eigenvalues>
#include <limits>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/conjugate_gradients.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using gramian::view;
using spectral::normal;
using spectral::Vector;
using Dense = spectral::Matrix;

namespace {

const Kernel gaussian("gaussian", {0.5});

Dense gram(const Dense& X, const Dense& Y) { return support::gram(gaussian, X, Y); }

/// Half of the rows repeat others.
Dense repeated(Index n, std::uint64_t seed) {
  Dense X = normal(n, 2, seed);
  for (Index i = 1; i < n; i += 2) X.row(i) = X.row(i / 2).eval();
  return X;
}

}  // namespace

TEST(it_is_the_system_in_the_coordinates_of_the_basis) {
  const Index n = 150, r = 3;
  const Dense X = normal(n, 2, 1), C = X.topRows(20), K = gram(C, C), K_nm = gram(X, C), Y = normal(n, r, 2);
  const LandmarkBasis basis(view(K));
  const Dense weights = normal(n, 1, 3).cwiseAbs();
  Dense G(n, basis.rank());
  basis.contract(transposed(MatrixView<const double>(view(K_nm))), transposed(view(G)));
  for (const bool weighted : {false, true}) {
    Dense w = Dense::Ones(n, 1);
    if (weighted) w = weights;
    const LandmarkSystem system(gaussian, Points(view(X)), Points(view(C)), basis, 0.3,
                                weighted ? MatrixView<const double>(view(weights)) : MatrixView<const double>());
    CHECK_EQ(system.size(), basis.rank());
    const Dense V = normal(basis.rank(), r, 4), GW = w.col(0).asDiagonal() * G;
    Dense out(basis.rank(), r), right(basis.rank(), r);
    system.apply(view(V), view(out));
    system.right_side(view(Y), view(right));
    const Dense expected = GW.transpose() * G * V + 0.3 * V;
    CHECK((out - expected).norm() <= 1e-10 * expected.norm());
    CHECK((right - GW.transpose() * Y).norm() <= 1e-10 * (GW.transpose() * Y).norm());
  }
}

TEST(rows_that_are_read_and_float32) {
  const Index n = 2000;
  const Dense X = normal(n, 2, 21), C = X.topRows(30), K = gram(C, C), V = normal(30, 2, 22);
  const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> x = X.cast<float>(), c = C.cast<float>();
  const LandmarkBasis basis(view(K), 1e-3);
  const auto product = [&](const LandmarkSystem& system) {
    const Dense some = V.topRows(basis.rank());
    Dense out(basis.rank(), 2);
    system.apply(view(some), view(out));
    return out;
  };
  const Points points(view(X)), centres(view(C));
  const Points small(MatrixView<const float>(x.data(), n, 2)), small_centres(MatrixView<const float>(c.data(), 30, 2));
  const LandmarkSystem stored(gaussian, points, centres, basis, 0.3);
  const LandmarkSystem single(gaussian, small, small_centres, basis, 0.3);
  const StoredRows rows(points), small_rows(small);
  CHECK(product(LandmarkSystem(gaussian, rows, centres, basis, 0.3)) == product(stored));
  CHECK(product(LandmarkSystem(gaussian, small_rows, small_centres, basis, 0.3)) == product(single));
  CHECK((product(single) - product(stored)).norm() <= 1e-4 * product(stored).norm());
  CHECK_EQ(single.unit_roundoff(), 0x1p-24);
  const auto same = [](const Matrix& A, const Matrix& B) { return as_eigen(A.view()) == as_eigen(B.view()); };
  CHECK(same(sketched_rows(gaussian, points, centres, 60), sketched_rows(gaussian, rows, centres, 60)));
  CHECK(same(sketched_rows(gaussian, small, small_centres, 60), sketched_rows(gaussian, small_rows, small_centres, 60)));
}

TEST(a_sketch_is_within_a_small_factor) {
  const Index n = 3000, m = 60;
  const Dense X = normal(n, 2, 5), C = X.topRows(m), K_nm = gram(X, C);
  const Matrix sketch = sketched_rows(gaussian, Points(view(X)), Points(view(C)), 2 * m, 7);
  const Dense S = as_eigen(sketch.view()), shift = 1e-8 * Dense::Identity(m, m);
  const Vector values =
      Eigen::GeneralizedSelfAdjointEigenSolver<Dense>(Dense(S.transpose() * S + shift), Dense(K_nm.transpose() * K_nm + shift))
          .eigenvalues();
  CHECK(values(0) > 0.02 && values(m - 1) < 4.0);
  const Dense four = 4.0 * Dense::Ones(n, 1);
  const Matrix doubled = sketched_rows(gaussian, Points(view(X)), Points(view(C)), 2 * m, 7, view(four));
  CHECK((as_eigen(doubled.view()) - 2.0 * S).norm() <= 1e-14 * S.norm());
}

TEST(ridge_regression_on_repeated_landmarks_converges_at_any_penalty) {
  const Index n = 2000, m = 150;
  for (const Dense& X : {normal(n, 3, 8), repeated(n, 9)}) {
    const Dense C = X.topRows(m), K = gram(C, C), y = normal(n, 1, 10);
    const LandmarkBasis basis(view(K));
    const Matrix square = restricted_square(basis, sketched_rows(gaussian, Points(view(X)), Points(view(C)), 2 * m, 11));
    for (const double lambda : {1e-12, 1e-9, 1e-6, 1e-3, 1.0}) {
      const double alpha = lambda * static_cast<double>(n);
      const LandmarkSystem system(gaussian, Points(view(X)), Points(view(C)), basis, alpha);
      const RestrictedInverse inverse(square.view(), alpha);
      Matrix right(basis.rank(), 1), a(m, 1);
      system.right_side(view(y), right.view());
      const ConjugateGradients found = conjugate_gradients(system, right.view(), {1e-6, 100}, &inverse);
      if (!found.converged) check::fail(__FILE__, __LINE__, std::to_string(lambda) + ": " + name_of(found.stop_reason));
      CHECK(found.iterations <= 60);
      basis.expand(found.solution.view(), a.view());
      const Dense found_a = as_eigen(a.view()),
                  gradient = gram(X, C).transpose() * (gram(X, C) * found_a - y) + alpha * K * found_a;
      CHECK(gradient.norm() <= 1e-5 * (gram(X, C).transpose() * y).norm());
    }
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Dense X = normal(5000, 3, 12), C = X.topRows(300);
  const auto sketch = [&] {
    const Matrix found = sketched_rows(gaussian, Points(view(X)), Points(view(C)), 400, 1);
    return Dense(as_eigen(found.view()));
  };
  set_num_threads(1);
  const Dense one = sketch();
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    CHECK(sketch() == one);
  }
  set_num_threads(0);
}

TEST(bad_input_is_refused) {
  const Dense X = normal(9, 2, 13), C = X.topRows(4), K = gram(C, C);
  const Points points(view(X)), landmarks(view(C));
  const LandmarkBasis basis(view(K));
  CHECK_THROWS(std::invalid_argument, LandmarkSystem(gaussian, points, points, basis, 1.0));
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS(std::invalid_argument, LandmarkSystem(gaussian, points, landmarks, basis, bad));
  }
  const Dense negative = -Dense::Ones(9, 1);
  CHECK_THROWS(std::invalid_argument, LandmarkSystem(gaussian, points, landmarks, basis, 1.0, view(negative)));
  CHECK_THROWS(std::invalid_argument, sketched_rows(gaussian, points, landmarks, 0));
  CHECK_THROWS(std::invalid_argument, sketched_rows(gaussian, points, landmarks, 8, 0, view(K)));
}

TEST_MAIN

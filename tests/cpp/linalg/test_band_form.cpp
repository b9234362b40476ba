// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/band_form.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "support/check.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using spectral::normal;
using Dense = spectral::Matrix;
using spectral::Vector;

namespace {

constexpr Index sizes[] = {1, 2, 7, 8, 9, 16, 17, 63, 64, 65, 72, 73, 130, 256, 257, 263, 264, 320, 330};

Dense dense(const Matrix& band) {
  const Index n = band.rows();
  Dense B = Dense::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index d = 0; d <= std::min(i, BandForm::width); ++d) B(i, i - d) = B(i - d, i) = band(i, d);
  }
  return B;
}

BandForm form_of(const Dense& A) {
  Dense work = A;
  return BandForm(view(work));
}

Dense rotation(const BandForm& form) {
  Dense Z = Dense::Identity(form.size(), form.size());
  form.Z().apply(view(Z));
  return Z;
}

}  // namespace

TEST(a_matrix_is_its_band_between_two_rotations) {
  for (const spectral::Family& family : spectral::families()) {
    for (const Index n : sizes) {
      const Dense A = family.make(n);
      const BandForm form = form_of(A);
      const Dense Z = rotation(form);
      CHECK(spectral::orthogonality_ratio(Z) <= spectral::good);
      CHECK(spectral::ratio(A - Z * dense(form.band()) * Z.transpose(), spectral::norm1(A)) <= spectral::good);
      CHECK(form.norm() >= dense(form.band()).cwiseAbs().rowwise().sum().maxCoeff() * (1.0 - 1e-14));
    }
  }
}

TEST(only_the_lower_triangle_is_read) {
  const Dense A = spectral::gaussian(normal(290, 3, 1));
  Dense work = A;
  work.triangularView<Eigen::StrictlyUpper>().setConstant(1e300);
  const BandForm one = form_of(A), other(view(work));
  CHECK(dense(one.band()) == dense(other.band()));
}

TEST(rotations_forward_and_back_are_one_matrix_and_its_transpose) {
  for (const Index n : sizes) {
    const BandForm form = form_of(spectral::gaussian(normal(n, 3, 2)));
    const Dense V = normal(n, 5, 3);
    const Dense Z = rotation(form);
    Dense forward = V, back = V;
    form.Z().apply(view(forward));
    form.Z().apply_transposed(view(back));
    CHECK((forward - Z * V).norm() <= 1e-12 * V.norm());
    CHECK((back - Z.transpose() * V).norm() <= 1e-12 * V.norm());
  }
}

TEST(division_solves_each_column_with_its_own_factor) {
  for (const Index n : sizes) {
    const BandForm form = form_of(spectral::gaussian(normal(n, 3, 4)));
    const Dense B = dense(form.band()), V = normal(n, 11, 5);
    Dense D = normal(11, 1, 6).cwiseAbs(), divided = V;
    D(3, 0) = 0.0;
    form.divide(D.data(), 0.01, 0.0, view(divided));
    for (Index j = 0; j < 11; ++j) {
      const Dense system = D(j, 0) * B + 0.01 * Dense::Identity(n, n);
      const Eigen::VectorXd x = B * system.llt().solve(V.col(j));
      CHECK((divided.col(j) - x).norm() <= 1e-11 * (1.0 + x.norm()));
    }
  }
}

TEST(division_by_what_is_singular_but_for_the_shift) {
  const Index n = 90;
  const Dense few = normal(n, 3, 8);
  const BandForm form = form_of(1e10 * few * few.transpose());
  const Dense B = dense(form.band()), V = normal(n, 5, 9);
  const Dense D = Dense::Ones(5, 1);
  const Eigen::SelfAdjointEigenSolver<Dense> eigen(B);
  for (const double shift : {1e-2, 1e-9, 1e-30}) {
    Dense divided = V;
    form.divide(D.data(), shift, 1e-14 * form.norm(), view(divided));
    // On what B has, which is all that ever meets B again.
    const Dense span = eigen.eigenvectors().rightCols(3);
    const Vector values = eigen.eigenvalues().tail(3);
    const Dense expected = (values.array() / (values.array() + shift)).matrix().asDiagonal() * (span.transpose() * V);
    CHECK((span.transpose() * divided - expected).norm() <= 1e-11 * expected.norm());
    CHECK(divided.norm() <= 2.0 * V.norm());
  }
}

TEST(positive_definite_or_not) {
  const Dense A = spectral::gaussian(normal(100, 3, 7));
  CHECK(form_of(A).positive(1e-12));
  CHECK(!form_of(A - 0.1 * Dense::Identity(100, 100)).positive(1e-12));
  CHECK(form_of(A - 0.1 * Dense::Identity(100, 100)).positive(0.11));
  CHECK(!form_of(-Dense::Identity(9, 9)).positive(0.5));
}

TEST_MAIN

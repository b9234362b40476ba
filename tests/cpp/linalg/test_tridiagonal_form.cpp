// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/tridiagonal_form.hpp"

#include <cmath>
#include <limits>
#include <tuple>

#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using gramian::TridiagonalForm;
using gramian::view;
using namespace spectral;

namespace {

Matrix T_of(const TridiagonalForm& form) {
  const Index n = static_cast<Index>(form.diagonal.size());
  Matrix T = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    T(i, i) = form.diagonal[static_cast<std::size_t>(i)];
    if (i + 1 < n) T(i + 1, i) = T(i, i + 1) = form.beside[static_cast<std::size_t>(i)];
  }
  return T;
}

Matrix Q_of(const TridiagonalForm& form) {
  Matrix Q = Matrix::Identity(form.Q.size(), form.Q.size());
  form.Q.apply(view(Q));
  return Q;
}

}  // namespace

TEST(reflections_of_the_form_give_the_matrix) {
  for (const Family& family : families()) {
    for (const Index n : {1, 2, 3, 4, 9, 31, 33, 34, 35, 66, 67, 130}) {
      Matrix A = family.make(n);
      const double largest = A.cwiseAbs().maxCoeff(), scale = largest > 0.0 ? std::exp2(-std::ilogb(largest)) : 1.0;
      const TridiagonalForm form(view(A), scale);
      A *= scale;
      const Matrix Q = Q_of(form);
      CHECK(orthogonality_ratio(Q) < good);
      CHECK(ratio(A * Q - Q * T_of(form), norm1(A)) < good);
    }
  }
}

TEST(entries_of_any_size_keep_reflections_orthogonal) {
  // Squares of these vanish, or lose digits where they do not.
  for (const double small : {1e-120, 1e-150, 1e-155, 1e-160, 1e-170}) {
    Matrix A = small * normal(40, 40, 3);
    A = (A + A.transpose()).eval();
    A.diagonal() += normal(40, 1, 4).col(0);
    const TridiagonalForm form(view(A), 1.0);
    const Matrix Q = Q_of(form);
    CHECK(orthogonality_ratio(Q) < good);
    CHECK(ratio(A * Q - Q * T_of(form), norm1(A)) < good);
  }
}

TEST(the_lower_triangle_alone_is_read_with_any_strides) {
  Matrix A = gaussian(normal(50, 3, 5)), lower = A;
  for (Index i = 0; i < 50; ++i) {
    for (Index j = i + 1; j < 50; ++j) lower(i, j) = std::numeric_limits<double>::quiet_NaN();
  }
  const TridiagonalForm form(view(A), 1.0), other(view(lower), 1.0),
      across(gramian::MatrixView<const double>(A.data(), 50, 50, 1, 50), 1.0);
  CHECK(form.diagonal == other.diagonal);
  CHECK(form.beside == other.beside);
  CHECK(form.beside == across.beside);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Matrix A = gaussian(normal(700, 3, 6));
  CHECK(check::same_for_any_threads([&] {
    const TridiagonalForm form(view(A), 1.0);
    return std::tuple(form.diagonal, form.beside, Q_of(form));
  }));
}

TEST_MAIN

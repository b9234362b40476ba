// SPDX-License-Identifier: BSD-3-Clause
// Sums of kernel values with their derivatives in one sweep, against the operations that compute one of them at a time.
#include "gram/row_derivatives.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/hessian_vector.hpp"
#include "gramian/gram/product.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using namespace gramian;
using Numbers = naive::Matrix<double>;

namespace {

constexpr Index d = 3, p = 2;

std::vector<Kernel> kernels() {
  const Kernel gaussian("gaussian", {0.4}), matern("matern52", {1.3}), cubic("polynomial", {3, 0.4, 1.1}), linear("linear", {});
  return {gaussian,
          Kernel("gaussian", {0.5}, {0.7, 1.0, 2.0}),
          matern,
          Kernel("rational_quadratic", {1.0, 0.7}),
          0.5 * gaussian + 2.0 * (matern + Kernel("gaussian", {1.5}, {1.0, 0.5, 1.0})),
          Kernel("matern32", {0.8}),
          cubic,
          Kernel("polynomial", {2, 0.7, 0.0}),
          0.5 * cubic + gaussian,
          linear + matern};
}

struct Problem {
  explicit Problem(Index q, Index n = 150)
      : X(naive::normal<double>(q, d, 1)),
        Y(naive::normal<double>(n, d, 2)),
        Q(naive::normal<double>(n, p, 3)),
        W(naive::normal<double>(q, p, 4)) {}
  RowDerivatives derivatives(const Kernel& kernel) const { return row_derivatives(kernel, X.view, Y.view, Q.view, W.view); }
  RowGradients gradients(const Kernel& kernel) const { return row_gradients(kernel, X.view, Y.view, Q.view, W.view); }

  Numbers X, Y, Q, W;
};

double difference(MatrixView<const double> A, MatrixView<const double> B) {
  double most = 0.0, size = 0.0;
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j) {
      const double off = std::fabs(A(i, j) - B(i, j));
      most = off <= most ? most : off;
      size = std::max(size, std::fabs(B(i, j)));
    }
  }
  return most / size;
}

MatrixView<const double> columns(const Matrix& A, Index first, Index count) {
  return {A.data() + first, A.rows(), count, A.cols(), 1};
}

bool same(const Matrix& A, const Matrix& B) {
  return A.size() == B.size() && std::equal(A.data(), A.data() + A.size(), B.data());
}

}  // namespace

TEST(values_and_derivatives_are_those_of_products_and_adjoints) {
  const Problem at(140);
  const Index q = at.X.view.rows(), n = at.Y.view.rows();
  for (const Kernel& kernel : kernels()) {
    const RowDerivatives found = at.derivatives(kernel);
    const RowGradients less = at.gradients(kernel);
    Matrix values(q, p), gradient(q, d);
    product(kernel, Points(at.X.view), Points(at.Y.view), at.Q.view, values.view());
    CHECK(difference(found.values.view(), values.view()) <= 1e-13);
    CHECK(difference(less.values.view(), values.view()) <= 1e-13);
    adjoint(kernel, Points(at.X.view), Points(at.Y.view), GramGradient<double>(at.W.view, at.Q.view), gradient.view(), {});
    CHECK(difference(less.gradients.view(), gradient.view()) <= 1e-12);
    const Matrix ones = Matrix::filled(q, 1, 1.0);
    for (Index c = 0; c < p; ++c) {
      const MatrixView<const double> column(at.Q.numbers.data() + c, n, 1, p, 1);
      adjoint(kernel, Points(at.X.view), Points(at.Y.view), GramGradient<double>(ones.view(), column), gradient.view(), {});
      CHECK(difference(columns(found.slopes, c * d, d), gradient.view()) <= 1e-12);
    }
    const Matrix no_row = Matrix::filled(q, 1, 0.0), no_col = Matrix::filled(n, 1, 0.0), still = Matrix::filled(n, d, 0.0);
    for (Index k = 0; k < d; ++k) {
      Matrix along = Matrix::filled(q, d, 0.0), rate(q, d);
      for (Index i = 0; i < q; ++i) along(i, k) = 1.0;
      hessian_vector(kernel, Points(at.X.view), Points(at.Y.view), along.view(), still.view(),
                     GramGradient<double>(at.W.view, at.Q.view), GramGradient<double>(no_row.view(), no_col.view()), rate.view(),
                     {});
      CHECK(difference(columns(found.curvature, k * d, d), rate.view()) <= 1e-12);
    }
  }
}

TEST(rough_derivatives_are_those_of_float32) {
  const Problem at(140);
  for (const Kernel& kernel : kernels()) {
    const RowDerivatives exact = at.derivatives(kernel),
                         rough = row_derivatives(kernel, at.X.view, at.Y.view, at.Q.view, at.W.view, Accuracy::rough);
    const auto compare = [](const Matrix& A, const Matrix& B) {
      const double off = difference(A.view(), B.view());
      CHECK(off > 0.0 && off <= 1e-4);
    };
    compare(rough.values, exact.values);
    compare(rough.slopes, exact.slopes);
    compare(rough.curvature, exact.curvature);
  }
}

// Where points coincide, second partials of kernels that have none there are 0.
TEST(points_may_be_among_the_supports) {
  Problem at(20, 20);
  std::copy(at.Y.numbers.begin(), at.Y.numbers.end(), at.X.numbers.begin());
  for (const Kernel& kernel : kernels()) {
    const RowDerivatives found = at.derivatives(kernel);
    Matrix gradient(20, d);
    adjoint(kernel, Points(at.X.view), Points(at.Y.view), GramGradient<double>(at.W.view, at.Q.view), gradient.view(), {});
    CHECK(difference(at.gradients(kernel).gradients.view(), gradient.view()) <= 1e-12);
    for (Index i = 0; i < found.curvature.size(); ++i) CHECK(std::isfinite(found.curvature.data()[i]));
  }
}

TEST(a_row_does_not_depend_on_the_others_nor_on_threads) {
  const Problem all(300);
  Problem few(7);
  std::copy_n(all.X.numbers.begin(), 7 * d, few.X.numbers.begin());
  std::copy_n(all.W.numbers.begin(), 7 * p, few.W.numbers.begin());
  for (const Kernel& kernel : kernels()) {
    set_num_threads(1);
    const RowDerivatives first = all.derivatives(kernel);
    const RowDerivatives own = few.derivatives(kernel);
    CHECK(std::equal(own.values.data(), own.values.data() + own.values.size(), first.values.data()));
    CHECK(std::equal(own.slopes.data(), own.slopes.data() + own.slopes.size(), first.slopes.data()));
    CHECK(std::equal(own.curvature.data(), own.curvature.data() + own.curvature.size(), first.curvature.data()));
    for (const int threads : {2, 7}) {
      set_num_threads(threads);
      const RowDerivatives other = all.derivatives(kernel);
      CHECK(same(other.values, first.values) && same(other.slopes, first.slopes) && same(other.curvature, first.curvature));
    }
    set_num_threads(0);
  }
}

TEST(kernels_that_are_no_sums_of_functions_of_distances_or_products_have_no_sweep) {
  const Kernel gaussian("gaussian", {1.0});
  const Problem at(3, 5);
  for (const Kernel& kernel : {gaussian * gaussian, Kernel("cosine", {}), gaussian + Kernel("cosine", {})}) {
    CHECK(!has_row_derivatives(kernel));
    CHECK_THROWS(std::invalid_argument, at.derivatives(kernel));
    CHECK_THROWS(std::invalid_argument, at.gradients(kernel));
  }
}

TEST_MAIN

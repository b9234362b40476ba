// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/ovk/output_operator.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/message.hpp"
#include "support/naive.hpp"

using namespace gramian;
using Form = OutputOperator::Form;

namespace {

/// G G^T / rank, symmetric to the last bit.
Matrix semidefinite(Index size, Index rank) {
  const auto G = naive::normal<double>(size, rank, 61);
  Matrix A(size, size);
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j <= i; ++j) {
      double sum = 0.0;
      for (Index k = 0; k < rank; ++k) sum += G.view(i, k) * G.view(j, k);
      A(i, j) = A(j, i) = sum / static_cast<double>(rank);
    }
  }
  return A;
}

/// V A by the triple loop, in long double.
long double entry(MatrixView<const double> V, const Matrix& A, Index i, Index j) {
  long double sum = 0;
  for (Index k = 0; k < A.rows(); ++k) sum += static_cast<long double>(V(i, k)) * static_cast<long double>(A(k, j));
  return sum;
}

void check_product(const OutputOperator& A, const Matrix& dense, Index rows) {
  const auto V = naive::normal<double>(rows, A.size(), 62);
  Matrix out(rows, A.size()), in_place = Matrix::copy_of(V.view);
  A.apply(V.view, out.view());
  A.apply(in_place.view(), in_place.view());
  const auto tolerance = 1e-15 * static_cast<double>(A.size() * A.size());
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < A.size(); ++j) {
      CHECK_NEAR(static_cast<long double>(out(i, j)), entry(V.view, dense, i, j), tolerance);
      CHECK_EQ(out(i, j), in_place(i, j));
    }
  }
}

std::string refusal(MatrixView<const double> A) {
  return check::message_of([&] { OutputOperator::full(A); });
}

}  // namespace

TEST(the_identity_leaves_everything_as_it_is) {
  const OutputOperator A = OutputOperator::identity(3);
  CHECK(A.form() == Form::identity);
  CHECK_EQ(A.size(), 3);
  CHECK_EQ(A.trace(), 3.0);
  CHECK(A.eigenvalues() == std::vector<double>(3, 1.0));
  CHECK(A.eigenvectors().empty());
  const auto V = naive::normal<double>(5, 3, 63);
  Matrix out(5, 3);
  A.apply(V.view, out.view());
  for (Index i = 0; i < out.size(); ++i) CHECK_EQ(out.data()[i], V.numbers[static_cast<std::size_t>(i)]);
}

TEST(a_diagonal_scales_columns) {
  const OutputOperator A = OutputOperator::diagonal({0.5, 0.0, 2.0});
  CHECK(A.form() == Form::diagonal);
  CHECK_EQ(A.trace(), 2.5);
  CHECK(A.eigenvalues() == std::vector<double>({0.5, 0.0, 2.0}));
  CHECK(A.eigenvectors().empty());
  Matrix dense = Matrix::filled(3, 3, 0.0);
  for (Index j = 0; j < 3; ++j) dense(j, j) = A.eigenvalues()[static_cast<std::size_t>(j)];
  check_product(A, dense, 7);
  check_product(A, dense, 20000);
}

// Up to 32 outputs there is a loop, beyond a product of matrices.
TEST(a_full_operator_is_a_matrix_product) {
  for (const Index size : {1, 2, 5, 32, 33, 70}) {
    const Matrix dense = semidefinite(size, size);
    const OutputOperator A = OutputOperator::full(dense.view());
    CHECK(A.form() == Form::full);
    check_product(A, dense, 9);
    double trace = 0.0;
    for (Index i = 0; i < size; ++i) trace += dense(i, i);
    CHECK_NEAR(A.trace(), trace, 1e-13 * trace);
  }
}

TEST(eigenpairs_are_those_of_the_matrix) {
  const Index size = 6;
  const Matrix dense = semidefinite(size, 3);
  const OutputOperator A = OutputOperator::full(dense.view());
  const Matrix& U = A.eigenvectors();
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      double sum = 0.0;
      for (Index k = 0; k < size; ++k) sum += U(i, k) * A.eigenvalues()[static_cast<std::size_t>(k)] * U(j, k);
      CHECK_NEAR(sum, dense(i, j), 1e-13);
    }
  }
  for (const double value : A.eigenvalues()) CHECK(value >= 0.0);  // three of them are 0 up to rounding
}

TEST(copies_share_what_does_not_change) {
  const Matrix dense = semidefinite(4, 4);
  const OutputOperator A = OutputOperator::full(dense.view()), B = A;
  CHECK_EQ(A.eigenvectors().data(), B.eigenvectors().data());
  check_product(B, dense, 3);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  for (const Index size : {7, 60}) {
    const OutputOperator A = OutputOperator::full(semidefinite(size, size).view());
    const auto V = naive::normal<double>(30000, size, 64);
    Matrix one(30000, size), other(30000, size);
    set_num_threads(1);
    A.apply(V.view, one.view());
    for (const int threads : {2, 7}) {
      set_num_threads(threads);
      A.apply(V.view, other.view());
      CHECK(std::equal(one.data(), one.data() + one.size(), other.data()));
    }
    set_num_threads(0);
  }
}

TEST(what_is_no_such_operator_is_refused) {
  CHECK_THROWS(std::invalid_argument, OutputOperator::identity(0));
  CHECK_THROWS(std::invalid_argument, OutputOperator::diagonal({}));
  CHECK_THROWS(std::invalid_argument, OutputOperator::diagonal({1.0, -1e-3}));
  CHECK_THROWS(std::invalid_argument, OutputOperator::diagonal({std::numeric_limits<double>::infinity()}));
  CHECK_THROWS(std::invalid_argument, OutputOperator::full(Matrix(2, 3).view()));
  CHECK_THROWS(std::invalid_argument, OutputOperator::full(Matrix().view()));
  Matrix A = semidefinite(3, 3);
  A(0, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK(refusal(A.view()).find("finite") != std::string::npos);
  A(0, 1) = A(1, 0) + 1e-3;
  CHECK(refusal(A.view()).find("symmetric") != std::string::npos);
  A(0, 1) = A(1, 0);
  CHECK_EQ(refusal(A.view()), "");
  A(2, 2) = -1e-3;
  CHECK(refusal(A.view()).find("positive semidefinite") != std::string::npos);
  const OutputOperator B = OutputOperator::identity(3);
  Matrix narrow(4, 2), out(4, 3);
  CHECK_THROWS(std::invalid_argument, B.apply(narrow.view(), out.view()));
  CHECK_THROWS(std::invalid_argument, B.apply(out.view(), narrow.view()));
}

TEST_MAIN

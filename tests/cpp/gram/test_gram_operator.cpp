// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/gram_operator.hpp"

#include <limits>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/product.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using gramian::view;
using spectral::normal;
using Dense = spectral::Matrix;

namespace {

const Kernel gaussian("gaussian", {0.5});

Dense applied(const SymmetricOperator& A, const Dense& V) {
  Dense out(V.rows(), V.cols());
  A.apply(view(V), view(out));
  return out;
}

Dense gram(const Dense& X) { return support::gram(gaussian, X); }

}  // namespace

TEST(it_is_the_gram_matrix_and_its_shift) {
  for (const Index n : {1, 3, 150}) {
    const Dense X = normal(n, 3, 1), V = normal(n, 4, 2), K = gram(X);
    const Dense d = normal(n, 1, 3).cwiseAbs();
    const struct {
      Scalar precision;
      double error;
    } all[] = {{Scalar::float64, 1e-14}, {Scalar::float32, 1e-6}};
    for (const auto& [precision, error] : all) {
      const GramOperator plain(gaussian, Points(view(X)), 0.0, precision);
      CHECK_EQ(plain.size(), n);
      CHECK((applied(plain, V) - K * V).norm() <= error * K.norm() * V.norm());
      const GramOperator shifted(gaussian, Points(view(X)), 0.3, precision);
      CHECK((applied(shifted, V) - (K * V + 0.3 * V)).norm() <= error * K.norm() * V.norm());
      const GramOperator weighted(gaussian, Points(view(X)), view(d), precision);
      CHECK((applied(weighted, V) - (K * V + d.col(0).asDiagonal() * V)).norm() <= error * K.norm() * V.norm());
    }
  }
}

TEST(float32_takes_vectors_of_any_size) {
  const Dense X = normal(40, 3, 4), K = gram(X);
  Dense V = normal(40, 4, 5);
  V.col(0) *= 1e-200;
  V.col(1) *= 1e200;
  V.col(2).setZero();
  const Dense out = applied(GramOperator(gaussian, Points(view(X)), 0.0, Scalar::float32), V);
  for (const Index j : {0, 1, 3}) {
    const double scale = V.col(j).cwiseAbs().maxCoeff();
    CHECK((out.col(j) / scale - K * (V.col(j) / scale)).norm() <= 1e-6 * K.norm() * (V.col(j) / scale).norm());
  }
  CHECK(out.col(2).norm() == 0.0);
  CHECK(GramOperator(gaussian, Points(view(X))).unit_roundoff() == 0x1p-53);
  CHECK(GramOperator(gaussian, Points(view(X)), 0.0, Scalar::float32).unit_roundoff() == 0x1p-24);
}

TEST(sparse_points_are_taken) {
  const std::vector<Index> start{0, 2, 3, 3}, columns{0, 2, 1};
  const std::vector<double> values{1.0, -2.0, 0.5};
  const SparseRows<double> rows{3, 4, start.data(), columns.data(), values.data()};
  Dense X = Dense::Zero(3, 4);
  X(0, 0) = 1.0;
  X(0, 2) = -2.0;
  X(1, 1) = 0.5;
  const Dense V = normal(3, 2, 6), expected = gram(X) * V;
  CHECK((applied(GramOperator(gaussian, Points(rows)), V) - expected).norm() <= 1e-14 * expected.norm());
  CHECK((applied(GramOperator(gaussian, Points(rows), 0.0, Scalar::float32), V) - expected).norm() <= 1e-6 * expected.norm());
}

// Rows with equal features are brought together from here on.
TEST(many_rows_of_codes_have_the_same_products) {
  const Index n = 16000, codes = 20;
  Dense X = Dense::Zero(n, 2 + codes);
  X.leftCols(2) = normal(n, 2, 14);
  for (Index i = 0; i < n; ++i) X(i, 2 + i * i % codes) = 1.0;
  const Dense V = normal(n, 1, 15);
  Dense expected(n, 1);
  product(gaussian, Points(view(X)), view(V), view(expected));
  CHECK((applied(GramOperator(gaussian, Points(view(X))), V) - expected).norm() <= 1e-13 * expected.norm());
  const GramOperator rounded(gaussian, Points(view(X)), 0.0, Scalar::float32);
  CHECK((applied(rounded, 1e100 * V) - 1e100 * expected).norm() <= 1e-5 * 1e100 * expected.norm());
}

TEST(any_strides_are_read_and_written) {
  const Dense X = normal(70, 3, 7), V = normal(70, 3, 8);
  for (const Scalar precision : {Scalar::float64, Scalar::float32}) {
    const GramOperator A(gaussian, Points(view(X)), 0.1, precision);
    Dense turned = V.transpose(), out(3, 70);
    A.apply(transposed(MatrixView<const double>(view(turned))), transposed(view(out)));
    CHECK(Dense(out.transpose()) == applied(A, V));
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Dense X = normal(3000, 3, 9), V = normal(3000, 2, 10);
  for (const Scalar precision : {Scalar::float64, Scalar::float32}) {
    const GramOperator A(gaussian, Points(view(X)), 0.1, precision);
    set_num_threads(1);
    const Dense one = applied(A, V);
    for (const int threads : {2, 7}) {
      set_num_threads(threads);
      CHECK(applied(A, V) == one);
    }
  }
  set_num_threads(0);
}

TEST(bad_input_is_refused) {
  Dense X = normal(5, 2, 11);
  const Dense V = normal(5, 1, 12), low = normal(4, 1, 13);
  const Points points(view(X));
  for (const double bad : {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS(std::invalid_argument, GramOperator(gaussian, points, bad));
  }
  CHECK_THROWS(std::invalid_argument, GramOperator(gaussian, points, view(low)));
  CHECK_THROWS(std::invalid_argument, applied(GramOperator(gaussian, points), low));
  const std::vector<float> single(10);
  CHECK_THROWS(std::invalid_argument, GramOperator(gaussian, Points(MatrixView<const float>(single.data(), 5, 2))));
  X(2, 1) = 1e60;
  CHECK_THROWS(std::invalid_argument, GramOperator(gaussian, points, 0.0, Scalar::float32));
}

TEST_MAIN

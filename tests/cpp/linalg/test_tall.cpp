// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/tall.hpp"

#include <cmath>

#include "gramian/base/matrix.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using namespace gramian;

TEST(products_are_those_of_the_loops) {
  for (const Index n : {1, 192, 1000}) {  // below a block, one, and several with a rest
    const auto A = naive::normal<double>(n, 5, 1), B = naive::normal<double>(n, 3, 2);
    const SmallMatrix inner = tall_cross(A.view, B.view);
    Matrix out(n, 3), sum(n, 3);
    tall_product(A.view, inner, out.view());
    tall_product(A.view, inner, B.view, sum.view());
    for (Index k = 0; k < 5; ++k) {
      for (Index c = 0; c < 3; ++c) {
        double expected = 0.0;
        for (Index i = 0; i < n; ++i) expected += A.view(i, k) * B.view(i, c);
        CHECK_NEAR(inner(k, c), expected, 1e-12 * static_cast<double>(n));
      }
    }
    for (Index i = 0; i < n; ++i) {
      for (Index c = 0; c < 3; ++c) {
        double expected = 0.0;
        for (Index k = 0; k < 5; ++k) expected += A.view(i, k) * inner(k, c);
        CHECK_NEAR(out(i, c), expected, 1e-12 * (1.0 + std::fabs(expected)));
        CHECK_NEAR(sum(i, c), expected + B.view(i, c), 1e-12 * (1.0 + std::fabs(expected)));
      }
    }
  }
}

TEST(centred_columns_have_no_mean_and_the_same_differences) {
  const auto A = naive::normal<double>(50, 4, 3, 7.0);
  Matrix out(50, 4), in_place = Matrix::copy_of(A.view);
  centre_columns(A.view, out.view());
  centre_columns(in_place.view(), in_place.view());
  for (Index c = 0; c < 4; ++c) {
    double sum = 0.0;
    for (Index i = 0; i < 50; ++i) {
      sum += out(i, c);
      CHECK_NEAR(out(i, c) - out(0, c), A.view(i, c) - A.view(0, c), 1e-14);
      CHECK_EQ(out(i, c), in_place(i, c));
    }
    CHECK_NEAR(sum, 0.0, 1e-12);
  }
}

TEST_MAIN

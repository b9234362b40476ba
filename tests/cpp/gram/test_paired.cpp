// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/paired.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/gram/full.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using namespace gramian;

namespace {

std::vector<Kernel> kernels() {
  return {Kernel("gaussian", {0.3}), Kernel("laplacian_l1", {0.5}),
          2.0 * Kernel("linear", {}) + Kernel("polynomial", {1.0, 1.0, 2.0})};
}

}  // namespace

TEST(values_are_the_diagonal_of_all_of_them) {
  for (const Index n : {0, 1, 15, 16, 17, 100}) {
    const auto X = naive::normal<double>(n, 3, 1), Y = naive::normal<double>(n, 3, 2);
    for (const Kernel& kernel : kernels()) {
      naive::Matrix<double> K(n, n), out(n, 1);
      full(kernel, X.view, Y.view, K.view);
      paired(kernel, X.view, Y.view, out.view);
      for (Index i = 0; i < n; ++i) CHECK_NEAR(out.view(i, 0), K.view(i, i), 1e-13 * (1.0 + std::fabs(K.view(i, i))));
    }
  }
}

TEST(sparse_points_have_partners_too) {
  const std::vector<Index> start = {0, 2, 2, 3}, columns = {0, 2, 1}, other_start = {0, 1, 2, 3}, other_columns = {2, 0, 1};
  const std::vector<double> values = {1.0, 2.0, 3.0}, other_values = {4.0, 5.0, 6.0};
  naive::Matrix<double> out(3, 1);
  paired(Kernel("linear", {}), Points(SparseRows<double>{3, 3, start.data(), columns.data(), values.data()}),
         Points(SparseRows<double>{3, 3, other_start.data(), other_columns.data(), other_values.data()}), out.view);
  CHECK_EQ(out.view(0, 0), 8.0);
  CHECK_EQ(out.view(1, 0), 0.0);
  CHECK_EQ(out.view(2, 0), 18.0);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const auto X = naive::normal<double>(5000, 4, 3), Y = naive::normal<double>(5000, 4, 4);
  naive::Matrix<double> one(5000, 1), other(5000, 1);
  set_num_threads(1);
  paired(kernels()[0], X.view, Y.view, one.view);
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    paired(kernels()[0], X.view, Y.view, other.view);
    for (Index i = 0; i < 5000; ++i) CHECK_EQ(other.view(i, 0), one.view(i, 0));
  }
  set_num_threads(0);
}

TEST(bad_input_is_refused) {
  auto X = naive::normal<double>(5, 3, 5), Y = naive::normal<double>(4, 3, 6), wide = naive::normal<double>(5, 2, 7);
  naive::Matrix<double> out(5, 1), few(4, 1);
  const Kernel kernel = kernels()[0];
  CHECK_THROWS(std::invalid_argument, paired(kernel, X.view, Y.view, out.view));
  CHECK_THROWS(std::invalid_argument, paired(kernel, X.view, wide.view, out.view));
  CHECK_THROWS(std::invalid_argument, paired(kernel, X.view, X.view, few.view));
  X(2, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, paired(kernel, X.view, X.view, out.view));
}

TEST_MAIN

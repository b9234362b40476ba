// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/symmetric_panel.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"

using namespace gramian;
using naive::normal;

namespace {

constexpr Index sizes[] = {1, 2, 7, 8, 9, 31, 32, 33, 65, 191, 225, 700};

/// The largest error of A V, relative to what any order of summation may lose; A by its lower triangle.
double worst_error(MatrixView<const double> A, const std::vector<double>& V, const std::vector<double>& out) {
  double worst = 0.0;
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index c = 0; c < panel_vectors; ++c) {
      double sum = 0.0, size = 1e-300;
      for (Index j = 0; j < A.rows(); ++j) {
        const double term = A(std::max(i, j), std::min(i, j)) * V[static_cast<std::size_t>(j * panel_vectors + c)];
        sum += term;
        size += std::fabs(term);
      }
      const double error = std::fabs(out[static_cast<std::size_t>(i * panel_vectors + c)] - sum);
      worst = std::max(worst, error / (size * static_cast<double>(A.rows() + 2) * 0x1p-53));
    }
  }
  return worst;
}

std::vector<double> product(MatrixView<const double> A, const std::vector<double>& V) {
  std::vector<double> out(V.size(), std::numeric_limits<double>::quiet_NaN());
  symmetric_times_panel(A, V.data(), out.data());
  return out;
}

}  // namespace

TEST(the_lower_triangle_is_all_that_is_read) {
  for (const Index n : sizes) {
    auto A = normal<double>(n, n + 3, 1);  // rows with a gap
    const auto V = normal<double>(n, panel_vectors, 2);
    const MatrixView<double> square(A.view.data(), n, n, n + 3, 1);
    for (Index i = 0; i < n; ++i) {
      for (Index j = i + 1; j < n; ++j) square(i, j) = std::numeric_limits<double>::quiet_NaN();
    }
    CHECK(worst_error(square, V.numbers, product(square, V.numbers)) <= 2.0);
  }
}

TEST(the_comparison_notices_an_error) {
  const auto A = normal<double>(50, 50, 3), V = normal<double>(50, panel_vectors, 4);
  std::vector<double> out = product(A.view, V.numbers);
  out[77] += 1e-12;
  CHECK(worst_error(A.view, V.numbers, out) > 2.0);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const auto A = normal<double>(2100, 2100, 5), V = normal<double>(2100, panel_vectors, 6);
  set_num_threads(1);
  const std::vector<double> one = product(A.view, V.numbers);
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    CHECK(product(A.view, V.numbers) == one);
  }
  set_num_threads(0);
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Products by groups against the naive sum over all features.
#include "gram/grouped_rows.hpp"

#include <limits>
#include <vector>

#include "gramian/gram/full.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using gramian::view;
using spectral::normal;
using Dense = spectral::Matrix;

namespace {

const Kernel gaussian("gaussian", {0.1});

/// Two columns of numbers, and the one-hot codes of `categories` that are drawn unevenly.
Dense coded(Index n, Index categories, std::uint64_t seed) {
  Dense X = Dense::Zero(n, 2 + categories);
  X.leftCols(2) = normal(n, 2, seed);
  const Dense drawn = normal(n, 1, seed + 1);
  for (Index i = 0; i < n; ++i) {
    const auto category = static_cast<Index>(std::fabs(drawn(i, 0)) * static_cast<double>(categories) / 4.0);
    X(i, 2 + std::min(category, categories - 1)) = 1.0;
  }
  return X;
}

Dense expected(const Kernel& kernel, const Dense& X, const Dense& V) {
  Dense K(X.rows(), X.rows());
  full(kernel, Points(view(X)), view(K));
  return K * V;
}

Dense applied(const GroupedRows<double>& grouped, const Dense& V) {
  Dense out(V.rows(), V.cols());
  grouped.product(view(V), view(out));
  return out;
}

}  // namespace

TEST(products_are_those_of_all_features) {
  const Kernel kernels[] = {gaussian, Kernel("laplacian", {0.4}), Kernel("matern32", {0.7}) + 2.0 * Kernel("cauchy", {0.3})};
  const Dense X = coded(1500, 24, 1);
  for (const Kernel& kernel : kernels) {
    for (const Index vectors : {1, 3}) {
      const Dense V = normal(1500, vectors, 2);
      const auto grouped = GroupedRows<double>::make(kernel, view(X), 192);
      CHECK(grouped != nullptr);
      if (grouped == nullptr) continue;
      const Dense wanted = expected(kernel, X, V);
      CHECK((applied(*grouped, V) - wanted).norm() <= 1e-12 * wanted.norm());
    }
  }
}

TEST(in_float32_too) {
  const Dense X = coded(1500, 24, 3), V = normal(1500, 2, 4), wanted = expected(gaussian, X, V);
  const std::vector<float> x(X.data(), X.data() + X.size()), v(V.data(), V.data() + V.size());
  const auto grouped = GroupedRows<float>::make(gaussian, MatrixView<const float>(x.data(), X.rows(), X.cols()), 384);
  CHECK(grouped != nullptr);
  if (grouped == nullptr) return;
  Dense out(1500, 2);
  grouped->product(MatrixView<const float>(v.data(), 1500, 2), view(out));
  CHECK((out - wanted).norm() <= 1e-6 * wanted.norm());
}

TEST(where_it_does_not_pay_there_is_none) {
  const Dense numbers = normal(1500, 26, 5), codes = coded(1500, 24, 6);
  CHECK(GroupedRows<double>::make(gaussian, view(numbers), 192) == nullptr);
  CHECK(GroupedRows<double>::make(gaussian, view(codes)) == nullptr);  // too few rows
  CHECK(GroupedRows<double>::make(gaussian, view(codes), 1536) == nullptr);
  CHECK(GroupedRows<double>::make(gaussian, view(codes), 192) != nullptr);
}

TEST(kernels_that_need_the_features_are_left_alone) {
  const Dense X = coded(1500, 24, 7);
  const Kernel others[] = {Kernel("linear", {}), Kernel("laplacian_l1", {0.2}), gaussian * Kernel("linear", {}),
                           Kernel("gaussian", {0.1}, std::vector<double>(26, 2.0))};
  for (const Kernel& kernel : others) CHECK(GroupedRows<double>::make(kernel, view(X), 192) == nullptr);
  Dense broken = X;
  broken(7, 3) = std::numeric_limits<double>::quiet_NaN();
  CHECK(GroupedRows<double>::make(gaussian, view(broken), 192) == nullptr);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Dense X = coded(3000, 24, 8), V = normal(3000, 2, 9);
  const auto grouped = GroupedRows<double>::make(gaussian, view(X), 192);
  CHECK(grouped != nullptr);
  if (grouped != nullptr) CHECK(check::same_for_any_threads([&] { return applied(*grouped, V); }));
}

TEST_MAIN

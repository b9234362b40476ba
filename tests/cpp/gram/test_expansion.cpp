// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/expansion.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/kernels/point_map.hpp"
#include "support/bent.hpp"
#include "support/check.hpp"
#include "support/kernel_samples.hpp"
#include "support/message.hpp"
#include "support/sparse_copy.hpp"

using namespace gramian;
using naive::normal;

namespace {

const Kernel gaussian("gaussian", {0.3});
const naive::Matrix<double> S = normal<double>(211, 3, 2, 0.3), W = normal<double>(211, 4, 3), X = normal<double>(300, 3, 1, 0.3);

MatrixView<const double> first_rows(const naive::Matrix<double>& A, Index rows) { return {A.view.data(), rows, A.view.cols()}; }

KernelExpansion expansion(const Kernel& kernel) { return {kernel, Samples::copy_of(S.view), SharedMatrix::copy_of(W.view)}; }

/// What apply(out) or product(out) makes of rows x columns.
std::vector<double> numbers(Index rows, Index cols, const std::function<void(MatrixView<double>)>& make) {
  naive::Matrix<double> out(rows, cols);
  make(out.view);
  return out.numbers;
}

}  // namespace

TEST(every_kernel_has_the_bits_of_product) {
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    for (const naive::Expression& e : naive::all_samples(3)) {
      const Kernel kernel = naive::kernel_of(e);
      const KernelExpansion f = expansion(kernel);
      for (const Index n : {1, 2, 3, 17, 300}) {
        const MatrixView<const double> rows = first_rows(X, n);
        const auto mine = numbers(n, 4, [&](MatrixView<double> out) { f.apply(Points(rows), out); });
        check::that(mine == numbers(n, 4, [&](MatrixView<double> out) { product(kernel, Points(rows), S.view, W.view, out); }),
                    "the bits of product: " + e.name, __FILE__, __LINE__);
      }
    }
  }
  set_num_threads(0);
}

TEST(sparse_points_and_images_have_the_bits_of_product) {
  const auto sparse_S = naive::sparse_of(S), sparse_X = naive::sparse_of(X);
  const KernelExpansion sparse(gaussian, Samples::copy_of(Points(sparse_S.rows())), SharedMatrix::copy_of(W.view));
  const auto of_sparse = numbers(300, 4, [&](MatrixView<double> out) { sparse.apply(Points(sparse_X.rows()), out); });
  CHECK(of_sparse == numbers(300, 4, [&](MatrixView<double> out) {
          product(gaussian, Points(sparse_X.rows()), Points(sparse_S.rows()), W.view, out);
        }));
  const Kernel bent = on_images(std::make_shared<support::Bent>(), gaussian) + Kernel("linear", {});
  const KernelExpansion images = expansion(bent);
  for (const Index n : {1, 300}) {
    const MatrixView<const double> rows = first_rows(X, n);
    CHECK(numbers(n, 4, [&](MatrixView<double> out) { images.apply(Points(rows), out); }) ==
          numbers(n, 4, [&](MatrixView<double> out) { product(bent, Points(rows), S.view, W.view, out); }));
  }
}

TEST(terms_are_added_to_their_columns) {
  const Kernel linear("linear", {});
  const naive::Matrix<double> V = normal<double>(211, 2, 4);
  const KernelExpansion f({{gaussian, SharedMatrix::copy_of(W.view)}, {linear, SharedMatrix::copy_of(V.view), {3, 1}}},
                          Samples::copy_of(S.view), 4);
  for (const Index n : {1, 300}) {
    const MatrixView<const double> rows = first_rows(X, n);
    std::vector<double> sum =
        numbers(n, 4, [&](MatrixView<double> out) { product(gaussian, Points(rows), S.view, W.view, out); });
    const auto more = numbers(n, 2, [&](MatrixView<double> out) { product(linear, Points(rows), S.view, V.view, out); });
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
      sum[4 * i + 3] += more[2 * i], sum[4 * i + 1] += more[2 * i + 1];
    CHECK(numbers(n, 4, [&](MatrixView<double> out) { f.apply(Points(rows), out); }) == sum);
  }
  const KernelExpansion nothing({}, Samples::copy_of(S.view), 2);
  CHECK(numbers(300, 2, [&](MatrixView<double> out) { out(0, 0) = 5.0, nothing.apply(X.view, out); }) ==
        std::vector<double>(600, 0.0));
}

TEST(inner_products_and_kernel_values_serve_counted_supports) {
  const KernelExpansion f(gaussian, Samples::counted(211), SharedMatrix::copy_of(W.view));
  naive::Matrix<double> inner(300, 211), x_squares(300, 1), s_squares(211, 1), cross(300, 211);
  for (Index k = 0; k < 3; ++k) {
    for (Index i = 0; i < 300; ++i) x_squares(i, 0) += X.view(i, k) * X.view(i, k);
    for (Index j = 0; j < 211; ++j) s_squares(j, 0) += S.view(j, k) * S.view(j, k);
    for (Index i = 0; i < 300; ++i) {
      for (Index j = 0; j < 211; ++j) inner(i, j) += X.view(i, k) * S.view(j, k);
    }
  }
  const InnerProducts<double> XS(inner.view, x_squares.view, s_squares.view);
  CHECK(numbers(300, 4, [&](MatrixView<double> out) { f.apply(XS, out); }) ==
        numbers(300, 4, [&](MatrixView<double> out) { product(gaussian, XS, W.view, out); }));

  full(gaussian, X.view, S.view, cross.view);
  const std::vector<double> batch = numbers(300, 4, [&](MatrixView<double> out) { f.apply_values(cross.view, out); });
  for (Index i = 0; i < 300; ++i) {
    const auto row = numbers(1, 4, [&](MatrixView<double> out) { f.apply_values({&cross(i, 0), 1, 211}, out); });
    for (Index c = 0; c < 4; ++c) {
      double sum = 0.0, size = 0.0;
      for (Index j = 0; j < 211; ++j) sum += cross(i, j) * W.view(j, c), size += std::fabs(cross(i, j) * W.view(j, c));
      const std::size_t at = static_cast<std::size_t>(c), in_batch = static_cast<std::size_t>(4 * i + c);
      CHECK_NEAR(row[at], sum, 1e-14 * size);
      CHECK_EQ(row[at], batch[in_batch]);
    }
  }
  CHECK(numbers(211, 4,
                [&](MatrixView<double> out) {  // any strides
                  KernelExpansion(gaussian, Samples::counted(211), SharedMatrix::copy_of(W.view))
                      .apply_values(transposed(MatrixView<const double>(cross.view.data(), 211, 211)), out);
                })
            .size() == 844u);
  CHECK_THROWS(std::invalid_argument, numbers(300, 4, [&](MatrixView<double> out) { f.apply(X.view, out); }));
}

TEST(copies_outlive_what_they_were_made_from) {
  std::optional<KernelExpansion> first(expansion(gaussian));
  const KernelExpansion copy = *first, moved = std::move(*first);
  first.reset();
  const auto wanted = numbers(17, 4, [&](MatrixView<double> out) { product(gaussian, first_rows(X, 17), S.view, W.view, out); });
  for (const KernelExpansion* f : {&copy, &moved}) {
    CHECK(numbers(17, 4, [&](MatrixView<double> out) { f->apply(first_rows(X, 17), out); }) == wanted);
  }
  CHECK_EQ(copy.supports().dense().data(), moved.supports().dense().data());
  CHECK_EQ(copy.outputs(), 4);
  CHECK_EQ(copy.terms().front().weights.rows(), 211);
}

TEST(threads_may_share_an_expansion) {
  const KernelExpansion f = expansion(gaussian);
  const auto wanted = numbers(300, 4, [&](MatrixView<double> out) { f.apply(X.view, out); });
  std::vector<int> same(8, 1);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < same.size(); ++t) {
    threads.emplace_back([&, t] {
      for (Index i = 0; i < 300; ++i) {
        const auto row =
            numbers(1, 4, [&](MatrixView<double> out) { f.apply(MatrixView<const double>(&X.view(i, 0), 1, 3), out); });
        for (std::size_t c = 0; c < 4; ++c) same[t] = same[t] && row[c] == wanted[4 * static_cast<std::size_t>(i) + c];
      }
      same[t] = same[t] && numbers(300, 4, [&](MatrixView<double> out) { f.apply(X.view, out); }) == wanted;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int good : same) CHECK(good);
}

TEST(what_product_refuses_is_refused_in_the_same_words) {
  const Kernel steep("polynomial", {40, 1.0, 0.0});
  const KernelExpansion f = expansion(gaussian), g = expansion(steep);
  for (const Index n : {1, 3, 17, 300}) {
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1e200, 1e30}) {
      naive::Matrix<double> rows = normal<double>(n, 3, 5);
      rows(n - 1, 1) = bad;
      const bool large = bad == 1e30;  // for the values of a power only
      const Kernel& kernel = large ? steep : gaussian;
      const auto words = check::message_of(
          [&] { numbers(n, 4, [&](MatrixView<double> out) { product(kernel, rows.view, S.view, W.view, out); }); });
      CHECK(!words.empty());
      if (!large) CHECK(words.find("row " + std::to_string(n - 1) + " ") != std::string::npos);
      CHECK_EQ(check::message_of([&] { numbers(n, 4, [&](MatrixView<double> out) { (large ? g : f).apply(rows.view, out); }); }),
               words);
    }
  }
}

TEST(arguments_are_checked) {
  const KernelExpansion f = expansion(gaussian);
  const auto sparse_X = naive::sparse_of(X);
  const auto narrow = normal<float>(5, 3, 1);
  const auto apply = [&](const Points& points, Index rows, Index cols) {
    numbers(rows, cols, [&](MatrixView<double> out) { f.apply(points, out); });
  };
  apply(X.view, 300, 4);
  CHECK_THROWS(std::invalid_argument, apply(X.view, 299, 4));
  CHECK_THROWS(std::invalid_argument, apply(X.view, 300, 3));
  CHECK_THROWS(std::invalid_argument, apply(W.view, 211, 4));
  CHECK_THROWS(std::invalid_argument, apply(Points(sparse_X.rows()), 300, 4));
  CHECK_THROWS(std::invalid_argument, apply(narrow.view, 5, 4));
  apply(MatrixView<const double>(nullptr, 0, 3), 0, 4);
  const Samples supports = Samples::copy_of(S.view), sparse = Samples::copy_of(Points(naive::sparse_of(S).rows()));
  const SharedMatrix weights = SharedMatrix::copy_of(W.view);
  Matrix spoilt = Matrix::copy_of(W.view);
  spoilt(7, 2) = std::nan("");
  CHECK_THROWS(std::invalid_argument, KernelExpansion(gaussian, supports, SharedMatrix(std::move(spoilt))));
  CHECK_THROWS(std::invalid_argument, KernelExpansion(gaussian, supports, SharedMatrix::copy_of(X.view)));
  CHECK_THROWS(std::invalid_argument, KernelExpansion(Kernel("gaussian", {0.3}, {1.0, 2.0}), supports, weights));
  CHECK_THROWS(std::invalid_argument, KernelExpansion(Kernel("laplacian_l1", {0.3}), sparse, weights));
  CHECK_THROWS(std::invalid_argument, KernelExpansion({{gaussian, weights}}, supports, 5));
  CHECK_THROWS(std::invalid_argument, KernelExpansion({{gaussian, weights, {0, 1, 2, 4}}}, supports, 4));
  CHECK_THROWS(std::invalid_argument, KernelExpansion({}, supports, -1));
}

TEST_MAIN

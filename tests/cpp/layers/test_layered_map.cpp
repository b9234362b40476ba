// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/layers/layered_map.hpp"

#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/message.hpp"
#include "support/naive.hpp"
#include "support/sparse_copy.hpp"

using namespace gramian;
using naive::normal;

namespace {

constexpr Index m = 150;
const naive::Matrix<double> S = normal<double>(m, 4, 1), X = normal<double>(300, 4, 2);

/// Widths 4 - 3 - 2 - 2; the second layer has several terms, one of them nothing, and the first kernel is `first`.
CompositionModel model_with(const Kernel& first) {
  CompositionModel model;
  model.layers.push_back(KernelLayer::scalar(first, 3, 0.1));
  KernelLayer second;
  second.terms.push_back({Kernel("matern32", {1.1}), OutputOperator::diagonal({0.5, 0.0})});
  const std::vector<double> A = {1.0, 0.3, 0.3, 0.8};
  second.terms.push_back({Kernel("gaussian", {0.4}), OutputOperator::full({A.data(), 2, 2})});
  second.terms.push_back({Kernel("laplacian", {0.6}), OutputOperator::diagonal({0.0, 0.0})});
  model.layers.push_back(std::move(second));
  model.layers.push_back(KernelLayer::scalar(Kernel("polynomial", {2, 0.1, 1.0}), 2, 0.0));
  for (std::uint64_t l = 0; l < 3; ++l) {
    Matrix Phi = Matrix::copy_of(normal<double>(m, l == 0 ? 3 : 2, 3 + l).view);
    for (Index i = 0; i < Phi.size(); ++i) Phi.data()[i] *= 0.05;
    model.coefficients.push_back(std::move(Phi));
    if (l < 2) model.supports.push_back(Matrix::copy_of(normal<double>(m, l == 0 ? 3 : 2, 7 + l).view));
  }
  return model;
}

const Kernel gaussian("gaussian", {0.3});

MatrixView<const double> first_rows(const naive::Matrix<double>& A, Index rows) { return {A.view.data(), rows, A.view.cols()}; }

std::vector<double> numbers(Index rows, Index cols, const std::function<void(MatrixView<double>)>& make) {
  naive::Matrix<double> out(rows, cols);
  make(out.view);
  return out.numbers;
}

/// f(z) of a layer k I, in long double.
std::vector<long double> naive_layer(const std::function<long double(long double, long double)>& kernel,
                                     MatrixView<const double> Z, const std::vector<long double>& z, const Matrix& Phi) {
  std::vector<long double> out(static_cast<std::size_t>(Phi.cols()));
  for (Index j = 0; j < Phi.rows(); ++j) {
    long double square = 0, inner = 0;
    for (Index k = 0; k < Z.cols(); ++k) {
      const long double s = Z(j, k), at = z[static_cast<std::size_t>(k)];
      square += (at - s) * (at - s), inner += at * s;
    }
    for (Index c = 0; c < Phi.cols(); ++c)
      out[static_cast<std::size_t>(c)] += kernel(square, inner) * static_cast<long double>(Phi(j, c));
  }
  return out;
}

}  // namespace

TEST(values_are_those_of_naive_loops) {
  CompositionModel model = model_with(gaussian);
  model.layers[1] = KernelLayer::scalar(Kernel("gaussian", {0.4}), 2, 0.0);
  const LayeredMap map(model, Samples::copy_of(S.view));
  for (const Index n : {1, 17}) {
    const std::vector<double> out = numbers(n, 2, [&](MatrixView<double> to) { map.apply(1, 3, first_rows(X, n), to); });
    for (Index i = 0; i < n; ++i) {
      std::vector<long double> z;
      for (Index k = 0; k < 4; ++k) z.push_back(X.view(i, k));
      z = naive_layer([](long double square, long double) { return std::exp(-0.3L * square); }, S.view, z, model.coefficients[0]);
      z = naive_layer([](long double square, long double) { return std::exp(-0.4L * square); }, model.supports[0].view(), z,
                      model.coefficients[1]);
      z = naive_layer([](long double, long double inner) { return (0.1L * inner + 1) * (0.1L * inner + 1); },
                      model.supports[1].view(), z, model.coefficients[2]);
      for (Index c = 0; c < 2; ++c) {
        CHECK_NEAR(out[static_cast<std::size_t>(2 * i + c)], static_cast<double>(z[static_cast<std::size_t>(c)]), 1e-12);
      }
    }
  }
}

TEST(every_part_of_the_chain_has_the_bits_of_apply_layers) {
  const CompositionModel model = model_with(gaussian);
  const LayeredMap map(model, Samples::copy_of(S.view));
  CHECK_EQ(map.depth(), 3);
  const Index widths[] = {4, 3, 2, 2};
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    for (const Index n : {1, 2, 3, 17, 300}) {
      for (Index first = 1; first <= 3; ++first) {
        const naive::Matrix<double> Z = normal<double>(n, widths[first - 1], 5);
        const Points supports = first == 1 ? Points(S.view) : Points(model.supports[static_cast<std::size_t>(first - 2)].view());
        for (Index last = first; last <= 3; ++last) {
          const auto apply = [&](const auto& how) { return numbers(n, widths[last], how); };
          CHECK(apply([&](MatrixView<double> out) { map.apply(first, last, Points(Z.view), out); }) ==
                apply([&](MatrixView<double> out) { apply_layers(model, first, last, Points(Z.view), supports, out); }));
        }
      }
    }
  }
  set_num_threads(0);
}

TEST(a_first_layer_may_see_sparse_rows_or_inner_products) {
  const CompositionModel model = model_with(gaussian);
  const auto sparse_X = naive::sparse_of(X), sparse_S = naive::sparse_of(S);
  const LayeredMap sparse(model, Samples::copy_of(Points(sparse_S.rows())));
  CHECK(numbers(300, 2, [&](MatrixView<double> out) { sparse.apply(1, 3, Points(sparse_X.rows()), out); }) ==
        numbers(300, 2, [&](MatrixView<double> out) {
          apply_layers(model, 1, 3, Points(sparse_X.rows()), Points(sparse_S.rows()), out);
        }));
  naive::Matrix<double> inner(300, m), x_squares(300, 1), s_squares(m, 1);
  for (Index k = 0; k < 4; ++k) {
    for (Index i = 0; i < 300; ++i) x_squares(i, 0) += X.view(i, k) * X.view(i, k);
    for (Index j = 0; j < m; ++j) s_squares(j, 0) += S.view(j, k) * S.view(j, k);
    for (Index i = 0; i < 300; ++i) {
      for (Index j = 0; j < m; ++j) inner(i, j) += X.view(i, k) * S.view(j, k);
    }
  }
  const InnerProducts<double> XS(inner.view, x_squares.view, s_squares.view);
  const LayeredMap counted(model, Samples::counted(m));
  for (const Index last : {1, 3}) {
    const Index width = last == 1 ? 3 : 2;
    CHECK(numbers(300, width, [&](MatrixView<double> out) { counted.apply(last, XS, out); }) ==
          numbers(300, width, [&](MatrixView<double> out) { apply_layers(model, last, XS, out); }));
  }
  const naive::Matrix<double> codes = normal<double>(7, 3, 5);
  CHECK(numbers(7, 2, [&](MatrixView<double> out) { counted.apply(2, 3, Points(codes.view), out); }) ==
        numbers(7, 2, [&](MatrixView<double> out) { sparse.apply(2, 3, Points(codes.view), out); }));
}

TEST(copies_outlive_the_model) {
  std::optional<LayeredMap> map(LayeredMap(model_with(gaussian), Samples::copy_of(S.view)));
  const auto wanted = numbers(17, 2, [&](MatrixView<double> out) { map->apply(1, 3, first_rows(X, 17), out); });
  const LayeredMap copy = *map;
  CHECK_EQ(copy.layer(2).coefficients.data(), map->layer(2).coefficients.data());
  map.reset();
  CHECK(numbers(17, 2, [&](MatrixView<double> out) { copy.apply(1, 3, first_rows(X, 17), out); }) == wanted);
}

TEST(a_row_that_is_not_finite_is_named_as_apply_layers_does) {
  const CompositionModel model = model_with(gaussian);
  const LayeredMap map(model, Samples::copy_of(S.view));
  for (const Index n : {1, 3, 17, 300}) {
    naive::Matrix<double> rows = normal<double>(n, 4, 5);
    rows(n - 1, 2) = std::nan("");
    const std::string words = check::message_of([&] {
      numbers(n, 2, [&](MatrixView<double> out) { apply_layers(model, 1, 3, Points(rows.view), Points(S.view), out); });
    });
    CHECK(words.find("row " + std::to_string(n - 1) + " ") != std::string::npos);
    CHECK_EQ(check::message_of([&] { numbers(n, 2, [&](MatrixView<double> out) { map.apply(1, 3, Points(rows.view), out); }); }),
             words);
  }
}

TEST(arguments_are_checked) {
  const LayeredMap map(model_with(gaussian), Samples::copy_of(S.view));
  Matrix out(300, 2);
  map.apply(1, 3, Points(X.view), out.view());
  CHECK_THROWS(std::invalid_argument, map.apply(0, 3, Points(X.view), out.view()));
  CHECK_THROWS(std::invalid_argument, map.apply(2, 1, Points(X.view), out.view()));
  CHECK_THROWS(std::invalid_argument, map.apply(1, 4, Points(X.view), out.view()));
  CHECK_THROWS(std::invalid_argument, map.apply(2, 3, Points(X.view), out.view()));
  CHECK_THROWS(std::invalid_argument, map.apply(1, 1, Points(X.view), out.view()));
  CHECK_THROWS(std::invalid_argument, map.apply(1, 3, Points(first_rows(X, 299)), out.view()));
  CHECK_THROWS(std::invalid_argument, map.layer(4));
  CHECK_THROWS(std::invalid_argument, LayeredMap(std::vector<SupportedLayer>{}));
  CHECK_THROWS(std::invalid_argument, LayeredMap(model_with(gaussian), Samples::counted(m - 1)));
  CompositionModel incomplete = model_with(gaussian);
  incomplete.supports.pop_back();
  CHECK_THROWS(std::invalid_argument, LayeredMap(incomplete, Samples::copy_of(S.view)));
  CompositionModel narrow = model_with(gaussian);
  narrow.supports[0] = Matrix::filled(m, 2, 0.5);
  CHECK_THROWS(std::invalid_argument, LayeredMap(narrow, Samples::copy_of(S.view)));
}

TEST_MAIN

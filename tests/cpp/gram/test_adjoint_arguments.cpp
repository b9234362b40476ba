// SPDX-License-Identifier: BSD-3-Clause
// What the adjoint may be asked for, and what it refuses.
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "gramian/gram/adjoint.hpp"
#include "support/check.hpp"
#include "support/kernel_samples.hpp"
#include "support/naive.hpp"
#include "support/naive_kernels.hpp"

using gramian::adjoint;
using gramian::GramGradient;
using gramian::Index;
using gramian::InnerProducts;
using gramian::Kernel;
using gramian::MatrixView;
using gramian::SparseRows;
using naive::Expression;
using naive::Matrix;

namespace {

const MatrixView<double> none;

struct Set {
  Matrix<double> X = naive::normal<double>(110, 4, 141), Y = naive::normal<double>(50, 4, 142);
  Matrix<double> P = naive::normal<double>(110, 3, 143), Q = naive::normal<double>(50, 3, 144),
                 R = naive::normal<double>(110, 3, 145);
  Matrix<double> Xbar{110, 4}, Ybar{50, 4};
  GramGradient<double> cross{P.view, Q.view}, one{P.view, R.view};
};

}  // namespace

TEST(parts_that_are_not_asked_for_change_nothing) {
  Set s;
  for (const Expression& e : naive::all_samples(4)) {
    const Kernel kernel = naive::kernel_of(e);
    Matrix<double> Xbar(110, 4), Ybar(50, 4);
    const std::vector<double> both = adjoint(kernel, s.X.view, s.Y.view, s.cross, s.Xbar.view, s.Ybar.view);
    CHECK(adjoint(kernel, s.X.view, s.Y.view, s.cross, Xbar.view, none) == both);
    CHECK(adjoint(kernel, s.X.view, s.Y.view, s.cross, none, Ybar.view) == both);
    CHECK(adjoint(kernel, s.X.view, s.Y.view, s.cross, none, none) == both);
    CHECK(Xbar.numbers == s.Xbar.numbers);
    CHECK(Ybar.numbers == s.Ybar.numbers);
    CHECK(adjoint(kernel, s.X.view, s.one, none) == adjoint(kernel, s.X.view, s.one, s.Xbar.view));
  }
}

TEST(results_of_any_strides_are_overwritten) {
  Set s;
  const Kernel kernel = 0.7 * Kernel("gaussian", {0.2}) + Kernel("cosine", {});
  adjoint(kernel, s.X.view, s.one, s.Xbar.view);
  std::vector<double> big(110 * 4 * 6, std::numeric_limits<double>::quiet_NaN());
  const MatrixView<double> strided(big.data(), 110, 4, 3, 660);
  adjoint(kernel, s.X.view, s.one, strided);
  for (Index i = 0; i < 110; ++i) {
    for (Index k = 0; k < 4; ++k) CHECK_EQ(strided(i, k), s.Xbar(i, k));
  }
}

TEST(nothing_gives_nothing) {
  Set s;
  for (const Expression& e : naive::all_samples(4)) {
    const Kernel kernel = naive::kernel_of(e);
    Matrix<double> X(0, 4), P(0, 3), Xbar(0, 4), nobody(110, 0), of_none(50, 0);
    const std::vector<double> zeros(kernel.parameters().size(), 0.0);
    CHECK(adjoint(kernel, X.view, GramGradient<double>(P.view, P.view), Xbar.view) == zeros);
    std::fill(s.Ybar.numbers.begin(), s.Ybar.numbers.end(), 7.0);
    CHECK(adjoint(kernel, X.view, s.Y.view, GramGradient<double>(P.view, s.Q.view), Xbar.view, s.Ybar.view) == zeros);
    CHECK(s.Ybar.numbers == std::vector<double>(200, 0.0));
    std::fill(s.Xbar.numbers.begin(), s.Xbar.numbers.end(), 7.0);
    CHECK(adjoint(kernel, s.X.view, X.view, GramGradient<double>(s.P.view, P.view), s.Xbar.view, Xbar.view) == zeros);
    CHECK(s.Xbar.numbers == std::vector<double>(440, 0.0));
    // Rank 0 is a Kbar of zeros.
    std::fill(s.Xbar.numbers.begin(), s.Xbar.numbers.end(), 7.0);
    CHECK(adjoint(kernel, s.X.view, GramGradient<double>(nobody.view, nobody.view), s.Xbar.view) == zeros);
    for (const double x : s.Xbar.numbers) CHECK_EQ(x, 0.0);
  }
  Matrix<double> points(110, 0);
  const std::vector<double> sum =
      adjoint(2.0 * Kernel("gaussian", {1.0}), points.view, s.one, MatrixView<double>(nullptr, 110, 0));
  double wanted = 0.0;
  for (Index i = 0; i < 110; ++i) {
    for (Index j = 0; j < 110; ++j) {
      for (Index c = 0; c < 3; ++c) wanted += s.P(i, c) * s.R(j, c);
    }
  }
  CHECK_NEAR(sum[0], wanted, 1e-9);
  CHECK_EQ(sum[1], 0.0);
}

TEST(sparse_points_give_parameters_alone) {
  const Index n = 110, d = 4;
  Set s;
  std::vector<Index> start = {0}, columns;
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < d; ++k) columns.push_back(k);
    start.push_back(static_cast<Index>(columns.size()));
  }
  const SparseRows<double> sparse{n, d, start.data(), columns.data(), s.X.numbers.data()},
      half{50, d, start.data(), columns.data(), s.Y.numbers.data()};
  for (const Expression& e : naive::inner_product_samples()) {
    const Kernel kernel = naive::kernel_of(e);
    const std::vector<double> one = adjoint(kernel, sparse, s.one, none), wanted_one = adjoint(kernel, s.X.view, s.one, none);
    const std::vector<double> two = adjoint(kernel, sparse, half, s.cross, none, none);
    const std::vector<double> wanted_two = adjoint(kernel, s.X.view, s.Y.view, s.cross, none, none);
    for (std::size_t p = 0; p < one.size(); ++p) {
      CHECK_NEAR(one[p], wanted_one[p], 1e-9 * (1.0 + std::fabs(wanted_one[p])));
      CHECK_NEAR(two[p], wanted_two[p], 1e-9 * (1.0 + std::fabs(wanted_two[p])));
    }
    CHECK_THROWS(std::invalid_argument, adjoint(kernel, sparse, s.one, s.Xbar.view));
    CHECK_THROWS(std::invalid_argument, adjoint(kernel, sparse, half, s.cross, none, s.Ybar.view));
  }
}

TEST(bad_arguments_are_refused) {
  Set s;
  const Kernel kernel("gaussian", {0.3});
  Matrix<double> wide(110, 5), tall(111, 4), short_p(109, 3), thin(110, 2), dense(110, 50), inner(110, 110), oblong(110, 50);
  const GramGradient<double> bad[] = {
      {short_p.view, s.R.view}, {s.P.view, short_p.view}, {s.P.view, thin.view}, GramGradient<double>(dense.view)};
  for (const GramGradient<double>& Kbar : bad) CHECK_THROWS(std::invalid_argument, adjoint(kernel, s.X.view, Kbar, s.Xbar.view));
  for (const MatrixView<double>& out : {wide.view, tall.view}) {
    CHECK_THROWS(std::invalid_argument, adjoint(kernel, s.X.view, s.one, out));
    CHECK_THROWS(std::invalid_argument, adjoint(kernel, s.X.view, s.Y.view, s.cross, none, out));
  }
  CHECK_THROWS(std::invalid_argument, adjoint(kernel, s.X.view, wide.view, s.one, none, none));
  CHECK_THROWS(std::invalid_argument, adjoint(kernel, s.X.view, s.Y.view, s.one, none, none));
  CHECK_THROWS(std::invalid_argument, adjoint(Kernel("gaussian", {1.0}, {1.0, 2.0}), s.X.view, s.one, s.Xbar.view));

  const MatrixView<double> inner_bar = inner.view;
  CHECK_THROWS(std::invalid_argument, adjoint(kernel, InnerProducts<double>(oblong.view), s.one, inner_bar));
  CHECK_THROWS(std::invalid_argument, adjoint(kernel, InnerProducts<double>(oblong.view, s.P.view, s.Q.view), s.cross, none));
  CHECK_THROWS(std::invalid_argument, adjoint(kernel, InnerProducts<double>(inner.view), s.one, s.Xbar.view));
  CHECK_THROWS(std::invalid_argument, adjoint(Kernel("laplacian_l1", {1.0}), InnerProducts<double>(inner.view), s.one, none));

  for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (double* entry : {&s.P(3, 1), &s.R(109, 2), &s.X(4, 0)}) {
      const double before = *entry;
      *entry = value;
      CHECK_THROWS(std::invalid_argument, adjoint(kernel, s.X.view, s.one, s.Xbar.view));
      *entry = before;
    }
    dense(7, 9) = value;
    CHECK_THROWS(std::invalid_argument,
                 adjoint(kernel, s.X.view, s.Y.view, GramGradient<double>(dense.view), s.Xbar.view, s.Ybar.view));
  }
}

TEST(what_overflows_is_refused) {
  Set s;
  for (double& x : s.X.numbers) x *= 1e5;
  const Kernel steep("polynomial", {60, 1.0, 1.0});
  for (const Kernel& kernel : {steep, Kernel("gaussian", {1.0}) * steep}) {
    CHECK_THROWS(std::invalid_argument, adjoint(kernel, s.X.view, s.one, s.Xbar.view));
    CHECK_THROWS(std::invalid_argument, adjoint(kernel, s.X.view, s.Y.view, s.cross, s.Xbar.view, s.Ybar.view));
  }
}

TEST_MAIN

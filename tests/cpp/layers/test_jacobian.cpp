// SPDX-License-Identifier: BSD-3-Clause
// The forward recursion against differences of the images, and the gradient made of it against the reverse mode.
#include "gramian/layers/jacobian.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/composition_problem.hpp"

using namespace gramian;
using naive::leaf;
using naive::Real;
using problem::Input;
using problem::input_rows;
using problem::some_coefficients;
using problem::wide;

namespace {

const naive::Rows diagonal = {{0.7L, 0, 1.3L}}, matrix = {{1.1L, 0.3L, -0.2L}, {0.3L, 0.8L, 0.1L}, {-0.2L, 0.1L, 0.6L}};

/// L layers: scalar, diagonal, full, and a sum of terms.
std::vector<naive::Layer> layers(std::size_t L) {
  std::vector<naive::Layer> all = {
      {{{leaf("gaussian", {0.4})}}, 2, 0.3},
      {{{leaf("polynomial", {2, 0.3, 1.0}), diagonal}}, 3, 0.1},
      {{{leaf("gaussian", {0.2}), matrix}}, 3, 0.2},
      {{{leaf("matern52", {2.0}), diagonal}, {leaf("gaussian", {0.3}) * leaf("linear"), matrix}}, 3, 0.05}};
  all.resize(L, all[0]);
  return all;
}

/// The images of the last layer, flat, along one coefficient; with `frozen`, kernels see these as supports.
std::vector<difference::Slope> image_slopes(const naive::Composition& given, const naive::Numbers& flat, std::size_t coefficient,
                                            const naive::Images* frozen) {
  const auto f = [&](Real t) {
    naive::Numbers moved = flat, out;
    moved[coefficient] += t;
    const naive::Images images = given.evaluate(moved, frozen);
    for (const naive::Numbers& row : images.X.back()) out.insert(out.end(), row.begin(), row.end());
    return out;
  };
  return difference::slopes(f, 1e-3L, 10);
}

/// How many columns of Jac(phi_{l0, i0}) differences agree with.
std::size_t agreeing(const Matrix& J, const naive::Composition& given, const naive::Numbers& flat, std::size_t first,
                     const naive::Images* frozen) {
  std::size_t agree = 0;
  Real scale = 0;
  for (Index e = 0; e < J.size(); ++e) scale = std::max(scale, static_cast<Real>(std::fabs(J.data()[e])));
  for (Index c = 0; c < J.cols(); ++c) {
    const std::vector<difference::Slope> wanted = image_slopes(given, flat, first + static_cast<std::size_t>(c), frozen);
    bool good = static_cast<Index>(wanted.size()) == J.rows();
    for (Index row = 0; good && row < J.rows(); ++row) {
      good = difference::agrees(J(row, c), wanted[static_cast<std::size_t>(row)], 1e-12L * scale, scale);
    }
    agree += good;
  }
  return agree;
}

std::size_t offset(const naive::Composition& given, Index l0, Index i0) {
  std::size_t first = 0;
  for (Index l = 1; l < l0; ++l)
    first += given.input.size() * static_cast<std::size_t>(given.layers[static_cast<std::size_t>(l - 1)].outputs);
  return first + static_cast<std::size_t>(i0 * given.layers[static_cast<std::size_t>(l0 - 1)].outputs);
}

/// The gradient of (1/n)|T - X_L|^2 + sum lambda |f|^2 by the reverse mode.
std::vector<double> reverse_gradient(const PointSource& input, const std::vector<KernelLayer>& all,
                                     const std::vector<double>& flat, MatrixView<const double> targets) {
  Composition composition(input, all);
  composition.forward(flat.data());
  const MatrixView<const double> X = composition.output(composition.depth());
  naive::Matrix<double> bar(X.rows(), X.cols());
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index k = 0; k < X.cols(); ++k) bar(i, k) = 2.0 * (X(i, k) - targets(i, k)) / static_cast<double>(X.rows());
  }
  std::vector<double> gradient(flat.size());
  composition.reverse(bar.view, {}, gradient.data());
  return gradient;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0, scale = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::fabs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference;
    scale = std::max(scale, std::fabs(b[i]));
  }
  return largest / scale;
}

}  // namespace

TEST(jacobians_are_those_of_differences) {
  for (const std::size_t L : {1u, 2u, 3u, 4u}) {
    const naive::Composition given{input_rows(5, 3), layers(L)};
    const std::vector<double> flat = some_coefficients(given);
    const Input input(given.input);
    for (Index l0 = 1; l0 <= static_cast<Index>(L); ++l0) {
      for (const Index i0 : {0, 2, 4}) {
        const Matrix J = forward_jacobian(input.forms()[0], naive::layers_of(given.layers), flat.data(), l0, i0);
        CHECK_EQ(J.rows(), 5 * given.layers.back().outputs);
        CHECK_EQ(J.cols(), given.layers[static_cast<std::size_t>(l0 - 1)].outputs);
        CHECK_EQ(agreeing(J, given, wide(flat), offset(given, l0, i0), nullptr), static_cast<std::size_t>(J.cols()));
        Matrix wrong = J.clone();
        wrong(0, 0) += 1e-6;
        CHECK_EQ(agreeing(wrong, given, wide(flat), offset(given, l0, i0), nullptr), static_cast<std::size_t>(J.cols() - 1));
      }
    }
  }
}

// [KAE] App. B.3: the first term moves the sample within f, the second one f with its supports. Neither does alone.
TEST(one_of_the_two_terms_is_not_enough) {
  for (const std::size_t L : {2u, 3u, 4u}) {
    const naive::Composition given{input_rows(5, 3), layers(L)};
    const std::vector<double> flat = some_coefficients(given);
    const Input input(given.input);
    const naive::Images there = given.evaluate(wide(flat));
    const Matrix J = forward_jacobian(input.forms()[0], naive::layers_of(given.layers), flat.data(), 1, 2);
    const std::size_t first = offset(given, 1, 2);
    CHECK_EQ(agreeing(J, given, wide(flat), first, &there), 0u);
    Matrix first_term(J.rows(), J.cols()), second_term(J.rows(), J.cols());
    for (Index c = 0; c < J.cols(); ++c) {
      const auto slopes = image_slopes(given, wide(flat), first + static_cast<std::size_t>(c), &there);
      for (Index row = 0; row < J.rows(); ++row) {
        first_term(row, c) = static_cast<double>(slopes[static_cast<std::size_t>(row)].value);
        second_term(row, c) = J(row, c) - first_term(row, c);
      }
    }
    // The measure knows what it is to be the first term alone, and that this is not the Jacobian.
    CHECK_EQ(agreeing(first_term, given, wide(flat), first, &there), static_cast<std::size_t>(J.cols()));
    CHECK_EQ(agreeing(first_term, given, wide(flat), first, nullptr), 0u);
    CHECK_EQ(agreeing(second_term, given, wide(flat), first, nullptr), 0u);
  }
}

TEST(gradient_by_jacobians_is_that_of_the_reverse_mode) {
  for (const std::size_t L : {1u, 2u, 3u, 4u}) {
    const naive::Composition given{input_rows(7, 3), layers(L)};
    const std::vector<double> flat = some_coefficients(given);
    const Input input(given.input);
    const auto targets = naive::normal<double>(7, given.layers.back().outputs, 61);
    for (const PointSource& in : input.forms()) {
      const std::vector<KernelLayer> all = naive::layers_of(given.layers);
      std::vector<double> gradient(flat.size());
      jacobian_gradient(in, all, flat.data(), targets.view, gradient.data());
      const std::vector<double> expected = reverse_gradient(in, all, flat, targets.view);
      CHECK(largest_difference(gradient, expected) < 1e-10);
      gradient[flat.size() / 2] += 1e-6;
      CHECK(!(largest_difference(gradient, expected) < 1e-10));
    }
  }
}

TEST(every_kernel_with_a_derivative_has_its_jacobians) {
  for (const naive::Expression& kernel :
       {leaf("laplacian", {0.4}), leaf("laplacian_l1", {0.3}), leaf("matern32", {1.3}), leaf("tensor_matern3", {0.8}),
        leaf("rational_quadratic", {0.7, 1.1}), leaf("arc_cosine1"), leaf("tanimoto"), leaf("cosine"),
        leaf("gaussian", {0.5}, {0.8, 1.4})}) {
    const naive::Composition given{input_rows(6, 2), {{{{kernel}}, 2, 0.2}, {{{kernel}}, 2, 0.1}, {{{kernel}}, 2, 0.0}}};
    const std::vector<double> flat = some_coefficients(given);
    const Input input(given.input);
    const auto targets = naive::normal<double>(6, 2, 62);
    const std::vector<KernelLayer> all = naive::layers_of(given.layers);
    std::vector<double> gradient(flat.size());
    jacobian_gradient(input.forms()[0], all, flat.data(), targets.view, gradient.data());
    CHECK(largest_difference(gradient, reverse_gradient(input.forms()[0], all, flat, targets.view)) < 1e-10);
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const naive::Composition given{input_rows(40, 3), layers(3)};
  const std::vector<double> flat = some_coefficients(given);
  const Input input(given.input);
  std::vector<Matrix> results;
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    results.push_back(forward_jacobian(input.forms()[0], naive::layers_of(given.layers), flat.data(), 1, 5));
  }
  set_num_threads(0);
  for (const Matrix& J : results) CHECK(std::equal(J.data(), J.data() + J.size(), results[0].data()));
}

TEST(bad_input_is_refused) {
  const naive::Composition given{input_rows(5, 3), layers(2)};
  const std::vector<double> flat = some_coefficients(given);
  const Input input(given.input);
  const PointSource in = input.forms()[0];
  const std::vector<KernelLayer> all = naive::layers_of(given.layers);
  for (const Index l0 : {-1, 0, 3}) CHECK_THROWS(std::invalid_argument, forward_jacobian(in, all, flat.data(), l0, 0));
  for (const Index i0 : {-1, 5}) CHECK_THROWS(std::invalid_argument, forward_jacobian(in, all, flat.data(), 1, i0));
  CHECK_THROWS(std::invalid_argument, forward_jacobian(in, {}, flat.data(), 1, 0));
  const naive::Matrix<double> wrong(5, 2), few(4, 3);
  std::vector<double> gradient(flat.size());
  CHECK_THROWS(std::invalid_argument, jacobian_gradient(in, all, flat.data(), wrong.view, gradient.data()));
  CHECK_THROWS(std::invalid_argument, jacobian_gradient(in, all, flat.data(), few.view, gradient.data()));
}

TEST_MAIN

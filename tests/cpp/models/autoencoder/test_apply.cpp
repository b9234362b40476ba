// SPDX-License-Identifier: BSD-3-Clause
// A trained model on new samples, and the terms of its generalization bound.
#include <limits>

#include "gramian/gram/full.hpp"
#include "support/autoencoder_data.hpp"
#include "support/check.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using namespace autoencoder_data;
using Dense = spectral::Matrix;
using spectral::Vector;

namespace {

autoencoder::Fit some_fit(const naive::Matrix<double>& X, const std::vector<LayerPlan>& layers,
                          std::vector<Index> landmarks = {}) {
  autoencoder::Options options = iterations_of(10);
  options.landmarks = std::move(landmarks);
  return autoencoder::fit(Points(X.view), X.view, layers, options);
}

naive::Matrix<double> rows_of(const naive::Matrix<double>& X, const std::vector<Index>& rows) {
  naive::Matrix<double> out(static_cast<Index>(rows.size()), X.view.cols());
  for (Index i = 0; i < out.view.rows(); ++i) {
    for (Index j = 0; j < out.view.cols(); ++j) out(i, j) = X.view(rows[static_cast<std::size_t>(i)], j);
  }
  return out;
}

}  // namespace

TEST(training_samples_are_encoded_as_in_training) {
  const auto X = samples("circles", 40);
  for (const std::vector<Index>& landmarks : {std::vector<Index>{}, std::vector<Index>{1, 4, 9, 16, 25, 36}}) {
    const autoencoder::Fit fit = some_fit(X, open_layers({3, 1, 2}, 1e-3), landmarks);
    std::vector<Index> rows = landmarks;
    for (Index i = 0; i < 40 && landmarks.empty(); ++i) rows.push_back(i);
    const auto supports = rows_of(X, rows);
    naive::Matrix<double> first(40, 3), codes(40, 1), twice(40, 1), whole(40, 2), decoded(40, 2);
    apply_layers(fit.model, 1, 1, Points(X.view), Points(supports.view), first.view);
    apply_layers(fit.model, 1, 2, Points(X.view), Points(supports.view), codes.view);
    apply_layers(fit.model, 1, 3, Points(X.view), Points(supports.view), whole.view);
    CHECK(largest_difference(first.view, fit.outputs[0].view()) <= 1e-9);
    CHECK(largest_difference(codes.view, fit.outputs[1].view()) <= 1e-9);
    apply_layers(fit.model, 2, 2, Points(first.view), Points(fit.model.supports[0].view()), twice.view);
    CHECK(largest_difference(twice.view, codes.view) == 0.0);
    apply_layers(fit.model, 3, 3, Points(codes.view), Points(fit.model.supports[1].view()), decoded.view);
    CHECK(largest_difference(decoded.view, whole.view) == 0.0);
    // One row alone has the bits that it has among others.
    naive::Matrix<double> one(1, 2);
    apply_layers(fit.model, 1, 3, Points(MatrixView<const double>(X.view.data() + 2 * 7, 1, 2)), Points(supports.view), one.view);
    CHECK(one(0, 0) == whole(7, 0) && one(0, 1) == whole(7, 1));
  }
}

TEST(inner_products_encode_as_vectors_do) {
  const auto X = samples("moons", 30), Y = samples("moons", 8, 77);
  const autoencoder::Fit fit = some_fit(X, open_layers({2, 2}, 1e-3));
  const Dense inner = as_eigen(Y.view) * as_eigen(X.view).transpose();
  const Dense x = as_eigen(X.view).rowwise().squaredNorm(), y = as_eigen(Y.view).rowwise().squaredNorm();
  naive::Matrix<double> expected(8, 2), got(8, 2), codes(8, 2), expected_codes(8, 2);
  const InnerProducts<double> products(view(inner), view(y), view(x));
  apply_layers(fit.model, 1, 2, Points(Y.view), Points(X.view), expected.view);
  apply_layers(fit.model, 2, products, got.view);
  CHECK(largest_difference(got.view, expected.view) <= 1e-9);
  apply_layers(fit.model, 1, 1, Points(Y.view), Points(X.view), expected_codes.view);
  apply_layers(fit.model, 1, products, codes.view);
  CHECK(largest_difference(codes.view, expected_codes.view) <= 1e-10);
}

TEST(layers_that_are_not_there_are_refused) {
  const auto X = samples("moons", 10);
  const autoencoder::Fit fit = some_fit(X, open_layers({1, 2}, 1e-3));
  naive::Matrix<double> out(10, 2);
  CHECK_THROWS(std::invalid_argument, apply_layers(fit.model, 0, 2, Points(X.view), Points(X.view), out.view));
  CHECK_THROWS(std::invalid_argument, apply_layers(fit.model, 1, 3, Points(X.view), Points(X.view), out.view));
  CHECK_THROWS(std::invalid_argument, apply_layers(fit.model, 2, 1, Points(X.view), Points(X.view), out.view));
  CHECK_THROWS(std::invalid_argument, apply_layers(fit.model, 1, 1, Points(X.view), Points(X.view), out.view));
  CHECK_THROWS(std::invalid_argument, apply_layers(autoencoder::Model(), 1, 1, Points(X.view), Points(X.view), out.view));
}

// [KAE] Thm. 5: with the constants of Ass. 3 and Ass. 4.
TEST(terms_of_the_bound_are_those_of_the_theorem) {
  const auto X = samples("circles", 20);
  const double infinity = std::numeric_limits<double>::infinity();
  const Kernel gaussian("gaussian", {0.7}), linear("linear", {}), laplacian("laplacian", {1.0});
  const auto terms_of = [&](const Kernel& first, const OutputOperator& A, const Kernel& second) {
    std::vector<LayerPlan> layers = open_layers({3, 2}, 1e-2);
    layers[0].terms.push_back({first, A});
    layers[1].terms.push_back({second, OutputOperator::diagonal({2.0, 3.0})});
    const autoencoder::Fit fit = some_fit(X, layers);
    const autoencoder::GeneralizationTerms terms = autoencoder::generalization_terms(fit, X.view);
    CHECK_NEAR(terms.s * terms.s, fit.squared_norms[0], 1e-12 * fit.squared_norms[0]);
    CHECK_NEAR(terms.t * terms.t, fit.squared_norms[1], 1e-12 * fit.squared_norms[1]);
    return terms;
  };
  const autoencoder::GeneralizationTerms terms = terms_of(2.0 * gaussian, OutputOperator::diagonal({1.0, 2.0, 0.0}), gaussian);
  CHECK_NEAR(terms.K, 2.0 * 3.0 / 3.0, 1e-14);
  CHECK_NEAR(terms.L_squared, 2.0 * 0.7 * 5.0, 1e-13);
  CHECK_EQ(terms.p, 3);
  double largest = 0.0;
  for (Index i = 0; i < 20; ++i) largest = std::fmax(largest, std::hypot(X.view(i, 0), X.view(i, 1)));
  CHECK_NEAR(terms.M, largest, 1e-14);
  CHECK_NEAR(terms_of(gaussian, OutputOperator::identity(3), 4.0 * linear + gaussian).L_squared, (4.0 + 1.4) * 5.0, 1e-12);
  CHECK_NEAR(terms_of(gaussian, OutputOperator::identity(3), Kernel("gaussian", {0.7}, {2.0, 0.5, 1.0})).L_squared,
             1.4 / 0.25 * 5.0, 1e-12);
  CHECK_EQ(terms_of(gaussian, OutputOperator::identity(3), laplacian).L_squared, infinity);
  CHECK_NEAR(terms_of(gaussian, OutputOperator::identity(3), gaussian * gaussian).L_squared, 4.0 * 1.4 * 5.0, 1e-12);
  CHECK_EQ(terms_of(gaussian, OutputOperator::identity(3), gaussian * linear).L_squared, infinity);
  CHECK_EQ(terms_of(linear, OutputOperator::identity(3), gaussian).K, infinity);
  CHECK_THROWS(std::invalid_argument, autoencoder::generalization_terms(some_fit(X, open_layers({2, 2, 2}, 1e-2)), X.view));
}

// Whatever the constant is, it bounds: |phi(y) - phi(y')|^2 <= L^2 |y - y'|^2 for the kernels that have one.
TEST(the_lipschitz_constant_bounds) {
  const auto Y = naive::normal<double>(30, 2, 9);
  const Kernel kernel = Kernel("gaussian", {0.9}, {0.5, 2.0}) + 3.0 * Kernel("linear", {});
  const double constant = 2.0 * 0.9 * 4.0 + 3.0;
  Dense K(30, 30);
  full(kernel, Points(Y.view), view(K));
  bool tight = false;
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < i; ++j) {
      const double square = std::pow(Y.view(i, 0) - Y.view(j, 0), 2) + std::pow(Y.view(i, 1) - Y.view(j, 1), 2);
      CHECK(K(i, i) + K(j, j) - 2.0 * K(i, j) <= constant * square * (1.0 + 1e-12));
      tight = tight || K(i, i) + K(j, j) - 2.0 * K(i, j) > 0.5 * constant * square;
    }
  }
  CHECK(tight);
}

TEST_MAIN

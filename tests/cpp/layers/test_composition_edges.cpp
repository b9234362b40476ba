// SPDX-License-Identifier: BSD-3-Clause
// The smallest problems, degenerate ones, one with a closed form, and what is refused.
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/layers/composition.hpp"
#include "support/check.hpp"
#include "support/composition_problem.hpp"
#include "support/message.hpp"

using namespace gramian;
using naive::leaf;
using naive::Real;

namespace {

const Kernel linear("linear", {}), gaussian("gaussian", {0.5});

naive::Layer layer(const naive::Expression& kernel, Index outputs, double penalty) { return {{{kernel}}, outputs, penalty}; }

const std::vector<naive::Layer> three_layers = {layer(leaf("gaussian", {0.4}), 2, 0.3),
                                                layer(leaf("polynomial", {2, 0.3, 1.0}), 3, 0.1),
                                                layer(leaf("rational_quadratic", {0.7, 1.1}), 2, 0.2)};

/// One point x = 1, two linear kernels: X_2 = phi^2 psi, |f|^2 = phi^2, |g|^2 = phi^2 psi^2.
struct OnePoint {
  OnePoint(double lambda, double mu)
      : one(Matrix::filled(1, 1, 1.0)),
        composition(Points(one.view()), {KernelLayer::scalar(linear, 1, lambda), KernelLayer::scalar(linear, 1, mu)}) {}

  /// (1 - phi^2 psi)^2 and the penalties, with the gradient.
  double evaluate(double phi, double psi, double* gradient) {
    const double flat[2] = {phi, psi}, penalty = composition.forward(flat), rest = 1.0 - composition.output(2)(0, 0);
    const double bar = -2.0 * rest;
    composition.reverse({&bar, 1, 1}, {}, gradient);
    return rest * rest + penalty;
  }

  Matrix one;
  Composition composition;
};

std::string refusal(const PointSource& input, std::vector<KernelLayer> layers, CompositionOptions options = {}) {
  return check::message_of([&] { Composition(input, std::move(layers), std::move(options)); });
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

KernelLayer two_sizes() {
  KernelLayer out = KernelLayer::scalar(gaussian, 2, 0.0);
  out.terms.push_back({gaussian, OutputOperator::identity(3)});
  return out;
}

}  // namespace

TEST(one_and_two_points) {
  for (const Index n : {1, 2}) {
    const naive::Rows rows = naive::points(naive::normal<double>(n, 3, 56).view);
    problem::check({rows, three_layers}, "n = " + std::to_string(n));
    problem::check({rows, three_layers, {n - 1}}, "one landmark, n = " + std::to_string(n));
  }
}

TEST(duplicates_and_constant_columns) {
  naive::Rows rows = naive::points(naive::normal<double>(6, 3, 57).view);
  for (naive::Numbers& row : rows) row[1] = 2;
  rows[3] = rows[1];
  rows[5] = rows[1];
  problem::check({rows, three_layers}, "duplicates");
  problem::check({rows, three_layers, {1, 3, 4}}, "duplicates, landmarks");
  for (naive::Numbers& row : rows) row = {1, 2, 3};
  problem::check({rows, three_layers}, "one point six times");
}

TEST(without_penalties) {
  std::vector<naive::Layer> free = three_layers;
  for (naive::Layer& each : free) each.penalty = 0;
  const naive::Rows rows = naive::points(naive::normal<double>(6, 3, 58).view);
  problem::check({rows, free}, "no penalties");
  problem::check({rows, free, {0, 1, 5}}, "no penalties, landmarks");
}

// [KAE] App. A.4: mu psi^2 for the norm of g; in its space it is phi^2 psi^2, as g is psi k(., phi). Both forms are here.
TEST(one_point_has_the_gradient_of_the_closed_form) {
  const double lambda = 0.07, mu = 0.2;
  OnePoint as_printed(lambda, 0.0), in_its_space(lambda, mu);
  for (const double phi : {-1.3, -0.4, 0.0, 0.7, 2.0}) {
    for (const double psi : {-0.9, 0.0, 0.3, 1.0, 1.6}) {
      double gradient[2];
      const double rest = 1.0 - phi * phi * psi, size = 1.0 + std::pow(phi * psi, 4) + std::pow(phi, 4);
      const double printed = as_printed.evaluate(phi, psi, gradient) + mu * psi * psi;
      CHECK_NEAR(printed, rest * rest + lambda * phi * phi + mu * psi * psi, 1e-14 * size);
      CHECK_NEAR(gradient[0], 2 * lambda * phi - 4 * phi * psi + 4 * std::pow(phi, 3) * psi * psi, 1e-14 * size);
      CHECK_NEAR(gradient[1] + 2 * mu * psi, 2 * mu * psi - 2 * phi * phi + 2 * std::pow(phi, 4) * psi, 1e-14 * size);
      const double value = in_its_space.evaluate(phi, psi, gradient);
      CHECK_NEAR(value, rest * rest + lambda * phi * phi + mu * phi * phi * psi * psi, 1e-14 * size);
      CHECK_NEAR(gradient[0], -4 * phi * psi * rest + 2 * lambda * phi + 2 * mu * phi * psi * psi, 1e-14 * size);
      CHECK_NEAR(gradient[1], -2 * phi * phi * rest + 2 * mu * phi * phi * psi, 1e-14 * size);
      CHECK_NEAR(in_its_space.composition.squared_norm(2), phi * phi * psi * psi, 1e-14 * size);
    }
  }
}

TEST(critical_points_of_one_point_are_stationary) {
  const double lambda = 0.05, mu = 0.3;
  double gradient[2], function_gradient[2];
  OnePoint in_its_space(lambda, mu);
  // phi^2 psi = 1 - mu psi and lambda = mu psi^2.
  const double psi = std::sqrt(lambda / mu), phi = std::sqrt((1.0 - mu * psi) / psi);
  CHECK(in_its_space.evaluate(phi, psi, gradient) < 1.0);  // better than the local minimum at 0
  in_its_space.composition.function_gradient(function_gradient);
  for (const int i : {0, 1}) {
    CHECK_NEAR(gradient[i], 0.0, 1e-14);
    CHECK_NEAR(function_gradient[i], 0.0, 1e-14);
  }
  CHECK_EQ(in_its_space.evaluate(0.0, 0.0, gradient), 1.0);
  CHECK(gradient[0] == 0.0 && gradient[1] == 0.0);
  // Without penalties: all of phi^2 psi = 1, and all of phi = 0.
  OnePoint free(0.0, 0.0);
  for (const double any : {0.5, 1.0, 2.0}) {
    CHECK_NEAR(free.evaluate(any, 1.0 / (any * any), gradient), 0.0, 1e-15);
    CHECK_NEAR(gradient[0], 0.0, 1e-14);
    CHECK_NEAR(gradient[1], 0.0, 1e-14);
    CHECK_EQ(free.evaluate(0.0, -any, gradient), 1.0);
    CHECK(gradient[0] == 0.0 && gradient[1] == 0.0);
  }
  CHECK(std::fabs(in_its_space.evaluate(phi + 1e-3, psi, gradient)) > 0.0 && std::fabs(gradient[0]) > 1e-6);
}

TEST(layers_are_checked) {
  const auto X = naive::normal<double>(5, 3, 59);
  const Points points(X.view);
  const KernelLayer good = KernelLayer::scalar(gaussian, 2, 0.1);
  CHECK_EQ(refusal(points, {good, good}), "");
  CHECK(says(refusal(points, {}), "layers is empty"));
  CHECK(says(refusal(points, {good, KernelLayer()}), "layer 2 has no terms"));
  CHECK(says(refusal(points, {KernelLayer::scalar(gaussian, 2, -1.0)}), "layer 1: penalty"));
  CHECK(says(refusal(points, {KernelLayer::scalar(gaussian, 2, std::nan(""))}), "layer 1: penalty"));
  CHECK(says(refusal(points, {good, two_sizes()}), "layer 2: one term has an A of size 2"));
  const Kernel scaled("gaussian", {0.5}, {1.0, 2.0, 3.0});
  CHECK_EQ(refusal(points, {KernelLayer::scalar(scaled, 2, 0.0)}), "");
  CHECK(says(refusal(points, {good, KernelLayer::scalar(scaled, 2, 0.0)}), "layer 2: "));
}

TEST(inputs_are_checked) {
  auto X = naive::normal<double>(5, 3, 60);
  const KernelLayer good = KernelLayer::scalar(gaussian, 2, 0.1), l1 = KernelLayer::scalar(Kernel("laplacian_l1", {1.0}), 2, 0.0);
  const std::vector<float> narrow(15, 0.5f);
  CHECK(says(refusal(Points(MatrixView<const float>(narrow.data(), 5, 3)), {good}), "float32"));
  CHECK(says(refusal(Points(MatrixView<const double>(X.numbers.data(), 0, 3)), {good}), "no samples"));
  X(1, 2) = std::numeric_limits<double>::infinity();
  CHECK(says(refusal(Points(X.view), {good}), "not finite"));
  X(1, 2) = 0.0;
  Matrix K(5, 5);
  full(linear, Points(X.view), K.view());
  const InnerProducts<double> inner(K.view());
  CHECK_EQ(refusal(inner, {good, l1}), "");
  CHECK(says(refusal(inner, {l1}), "layer 1: this kernel needs the coordinates"));
  CHECK(says(refusal(InnerProducts<double>(K.view(), {K.data(), 5, 1}, {K.data(), 5, 1}), {good}), "one set"));
  CHECK(says(refusal(InnerProducts<double>({K.data(), 4, 5}), {good}), "square"));
  const Index start[] = {0, 1, 2, 2, 2, 2}, columns[] = {0, 3};
  const double values[] = {1.0, 2.0};
  CHECK(says(refusal(Points(SparseRows<double>{5, 3, start, columns, values}), {good}), "it must be in 0 .. 2"));
  CHECK_EQ(refusal(Points(SparseRows<double>{5, 4, start, columns, values}), {good}), "");
  CHECK(says(refusal(Points(SparseRows<double>{5, 4, start, columns, values}), {l1}),
             "layer 1: this kernel needs the coordinates"));
}

TEST(rows_are_checked) {
  const auto X = naive::normal<double>(5, 3, 61);
  const KernelLayer good = KernelLayer::scalar(gaussian, 2, 0.1);
  CHECK_EQ(refusal(Points(X.view), {good}, {{0, 2, 4}}), "");
  for (const std::vector<Index>& rows : {std::vector<Index>{0, 5}, {-1, 2}, {2, 1}, {1, 1}}) {
    CHECK(says(refusal(Points(X.view), {good}, {rows}), "landmarks"));
    Composition composition(Points(X.view), {good});
    CHECK_THROWS(std::invalid_argument, composition.restrict_to(rows));
  }
}

TEST(calls_are_checked) {
  const auto X = naive::normal<double>(5, 3, 62);
  Composition composition(Points(X.view), {KernelLayer::scalar(gaussian, 2, 0.1)});
  std::vector<double> flat(10, 0.5), gradient(10);
  Matrix bar = Matrix::filled(5, 2, 1.0), narrow = Matrix::filled(5, 1, 1.0);
  CHECK_THROWS(std::invalid_argument, composition.output(1));
  CHECK_THROWS(std::invalid_argument, composition.squared_norm(1));
  CHECK_THROWS(std::invalid_argument, composition.reverse(bar.view(), {}, gradient.data()));
  composition.forward(flat.data());
  CHECK_THROWS(std::invalid_argument, composition.output(0));
  CHECK_THROWS(std::invalid_argument, composition.output(2));
  CHECK_THROWS(std::invalid_argument, composition.layer(2));
  CHECK_THROWS(std::invalid_argument, composition.coefficients(flat.data(), 0));
  CHECK_THROWS(std::invalid_argument, composition.function_gradient(gradient.data()));
  CHECK_THROWS(std::invalid_argument, composition.reverse(narrow.view(), {}, gradient.data()));
  CHECK_THROWS(std::invalid_argument, composition.reverse(bar.view(), narrow.view(), gradient.data()));
  CHECK_THROWS(std::invalid_argument, composition.set_penalty(1, -1.0));
  bar(3, 1) = std::nan("");
  CHECK_THROWS(std::invalid_argument, composition.reverse(bar.view(), {}, gradient.data()));
  flat[7] = std::nan("");
  CHECK_THROWS(std::invalid_argument, composition.forward(flat.data()));
  composition.restrict_to({0, 3});  // what it has are images of all samples
  CHECK_THROWS(std::invalid_argument, composition.output(1));
  Composition landmarks(Points(X.view), {KernelLayer::scalar(gaussian, 2, 0.1)}, {{0, 1}});
  bar(3, 1) = 1.0;
  landmarks.forward(gradient.data());
  landmarks.reverse(bar.view(), {}, flat.data());
  CHECK_THROWS(std::invalid_argument, landmarks.function_gradient(gradient.data()));
}

TEST(images_that_overflow_are_a_numerical_error) {
  const auto X = naive::normal<double>(5, 3, 63);
  const KernelLayer cubic = KernelLayer::scalar(Kernel("polynomial", {3, 1.0, 1.0}), 1, 0.0);
  std::vector<double> flat(10, 1e200);
  for (const std::vector<Index>& rows : {std::vector<Index>(), std::vector<Index>{0, 1, 2, 3, 4}}) {
    Composition composition(Points(X.view), {cubic, cubic}, {rows});
    CHECK_THROWS(NumericalError, composition.forward(flat.data()));
    CHECK_THROWS(std::invalid_argument, composition.output(1));
    const std::vector<double> small(10, 1e-3);
    composition.forward(small.data());
    CHECK_EQ(composition.output(1).rows(), 5);
  }
}

TEST_MAIN

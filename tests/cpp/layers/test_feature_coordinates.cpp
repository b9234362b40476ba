// SPDX-License-Identifier: BSD-3-Clause
// Weights of features describe the same functions as coefficients, with the norm of numbers.
#include "layers/feature_coordinates.hpp"

#include <cmath>

#include "gramian/gram/full.hpp"
#include "support/check.hpp"
#include "support/composition_problem.hpp"

using namespace gramian;

namespace {

KernelLayer layer_of(const Kernel& kernel, const OutputOperator& A) {
  KernelLayer layer;
  layer.terms.push_back({kernel, A});
  return layer;
}

struct Described {
  Matrix images;
  double squared_norm;
};

/// X_1 and |f_1|^2 by the engine's composition.
Described described(const PointSource& input, const KernelLayer& layer, const FeatureCoordinates& features,
                    const std::vector<double>& W) {
  Composition composition(input, {layer});
  std::vector<double> flat(static_cast<std::size_t>(composition.coefficient_count()));
  features.expand(W.data(), MatrixView<double>(flat.data(), composition.supports(), layer.outputs()));
  composition.forward(flat.data());
  return {Matrix::copy_of(composition.output(1)), composition.squared_norm(1)};
}

double sum_of_squares(const std::vector<double>& W) {
  double sum = 0.0;
  for (const double w : W) sum += w * w;
  return sum;
}

const Kernel line("polynomial", {1, 1.0, 1.0}), parabola("polynomial", {2, 1.0, 1.0}), hill("gaussian", {0.5});

}  // namespace

TEST(ranks_are_those_of_the_kernels) {
  const problem::Input input(problem::input_rows(20, 2));
  for (const PointSource& form : input.forms()) {
    CHECK_EQ(FeatureCoordinates::make(layer_of(line, OutputOperator::identity(2)), form, 100)->rank(), 3);
    CHECK_EQ(FeatureCoordinates::make(layer_of(parabola, OutputOperator::identity(3)), form, 100)->rank(), 6);
    CHECK_EQ(FeatureCoordinates::make(layer_of(parabola, OutputOperator::identity(3)), form, 100)->size(), 18);
    CHECK(FeatureCoordinates::make(layer_of(hill, OutputOperator::identity(2)), form, 5) == nullptr);
    CHECK(FeatureCoordinates::make(layer_of(hill, OutputOperator::identity(2)), form, 20) != nullptr);
  }
}

TEST(the_norm_is_that_of_the_weights) {
  const problem::Input input(problem::input_rows(20, 2));
  Matrix full(2, 2);
  full(0, 0) = 1.2, full(0, 1) = full(1, 0) = 0.3, full(1, 1) = 0.7;
  for (const PointSource& form : input.forms()) {
    for (const Kernel& kernel : {line, parabola, hill}) {
      for (const OutputOperator& operator_ : {OutputOperator::identity(2), OutputOperator::diagonal({0.5, 3.0})}) {
        const KernelLayer layer = layer_of(kernel, operator_);
        const auto features = FeatureCoordinates::make(layer, form, 100);
        const std::vector<double> W = naive::normal<double>(features->size(), 1, 6).numbers;
        const Described f = described(form, layer, *features, W);
        CHECK_NEAR(f.squared_norm, sum_of_squares(W), 1e-7 * sum_of_squares(W));
      }
      const KernelLayer mixed = layer_of(kernel, OutputOperator::full(full.view()));
      const auto features = FeatureCoordinates::make(mixed, form, 100);
      const std::vector<double> W = naive::normal<double>(features->size(), 1, 6).numbers;
      double expected = 0.0;  // tr(W A W^T)
      for (Index i = 0; i < features->rank(); ++i) {
        for (Index j = 0; j < 2; ++j) {
          for (Index k = 0; k < 2; ++k) {
            expected += W[static_cast<std::size_t>(2 * i + j)] * full(j, k) * W[static_cast<std::size_t>(2 * i + k)];
          }
        }
      }
      CHECK_NEAR(described(form, mixed, *features, W).squared_norm, expected, 1e-7 * expected);
    }
  }
}

TEST(terms_of_a_mixture_are_described_apart) {
  const problem::Input input(problem::input_rows(20, 2));
  KernelLayer mixture;
  mixture.terms.push_back({line, OutputOperator::diagonal({1.0, 0.0, 2.0})});
  mixture.terms.push_back({parabola, OutputOperator::diagonal({0.0, 1.0, 0.0})});
  const PointSource form = input.forms()[0];
  const auto features = FeatureCoordinates::make(mixture, form, 100);
  CHECK(features != nullptr);
  CHECK_EQ(features->size(), 3 * 2 + 6);
  const std::vector<double> W = naive::normal<double>(features->size(), 1, 6).numbers;
  CHECK_NEAR(described(form, mixture, *features, W).squared_norm, sum_of_squares(W), 1e-9 * sum_of_squares(W));
  mixture.terms[1].A = OutputOperator::diagonal({0.5, 1.0, 0.0});
  CHECK(FeatureCoordinates::make(mixture, form, 100) == nullptr);  // they share an output
}

TEST(offsets_and_units_hide_no_function) {
  const Kernel plain("linear", {});
  struct Case {
    double offset, unit;
  };
  for (const Case& at : {Case{1e3, 1.0}, Case{1e5, 1.0}, Case{0.0, 1e3}, Case{0.0, 1e5}}) {
    auto X = naive::normal<double>(40, 2, 51);
    for (Index i = 0; i < 40; ++i) X.view(i, 0) = at.unit * X.view(i, 0) + at.offset, X.view(i, 1) += at.offset;
    const KernelLayer layer = layer_of(plain, OutputOperator::identity(2));
    const PointSource input{Points(X.view)};
    const auto features = FeatureCoordinates::make(layer, input, 100);
    CHECK_EQ(features->rank(), 2);
    std::vector<double> W(static_cast<std::size_t>(features->size()));
    features->approximate(X.view, W.data());
    const Described identity = described(input, layer, *features, W);
    CHECK_NEAR(identity.squared_norm, 2.0, 1e-3);
    for (Index i = 0; i < 40; ++i) {
      for (Index j = 0; j < 2; ++j)
        CHECK_NEAR(identity.images(i, j), X.view(i, j), 1e-4 * (at.offset > 0.0 || j > 0 ? 1.0 : at.unit));
    }
  }
}

TEST(pulling_back_is_the_adjoint_of_expanding) {
  const problem::Input input(problem::input_rows(15, 2));
  const PointSource form = input.forms()[0];
  for (const Kernel& kernel : {line, parabola, hill}) {
    const auto features = FeatureCoordinates::make(layer_of(kernel, OutputOperator::diagonal({0.5, 3.0})), form, 100);
    const auto W = naive::normal<double>(features->size(), 1, 6), P = naive::normal<double>(15, 2, 7);
    naive::Matrix<double> Phi(15, 2), back(features->size(), 1);
    features->expand(W.numbers.data(), Phi.view);
    features->pull_back(P.view, back.numbers.data());
    const difference::Real left = difference::dot(Phi.numbers, P.numbers), right = difference::dot(W.numbers, back.numbers);
    CHECK_NEAR(left, right, 1e-12L * (1 + std::fabs(left)));
    back.numbers[0] += 1e-3;  // a wrong one is seen
    CHECK(std::fabs(left - difference::dot(W.numbers, back.numbers)) > 1e-9L * (1 + std::fabs(left)));
  }
}

TEST(functions_of_the_space_are_found) {
  const problem::Input input(problem::input_rows(20, 2));
  const PointSource form = input.forms()[0];
  for (const Kernel& kernel : {line, parabola}) {
    const KernelLayer layer = layer_of(kernel, OutputOperator::diagonal({0.5, 3.0}));
    const auto features = FeatureCoordinates::make(layer, form, 100);
    std::vector<double> W(static_cast<std::size_t>(features->size()));
    features->approximate(input.dense.view, W.data());
    const Described identity = described(form, layer, *features, W);
    for (Index i = 0; i < 20; ++i) {
      for (Index j = 0; j < 2; ++j) CHECK_NEAR(identity.images(i, j), input.dense.view(i, j), 1e-6);
    }
  }
}

TEST_MAIN

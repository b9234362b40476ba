// SPDX-License-Identifier: BSD-3-Clause
// A ridge regression with an operator-valued kernel as a value is its sum over the training inputs.
#include "gramian/models/dependency/operator_predictor.hpp"

#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dependency_values.hpp"

using namespace dependency_values;
using dependency::OperatorParts;
using dependency::OperatorPredictor;

TEST(predictions_are_sums_of_the_kernel) {
  const Pairs data(40, 1), fresh(300, 2);
  const Dense A = spectral::normal(2, 2, 3), C = A * A.transpose(), Y = data.Y.leftCols(2);
  const OperatorKernelPointer K =
      sum_kernel({{2.0, separable_kernel(gaussian(), OutputOperator::full(view(C)))}, {0.5, pointwise_kernel(2)}});
  OperatorRidgeOptions options;
  options.lambda = 0.1;
  const OperatorRidge fit = operator_ridge(*K, data.points(), view(Y), options);
  const OperatorPredictor model(dependency::parts_of(fit, K, copy(data.X)));
  Dense expected = Dense::Zero(300, 2), block(2, 2);
  for (Index i = 0; i < 300; ++i) {
    for (Index j = 0; j < 40; ++j) {
      K->block(fresh.points(), i, data.points(), j, view(block));
      for (Index a = 0; a < 2; ++a) {
        for (Index b = 0; b < 2; ++b) expected(i, a) += block(a, b) * fit.coefficients(j, b);
      }
    }
  }
  CHECK(relative(applied(model, Verb::predict, fresh.points()), expected) <= 1e-12);
  CHECK(check::same_for_any_threads([&] { return applied(model, Verb::predict, fresh.points()); }));
  const Dense all = applied(model, Verb::predict, fresh.points());
  for (Index i = 0; i < 300; i += 37) {
    const Dense row = fresh.X.row(i);
    CHECK(applied(model, Verb::predict, Points(view(row))) == Dense(all.row(i)));
  }
  CHECK_EQ(model.inputs(Verb::predict), 2);
  CHECK(!model.has(Verb::scores));
}

TEST(parts_that_do_not_fit_together) {
  const Pairs data(20, 4);
  const OperatorKernelPointer K = separable_kernel(gaussian(), OutputOperator::identity(3));
  const Dense Psi = spectral::normal(20, 3, 5), short_one = Psi.topRows(19), narrow = Psi.leftCols(2), infinite = Psi / 0.0;
  CHECK_THROWS(std::invalid_argument, OperatorPredictor(OperatorParts{nullptr, copy(data.X), shared(Psi)}));
  CHECK_THROWS(std::invalid_argument, OperatorPredictor(OperatorParts{K, Samples(), shared(Psi)}));
  CHECK_THROWS(std::invalid_argument, OperatorPredictor(OperatorParts{K, Samples::counted(20), shared(Psi)}));
  for (const Dense& wrong : {short_one, narrow, infinite}) {
    CHECK_THROWS(std::invalid_argument, OperatorPredictor(OperatorParts{K, copy(data.X), shared(wrong)}));
  }
  CHECK_THROWS(std::invalid_argument, OperatorPredictor(OperatorParts{pointwise_kernel(3), copy(data.X), shared(Psi)}));
}

TEST_MAIN

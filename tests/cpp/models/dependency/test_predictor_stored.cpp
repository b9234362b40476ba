// SPDX-License-Identifier: BSD-3-Clause
// Dependency estimations through a file.
#include <vector>

#include "gramian/models/dependency/predictor.hpp"
#include "serving/stored/writer.hpp"
#include "support/dependency_values.hpp"
#include "support/stored_model.hpp"

using namespace dependency_values;
using dependency::Preimage;

namespace {

const std::vector<Verb> verbs = {Verb::predict, Verb::scores};

}  // namespace

TEST(outputs_that_are_points_come_back) {
  const Pairs data(40, 1), fresh(12, 2), others(7, 3);
  for (const bool ranks : {false, true}) {
    Parts parts = parts_of(fitted(data, output_kernel, ranks), data, output_kernel);
    support::check_stored(Model(parts), fresh.points(), verbs);
    parts.preimage = Preimage::candidates;
    parts.candidates.points = copy(others.Y);
    support::check_stored(Model(parts), fresh.points(), verbs);
    Parts sums = parts_of(fitted(data, linear(), ranks), data, linear());
    sums.preimage = Preimage::linear;
    support::check_stored(Model(sums), fresh.points(), verbs);
  }
}

TEST(kernel_values_come_back) {
  const Pairs data(40, 4), fresh(12, 5);
  const Dense cross = gram(gaussian(), fresh.X, data.X);
  for (const bool ranks : {false, true}) {
    const dependency::Fit fit = fitted(data, output_kernel, ranks);
    support::check_stored(Model(by_values(fit, data, output_kernel)), Points(view(cross)), verbs);
  }
}

TEST(operators_come_back) {
  const Pairs data(30, 6), fresh(9, 7);
  const Dense A = spectral::normal(2, 2, 3), C = A * A.transpose(), Y = data.Y.leftCols(2);
  const OperatorKernelPointer K =
      sum_kernel({{2.0, separable_kernel(gaussian(), OutputOperator::full(view(C)))}, {0.5, pointwise_kernel(2)}});
  const OperatorRidge fit = operator_ridge(*K, data.points(), view(Y), {});
  Parts parts;
  parts.vectors.emplace(dependency::parts_of(fit, K, copy(data.X)));
  parts.output_kernel = linear();
  parts.outputs.points = copy(Y);
  support::check_stored(Model(parts), fresh.points(), verbs);
}

TEST(a_damaged_description_is_refused) {
  const Pairs data(40, 1);
  const Model model(parts_of(fitted(data, output_kernel, true), data, output_kernel));
  CHECK(!support::message_of_model(model, "\"nearest\"", "\"nearer\"").empty());
  CHECK(!support::message_of_model(model, "\"nearest\"", "\"candidates\"").empty());
  CHECK(!support::message_of_model(model, "\"of_operator\":false", "\"of_operator\":true").empty());
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Regressions through a file.
#include "gramian/models/kernel_ridge/predictor.hpp"
#include "serving/stored/writer.hpp"
#include "support/dependency_values.hpp"
#include "support/stored_model.hpp"

using namespace dependency_values;
using RidgeParts = kernel_ridge::Parts;
using Ridge = kernel_ridge::Predictor;

namespace {

const Pairs data(20, 1), fresh(8, 2);

RidgeParts regression(const Points& X) {
  return kernel_ridge::parts_of(kernel_ridge::fit({gaussian(), X}, view(data.Y)), gaussian(), Samples::copy_of(X));
}

}  // namespace

TEST(a_regression_comes_back) {
  support::check_stored(Ridge(regression(data.points())), fresh.points(), {Verb::predict});
  const dependency_data::Sparse sparse(data.X), rows(fresh.X);
  support::check_stored(Ridge(regression(sparse.points())), rows.points(), {Verb::predict});
}

TEST(one_without_a_kernel_comes_back) {
  RidgeParts parts = regression(data.points());
  parts.kernel.reset();
  parts.supports = Samples::counted(20);
  const Dense K = dependency_data::gram(gaussian(), fresh.X, data.X);
  support::check_stored(Ridge(parts), Points(view(K)), {Verb::predict});
}

TEST(a_damaged_description_is_refused) {
  const Ridge model(regression(data.points()));
  CHECK(!support::message_of_model(model, "\"gaussian\"", "\"gauss\"").empty());
  CHECK(!support::message_of_model(model, "\"dense\"", "\"count\"").empty());
}

TEST_MAIN

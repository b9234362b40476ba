// SPDX-License-Identifier: BSD-3-Clause
// A regression as a value is its sum over the supports.
#include "gramian/models/kernel_ridge/predictor.hpp"

#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dependency_values.hpp"

using namespace dependency_values;
using RidgeParts = kernel_ridge::Parts;
using Ridge = kernel_ridge::Predictor;

namespace {

const Pairs data(40, 1), fresh(300, 2);

Ridge regression() {
  const auto fit = kernel_ridge::fit({gaussian(), data.points()}, view(data.Y));
  return Ridge(kernel_ridge::parts_of(fit, gaussian(), copy(data.X)));
}

}  // namespace

TEST(predictions_are_sums_of_the_kernel) {
  const Ridge model = regression();
  const Dense K = dependency_data::gram(gaussian(), fresh.X, data.X), C = as_eigen(model.parts().coefficients.view());
  const Dense found = applied(model, Verb::predict, fresh.points());
  CHECK(relative(found, K * C) <= 1e-13);
  CHECK(check::same_for_any_threads([&] { return applied(model, Verb::predict, fresh.points()); }));
  for (Index i = 0; i < 300; i += 37) {
    const Dense row = fresh.X.row(i);
    CHECK(applied(model, Verb::predict, Points(view(row))) == Dense(found.row(i)));
  }
  CHECK_EQ(model.inputs(Verb::predict), data.X.cols());
  CHECK_EQ(model.outputs(Verb::predict), data.Y.cols());
  CHECK(!model.has(Verb::transform));
  CHECK(!model.takes_sparse(Verb::predict));
}

TEST(without_a_kernel_rows_are_kernel_values) {
  RidgeParts parts = regression().parts();
  parts.kernel.reset();
  parts.supports = Samples::counted(40);
  const Ridge model(parts);
  const Dense K = dependency_data::gram(gaussian(), fresh.X, data.X);
  CHECK(relative(applied(model, Verb::predict, Points(view(K))), K * as_eigen(parts.coefficients.view())) <= 1e-13);
  CHECK_EQ(model.inputs(Verb::predict), 40);
}

TEST(parts_that_do_not_fit_together) {
  const RidgeParts good = regression().parts();
  const auto refused = [&](auto change) {
    RidgeParts parts = good;
    change(parts);
    CHECK_THROWS(std::invalid_argument, Ridge(parts));
  };
  const Dense few = as_eigen(good.coefficients.view()).topRows(39), infinite = as_eigen(good.coefficients.view()) / 0.0;
  refused([](RidgeParts& parts) { parts.kernel.reset(); });
  refused([](RidgeParts& parts) { parts.supports = Samples(); });
  refused([](RidgeParts& parts) { parts.supports = Samples::counted(40); });
  refused([](RidgeParts& parts) { parts.coefficients = SharedMatrix(); });
  refused([&](RidgeParts& parts) { parts.coefficients = shared(few); });
  refused([&](RidgeParts& parts) { parts.coefficients = shared(infinite); });
}

TEST_MAIN

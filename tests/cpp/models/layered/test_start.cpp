// SPDX-License-Identifier: BSD-3-Clause
#include "models/layered/start.hpp"

#include <vector>

#include "gramian/gram/full.hpp"
#include "gramian/gram/median_width.hpp"
#include "gramian/kernels/width.hpp"
#include "support/check.hpp"
#include "support/deep_fits.hpp"

using namespace deep;

namespace {

double value_of(const Kernel& kernel) {
  const Data data = ridge_data(2);
  Matrix K(2, 2);
  full(kernel, Points(data.X.view()), K.view());
  return K(0, 1);
}

}  // namespace

TEST(layers_are_as_they_are_planned) {
  const std::vector<KernelLayer> found = given_layers({layer(hill, 2, 0.1), LayerPlan{{}, 3, 0.2}});
  CHECK_EQ(found[0].terms.size(), std::size_t(1));
  CHECK_EQ(found[0].penalty, 0.1);
  CHECK(found[1].terms.empty());
}

TEST(an_open_kernel_has_the_median_width_of_its_inputs) {
  const Data data = ridge_data(9);
  const Points inputs(data.X.view());
  LayerPlan plan{{}, 3, 0.2};
  CHECK_EQ(open_term(plan, inputs).kernel.parameters()[0], median_gamma(inputs));
  CHECK_EQ(open_term(plan, inputs).A.size(), 3);
  plan.open = Kernel("matern52", {1.0});
  const Kernel expected = with_width(plan.open, median_gamma(inputs), inputs.dimension());
  CHECK(open_term(plan, inputs).kernel.parameters() == expected.parameters());
  CHECK(open_term(plan, inputs).kernel.info().name == "matern52");
}

TEST(streams_of_starts_and_layers_differ) {
  const double first = start_stream(1, 0, 1).uniform(0);
  CHECK_EQ(start_stream(1, 0, 1).uniform(0), first);
  CHECK(start_stream(1, 0, 2).uniform(0) != first);
  CHECK(start_stream(1, 1, 1).uniform(0) != first);
  CHECK(start_stream(2, 0, 1).uniform(0) != first);
}

TEST(rows_of_supports_are_rows_of_samples) {
  CHECK(samples_of({}, {2, 0}) == std::vector<Index>({2, 0}));
  CHECK(samples_of({4, 7, 9}, {2, 0}) == std::vector<Index>({9, 4}));
  Matrix from = Matrix::filled(2, 2, 1.5), to = Matrix::filled(4, 2, 9.0);
  put_rows({3, 1}, from.view(), to.view());
  for (Index i = 0; i < 4; ++i) CHECK_EQ(to(i, 0), i % 2 == 1 ? 1.5 : 0.0);
}

TEST(a_mixture_is_the_weighted_sum_of_kernels) {
  const KernelLayer two{{{hill, OutputOperator::diagonal({1.0, 3.0})}, {line, OutputOperator::diagonal({0.0, 0.5})}}, 0.1};
  CHECK_NEAR(value_of(*average_mixture(two)), 2.0 * value_of(hill) + 0.25 * value_of(line), 1e-14);
  const auto first = [](const OutputOperator& A) { return A.eigenvalues()[0]; };
  CHECK_NEAR(value_of(*mixture(two, first)), value_of(hill), 1e-15);
  CHECK(!mixture(two, [](const OutputOperator&) { return 0.0; }));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// The rows that are left out, and their values by the closed form for systems of more rows than a test of refits can have.
#include "models/embedding/left_out.hpp"

#include "models/embedding/objective_gram.hpp"
#include "models/embedding/weights.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/embedding_data.hpp"

using namespace gramian;
using namespace embedding_data;

namespace {

Sample weighted(Index n) {
  Sample sample(n, 3, 3, 0.9, 4);
  for (Index i = 0; i < n; ++i) sample.weights.push_back(i % 4 == 0 ? 2.5 : 0.75);
  return sample;
}

embedding::Sampler sampler_of(const Sample& sample) { return {sample.view(), embedding::Risk::mean, {}, 0}; }

}  // namespace

TEST(rows_are_spread_evenly) {
  const Sample sample = weighted(50);
  const embedding::Sampler sampler = sampler_of(sample);
  const embedding::Batch& batch = sampler.whole();
  CHECK_EQ(static_cast<Index>(embedding::LeftOut(batch, 100).rows().size()), 50);
  const embedding::LeftOut some(batch, 7);
  CHECK(some.rows() == (std::vector<Index>{0, 7, 14, 21, 28, 35, 42}));
  CHECK(some.within(14, 35) == (std::vector<Index>{0, 7, 14}));
  CHECK(some.within(43, 50).empty());
}

TEST(the_share_is_of_all_samples) {
  const Sample sample = weighted(50);
  const embedding::Sampler sampler = sampler_of(sample);
  const embedding::LeftOut some(sampler.whole(), 7);
  Dense values = Dense::Constant(7, 3, 0.3);
  CHECK_EQ(some.calibration(view(values)).uniform_share, 1.0 / 51.0);
  CHECK_EQ(some.calibration(view(values), 999).uniform_share, 1.0 / 1000.0);
}

TEST(large_systems_give_the_values_of_small_ones) {
  const Index n = embedding::GramSystem::few_rows + 70;
  const Sample sample = weighted(n);
  const Kernel kernel("gaussian", {0.5});
  embedding::Model model;
  embedding::embed({sample.view(), &kernel, nullptr, nullptr, 0.001}, {}, model);
  Dense B = gram(gaussian(1.0, {1, 1, 1}), sample.X, sample.X);
  for (Index i = 0; i < n; ++i) B(i, i) += 0.001 * sample.total() / sample.weight(i);
  const Dense inverse = B.llt().solve(Dense::Identity(n, n)), V = inverse * sample.one_hot();
  const embedding::Sampler sampler = sampler_of(sample);
  const embedding::LeftOut left_out(sampler.whole(), embedding::GramSystem::few_rows);
  Dense values(embedding::GramSystem::few_rows, 3);
  for (Index k = 0; k < values.rows(); ++k) {
    const Index i = left_out.rows()[static_cast<std::size_t>(k)];
    values.row(k) = sample.one_hot().row(i) - V.row(i) / inverse(i, i);
  }
  const Calibration wanted = left_out.calibration(view(values));
  CHECK_NEAR(model.calibration->inverse_temperature / wanted.inverse_temperature, 1.0, 1e-6);
  CHECK_EQ(model.calibration->uniform_share, 1.0 / static_cast<double>(n + 1));
}

TEST(the_same_bits_for_any_number_of_threads) {
  const Sample sample = weighted(embedding::GramSystem::few_rows + 70);
  const Kernel kernel("gaussian", {0.5});
  CHECK(check::same_for_any_threads([&] {
    embedding::Model model;
    embedding::embed({sample.view(), &kernel, nullptr, nullptr, 0.001}, {}, model);
    return model.calibration->inverse_temperature;
  }));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Herding against a naive loop over all that it could choose, and against the bound that it keeps.
#include <algorithm>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/gram/herding.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using namespace dependency_data;
using gramian::view;
using Dense = spectral::Matrix;

namespace {

/// |average - mu|^2 for mu with these weights, of the first `count` chosen ones.
double error_of(const Dense& L, const Dense& weights, const std::vector<Index>& chosen, Index count) {
  Dense difference = -weights;
  for (Index t = 0; t < count; ++t) difference(0, chosen[static_cast<std::size_t>(t)]) += 1.0 / static_cast<double>(count);
  return (difference * L * difference.transpose())(0, 0);
}

/// Tries every candidate at each step.
std::vector<Index> by_trying(const Dense& L, const Dense& weights, Index count) {
  std::vector<Index> chosen;
  for (Index t = 0; t < count; ++t) {
    Index best = 0;
    double least = 0.0;
    for (Index c = 0; c < L.rows(); ++c) {
      std::vector<Index> tried = chosen;
      tried.push_back(c);
      const double error = error_of(L, weights, tried, t + 1);
      if (c == 0 || error < least) {
        least = error;
        best = c;
      }
    }
    chosen.push_back(best);
  }
  return chosen;
}

/// Rows that are distributions, few of the candidates in each.
Dense distributions(Index q, Index n, std::uint64_t seed) {
  Dense out = (2.0 * normal(q, n, seed)).array().exp();
  for (Index i = 0; i < q; ++i) out.row(i) /= out.row(i).sum();
  return out;
}

std::vector<Index> row_of(const std::vector<Index>& all, Index row, Index count) {
  return {all.begin() + row * count, all.begin() + (row + 1) * count};
}

}  // namespace

// Weights of any sign, kernels with diagonals that are constant and that are not.
TEST(herding_is_the_greedy_loop) {
  const Samples data = samples(30, 1);
  const Dense weights = normal(4, 30, 2) / 10.0;
  for (const Kernel& kernel : {gaussian(), linear()}) {
    const Dense L = gram(kernel, data.Y, data.Y), means = weights * L;
    const std::vector<Index> stored = herd(GramSource(view(L)), view(means), 12);
    CHECK(stored == herd(GramSource(kernel, Points(view(data.Y))), view(means), 12));
    for (Index i = 0; i < 4; ++i) CHECK(row_of(stored, i, 12) == by_trying(L, weights.row(i), 12));
  }
}

TEST(the_error_keeps_its_bound_and_falls) {
  const Samples data = samples(80, 3);
  const Dense weights = distributions(5, 80, 4);
  std::vector<Index> each_twice;
  for (Index t = 0; t < 160; ++t) each_twice.push_back(t % 80);
  for (const Kernel& kernel : {gaussian(), linear()}) {
    const Dense L = gram(kernel, data.Y, data.Y), means = weights * L;
    const std::vector<Index> all = herd(GramSource(view(L)), view(means), 200);
    double blind = 0.0;
    for (Index i = 0; i < 5; ++i) {
      const Dense mu = weights.row(i);
      const double spread = (mu * L.diagonal())(0, 0) - (mu * L * mu.transpose())(0, 0);
      const std::vector<Index> own = row_of(all, i, 200);
      for (Index t = 1; t <= 200; ++t) {
        CHECK(error_of(L, mu, own, t) <= spread / static_cast<double>(t) + 1e-12 * L.diagonal().maxCoeff());
      }
      CHECK(error_of(L, mu, own, 200) < 0.1 * error_of(L, mu, own, 5));
      blind = std::max(blind, 160.0 * error_of(L, mu, each_twice, 160) / spread);
    }
    // Samples that know nothing of mu don't keep the bound.
    CHECK(blind > 1.0);
  }
}

TEST(of_equal_candidates_the_first_is_taken) {
  const Dense same = Dense::Ones(50, 1), means = Dense::Constant(3, 50, 0.7);
  for (const Index chosen : herd(GramSource(gaussian(), Points(view(same))), view(means), 4)) CHECK_EQ(chosen, 0);
}

TEST(without_repeats_each_candidate_is_chosen_once) {
  const Samples data = samples(20, 12);
  const Dense weights = distributions(2, 20, 13), L = gram(gaussian(), data.Y, data.Y), means = weights * L;
  const std::vector<Index> all = herd(GramSource(view(L)), view(means), 20, Repeats::forbidden);
  for (Index i = 0; i < 2; ++i) {
    std::vector<Index> own = row_of(all, i, 20);
    CHECK_EQ(own[0], by_trying(L, weights.row(i), 1)[0]);
    std::sort(own.begin(), own.end());
    for (Index c = 0; c < 20; ++c) CHECK_EQ(own[static_cast<std::size_t>(c)], c);
  }
  CHECK_THROWS(std::invalid_argument, herd(GramSource(view(L)), view(means), 21, Repeats::forbidden));
}

TEST(sparse_candidates_are_dense_ones) {
  Samples data = samples(25, 5);
  data.Y = (data.Y.array().abs() < 0.5).select(0.0, data.Y);
  const Sparse Y(data.Y);
  const Dense means = distributions(3, 25, 6) * gram(gaussian(), data.Y, data.Y);
  CHECK(herd(GramSource(gaussian(), Y.points()), view(means), 10) ==
        herd(GramSource(gaussian(), Points(view(data.Y))), view(means), 10));
}

TEST(any_number_of_threads_gives_the_same_samples) {
  const Samples data = samples(2000, 7);
  const Dense means = normal(300, 2000, 8);
  std::vector<Index> first;
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    const std::vector<Index> found = herd(GramSource(gaussian(), Points(view(data.Y))), view(means), 5);
    if (threads == 1) first = found;
    CHECK(found == first);
  }
  set_num_threads(0);
}

TEST(bad_input_is_refused) {
  const Samples data = samples(6, 9);
  const GramSource candidates(gaussian(), Points(view(data.Y)));
  Dense means = normal(2, 6, 10), narrow = normal(2, 5, 11), none(0, 4), nothing(0, 6);
  for (const Index count : {0, -3}) CHECK_THROWS(std::invalid_argument, herd(candidates, view(means), count));
  CHECK_THROWS(std::invalid_argument, herd(candidates, view(narrow), 2));
  CHECK_THROWS(std::invalid_argument, herd(GramSource(gaussian(), Points(view(none))), view(narrow), 2));
  CHECK_EQ(herd(candidates, view(nothing), 2).size(), 0U);
  means(1, 2) = std::numeric_limits<double>::infinity();
  CHECK_THROWS(std::invalid_argument, herd(candidates, view(means), 2));
}

TEST_MAIN

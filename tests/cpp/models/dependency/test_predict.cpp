// SPDX-License-Identifier: BSD-3-Clause
// Weights, scores and the best candidates, block by block.
#include <algorithm>
#include <limits>
#include <numeric>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using namespace dependency_data;
using gramian::view;
using Dense = spectral::Matrix;

namespace {

dependency::Fit fit(const Samples& data, const dependency::Options& options) {
  return dependency::fit(GramSource(gaussian(), Points(view(data.X))), GramSource(linear(), Points(view(data.Y))), options);
}

/// By all scores, sorted; equals by their index.
std::vector<Index> by_sorting(const Dense& scores, Index count) {
  std::vector<Index> out;
  for (Index i = 0; i < scores.rows(); ++i) {
    std::vector<Index> order(static_cast<std::size_t>(scores.cols()));
    std::iota(order.begin(), order.end(), Index(0));
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return scores(i, a) < scores(i, b); });
    out.insert(out.end(), order.begin(), order.begin() + count);
  }
  return out;
}

}  // namespace

// l(y, y) - 2 <g(x), y> + |g(x)|^2 is a distance that can be measured.
TEST(scores_are_squared_distances_less_those_of_predictions) {
  const Samples data = samples(20, 1), fresh = samples(6, 2), others = samples(8, 3);
  for (const Kind kind : kinds) {
    for (const bool ranks : {false, true}) {
      const dependency::Fit one = fit(data, ranks ? with_ranks(with(kind), 8, 4) : with(kind));
      const Dense X = rows_of(data.X, supports(one.model.input_supports, 20)),
                  Y = rows_of(data.Y, supports(one.model.output_supports, 20));
      const Dense g = predictions(one.model, data, fresh.X);
      Dense scores(6, 8), stored(6, 8);
      const CrossSource inputs(gaussian(), Points(view(fresh.X)), Points(view(X))),
          candidates(linear(), Points(view(others.Y)), Points(view(Y)));
      dependency::scores(one.model, inputs, candidates, view(scores));
      for (Index i = 0; i < 6; ++i) {
        for (Index j = 0; j < 8; ++j) {
          const double expected = (g.row(i) - others.Y.row(j)).squaredNorm() - g.row(i).squaredNorm();
          CHECK_NEAR(scores(i, j), expected, 1e-9 * (1.0 + std::abs(expected)));
        }
      }
      const Dense k_x = gram(gaussian(), fresh.X, X), L_y = gram(linear(), others.Y, Y),
                  diagonal = others.Y.rowwise().squaredNorm();
      dependency::scores(one.model, CrossSource(view(k_x)), CrossSource(view(L_y), view(diagonal)), view(stored));
      CHECK(relative(stored, scores) <= 1e-12);
    }
  }
}

// More inputs and more candidates than a block holds.
TEST(the_best_candidates_are_those_of_all_scores) {
  const Samples data = samples(10, 4), fresh = samples(1100, 5);
  Samples others = samples(9000, 6);
  for (Index i = 50; i < 9000; i += 2) others.Y.row(i) = others.Y.row(i % 50).eval();  // many equals, in different blocks
  const dependency::Fit one = fit(data, with(Kind::covariance));
  const CrossSource inputs(gaussian(), Points(view(fresh.X)), Points(view(data.X))),
      candidates(linear(), Points(view(others.Y)), Points(view(data.Y)));
  Dense scores(1100, 9000);
  dependency::scores(one.model, inputs, candidates, view(scores));
  const NearestCandidates best = dependency::nearest_outputs(one.model, inputs, candidates, 7);
  const std::vector<Index> sorted = by_sorting(scores, 7);
  Index differ = 0;
  for (Index i = 0; i < 1100; ++i) {
    for (Index c = 0; c < 7; ++c) {
      const Index found = best.indices[static_cast<std::size_t>(7 * i + c)], wanted = sorted[static_cast<std::size_t>(7 * i + c)];
      // Scores that differ by rounding may change places; the numbers may not.
      if (found != wanted && std::abs(scores(i, found) - scores(i, wanted)) > 1e-11) ++differ;
      CHECK(std::abs(best.scores(i, c) - scores(i, found)) <= 1e-11);
    }
  }
  CHECK_EQ(differ, 0);
}

TEST(of_equal_candidates_the_first_is_taken) {
  const Samples data = samples(10, 7), fresh = samples(3, 8);
  const Dense others = data.Y.row(0).replicate(20000, 1);
  const dependency::Fit one = fit(data, with(Kind::identity));
  const NearestCandidates best =
      dependency::nearest_outputs(one.model, CrossSource(gaussian(), Points(view(fresh.X)), Points(view(data.X))),
                                  CrossSource(linear(), Points(view(others)), Points(view(data.Y))), 4);
  for (std::size_t i = 0; i < 12; ++i) CHECK_EQ(best.indices[i], static_cast<Index>(i % 4));
}

TEST(all_candidates_can_be_asked_for) {
  const Samples data = samples(10, 9), fresh = samples(2, 10);
  const dependency::Fit one = fit(data, with(Kind::covariance));
  const CrossSource inputs(gaussian(), Points(view(fresh.X)), Points(view(data.X))),
      candidates(linear(), Points(view(data.Y)), Points(view(data.Y)));
  const NearestCandidates best = dependency::nearest_outputs(one.model, inputs, candidates, 10);
  for (Index i = 0; i < 2; ++i) {
    std::vector<Index> row(best.indices.begin() + 10 * i, best.indices.begin() + 10 * (i + 1));
    const double* scores = best.scores.data() + 10 * i;
    CHECK(std::is_sorted(scores, scores + 10));
    std::sort(row.begin(), row.end());
    for (Index c = 0; c < 10; ++c) CHECK_EQ(row[static_cast<std::size_t>(c)], c);
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Samples data = samples(100, 11), fresh = samples(300, 12), others = samples(500, 13);
  const dependency::Fit one = fit(data, with(Kind::conditional));
  const CrossSource inputs(gaussian(), Points(view(fresh.X)), Points(view(data.X))),
      candidates(linear(), Points(view(others.Y)), Points(view(data.Y)));
  set_num_threads(1);
  const NearestCandidates first = dependency::nearest_outputs(one.model, inputs, candidates, 5);
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    const NearestCandidates other = dependency::nearest_outputs(one.model, inputs, candidates, 5);
    CHECK(first.indices == other.indices);
    CHECK(as_eigen(first.scores.view()) == as_eigen(other.scores.view()));
  }
  set_num_threads(0);
}

TEST(bad_input_is_refused) {
  const Samples data = samples(6, 14);
  const dependency::Fit one = fit(data, with(Kind::covariance));
  Dense cross = normal(3, 6, 15), diagonal = Dense::Ones(3, 1), narrow = normal(3, 5, 16), out(3, 3), none(0, 6), nothing(0, 1);
  const CrossSource inputs(view(cross)), candidates(view(cross), view(diagonal));
  CHECK_THROWS(std::invalid_argument, dependency::nearest_outputs(dependency::Model(), inputs, candidates));
  CHECK_THROWS(std::invalid_argument, dependency::nearest_outputs(one.model, CrossSource(view(narrow)), candidates));
  CHECK_THROWS(std::invalid_argument, dependency::nearest_outputs(one.model, inputs, CrossSource(view(narrow), view(diagonal))));
  CHECK_THROWS(std::invalid_argument, dependency::nearest_outputs(one.model, inputs, CrossSource(view(cross))));
  CHECK_THROWS(std::invalid_argument, dependency::nearest_outputs(one.model, inputs, CrossSource(view(none), view(nothing))));
  for (const Index count : {0, -1, 4})
    CHECK_THROWS(std::invalid_argument, dependency::nearest_outputs(one.model, inputs, candidates, count));
  CHECK_THROWS(std::invalid_argument, dependency::scores(one.model, inputs, candidates, view(narrow)));
  CHECK_THROWS(std::invalid_argument, dependency::weights(one.model, inputs, view(narrow)));
  CHECK_EQ(dependency::nearest_outputs(one.model, CrossSource(view(none)), candidates).indices.size(), 0U);
  diagonal(1, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, dependency::nearest_outputs(one.model, inputs, candidates));
  diagonal(1, 0) = 1.0;
  cross(2, 2) = std::numeric_limits<double>::infinity();
  CHECK_THROWS(std::invalid_argument, dependency::scores(one.model, inputs, candidates, view(out)));
}

TEST_MAIN

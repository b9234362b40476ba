// SPDX-License-Identifier: BSD-3-Clause
// The best candidates of many inputs, by bounds: they are those of all scores.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/models/dependency.hpp"
#include "models/dependency/screen.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using namespace dependency_data;
using gramian::view;
using Dense = spectral::Matrix;

namespace {

constexpr Index training_size = 80, many = 20000;

/// All scores, and so many candidates that none of them is worse than a later one.
void check_choice(const dependency::View& model, const CrossSource& inputs, const CrossSource& candidates, Index count) {
  // A linear kernel of few coordinates leaves few supports with ranks: there the direct way is short.
  CHECK(dependency::worth_screening(model, inputs.rows(), candidates.rows()) || model.outputs() < 10);
  const std::vector<Index> found = dependency::nearest_rows(model, inputs, candidates, count);
  Dense scores(inputs.rows(), candidates.rows());
  dependency::scores(model, inputs, candidates, view(scores));
  Index wrong = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    std::vector<Index> order(static_cast<std::size_t>(scores.cols()));
    std::iota(order.begin(), order.end(), Index(0));
    std::partial_sort(order.begin(), order.begin() + count, order.end(),
                      [&](Index a, Index b) { return scores(i, a) < scores(i, b) || (scores(i, a) == scores(i, b) && a < b); });
    for (Index c = 0; c < count; ++c) {
      const Index own = found[static_cast<std::size_t>(i * count + c)], wanted = order[static_cast<std::size_t>(c)];
      if (own != wanted && std::abs(scores(i, own) - scores(i, wanted)) > 1e-11 * (1.0 + std::abs(scores(i, wanted)))) ++wrong;
    }
  }
  CHECK_EQ(wrong, 0);
}

struct Case {
  dependency::Fit fit;
  Dense X, Y;  ///< supports
};

Case fitted(const Samples& data, const Kernel& outputs, const dependency::Options& options) {
  Case out{
      dependency::fit(GramSource(gaussian(), Points(view(data.X))), GramSource(outputs, Points(view(data.Y))), options), {}, {}};
  out.X = rows_of(data.X, supports(out.fit.model.input_supports, training_size));
  out.Y = rows_of(data.Y, supports(out.fit.model.output_supports, training_size));
  return out;
}

}  // namespace

TEST(the_best_are_those_of_all_scores) {
  const Samples data = samples(training_size, 1), fresh = samples(many, 2), others = samples(150, 3);
  for (const Kind kind : kinds) {
    for (const bool ranks : {false, true}) {
      for (const Kernel& outputs : {gaussian(), linear()}) {
        const Case one = fitted(data, outputs, ranks ? with_ranks(with(kind), 30, 30) : with(kind));
        const CrossSource inputs(gaussian(), Points(view(fresh.X)), Points(view(one.X))),
            candidates(outputs, Points(view(others.Y)), Points(view(one.Y)));
        for (const Index count : {1, 4}) check_choice(one.fit.model, inputs, candidates, count);
      }
    }
  }
}

TEST(components_and_stored_values_have_the_same_choice) {
  const Samples data = samples(training_size, 4), fresh = samples(many, 5), others = samples(150, 6);
  dependency::Options options = with(Kind::identity);
  options.components = 6;
  for (const bool centred : {false, true}) {
    options.centred = centred;
    const Case one = fitted(data, gaussian(), options);
    const Dense k_x = gram(gaussian(), fresh.X, one.X), l_y = gram(gaussian(), others.Y, one.Y), ones = Dense::Ones(150, 1);
    const CrossSource inputs(gaussian(), Points(view(fresh.X)), Points(view(one.X))),
        candidates(gaussian(), Points(view(others.Y)), Points(view(one.Y)));
    check_choice(one.fit.model, inputs, candidates, 1);
    check_choice(one.fit.model, CrossSource(view(k_x)), CrossSource(view(l_y), view(ones)), 3);
  }
}

TEST(of_equal_candidates_the_first_is_taken) {
  const Samples data = samples(training_size, 7), fresh = samples(many, 8);
  Dense others = samples(160, 9).Y;
  for (Index i = 40; i < 160; ++i) others.row(i) = others.row(i % 40).eval();
  const Case one = fitted(data, gaussian(), with(Kind::covariance));
  const CrossSource inputs(gaussian(), Points(view(fresh.X)), Points(view(one.X))),
      candidates(gaussian(), Points(view(others)), Points(view(one.Y)));
  CHECK(dependency::worth_screening(one.fit.model, many, 160));
  const std::vector<Index> best = dependency::nearest_rows(one.fit.model, inputs, candidates),
                           three = dependency::nearest_rows(one.fit.model, inputs, candidates, 3);
  for (std::size_t i = 0; i < best.size(); ++i) {
    CHECK(best[i] < 40);
    for (Index c = 0; c < 3; ++c) CHECK_EQ(three[3 * i + static_cast<std::size_t>(c)], best[i] + 40 * c);
  }
}

TEST(any_number_of_threads_gives_the_same_rows) {
  const Samples data = samples(training_size, 10), fresh = samples(many, 11), others = samples(150, 12);
  const Case one = fitted(data, gaussian(), with(Kind::conditional));
  const CrossSource inputs(gaussian(), Points(view(fresh.X)), Points(view(one.X))),
      candidates(gaussian(), Points(view(others.Y)), Points(view(one.Y)));
  set_num_threads(1);
  const std::vector<Index> first = dependency::nearest_rows(one.fit.model, inputs, candidates, 2);
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    CHECK(dependency::nearest_rows(one.fit.model, inputs, candidates, 2) == first);
  }
  set_num_threads(0);
  // Few inputs go the direct way.
  const Dense few = fresh.X.topRows(20);
  const std::vector<Index> direct =
      dependency::nearest_rows(one.fit.model, CrossSource(gaussian(), Points(view(few)), Points(view(one.X))), candidates, 2);
  CHECK(!dependency::worth_screening(one.fit.model, 20, 150));
  CHECK(std::equal(direct.begin(), direct.end(), first.begin()));
}

TEST_MAIN

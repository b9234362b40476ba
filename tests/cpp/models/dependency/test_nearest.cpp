// SPDX-License-Identifier: BSD-3-Clause
// The best candidates of many inputs, by bounds: they are those of all scores.
#include "models/dependency/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/models/dependency.hpp"
#include "gramian/models/dependency/predictor.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using namespace dependency_data;
using gramian::view;
using Dense = spectral::Matrix;

namespace {

constexpr Index training_size = 120, many = 10000;

/// All scores, and so many candidates that none of them is worse than a later one.
void check_choice(const dependency::View& model, const CrossSource& inputs, const CrossSource& candidates, Index count) {
  // A linear kernel of few coordinates leaves few supports with ranks: there the direct way is short.
  CHECK(dependency::worth_screening(model, inputs.rows(), candidates.rows()) || model.outputs() < 10);
  if (model.outputs() >= 10) CHECK(dependency::NearestChoice(model, inputs, inputs.rows(), candidates, count).worth_while());
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

Case fitted(const dependency_data::Samples& data, const Kernel& outputs, const dependency::Options& options) {
  Case out{
      dependency::fit(GramSource(gaussian(), Points(view(data.X))), GramSource(outputs, Points(view(data.Y))), options), {}, {}};
  out.X = rows_of(data.X, supports(out.fit.model.input_supports, training_size));
  out.Y = rows_of(data.Y, supports(out.fit.model.output_supports, training_size));
  return out;
}

}  // namespace

TEST(the_best_are_those_of_all_scores) {
  const dependency_data::Samples data = samples(training_size, 1), fresh = samples(many, 2), others = samples(200, 3);
  for (const Kind kind : kinds) {
    for (const bool ranks : {false, true}) {
      for (const Kernel& outputs : {gaussian(), linear()}) {
        const Case one = fitted(data, outputs, ranks ? with_ranks(with(kind), 90, 90) : with(kind));
        const CrossSource inputs(gaussian(), Points(view(fresh.X)), Points(view(one.X))),
            candidates(outputs, Points(view(others.Y)), Points(view(one.Y)));
        for (const Index count : {1, 4}) check_choice(one.fit.model, inputs, candidates, count);
      }
    }
  }
}

TEST(components_and_stored_values_have_the_same_choice) {
  const dependency_data::Samples data = samples(training_size, 4), fresh = samples(many, 5), others = samples(200, 6);
  dependency::Options options = with(Kind::identity);
  options.components = 6;
  for (const bool centred : {false, true}) {
    options.centred = centred;
    const Case one = fitted(data, gaussian(), options);
    const Dense k_x = gram(gaussian(), fresh.X, one.X), l_y = gram(gaussian(), others.Y, one.Y), ones = Dense::Ones(200, 1);
    const CrossSource inputs(gaussian(), Points(view(fresh.X)), Points(view(one.X))),
        candidates(gaussian(), Points(view(others.Y)), Points(view(one.Y)));
    check_choice(one.fit.model, inputs, candidates, 1);
    check_choice(one.fit.model, CrossSource(view(k_x)), CrossSource(view(l_y), view(ones)), 3);
  }
}

TEST(of_equal_candidates_the_first_is_taken) {
  const dependency_data::Samples data = samples(training_size, 7), fresh = samples(many, 8);
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
  const dependency_data::Samples data = samples(training_size, 10), fresh = samples(many, 11), others = samples(200, 12);
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
  CHECK(!dependency::worth_screening(one.fit.model, 20, 200));
  CHECK(std::equal(direct.begin(), direct.end(), first.begin()));
}

TEST(a_choice_that_is_kept_says_what_one_for_these_inputs_says) {
  const dependency_data::Samples data = samples(training_size, 13), fresh = samples(many, 14), others = samples(200, 15);
  for (const bool ranks : {false, true}) {
    const Case one = fitted(data, gaussian(), ranks ? with_ranks(with(Kind::covariance), 90, 90) : with(Kind::covariance));
    const dependency::View model(one.fit.model);
    const CrossSource typical(gaussian(), Points(view(one.X)), Points(view(one.X))),
        inputs(gaussian(), Points(view(fresh.X)), Points(view(one.X))),
        candidates(gaussian(), Points(view(others.Y)), Points(view(one.Y)));
    dependency::NearestChoice choice(model, typical, typical.rows(), candidates, 1);
    CHECK(choice.worth_while());
    const std::vector<Index> wanted = dependency::nearest_rows(model, inputs, candidates);
    CHECK(choice.rows(model, inputs) == wanted);
    if (ranks) continue;
    choice.keep_supports(gaussian(), gramian::Samples::copy_of(view(one.X)));
    CHECK(choice.rows(model, inputs) == wanted);
    // A row is chosen for in the same way by itself.
    for (const Index i : {0, 7, 4095, 4096, 9999}) {
      const Dense row = fresh.X.row(i);
      const CrossSource single(gaussian(), Points(view(row)), Points(view(one.X)));
      CHECK(choice.rows(model, single) == std::vector<Index>{wanted[static_cast<std::size_t>(i)]});
    }
  }
}

TEST(a_choice_is_made_once_calls_have_paid_for_it) {
  const dependency_data::Samples data = samples(training_size, 16), others = samples(200, 17);
  const Case one = fitted(data, gaussian(), with(Kind::identity));
  const dependency::View model(one.fit.model);
  const CrossSource typical(gaussian(), Points(view(one.X)), Points(view(one.X))),
      candidates(gaussian(), Points(view(others.Y)), Points(view(one.Y)));
  dependency::KeptChoice kept;
  int made = 0;
  const auto make = [&] {
    ++made;
    return std::make_shared<dependency::NearestChoice>(model, typical, 1, candidates, 1);
  };
  CHECK(kept.after(6.0, 10.0, make) == nullptr);
  // An error leaves it to a later call.
  const auto fail = [&]() -> std::shared_ptr<dependency::NearestChoice> { throw std::runtime_error("no memory"); };
  CHECK_THROWS(std::runtime_error, kept.after(6.0, 10.0, fail));
  const auto choice = kept.after(6.0, 10.0, make);
  CHECK(choice != nullptr && choice->worth_while());
  CHECK(kept.after(6.0, 10.0, make) == choice);
  CHECK_EQ(made, 1);
}

TEST(a_predictor_chooses_alike_row_by_row_and_from_any_thread) {
  const dependency_data::Samples data = samples(training_size, 18), fresh = samples(600, 19);
  const Case one = fitted(data, gaussian(), with(Kind::conditional));
  const auto make = [&] {
    return dependency::Predictor(dependency::parts_of(one.fit.model, gaussian(), gramian::Samples::copy_of(view(one.X)),
                                                      gaussian(), gramian::Samples::copy_of(view(one.Y))));
  };
  const dependency::Predictor first = make(), second = make();
  const std::vector<Index> wanted = first.nearest(Points(view(fresh.X)), nullptr, 1);
  // Enough of them for the choice to be kept on the way, by whichever thread comes first.
  const Index rounds = 1 + static_cast<Index>(2.0 * dependency::cost_of_screen(one.fit.model, training_size) /
                                              dependency::cost_of_scores(one.fit.model, 1, training_size) / 600.0);
  std::vector<std::thread> threads;
  std::vector<Index> wrong(4, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (Index round = 0; round < rounds; ++round) {
        for (Index i = static_cast<Index>(t); i < 600; i += 4) {
          const Dense row = fresh.X.row(i);
          if (second.nearest(Points(view(row)), nullptr, 1) != std::vector<Index>{wanted[static_cast<std::size_t>(i)]})
            ++wrong[t];
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<Index>(4, 0));
}

TEST_MAIN

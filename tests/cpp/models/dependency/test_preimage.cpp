// SPDX-License-Identifier: BSD-3-Clause
// Back to outputs: closed forms, fixed points, and sequences position by position.
#include <cmath>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/gram/preimage.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using namespace dependency_data;
using gramian::view;
using Dense = spectral::Matrix;

namespace {

/// The sequence of up to `positions` symbols with the nearest features, of all there are: shorter ones first, then in the order
/// of their symbols.
std::vector<Index> nearest_sequence(const Dense& image, Index symbols, Index positions, Index wanted) {
  double best = std::numeric_limits<double>::infinity();
  std::vector<Index> found;
  for (Index length = wanted < 0 ? 0 : wanted; length <= (wanted < 0 ? positions : wanted); ++length) {
    Index count = 1;
    for (Index p = 0; p < length; ++p) count *= symbols;
    for (Index code = 0; code < count; ++code) {
      std::vector<Index> sequence(static_cast<std::size_t>(positions), -1);
      Dense features = Dense::Zero(1, image.cols());
      for (Index p = length - 1, rest = code; p >= 0; --p, rest /= symbols) {
        sequence[static_cast<std::size_t>(p)] = rest % symbols;
        features(0, p * symbols + rest % symbols) = 1.0;
      }
      const double distance = (image - features).squaredNorm();
      if (distance < best - 1e-12) {
        best = distance;
        found = sequence;
      }
    }
  }
  return found;
}

}  // namespace

TEST(a_linear_kernel_has_a_closed_form) {
  Dense Y = normal(12, 5, 1);
  Y(2, 3) = Y(0, 0) = 0.0;
  const Dense weights = normal(4, 12, 2);
  const Sparse sparse(Y);
  Dense dense_out(4, 5), sparse_out(4, 5);
  dependency::linear_preimages(view(weights), Points(view(Y)), view(dense_out));
  dependency::linear_preimages(view(weights), sparse.points(), view(sparse_out));
  CHECK(relative(dense_out, weights * Y) <= 1e-14);
  CHECK(relative(sparse_out, weights * Y) <= 1e-14);
}

// Without the weights the sums are the same, for each form of a model and of its inputs.
TEST(linear_predictions_are_weighted_sums) {
  const Samples data = samples(60, 21), fresh = samples(2100, 22);
  const Dense Y = samples(60, 23, 3).Y;
  for (const Kind kind : kinds) {
    for (const int form : {0, 1, 2, 3}) {
      dependency::Options options = form == 1 ? with_ranks(with(kind), 20, 15) : with(kind);
      options.components = form > 1 ? 3 : 0;
      options.centred = form == 3;
      const dependency::Fit fit =
          dependency::fit(GramSource(gaussian(), Points(view(data.X))), GramSource(gaussian(), Points(view(data.Y))), options);
      const Dense X = rows_of(data.X, supports(fit.model.input_supports, 60)),
                  own = rows_of(Y, supports(fit.model.output_supports, 60)), cross = gram(gaussian(), fresh.X, X);
      const CrossSource inputs(gaussian(), Points(view(fresh.X)), Points(view(X)));
      Dense weights(2100, own.rows()), out(2100, 3), stored(2100, 3), of_sparse(2100, 3);
      dependency::weights(fit.model, inputs, view(weights));
      dependency::linear_predictions(fit.model, inputs, Points(view(own)), view(out));
      dependency::linear_predictions(fit.model, CrossSource(view(cross)), Points(view(own)), view(stored));
      const Sparse sparse(own);
      dependency::linear_predictions(fit.model, inputs, sparse.points(), view(of_sparse));
      CHECK(relative(out, weights * own) <= 1e-11);
      CHECK(relative(stored, weights * own) <= 1e-11);
      CHECK(relative(of_sparse, weights * own) <= 1e-11);
      CHECK_THROWS(std::invalid_argument, dependency::linear_predictions(fit.model, inputs, Points(view(cross)), view(out)));
    }
  }
}

// Of all points the fixed point is the nearest to the prediction; training outputs are some of them.
TEST(a_fixed_point_is_nearer_than_any_training_output) {
  const Samples data = samples(60, 3, 2), fresh = samples(8, 4, 2);
  const double gamma = 0.6;
  for (const bool ranks : {false, true}) {
    const dependency::Options options = with(Kind::conditional, 1e-3);
    const dependency::Fit fit =
        dependency::fit(GramSource(gaussian(), Points(view(data.X))), GramSource(gaussian(), Points(view(data.Y))),
                        ranks ? with_ranks(options, 30, 30) : options);
    const Dense X = rows_of(data.X, supports(fit.model.input_supports, 60)),
                Y = rows_of(data.Y, supports(fit.model.output_supports, 60));
    const CrossSource inputs(gaussian(), Points(view(fresh.X)), Points(view(X)));
    Dense weights(8, Y.rows());
    dependency::weights(fit.model, inputs, view(weights));
    const Preimages found = gaussian_preimages(gamma, view(Y), view(weights), {});
    const Dense points = as_eigen(found.points.view());
    Dense scores(8, 8);
    dependency::scores(fit.model, inputs, CrossSource(gaussian(), Points(view(points)), Points(view(Y))), view(scores));
    const NearestCandidates best =
        dependency::nearest_outputs(fit.model, inputs, CrossSource(gaussian(), Points(view(Y)), Points(view(Y))), 1);
    for (Index i = 0; i < 8; ++i) CHECK(scores(i, i) <= best.scores(i, 0) + 1e-9);
  }
}

TEST(sequences_are_the_nearest_of_all) {
  for (const auto& [symbols, positions] : {std::pair<Index, Index>{2, 3}, {3, 4}, {1, 5}, {4, 1}}) {
    const Dense images = 0.4 * normal(30, symbols * positions, 5).array() + 0.3;
    const std::vector<Index> free = dependency::decode_sequences(view(images), symbols);
    std::vector<Index> lengths;
    for (Index i = 0; i < 30; ++i) lengths.push_back(i % (positions + 1));
    const std::vector<Index> fixed = dependency::decode_sequences(view(images), symbols, lengths);
    for (Index i = 0; i < 30; ++i) {
      const auto row = [&, p = positions](const std::vector<Index>& all) {
        return std::vector<Index>(all.begin() + i * p, all.begin() + (i + 1) * p);
      };
      CHECK(row(free) == nearest_sequence(images.row(i), symbols, positions, -1));
      CHECK(row(fixed) == nearest_sequence(images.row(i), symbols, positions, lengths[static_cast<std::size_t>(i)]));
    }
  }
}

TEST(ties_go_to_the_smaller_symbol_and_the_shorter_sequence) {
  Dense images(3, 4);
  images << 0.9, 0.9, 0.5, 0.5, 0.5, 0.5, 0.9, 0.9, 0.0, 0.0, 0.0, 0.0;
  const std::vector<Index> expected = {0, -1, 0, 0, -1, -1};
  CHECK(dependency::decode_sequences(view(images), 2) == expected);
}

TEST(bad_input_is_refused) {
  Dense images = normal(2, 6, 6), weights = normal(2, 3, 7), out(2, 4);
  const Dense Y = normal(3, 4, 8);
  CHECK_THROWS(std::invalid_argument, dependency::decode_sequences(view(images), 4));
  CHECK_THROWS(std::invalid_argument, dependency::decode_sequences(view(images), 0));
  CHECK_THROWS(std::invalid_argument, dependency::decode_sequences(view(images), 2, {1}));
  CHECK_THROWS(std::invalid_argument, dependency::decode_sequences(view(images), 2, {1, 4}));
  CHECK_THROWS(std::invalid_argument, dependency::decode_sequences(view(images), 2, {1, -1}));
  CHECK_THROWS(std::invalid_argument, dependency::linear_preimages(view(images), Points(view(Y)), view(out)));
  CHECK_THROWS(std::invalid_argument, dependency::linear_preimages(view(weights), Points(view(Y)), view(images)));
  images(0, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, dependency::decode_sequences(view(images), 2));
}

TEST_MAIN

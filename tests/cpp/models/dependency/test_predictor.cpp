// SPDX-License-Identifier: BSD-3-Clause
// A dependency estimation as a value says what its formulas say.
#include "gramian/models/dependency/predictor.hpp"

#include <thread>
#include <vector>

#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dependency_values.hpp"

using namespace dependency_values;
using dependency::Preimage;

namespace {

/// -l(y, y) + 2 <g(x), Phi(y)>, by weights over the output supports.
Dense naive_scores(const Model& model, const Dense& fresh, const Dense& supports, const Dense& candidates) {
  const Dense inner = weights_of(model, Points(view(fresh))) * gram(output_kernel, supports, candidates);
  return 2.0 * inner - Dense::Ones(fresh.rows(), candidates.rows());
}

std::vector<Index> best_of(const Dense& scores) {
  std::vector<Index> rows;
  for (Index i = 0; i < scores.rows(); ++i) {
    Index best = 0;
    scores.row(i).maxCoeff(&best);
    rows.push_back(best);
  }
  return rows;
}

}  // namespace

TEST(outputs_are_the_nearest_ones) {
  const Pairs data(60, 1), fresh(30, 2), others(11, 3);
  for (const bool ranks : {false, true}) {
    const dependency::Fit fit = fitted(data, output_kernel, ranks);
    Parts parts = parts_of(fit, data, output_kernel);
    const Dense supports = rows_of(data.Y, dependency_data::supports(fit.model.output_supports, 60));
    const Model model(parts);
    const Dense scores = naive_scores(model, fresh.X, supports, data.Y);
    CHECK(relative(applied(model, Verb::scores, fresh.points()), scores) <= 1e-10);
    CHECK(model.nearest(fresh.points(), nullptr, 1) == best_of(scores));
    CHECK(applied(model, Verb::predict, fresh.points()) == rows_of(data.Y, best_of(scores)));
    parts.preimage = Preimage::candidates;
    parts.candidates.points = copy(others.Y);
    const Model chosen(parts);
    const Dense among = naive_scores(chosen, fresh.X, supports, others.Y);
    CHECK(relative(applied(chosen, Verb::scores, fresh.points()), among) <= 1e-10);
    CHECK(applied(chosen, Verb::predict, fresh.points()) == rows_of(others.Y, best_of(among)));
    Dense given(30, 11);
    const dependency::Outputs candidates{copy(others.Y)};
    model.scores(fresh.points(), &candidates, view(given));
    CHECK(given == applied(chosen, Verb::scores, fresh.points()));
    CHECK(model.nearest(fresh.points(), &candidates, 4) == chosen.nearest(fresh.points(), nullptr, 4));
  }
}

TEST(sparse_outputs_are_dense_rows) {
  Pairs data(40, 4), fresh(20, 5);
  data.Y = (data.Y.array().abs() < 0.5).select(0.0, data.Y);
  const dependency_data::Sparse sparse(data.Y);
  Parts parts = parts_of(fitted(data, linear(), false), data, linear());
  const Model dense(parts);
  parts.outputs.points = Samples::copy_of(sparse.points());
  for (const Preimage way : {Preimage::nearest, Preimage::linear}) {
    parts.preimage = way;
    const Model model(parts);
    const Dense expected = way == Preimage::linear ? Dense(weights_of(dense, fresh.points()) * data.Y)
                                                   : applied(dense, Verb::predict, fresh.points());
    CHECK(relative(applied(model, Verb::predict, fresh.points()), expected) <= 1e-12);
  }
}

TEST(kernel_values_give_rows_of_candidates) {
  const Pairs data(60, 6), fresh(30, 7), others(9, 8);
  for (const bool ranks : {false, true}) {
    const dependency::Fit fit = fitted(data, output_kernel, ranks);
    const std::vector<Index> picked = dependency_data::supports(fit.model.output_supports, 60);
    const Dense supports = rows_of(data.Y, picked);
    const Model points(parts_of(fit, data, output_kernel)), values(by_values(fit, data, output_kernel));
    const Dense cross = gram(gaussian(), fresh.X, data.X);
    CHECK_EQ(values.inputs(Verb::predict), 60);
    CHECK(relative(weights_of(values, Points(view(cross))), weights_of(points, fresh.points())) <= 1e-12);
    const std::vector<Index> rows = points.nearest(fresh.points(), nullptr, 1);
    const Dense found = applied(values, Verb::predict, Points(view(cross)));
    for (Index i = 0; i < 30; ++i) CHECK_EQ(found(i, 0), static_cast<double>(rows[static_cast<std::size_t>(i)]));
    const dependency::Outputs known{copy(others.Y)};
    dependency::Outputs given;
    given.values = shared(gram(output_kernel, others.Y, supports));
    given.squares = shared(Dense::Ones(9, 1));
    CHECK(values.nearest(Points(view(cross)), &given, 3) == points.nearest(fresh.points(), &known, 3));
  }
}

TEST(ways_back_that_compute_outputs) {
  const Pairs data(50, 9), fresh(1100, 10);  // more rows than are taken together
  Parts parts = parts_of(fitted(data, linear(), false), data, linear());
  parts.preimage = Preimage::linear;
  const Model linear_one(parts);
  const Dense weights = weights_of(linear_one, fresh.points());
  CHECK(relative(applied(linear_one, Verb::predict, fresh.points()), weights * data.Y) <= 1e-11);
  const Kernel wide("gaussian", {0.4}, {1.0, 2.0, 0.5, 3.0});
  Parts fixed = parts_of(fitted(data, wide, false), data, wide);
  fixed.preimage = Preimage::gaussian;
  const Model model(fixed);
  Dense scaled = data.Y;
  for (Index j = 0; j < 4; ++j) scaled.col(j) /= (j == 0 ? 1.0 : j == 1 ? 2.0 : j == 2 ? 0.5 : 3.0);
  const Dense few = fresh.X.topRows(20), beta = weights_of(model, Points(view(few)));
  const Preimages expected = gaussian_preimages(0.4, view(scaled), view(beta), {});
  const Dense found = applied(model, Verb::predict, Points(view(few)));
  for (Index i = 0; i < 20; ++i) {
    for (Index j = 0; j < 4; ++j) {
      CHECK_EQ(found(i, j), expected.points(i, j) * (j == 0 ? 1.0 : j == 1 ? 2.0 : j == 2 ? 0.5 : 3.0));
    }
  }
  CHECK(model.fixed_points(Points(view(few))).converged == expected.converged);
  CHECK_THROWS(std::invalid_argument, static_cast<void>(linear_one.fixed_points(Points(view(few)))));
}

TEST(sequences_are_symbols_by_position) {
  Pairs data(50, 11), fresh(30, 12);
  data.Y = Dense::Zero(50, 12);  // four positions of three symbols
  for (Index i = 0; i < 50; ++i) {
    for (Index p = 0; p < 1 + i % 4; ++p) data.Y(i, 3 * p + (i + p) % 3) = 1.0;
  }
  Parts parts = parts_of(fitted(data, linear(), false), data, linear());
  parts.preimage = Preimage::sequence;
  parts.symbols = {std::string("a"), std::string("b"), std::string("c")};
  const Model model(parts);
  const Dense images = weights_of(model, fresh.points()) * data.Y;
  const std::vector<Index> expected = dependency::decode_sequences(view(images), 3);
  CHECK(model.sequences(fresh.points(), {}) == expected);
  CHECK_EQ(model.positions(), 4);
  const Dense found = applied(model, Verb::predict, fresh.points());
  for (Index i = 0; i < 120; ++i) CHECK_EQ(found(i / 4, i % 4), static_cast<double>(expected[static_cast<std::size_t>(i)]));
  const std::vector<Index> lengths(30, 2);
  CHECK(model.sequences(fresh.points(), lengths) == dependency::decode_sequences(view(images), 3, lengths));
}

TEST(operators_give_vectors_or_weights_of_a_span) {
  const Pairs data(40, 13), fresh(25, 14), others(7, 15);
  const Dense A = spectral::normal(4, 4, 16), C = A * A.transpose();
  const OperatorKernelPointer K = separable_kernel(gaussian(), OutputOperator::full(view(C)));
  const Dense Psi = spectral::normal(40, 4, 17), span = spectral::normal(40, 4, 18);
  const Dense g = gram(gaussian(), fresh.X, data.X) * Psi * C;
  Parts parts;
  parts.vectors.emplace(dependency::OperatorParts{K, copy(data.X), shared(Psi)});
  parts.output_kernel = linear();
  parts.outputs.points = copy(data.Y);
  parts.preimage = Preimage::linear;
  CHECK(relative(applied(Model(parts), Verb::predict, fresh.points()), g) <= 1e-12);
  parts.preimage = Preimage::nearest;
  const Model axes(parts);
  const Dense norms = data.Y.rowwise().squaredNorm(), at_others = others.Y.rowwise().squaredNorm();
  const Dense scores = (2.0 * g * data.Y.transpose()).rowwise() - norms.col(0).transpose();
  CHECK(relative(applied(axes, Verb::scores, fresh.points()), scores) <= 1e-11);
  const dependency::Outputs candidates{copy(others.Y)};
  Dense among(25, 7);
  axes.scores(fresh.points(), &candidates, view(among));
  CHECK(relative(among, (2.0 * g * others.Y.transpose()).rowwise() - at_others.col(0).transpose()) <= 1e-11);
  parts.coefficients = shared(span);
  parts.output_kernel = output_kernel;
  const Model spanned(parts);
  CHECK(relative(weights_of(spanned, fresh.points()), g * span.transpose()) <= 1e-12);
  CHECK_EQ(spanned.supports(), 40);
  CHECK(relative(applied(spanned, Verb::scores, fresh.points()), naive_scores(spanned, fresh.X, data.Y, data.Y)) <= 1e-10);
}

TEST(components_are_compared_in_their_space) {
  const Pairs data(40, 19), fresh(15, 20);
  for (const bool centred : {false, true}) {
    dependency::Options options = dependency_data::with(dependency_data::Kind::identity);
    options.components = 3;
    options.centred = centred;
    const dependency::Fit fit =
        dependency::fit(GramSource(gaussian(), data.points()), GramSource(linear(), data.outputs()), options);
    const Model model(parts_of(fit, data, linear()));
    Dense expected(15, 40);
    dependency::scores(fit.model, CrossSource(gaussian(), fresh.points(), data.points()),
                       CrossSource(linear(), data.outputs(), data.outputs()), view(expected));
    CHECK(applied(model, Verb::scores, fresh.points()) == Dense(-expected));
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Pairs data(300, 21), fresh(200, 22);
  Parts parts = parts_of(fitted(data, linear(), false), data, linear());
  for (const Preimage way : {Preimage::nearest, Preimage::linear}) {
    parts.preimage = way;
    const Model model(parts);
    CHECK(check::same_for_any_threads([&] { return applied(model, Verb::predict, fresh.points()); }));
    const Dense all = applied(model, Verb::predict, fresh.points());
    for (Index i = 0; i < 200; i += 19) {
      const Dense row = fresh.X.row(i);
      CHECK(relative(applied(model, Verb::predict, Points(view(row))), all.row(i)) <= 1e-12);
    }
  }
}

TEST(threads_share_a_value) {
  const Pairs data(80, 23), fresh(20, 24);
  const Model model(parts_of(fitted(data, output_kernel, true), data, output_kernel));
  const Dense wanted = applied(model, Verb::scores, fresh.points());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const Model own = model;
      for (int turn = 0; turn < 20; ++turn) CHECK(applied(own, Verb::scores, fresh.points()) == wanted);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Weights, expectations and distances against their formulas, and [MCE] Lemma 8.
#include <Eigen/LU>
#include <algorithm>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/models/conditional_mean.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using namespace dependency_data;
using gramian::view;
using Dense = spectral::Matrix;

namespace {

constexpr double lambda = 0.01;

Dense naive_weights(const Dense& K, const Dense& cross) {
  const Index n = K.rows();
  const Dense system = K + static_cast<double>(n) * lambda * Dense::Identity(n, n);
  return system.partialPivLu().solve(cross.transpose()).transpose();
}

GramSource source(const Dense& X) { return {gaussian(), Points(view(X))}; }
CrossSource source(const Dense& fresh, const Dense& X) { return {gaussian(), Points(view(fresh)), Points(view(X))}; }

Dense weights_of(const conditional_mean::Model& mean, const CrossSource& inputs) {
  Dense out(inputs.rows(), mean.size());
  mean.weights(inputs, view(out));
  return out;
}

}  // namespace

// More new points than a block holds. The condition number of the system is at most 1 + 1 / lambda.
TEST(weights_are_those_of_the_formula) {
  const Samples data = samples(60, 1), fresh = samples(1100, 2);
  const Dense K = gram(gaussian(), data.X, data.X), cross = gram(gaussian(), fresh.X, data.X);
  const Dense expected = naive_weights(K, cross);
  const conditional_mean::Model mean(source(data.X), {lambda}), stored(GramSource(view(K)), {lambda}), kept(mean.factor());
  CHECK(relative(weights_of(mean, source(fresh.X, data.X)), expected) <= 1e-12);
  CHECK(relative(weights_of(stored, CrossSource(view(cross))), expected) <= 1e-12);
  CHECK(weights_of(kept, CrossSource(view(cross))) == weights_of(mean, CrossSource(view(cross))));
  CHECK_EQ(mean.jitter(), 0.0);
  CHECK_EQ(mean.size(), 60);
}

TEST(sparse_points_are_dense_ones) {
  Samples data = samples(30, 3), fresh = samples(7, 4);
  for (Dense* X : {&data.X, &fresh.X}) *X = (X->array().abs() < 0.4).select(0.0, *X);
  const Sparse X(data.X), later(fresh.X);
  const conditional_mean::Model mean(GramSource(gaussian(), X.points()), {lambda}), dense(source(data.X), {lambda});
  CHECK(relative(weights_of(mean, CrossSource(gaussian(), later.points(), X.points())),
                 weights_of(dense, source(fresh.X, data.X))) <= 1e-12);
}

TEST(expectations_are_weighted_sums) {
  const Samples data = samples(50, 5), fresh = samples(9, 6);
  const Dense cross = gram(gaussian(), fresh.X, data.X);
  const conditional_mean::Model mean(source(data.X), {lambda});
  const Dense expected = weights_of(mean, source(fresh.X, data.X)) * data.Y;
  Dense points(9, 4), stored(9, 4), dual(50, 4);
  mean.expectation(source(fresh.X, data.X), view(data.Y), view(points));
  mean.expectation(CrossSource(view(cross)), view(data.Y), view(stored));
  mean.coefficients(view(data.Y), view(dual));
  CHECK(relative(points, expected) <= 1e-11);
  CHECK(relative(stored, expected) <= 1e-11);
  CHECK(relative(cross * dual, expected) <= 1e-11);
}

// [MCE] Lemma 8 and (5): with l the Kronecker delta mu(x) at a label c is <mu(x), 1_c>, the decision function of c.
TEST(with_a_delta_output_kernel_the_embedding_is_the_decision_function) {
  const Samples data = samples(40, 7), fresh = samples(8, 8);
  Dense labels(40, 1), classes(3, 1), one_hot = Dense::Zero(40, 3);
  for (Index i = 0; i < 40; ++i) {
    labels(i, 0) = static_cast<double>((7 * i + i / 5) % 3);
    one_hot(i, static_cast<Index>(labels(i, 0))) = 1.0;
  }
  classes << 0.0, 1.0, 2.0;
  const conditional_mean::Model mean(source(data.X), {lambda});
  const Dense beta = weights_of(mean, source(fresh.X, data.X)), at_classes = gram(Kernel("delta", {}), labels, classes);
  Dense decision(8, 3), values(8, 3), stored(8, 3);
  conditional_mean::values(view(beta), CrossSource(Kernel("delta", {}), Points(view(classes)), Points(view(labels))),
                           view(values));
  const Dense cross = at_classes.transpose();
  conditional_mean::values(view(beta), CrossSource(view(cross)), view(stored));
  mean.expectation(source(fresh.X, data.X), view(one_hot), view(decision));
  CHECK(at_classes == one_hot);
  CHECK(relative(values, decision) <= 1e-11);
  CHECK(relative(stored, decision) <= 1e-11);
}

TEST(distances_are_those_of_the_formula) {
  const Samples data = samples(40, 9);
  const Dense a = normal(1050, 40, 10), b = normal(1050, 40, 11), L = gram(gaussian(), data.Y, data.Y);
  const Dense difference = a - b, expected = (difference * L).cwiseProduct(difference).rowwise().sum();
  Dense points(1050, 1), stored(1050, 1), same(1050, 1);
  conditional_mean::distances(view(a), view(b), source(data.Y), view(points));
  conditional_mean::distances(view(a), view(b), GramSource(view(L)), view(stored));
  conditional_mean::distances(view(a), view(a), GramSource(view(L)), view(same));
  CHECK(relative(points, expected) <= 1e-12);
  CHECK(relative(stored, expected) <= 1e-12);
  CHECK_EQ(same.cwiseAbs().maxCoeff(), 0.0);
  CHECK(relative(points, 1.01 * expected) > 1e-3);
}

TEST(squared_norms_are_those_of_the_formula) {
  const Samples data = samples(40, 9);
  const Dense beta = normal(1050, 40, 10), L = gram(gaussian(), data.Y, data.Y);
  const Dense expected = (beta * L).cwiseProduct(beta).rowwise().sum();
  Dense points(1050, 1), stored(1050, 1), few(1049, 1);
  conditional_mean::squared_norms(view(beta), source(data.Y), view(points));
  conditional_mean::squared_norms(view(beta), GramSource(view(L)), view(stored));
  CHECK(relative(points, expected) <= 1e-12);
  CHECK(relative(stored, expected) <= 1e-12);
  CHECK_THROWS(std::invalid_argument, conditional_mean::squared_norms(view(beta), source(data.Y), view(few)));
}

// With a linear output kernel an embedding is a mean, and the distance that of means; embeddings of different samples too.
TEST(with_a_linear_output_kernel_distances_are_those_of_means) {
  const Samples data = samples(25, 12), other = samples(15, 13);
  const Dense a = normal(6, 25, 14), b = normal(6, 15, 15);
  Dense both(40, 4), left = Dense::Zero(6, 40), right = Dense::Zero(6, 40), out(6, 1);
  both << data.Y, other.Y;
  left.leftCols(25) = a;
  right.rightCols(15) = b;
  conditional_mean::distances(view(left), view(right), GramSource(linear(), Points(view(both))), view(out));
  CHECK(relative(out, (a * data.Y - b * other.Y).rowwise().squaredNorm()) <= 1e-11);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const Samples data = samples(300, 16), fresh = samples(200, 17);
  Dense first, distances;
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    const conditional_mean::Model mean(source(data.X), {lambda});
    const Dense beta = weights_of(mean, source(fresh.X, data.X));
    Dense out(199, 1);
    conditional_mean::distances(view(beta.topRows(199)), view(beta.bottomRows(199)), source(data.Y), view(out));
    if (threads == 1) {
      first = beta;
      distances = out;
    }
    CHECK(beta == first);
    CHECK(out == distances);
  }
  set_num_threads(0);
}

TEST(a_factor_can_be_kept) {
  const Samples data = samples(20, 22), fresh = samples(3, 23);
  conditional_mean::Model mean(source(data.X), {lambda});
  const Dense before = weights_of(mean, source(fresh.X, data.X));
  conditional_mean::Model moved = std::move(mean);
  CHECK(weights_of(moved, source(fresh.X, data.X)) == before);
  const gramian::Matrix factor = gramian::Matrix::copy_of(moved.factor());
  CHECK(weights_of(conditional_mean::Model(factor.view()), source(fresh.X, data.X)) == before);
}

TEST(bad_input_is_refused) {
  const Samples data = samples(6, 18);
  Dense K = gram(gaussian(), data.X, data.X), cross = normal(3, 6, 19), narrow = normal(3, 5, 20), out(3, 6),
        G = normal(6, 2, 21);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {0.0, -1.0, nan})
    CHECK_THROWS(std::invalid_argument, conditional_mean::Model(GramSource(view(K)), {bad}));
  CHECK_THROWS(std::invalid_argument, conditional_mean::Model(GramSource(view(cross)), {lambda}));
  CHECK_THROWS(std::invalid_argument, conditional_mean::Model(MatrixView<const double>(view(cross))));
  CHECK_THROWS(NumericalError, conditional_mean::Model(GramSource(view(K = -K)), {1e-6}));
  const conditional_mean::Model mean(source(data.X), {lambda});
  CHECK_THROWS(std::invalid_argument, mean.weights(CrossSource(view(narrow)), view(out)));
  CHECK_THROWS(std::invalid_argument, mean.weights(CrossSource(view(cross)), view(narrow)));
  CHECK_THROWS(std::invalid_argument, mean.expectation(CrossSource(view(cross)), view(cross), view(out)));
  CHECK_THROWS(std::invalid_argument, mean.coefficients(view(G), view(out)));
  CHECK_THROWS(std::invalid_argument, conditional_mean::distances(view(cross), view(narrow), source(data.Y), view(G)));
  CHECK_THROWS(std::invalid_argument, conditional_mean::values(view(cross), source(data.Y, data.Y), view(G)));
  CHECK_THROWS(std::invalid_argument, conditional_mean::values(view(narrow), source(data.Y, data.Y), view(out)));
  G(3, 1) = nan;
  Dense dual(6, 2);
  CHECK_THROWS(std::invalid_argument, mean.coefficients(view(G), view(dual)));
  K = -K;
  K(2, 1) += 0.1;
  CHECK_THROWS(std::invalid_argument, conditional_mean::Model(GramSource(view(K)), {lambda}));
}

TEST_MAIN

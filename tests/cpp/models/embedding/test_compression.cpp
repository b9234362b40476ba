// SPDX-License-Identifier: BSD-3-Clause
// Compressed sums against ridge regressions of the targets themselves, and supports that are chosen by herding.
#include "gramian/models/embedding/compression.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <numeric>
#include <set>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/layers/random_features.hpp"
#include "gramian/models/embedding/predictor.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using namespace dependency_data;
using gramian::view;
using Dense = spectral::Matrix;

namespace {

constexpr double lambda = 0.01;

/// (K + n lambda I) V = Y
Dense learned(const dependency_data::Samples& data) {
  const Index n = data.X.rows();
  const Dense system = gram(gaussian(), data.X, data.X) + static_cast<double>(n) * lambda * Dense::Identity(n, n);
  return system.llt().solve(data.Y);
}

embedding::SampleSum expansion(const dependency_data::Samples& data, const Dense& V) {
  return {gaussian(), Points(view(data.X)), view(V), lambda};
}

std::vector<Index> every(Index step, Index n) {
  std::vector<Index> rows;
  for (Index i = 0; i < n; i += step) rows.push_back(i);
  return rows;
}

/// |mean embedding of the rows - that of all|^2
double error_of(const Dense& K, const std::vector<Index>& rows) {
  Dense weights = Dense::Constant(1, K.rows(), -1.0 / static_cast<double>(K.rows()));
  for (const Index row : rows) weights(0, row) += 1.0 / static_cast<double>(rows.size());
  return (weights * K * weights.transpose())(0, 0);
}

/// The mean of that over the rows that are so many apart, wherever they begin.
double blind_error(const Dense& K, Index step) {
  double sum = 0.0;
  for (Index first = 0; first < step; ++first) {
    std::vector<Index> rows = every(step, K.rows());
    for (Index& row : rows) row += first;
    sum += error_of(K, rows);
  }
  return sum / static_cast<double>(step);
}

}  // namespace

TEST(weights_of_samples_count_in_what_is_left) {
  const dependency_data::Samples data = samples(90, 1), fresh = samples(20, 2);
  std::vector<double> weights;
  for (Index i = 0; i < 90; ++i) weights.push_back(0.5 + static_cast<double>(i % 5));
  const Eigen::Map<const Eigen::VectorXd> w(weights.data(), 90);
  const Dense D = w.asDiagonal();
  // (K + N lambda D^-1) V = Y
  Dense system = gram(gaussian(), data.X, data.X);
  system.diagonal() += (w.sum() * lambda * w.cwiseInverse()).eval();
  const Dense V = system.ldlt().solve(data.Y);
  embedding::SampleSum f = expansion(data, V);
  f.weights = weights.data();
  const std::vector<Index> rows = every(6, 90);
  const Dense S = rows_of(data.X, rows), K_XS = gram(gaussian(), data.X, S), K_SS = gram(gaussian(), S, S);
  const Dense small = K_XS.transpose() * D * K_XS + w.sum() * lambda * K_SS;
  const Dense wanted = gram(gaussian(), fresh.X, S) * small.ldlt().solve(K_XS.transpose() * D * data.Y);
  CHECK(relative(gram(gaussian(), fresh.X, S) * as_eigen(embedding::compress_to_supports(f, rows).view()), wanted) <= 1e-9);
  const Dense K = gram(gaussian(), fresh.X, data.X);
  CHECK(relative(K * as_eigen(embedding::compress_to_supports(f, every(1, 90)).view()), K * V) <= 1e-6);
  const auto features = random_fourier_features(gaussian(), data.X.cols(), 40, 3);
  const std::vector<double> theta = features->start(0);
  gramian::Matrix Z(90, 40);
  features->forward(theta.data(), view(data.X), Z.view(), {});
  const Dense F = as_eigen(Z.view());
  const Dense normal = F.transpose() * D * F + w.sum() * lambda * Dense::Identity(40, 40);
  const Dense of_features = normal.ldlt().solve(F.transpose() * D * data.Y);
  CHECK(relative(as_eigen(embedding::compress_to_features(f, *features, theta.data()).view()), of_features) <= 1e-9);
  weights[7] = 0.0;
  CHECK_THROWS(std::invalid_argument, embedding::compress_to_supports(f, rows));
}

TEST(heavy_samples_are_herded_first_and_heavy_groups_get_more_places) {
  const dependency_data::Samples data = samples(60, 3);
  const Dense K = gram(gaussian(), data.X, data.X);
  std::vector<double> weights(60, 1.0);
  std::vector<Index> groups(60);
  for (Index i = 0; i < 60; ++i) groups[static_cast<std::size_t>(i)] = i < 30 ? 0 : 1;
  for (std::size_t i = 0; i < 30; ++i) weights[i] = i % 7 == 0 ? 40.0 : 3.0;
  const Points X(view(data.X));
  // The first of a group is where its weighted mean embedding is largest.
  const std::vector<Index> one_each = embedding::herd_supports(gaussian(), X, groups, 2, weights.data());
  for (const Index g : {0, 1}) {
    Index best = 30 * g;
    double most = -1.0;
    for (Index i = 30 * g; i < 30 * g + 30; ++i) {
      double mean = 0.0;
      for (Index j = 30 * g; j < 30 * g + 30; ++j) mean += weights[static_cast<std::size_t>(j)] * K(i, j);
      if (mean > most) most = mean, best = i;
    }
    CHECK_EQ(one_each[static_cast<std::size_t>(g)], best);
  }
  const auto of_first = [](const std::vector<Index>& rows) {
    return std::count_if(rows.begin(), rows.end(), [](Index i) { return i < 30; });
  };
  CHECK_EQ(of_first(embedding::herd_supports(gaussian(), X, groups, 20)), 10);
  CHECK(of_first(embedding::herd_supports(gaussian(), X, groups, 20, weights.data())) >= 17);
  CHECK_EQ(of_first(embedding::herd_supports(gaussian(), X, groups, 40, weights.data())), 30);  // no more than there are
}

// Ridge regression of Y on few supports, by its normal equations.
TEST(supports_get_the_weights_of_a_ridge_regression) {
  const dependency_data::Samples data = samples(90, 1), fresh = samples(20, 2);
  const Dense V = learned(data);
  const std::vector<Index> rows = every(6, 90);
  const Dense S = rows_of(data.X, rows), K_XS = gram(gaussian(), data.X, S), K_SS = gram(gaussian(), S, S);
  const Dense system = K_XS.transpose() * K_XS + 90.0 * lambda * K_SS;
  const Dense expected = gram(gaussian(), fresh.X, S) * system.ldlt().solve(K_XS.transpose() * data.Y);
  const gramian::Matrix W = embedding::compress_to_supports(expansion(data, V), rows);
  CHECK(relative(gram(gaussian(), fresh.X, S) * as_eigen(W.view()), expected) <= 1e-9);
}

TEST(with_all_rows_nothing_changes) {
  const dependency_data::Samples data = samples(40, 3), fresh = samples(20, 4);
  const Dense V = learned(data), cross = gram(gaussian(), fresh.X, data.X);
  const gramian::Matrix W = embedding::compress_to_supports(expansion(data, V), every(1, 40));
  CHECK(relative(cross * as_eigen(W.view()), cross * V) <= 1e-8);
}

TEST(features_get_the_weights_of_a_ridge_regression) {
  const dependency_data::Samples data = samples(90, 5), fresh = samples(5000, 6);
  const Dense V = learned(data);
  const auto features = random_fourier_features(gaussian(), 2, 40, 7);
  const std::vector<double> theta = features->start(0);
  Dense Z(90, 40), Z_new(5000, 40), out(5000, 4);
  features->forward(theta.data(), view(data.X), view(Z), {});
  const Dense system = Z.transpose() * Z + 90.0 * lambda * Dense::Identity(40, 40);
  const Dense expected = system.ldlt().solve(Z.transpose() * data.Y);
  const gramian::Matrix W = embedding::compress_to_features(expansion(data, V), *features, theta.data());
  CHECK(relative(as_eigen(W.view()), expected) <= 1e-10);
  const FixedFeatures fourier(FourierFeatures{gaussian(), 40, 7}, 2);
  const embedding::Predictor small({std::nullopt, {fourier}, {}, SharedMatrix::copy_of(W.view()), {0.0, 1.0, 2.0, 3.0}});
  small.apply(Verb::scores, Points(view(fresh.X)), view(out));
  features->forward(theta.data(), view(fresh.X), view(Z_new), {});
  CHECK(relative(out, Z_new * as_eigen(W.view())) <= 1e-13);
}

TEST(more_supports_come_closer) {
  const dependency_data::Samples data = samples(300, 8), fresh = samples(100, 9);
  const Dense V = learned(data), exact = gram(gaussian(), fresh.X, data.X) * V;
  const std::vector<Index> one_group(300, 0);
  double before = 1.0;
  for (const Index count : {5, 20, 80}) {
    const std::vector<Index> rows = embedding::herd_supports(gaussian(), Points(view(data.X)), one_group, count);
    const gramian::Matrix W = embedding::compress_to_supports(expansion(data, V), rows);
    const double error = relative(gram(gaussian(), fresh.X, rows_of(data.X, rows)) * as_eigen(W.view()), exact);
    CHECK(error < before);
    before = error;
  }
  CHECK(before < 0.05);
}

TEST(supports_are_different_rows_that_stand_for_all) {
  const dependency_data::Samples data = samples(200, 10);
  const Dense K = gram(gaussian(), data.X, data.X);
  const std::vector<Index> one_group(200, 0);
  for (const Index count : {1, 10, 50, 200}) {
    const std::vector<Index> rows = embedding::herd_supports(gaussian(), Points(view(data.X)), one_group, count);
    CHECK_EQ(static_cast<Index>(rows.size()), count);
    CHECK(std::is_sorted(rows.begin(), rows.end()));
    CHECK_EQ(std::set<Index>(rows.begin(), rows.end()).size(), rows.size());
    if (count < 200) CHECK(error_of(K, rows) < 0.6 * blind_error(K, 200 / count));
  }
}

TEST(groups_get_their_shares) {
  const dependency_data::Samples data = samples(100, 11);
  std::vector<Index> groups(100, 0);
  for (Index i = 0; i < 30; ++i) groups[static_cast<std::size_t>(3 * i)] = 1;
  groups[50] = groups[70] = 3;  // 68 of group 0, 30 of 1, none of 2, 2 of 3
  const auto counts = [&](Index count) {
    std::vector<Index> found(4, 0);
    for (const Index row : embedding::herd_supports(gaussian(), Points(view(data.X)), groups, count)) {
      ++found[static_cast<std::size_t>(groups[static_cast<std::size_t>(row)])];
    }
    return found;
  };
  CHECK(counts(3) == (std::vector<Index>{1, 1, 0, 1}));
  CHECK(counts(1) == (std::vector<Index>{1, 0, 0, 0}));
  CHECK(counts(100) == (std::vector<Index>{68, 30, 0, 2}));
  const std::vector<Index> ten = counts(10);
  CHECK(ten[0] >= 6 && ten[1] >= 2 && ten[3] == 1 && ten[0] + ten[1] == 9);
}

TEST(sparse_points_are_dense_ones) {
  dependency_data::Samples data = samples(60, 12);
  data.X = (data.X.array().abs() < 0.4).select(0.0, data.X);
  const Dense V = learned(data);
  const Sparse X(data.X);
  const std::vector<Index> groups(60, 0), rows = embedding::herd_supports(gaussian(), X.points(), groups, 12);
  CHECK(rows == embedding::herd_supports(gaussian(), Points(view(data.X)), groups, 12));
  const gramian::Matrix sparse = embedding::compress_to_supports({gaussian(), X.points(), view(V), lambda}, rows),
                        dense = embedding::compress_to_supports(expansion(data, V), rows);
  CHECK(relative(as_eigen(sparse.view()), as_eigen(dense.view())) <= 1e-6);
}

TEST(any_number_of_threads_gives_the_same_bits) {
  const dependency_data::Samples data = samples(400, 13);
  const Dense V = normal(400, 4, 14);
  const std::vector<Index> groups(400, 0);
  const auto features = random_fourier_features(gaussian(), 2, 100, 7);
  const std::vector<double> theta = features->start(0);
  std::vector<Index> rows;
  Dense first, second;
  for (const int threads : {1, 2, 7}) {
    set_num_threads(threads);
    const std::vector<Index> found = embedding::herd_supports(gaussian(), Points(view(data.X)), groups, 60);
    const gramian::Matrix W = embedding::compress_to_supports(expansion(data, V), found),
                          U = embedding::compress_to_features(expansion(data, V), *features, theta.data());
    if (threads == 1) {
      rows = found;
      first = as_eigen(W.view());
      second = as_eigen(U.view());
    }
    CHECK(found == rows && as_eigen(W.view()) == first && as_eigen(U.view()) == second);
  }
  set_num_threads(0);
}

TEST(bad_input_is_refused) {
  const dependency_data::Samples data = samples(10, 15);
  Dense V = learned(data);
  const Points X(view(data.X));
  const std::vector<Index> groups(10, 0);
  for (const Index count : {0, 11}) CHECK_THROWS(std::invalid_argument, embedding::herd_supports(gaussian(), X, groups, count));
  CHECK_THROWS(std::invalid_argument, embedding::herd_supports(gaussian(), X, {0, 1}, 1));
  CHECK_THROWS(std::invalid_argument, embedding::herd_supports(gaussian(), X, std::vector<Index>(10, -1), 1));
  CHECK_THROWS(std::invalid_argument, embedding::herd_supports(gaussian(), X, std::vector<Index>(10, 10), 1));
  CHECK_THROWS(std::invalid_argument, embedding::compress_to_supports(expansion(data, V), {}));
  CHECK_THROWS(std::invalid_argument, embedding::compress_to_supports(expansion(data, V), {10}));
  CHECK_THROWS(std::invalid_argument, embedding::compress_to_supports({gaussian(), X, view(V), 0.0}, {1}));
  const Dense less = V.topRows(9);
  CHECK_THROWS(std::invalid_argument, embedding::compress_to_supports(expansion(data, less), {1}));
  const auto features = random_fourier_features(gaussian(), 3, 4, 7);
  const std::vector<double> theta = features->start(0);
  CHECK_THROWS(std::invalid_argument, embedding::compress_to_features(expansion(data, V), *features, theta.data()));
  V(2, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS(std::invalid_argument, embedding::compress_to_supports(expansion(data, V), {1}));
}

TEST_MAIN

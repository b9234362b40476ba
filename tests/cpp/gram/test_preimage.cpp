// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/preimage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "gramian/base/parallel.hpp"
#include "gramian/linalg/gemm.hpp"
#include "isa/dispatch.hpp"
#include "support/check.hpp"
#include "support/naive.hpp"
#include "support/ridge_problem.hpp"

using namespace gramian;
using naive::normal;
using naive::Real;
using Numbers = naive::Matrix<double>;

namespace {

constexpr double gamma_ = 0.7;
const MatrixView<const double> nowhere;

/// sum_i c_i exp(-gamma |z - x_i|^2), and the same weighted with x_i.
struct Response {
  Real value = 0;
  naive::Numbers sums;
};
Response response(const naive::Numbers& z, const Numbers& X, const Numbers& weights, Index row) {
  Response out{0, naive::Numbers(z.size(), 0)};
  for (Index i = 0; i < X.view.rows(); ++i) {
    const Real term = weights.view(row, i) * std::exp(-Real(gamma_) * naive::facts_of(z, naive::point(X.view, i)).square);
    out.value += term;
    for (std::size_t k = 0; k < z.size(); ++k) out.sums[k] += term * X.view(i, static_cast<Index>(k));
  }
  return out;
}

/// The iteration as it is written, as long as it moves.
naive::Numbers naive_fixed_point(naive::Numbers z, const Numbers& X, const Numbers& weights, Index row) {
  for (int iteration = 0; iteration < 3000; ++iteration) {
    const Response at = response(z, X, weights, row);
    for (std::size_t k = 0; k < z.size(); ++k) z[k] = at.sums[k] / at.value;
  }
  return z;
}

double distance(const naive::Numbers& a, const naive::Numbers& b) {
  return static_cast<double>(std::sqrt(naive::facts_of(a, b).square));
}
naive::Numbers point(const Preimages& found, Index row) { return naive::point(found.points.view(), row); }

Numbers positive_weights(Index q, Index n, std::uint64_t seed) {
  Numbers out = normal<double>(q, n, seed);
  for (double& w : out.numbers) w = w * w;
  return out;
}

/// Least-squares weights of phi(z) for each row of Z: the images of the points span it nearly.
Numbers planted_weights(const Numbers& X, const Numbers& Z) {
  const naive::Expression kernel = naive::leaf("gaussian", {gamma_});
  const naive::Rows x = naive::points(X.view), z = naive::points(Z.view);
  naive::Rows K = naive::gram_of(kernel, x, x);
  for (std::size_t i = 0; i < K.size(); ++i) K[i][i] += 1e-9L;
  const naive::Rows w = naive::solved(K, naive::gram_of(kernel, x, z));
  Numbers out(Z.view.rows(), X.view.rows());
  for (Index q = 0; q < Z.view.rows(); ++q) {
    for (Index i = 0; i < X.view.rows(); ++i)
      out(q, i) = static_cast<double>(w[static_cast<std::size_t>(i)][static_cast<std::size_t>(q)]);
  }
  return out;
}

}  // namespace

TEST(a_single_point_is_its_own_preimage) {
  const Index n = 50;
  const auto X = normal<double>(n, 3, 1), starts = normal<double>(n, 3, 2);
  Numbers weights(n, n);
  for (Index i = 0; i < n; ++i) weights(i, i) = 0.3;
  for (const MatrixView<const double>& start : {MatrixView<const double>(starts.view), nowhere}) {
    const Preimages found = gaussian_preimages(gamma_, X.view, weights.view, start);
    for (Index i = 0; i < n; ++i) {
      CHECK(distance(point(found, i), naive::point(X.view, i)) < 1e-14);
      CHECK_EQ(found.converged[static_cast<std::size_t>(i)], 1u);
      CHECK_EQ(found.restarted[static_cast<std::size_t>(i)], 0u);
      CHECK(found.iterations[static_cast<std::size_t>(i)] <= 2);
    }
  }
}

TEST(points_that_are_close_have_their_mean) {
  const Index n = 20;
  const auto noise = normal<double>(n, 2, 3);
  Numbers X(2 * n, 2), weights(1, 2 * n);
  naive::Numbers mean(2, 0);
  for (Index i = 0; i < n; ++i) {
    weights(0, i) = 1.0 / static_cast<double>(n);
    for (Index k = 0; k < 2; ++k) {
      X(i, k) = 1e-3 * noise.view(i, k) + 5.0;
      X(n + i, k) = noise.view(i, k);  // others have no weight
      mean[static_cast<std::size_t>(k)] += X(i, k) / Real(n);
    }
  }
  const Preimages found = gaussian_preimages(gamma_, X.view, weights.view, nowhere);
  CHECK(distance(point(found, 0), mean) < 1e-7);  // up to the third order of 1e-3
  CHECK_EQ(found.converged[0], 1u);
}

TEST(planted_preimages_are_found) {
  const Index n = 120, q = 40;
  const auto X = normal<double>(n, 2, 4);
  auto Z = normal<double>(q, 2, 5), starts = normal<double>(q, 2, 6);
  for (Index i = 0; i < q; ++i) {
    for (Index k = 0; k < 2; ++k) {
      Z(i, k) *= 0.6;
      starts(i, k) = Z(i, k) + 0.2 * starts(i, k);
    }
  }
  const Numbers weights = planted_weights(X, Z);
  CHECK(*std::min_element(weights.numbers.begin(), weights.numbers.end()) < -0.01);  // of both signs
  for (const MatrixView<const double>& start : {MatrixView<const double>(starts.view), nowhere}) {
    const Preimages found = gaussian_preimages(gamma_, X.view, weights.view, start);
    for (Index i = 0; i < q; ++i) CHECK(distance(point(found, i), naive::point(Z.view, i)) < 1e-3);
  }
}

TEST(it_is_the_fixed_point_of_the_formula_and_a_maximum) {
  const Index n = 60, q = 70;
  const auto X = normal<double>(n, 3, 7), starts = normal<double>(q, 3, 8), weights = positive_weights(q, n, 9);
  const Preimages found = gaussian_preimages(gamma_, X.view, weights.view, starts.view, {3000, 1e-13});
  for (Index row = 0; row < q; ++row) {
    const naive::Numbers z = point(found, row), start = naive::point(starts.view, row);
    CHECK(distance(z, naive_fixed_point(start, X, weights, row)) < 1e-9);
    CHECK_EQ(found.converged[static_cast<std::size_t>(row)], 1u);
    const Real value = response(z, X, weights, row).value;
    CHECK(value >= response(start, X, weights, row).value);
    for (std::size_t k = 0; k < 3; ++k) {
      for (const Real by : {-1e-2L, 1e-2L}) {
        naive::Numbers beside = z;
        beside[k] += by;
        CHECK(response(beside, X, weights, row).value < value);
      }
    }
  }
}

TEST(weights_without_a_positive_one_are_turned) {
  const Index n = 30, q = 5;
  const auto X = normal<double>(n, 2, 10), weights = positive_weights(q, n, 11);
  Numbers negative(q, n);
  for (std::size_t i = 0; i < weights.numbers.size(); ++i) negative.numbers[i] = -weights.numbers[i];
  const Preimages one = gaussian_preimages(gamma_, X.view, weights.view, nowhere);
  const Preimages other = gaussian_preimages(gamma_, X.view, negative.view, nowhere);
  CHECK(std::equal(one.points.data(), one.points.data() + one.points.size(), other.points.data()));
  CHECK(other.converged == std::vector<std::uint8_t>(static_cast<std::size_t>(q), 1));
}

TEST(a_start_that_leads_nowhere_is_given_up) {
  Numbers X(3, 1), weights(4, 3), starts(4, 1);
  X(1, 0) = 3.0;
  X(2, 0) = 6.0;
  // The response around 0 is negative, the largest is around 6.
  for (Index row = 0; row < 4; ++row) {
    weights(row, 0) = -1.0;
    weights(row, 1) = 0.5;
    weights(row, 2) = 2.0;
  }
  starts(0, 0) = 0.2;   // negative
  starts(1, 0) = 1e4;   // underflows
  starts(2, 0) = 3.0;   // a smaller maximum of its own
  starts(3, 0) = 1.66;  // just below zero
  const Preimages found = gaussian_preimages(gamma_, X.view, weights.view, starts.view);
  CHECK(found.restarted == (std::vector<std::uint8_t>{1, 1, 0, 1}));
  for (const Index row : {0, 1, 3}) CHECK_NEAR(found.points(row, 0), 6.0, 1e-2);
  CHECK_NEAR(found.points(2, 0), 3.0, 0.1);
  CHECK(found.converged == std::vector<std::uint8_t>(4, 1));
  for (Index i = 0; i < 4; ++i) CHECK(response(point(found, i), X, weights, i).value > 0.4);
}

TEST(where_no_response_is_positive_it_stays_at_a_point_and_says_so) {
  Numbers X(3, 1), weights(2, 3), starts(2, 1);
  X(2, 0) = 1.0;
  weights(0, 0) = 1.0;  // with one at the same place that outweighs it
  weights(0, 1) = -2.0;
  for (const MatrixView<const double>& start : {MatrixView<const double>(starts.view), nowhere}) {
    const Preimages found = gaussian_preimages(gamma_, X.view, weights.view, start);
    CHECK(found.converged == std::vector<std::uint8_t>(2, 0));
    CHECK_EQ(found.points(0, 0), 1.0);  // the least negative
    CHECK_EQ(found.points(1, 0), 0.0);  // no weights at all
    CHECK(found.iterations == std::vector<Index>(2, 0));
  }
}

TEST(the_limit_of_iterations_holds_and_is_told) {
  const auto X = normal<double>(40, 2, 12), weights = positive_weights(3, 40, 13), starts = normal<double>(3, 2, 14);
  for (const Index limit : {1, 4}) {
    const Preimages found = gaussian_preimages(gamma_, X.view, weights.view, starts.view, {limit, 1e-14});
    CHECK(found.iterations == std::vector<Index>(3, limit));
    CHECK(found.converged == std::vector<std::uint8_t>(3, 0));
  }
  const Preimages loose = gaussian_preimages(gamma_, X.view, weights.view, starts.view, {1000, 1e-2});
  const Preimages tight = gaussian_preimages(gamma_, X.view, weights.view, starts.view, {1000, 1e-10});
  for (std::size_t i = 0; i < 3; ++i) CHECK(loose.iterations[i] < tight.iterations[i]);
}

TEST(a_row_does_not_depend_on_the_others_nor_on_threads) {
  const Index n = 300, q = 130;
  const auto X = normal<double>(n, 4, 15), starts = normal<double>(q, 4, 16), weights = normal<double>(q, n, 17);
  set_num_threads(1);
  const Preimages all = gaussian_preimages(gamma_, X.view, weights.view, starts.view);
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    const Preimages again = gaussian_preimages(gamma_, X.view, weights.view, starts.view);
    CHECK(std::equal(all.points.data(), all.points.data() + all.points.size(), again.points.data()));
    CHECK(all.iterations == again.iterations);
    CHECK(all.converged == again.converged);
    CHECK(all.restarted == again.restarted);
  }
  set_num_threads(0);
  CHECK(std::accumulate(all.restarted.begin(), all.restarted.end(), 0) > 0);
  for (const Index row : {0, 77, 129}) {
    const MatrixView<const double> c(&weights.view(row, 0), 1, n), start(&starts.view(row, 0), 1, 4);
    const Preimages alone = gaussian_preimages(gamma_, X.view, c, start);
    if (alone.converged[0] == 1) CHECK(distance(point(alone, 0), point(all, row)) < 1e-6);
    CHECK_EQ(alone.restarted[0], all.restarted[static_cast<std::size_t>(row)]);
  }
}

TEST(nearest_candidates_are_those_of_the_double_loop) {
  const Index n = 40;
  for (const Index q : {1, 300}) {
    for (const Index candidates : {1, 7, 2100}) {
      const auto weights = normal<double>(q, n, 18), cross = normal<double>(n, candidates, 19),
                 diagonal = positive_weights(candidates, 1, 20);
      for (const Index count : {Index(1), std::min<Index>(5, candidates), std::min<Index>(2100, candidates)}) {
        if (q > 1 && count > 5) continue;
        const NearestCandidates found = nearest_candidates(weights.view, cross.view, diagonal.view, count);
        CHECK_EQ(found.count, count);
        for (Index row = 0; row < q; row += 37) {
          std::vector<std::pair<Real, Index>> all;
          for (Index c = 0; c < candidates; ++c) {
            Real inner = 0;
            for (Index i = 0; i < n; ++i) inner += Real(weights.view(row, i)) * cross.view(i, c);
            all.emplace_back(diagonal.view(c, 0) - 2 * inner, c);
          }
          std::sort(all.begin(), all.end());
          for (Index k = 0; k < count; ++k) {
            CHECK_EQ(found.indices[static_cast<std::size_t>(row * count + k)], all[static_cast<std::size_t>(k)].second);
            CHECK_NEAR(found.scores(row, k), static_cast<double>(all[static_cast<std::size_t>(k)].first), 1e-12);
          }
        }
      }
    }
  }
}

// So many that they are taken in several parts, and these, for a few rows, by several threads.
TEST(parts_of_the_candidates_are_put_together) {
  const Index n = 3200, candidates = 3300, count = 4;
  const auto cross = normal<double>(n, candidates, 31), diagonal = positive_weights(candidates, 1, 32);
  for (const Index q : {2, 200}) {
    const auto weights = normal<double>(q, n, 33);
    const NearestCandidates found = nearest_candidates(weights.view, cross.view, diagonal.view, count);
    for (Index row = 0; row < q; row += 150) {
      std::vector<std::pair<double, Index>> all;
      for (Index c = 0; c < candidates; ++c) all.emplace_back(diagonal.view(c, 0), c);
      for (Index i = 0; i < n; ++i) {
        for (Index c = 0; c < candidates; ++c) {
          all[static_cast<std::size_t>(c)].first -= 2.0 * weights.view(row, i) * cross.view(i, c);
        }
      }
      std::sort(all.begin(), all.end());
      for (Index k = 0; k < count; ++k) {
        CHECK_EQ(found.indices[static_cast<std::size_t>(row * count + k)], all[static_cast<std::size_t>(k)].second);
        CHECK_NEAR(found.scores(row, k), all[static_cast<std::size_t>(k)].first, 1e-10);
      }
    }
  }
}

TEST(of_equal_candidates_the_first_is_taken) {
  const Index n = 3, candidates = 1500;
  const auto weights = normal<double>(2, n, 21);
  Numbers cross(n, candidates), diagonal(candidates, 1);
  for (Index c = 0; c < candidates; ++c) diagonal(c, 0) = c % 7 == 3 ? -1.0 : 0.0;
  const NearestCandidates found = nearest_candidates(weights.view, cross.view, diagonal.view, 300);
  for (Index k = 0; k < 300; ++k) {
    const Index expected = k < 214 ? 7 * k + 3 : (k - 214) + (k - 214 + 3) / 6;  // then those that are not 3 modulo 7
    CHECK_EQ(found.indices[static_cast<std::size_t>(k)], expected);
  }
}

// A training point among the candidates is the nearest to its own image.
TEST(the_least_score_is_that_of_a_loop) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (Index count = 1; count <= 50; ++count) {
    std::vector<double> norms(static_cast<std::size_t>(count)), inner(norms.size());
    for (std::size_t j = 0; j < norms.size(); ++j) {
      norms[j] = j % 7 == 3 ? nan : std::round(4.0 * std::sin(static_cast<double>(3 * j)));  // some are equal
      inner[j] = j % 11 == 5 ? -infinity : std::round(2.0 * std::cos(static_cast<double>(j)));
    }
    Index expected = 0;
    double least = infinity;
    for (std::size_t j = 0; j < norms.size(); ++j) {
      const double score = norms[j] - 2.0 * inner[j];
      if (score < least) least = score, expected = static_cast<Index>(j);
    }
    CHECK_EQ(isa::choice().table->dense.least_score({norms.data(), inner.data(), count, 0.0}), expected);
    std::fill(norms.begin(), norms.end(), nan);
    CHECK_EQ(isa::choice().table->dense.least_score({norms.data(), inner.data(), count, 0.0}), Index(0));
  }
}

TEST(planted_candidates_are_found_in_any_layout) {
  const Index n = 90;
  const auto X = normal<double>(n, 3, 22);
  const naive::Rows rows = naive::points(X.view), K = naive::gram_of(naive::leaf("polynomial", {2, 0.5, 1.0}), rows, rows);
  Numbers cross(n, n), diagonal(n, 1), weights(n, n);
  for (Index i = 0; i < n; ++i) {
    const Index there = (i * 37 + 11) % n;  // candidate i is point `there`
    for (Index j = 0; j < n; ++j)
      cross(i, j) = static_cast<double>(K[static_cast<std::size_t>((j * 37 + 11) % n)][static_cast<std::size_t>(i)]);
    diagonal(i, 0) = static_cast<double>(K[static_cast<std::size_t>(there)][static_cast<std::size_t>(there)]);
    weights(i, there) = 1.0;
  }
  const NearestCandidates found = nearest_candidates(weights.view, cross.view, diagonal.view);
  Numbers flipped(n, n);
  for (Index i = 0; i < n; ++i) {
    CHECK_EQ(found.indices[static_cast<std::size_t>(i)], i);
    for (Index j = 0; j < n; ++j) flipped(j, i) = cross(i, j);
  }
  CHECK(nearest_candidates(weights.view, transposed(flipped.view), diagonal.view).indices == found.indices);
  std::vector<Index> backwards = found.indices;
  std::reverse(backwards.begin(), backwards.end());
  CHECK(backwards != found.indices);
}

TEST(candidates_are_the_same_for_any_number_of_threads) {
  const auto weights = normal<double>(300, 50, 23), cross = normal<double>(50, 1300, 24),
             diagonal = positive_weights(1300, 1, 25);
  set_num_threads(1);
  const NearestCandidates one = nearest_candidates(weights.view, cross.view, diagonal.view, 3);
  for (const int threads : {2, 7}) {
    set_num_threads(threads);
    const NearestCandidates more = nearest_candidates(weights.view, cross.view, diagonal.view, 3);
    CHECK(more.indices == one.indices);
    CHECK(std::equal(one.scores.data(), one.scores.data() + one.scores.size(), more.scores.data()));
  }
  set_num_threads(0);
}

TEST(bad_input_is_refused) {
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  auto X = normal<double>(6, 2, 26), weights = normal<double>(3, 6, 27), starts = normal<double>(3, 2, 28);
  const Numbers wide(3, 7), none(0, 2), few(2, 2), cross(6, 4), diagonal(4, 1), low(3, 1);
  for (const double gamma : {0.0, -1.0, not_a_number, std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS(std::invalid_argument, gaussian_preimages(gamma, X.view, weights.view, starts.view));
  }
  CHECK_THROWS(std::invalid_argument, gaussian_preimages(1.0, X.view, wide.view, starts.view));
  CHECK_THROWS(std::invalid_argument, gaussian_preimages(1.0, none.view, weights.view, starts.view));
  CHECK_THROWS(std::invalid_argument, gaussian_preimages(1.0, X.view, weights.view, few.view));
  CHECK_THROWS(std::invalid_argument, gaussian_preimages(1.0, X.view, weights.view, starts.view, {0, 1e-8}));
  CHECK_THROWS(std::invalid_argument, gaussian_preimages(1.0, X.view, weights.view, starts.view, {5, -1.0}));
  CHECK_THROWS(std::invalid_argument, nearest_candidates(wide.view, cross.view, diagonal.view));
  CHECK_THROWS(std::invalid_argument, nearest_candidates(weights.view, cross.view, low.view));
  for (const Index count : {-1, 0, 5}) {
    CHECK_THROWS(std::invalid_argument, nearest_candidates(weights.view, cross.view, diagonal.view, count));
  }
  CHECK_EQ(gaussian_preimages(1.0, X.view, MatrixView<const double>(nullptr, 0, 6), nowhere).points.rows(), 0);
  CHECK_EQ(nearest_candidates(MatrixView<const double>(nullptr, 0, 6), cross.view, diagonal.view).scores.rows(), 0);
  weights(1, 2) = not_a_number;
  CHECK_THROWS(std::invalid_argument, gaussian_preimages(1.0, X.view, weights.view, starts.view));
  CHECK_THROWS(std::invalid_argument, nearest_candidates(weights.view, cross.view, diagonal.view));
  weights(1, 2) = 0.0;
  X(2, 1) = std::numeric_limits<double>::infinity();
  CHECK_THROWS(std::invalid_argument, gaussian_preimages(1.0, X.view, weights.view, starts.view));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
#include "models/dependency/held_out.hpp"

#include "gram/source.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace dependency_data;
namespace dependency = gramian::dependency;
using dependency::HeldOut;

TEST(the_rest_is_all_but_what_is_held_out) {
  CHECK(gramian::dependency::rows_except({4, 0}, 5) == std::vector<Index>({1, 2, 3}));
  CHECK(gramian::dependency::rows_except({}, 2) == std::vector<Index>({0, 1}));
  CHECK(gramian::dependency::rows_except({0}, 1).empty());
}

TEST(points_and_gram_matrices_are_split_alike) {
  const Matrix X = normal(9, 2, 1), K = gram(gaussian(), X, X);
  const std::vector<Index> out = {7, 2}, rest = gramian::dependency::rows_except(out, 9);
  const HeldOut points(GramSource(gaussian(), Points(view(X))), out, rest), stored(GramSource(view(K)), out, rest);
  gramian::Matrix training;
  const auto k = whole(points.training(), training);
  for (Index i = 0; i < 7; ++i) {
    for (Index j = 0; j < 7; ++j) {
      const double expected = K(rest[static_cast<std::size_t>(i)], rest[static_cast<std::size_t>(j)]);
      CHECK_EQ(stored.training().gram()(i, j), expected);
      CHECK_NEAR(k(i, j), expected, 1e-14);
    }
  }
  gramian::Scratch scratch;
  const auto cross = rows_of(points.fresh(), 0, 2, scratch);
  Matrix diagonal(2, 1);
  diagonal_of(stored.fresh(), 0, view(diagonal));
  for (Index i = 0; i < 2; ++i) {
    CHECK_NEAR(diagonal(i, 0), 1.0, 1e-15);
    for (Index j = 0; j < 7; ++j) {
      const double expected = K(out[static_cast<std::size_t>(i)], rest[static_cast<std::size_t>(j)]);
      CHECK_EQ(stored.fresh().cross()(i, j), expected);
      CHECK_NEAR(cross(i, j), expected, 1e-14);
    }
  }
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// A product of low rank in the place of scores: what it leaves out is below its bound, and the bound is not far above.
#include "models/dependency/screen.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gramian/models/dependency.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using namespace dependency_data;
using gramian::view;
using Dense = spectral::Matrix;

namespace {

constexpr Index size = 160, fresh_size = 500;

/// |score by the screen - score| over the bound: at most 1, and the largest one.
double largest_part(const dependency::View& model, const CrossSource& inputs, const CrossSource& candidates, bool& left_out) {
  const dependency::InputCoordinates coordinates(model, inputs);
  const dependency::Screen screen = dependency::make_screen(model, coordinates, inputs.rows(), candidates, 1);
  CHECK(screen.rank() > 0);
  CHECK(screen.looks <= screen.rank());
  left_out = screen.rank() < std::min(model.inputs(), candidates.rows());
  gramian::Matrix z(inputs.rows(), screen.rank() + 1);
  coordinates.project(0, screen.A.view(), z.view());
  Dense scores(inputs.rows(), candidates.rows());
  dependency::scores(model, inputs, candidates, view(scores));
  double largest = 0.0;
  for (Index i = 0; i < z.rows(); ++i) {
    for (std::size_t j = 0; j < screen.rows.size(); ++j) {
      const Index row = static_cast<Index>(j);
      double inner = 0.0, looks = 0.0;
      for (Index k = 0; k < screen.rank(); ++k) {
        inner += z(i, k) * screen.B(row, k);
        if (k < screen.looks) looks += z(i, k) * screen.first(row, k);
      }
      double beyond = 0.0;
      for (Index k = screen.looks; k < screen.rank(); ++k) beyond += z(i, k) * z(i, k);
      const double bound = 2.0 * z(i, screen.rank()) * screen.rest(row), exact = scores(i, screen.rows[j]);
      const double off = std::abs(screen.norms[j] - 2.0 * inner - exact);
      CHECK(off <= bound);
      CHECK(std::abs(screen.norms[j] - 2.0 * looks - exact) <= bound + 2.0 * std::sqrt(beyond) * screen.first(row, screen.looks));
      largest = std::max(largest, off / bound);
    }
  }
  return largest;
}

}  // namespace

TEST(what_is_left_out_is_below_its_bound) {
  const dependency_data::Samples data = samples(size, 1), fresh = samples(fresh_size, 2);
  for (const Kind kind : kinds) {
    for (const bool ranks : {false, true}) {
      const dependency::Options options = ranks ? with_ranks(with(kind), 80, 80) : with(kind);
      const dependency::Fit fit =
          dependency::fit(GramSource(gaussian(), Points(view(data.X))), GramSource(gaussian(), Points(view(data.Y))), options);
      const Dense X = rows_of(data.X, supports(fit.model.input_supports, size)),
                  Y = rows_of(data.Y, supports(fit.model.output_supports, size)), k_x = gram(gaussian(), fresh.X, X);
      const CrossSource candidates(gaussian(), Points(view(data.Y)), Points(view(Y)));
      bool by_points = false, stored = false;
      const double most =
          largest_part(fit.model, CrossSource(gaussian(), Points(view(fresh.X)), Points(view(X))), candidates, by_points);
      largest_part(fit.model, CrossSource(view(k_x)), candidates, stored);
      CHECK(by_points);
      CHECK(most > 0.01);
    }
  }
}

// The Gram matrix of a smooth kernel on a line loses half of its digits in a product with itself: the directions of what is left
// have the others.
TEST(directions_reach_beyond_half_of_the_digits) {
  const dependency_data::Samples data = samples(size, 5), fresh = samples(fresh_size, 6);
  Dense line(size, 1);
  for (Index i = 0; i < size; ++i) line(i, 0) = std::sin(data.X(i, 0));
  const Kernel smooth("gaussian", {0.5});
  const dependency::Fit fit =
      dependency::fit(GramSource(gaussian(), Points(view(data.X))), GramSource(smooth, Points(view(line))), with(Kind::identity));
  const CrossSource inputs(gaussian(), Points(view(fresh.X)), Points(view(data.X))),
      candidates(smooth, Points(view(line)), Points(view(line)));
  const dependency::View model(fit.model);
  const dependency::InputCoordinates coordinates(model, inputs);
  const dependency::Screen screen = dependency::make_screen(model, coordinates, inputs.rows(), candidates, 1);
  CHECK(screen.rank() > 0);
  bool left_out = false;
  largest_part(model, inputs, candidates, left_out);
  double largest_rest = 0.0, longest = 0.0;
  for (Index j = 0; j < screen.B.rows(); ++j) {
    double square = 0.0;
    for (Index k = 0; k < screen.rank(); ++k) square += screen.B(j, k) * screen.B(j, k);
    largest_rest = std::max(largest_rest, screen.rest(j));
    longest = std::max(longest, std::sqrt(square));
  }
  CHECK(largest_rest <= 1e-7 * longest);
}

TEST(equal_candidates_are_there_once_where_one_is_wanted) {
  const dependency_data::Samples data = samples(size, 3), fresh = samples(fresh_size, 4);
  Dense others = data.Y;
  for (Index i = 30; i < size; ++i) others.row(i) = others.row(i % 30).eval();
  const dependency::Fit fit = dependency::fit(GramSource(gaussian(), Points(view(data.X))),
                                              GramSource(gaussian(), Points(view(data.Y))), with(Kind::covariance));
  const CrossSource inputs(gaussian(), Points(view(fresh.X)), Points(view(data.X))),
      candidates(gaussian(), Points(view(others)), Points(view(data.Y)));
  const dependency::View model(fit.model);
  const dependency::InputCoordinates coordinates(model, inputs);
  const dependency::Screen one = dependency::make_screen(model, coordinates, inputs.rows(), candidates, 1),
                           two = dependency::make_screen(model, coordinates, inputs.rows(), candidates, 2);
  CHECK_EQ(one.rows.size(), 30U);
  for (std::size_t j = 0; j < one.rows.size(); ++j) CHECK_EQ(one.rows[j], static_cast<Index>(j));
  CHECK_EQ(two.rows.size(), static_cast<std::size_t>(size));
}

// Few inputs are not worth the preparation, and very many candidates not its memory.
TEST(a_screen_is_for_many_inputs) {
  const dependency_data::Samples data = samples(size, 5);
  const dependency::Fit fit = dependency::fit(GramSource(gaussian(), Points(view(data.X))),
                                              GramSource(gaussian(), Points(view(data.Y))), with(Kind::identity));
  CHECK(!dependency::worth_screening(fit.model, 100, size));
  CHECK(dependency::worth_screening(fit.model, 100000, size));
  CHECK(!dependency::worth_screening(fit.model, 100000, Index(1) << 20));
}

TEST_MAIN

// SPDX-License-Identifier: BSD-3-Clause
// Weighted sums of dense and of sparse samples.
#include "gram/weighted_rows.hpp"

#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using gramian::view;
using Dense = spectral::Matrix;

namespace {

Dense sums(const Dense& W, const Points& Y) {
  Dense out(W.rows(), Y.dimension());
  weighted_rows(view(W), Y, view(out));
  return out;
}

}  // namespace

TEST(sums_are_products) {
  Dense Y = spectral::normal(40, 7, 1);
  Y = (Y.array().abs() < 0.6).select(0.0, Y).eval();
  const Dense W = spectral::normal(25, 40, 2);
  const dependency_data::Sparse sparse(Y);
  CHECK((sums(W, Points(view(Y))) - W * Y).cwiseAbs().maxCoeff() <= 1e-13);
  CHECK((sums(W, sparse.points()) - W * Y).cwiseAbs().maxCoeff() <= 1e-13);
  CHECK(check::same_for_any_threads([&] { return sums(W, sparse.points()); }));
  const Dense row = W.row(3);
  CHECK(sums(row, sparse.points()) == Dense(sums(W, sparse.points()).row(3)));
}

TEST(shapes_that_do_not_fit) {
  const Dense Y = spectral::normal(40, 7, 3), W = spectral::normal(5, 39, 4);
  Dense out(5, 7), narrow(5, 6);
  CHECK_THROWS(std::invalid_argument, weighted_rows(view(W), Points(view(Y)), view(out)));
  const Dense fit = spectral::normal(5, 40, 5);
  CHECK_THROWS(std::invalid_argument, weighted_rows(view(fit), Points(view(Y)), view(narrow)));
}

TEST_MAIN

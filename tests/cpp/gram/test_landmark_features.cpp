// SPDX-License-Identifier: BSD-3-Clause
// Features in the coordinates of landmarks, and their normal systems, against dense algebra.
#include "gramian/gram/landmark_features.hpp"

#include <Eigen/QR>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/gram/full.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/dependency_samples.hpp"
#include "support/spectral.hpp"

using namespace gramian;
using gramian::view;
using spectral::normal;
using support::dense;
using support::relative;
using Dense = spectral::Matrix;

namespace {

const Kernel gaussian("gaussian", {0.5});

Dense gram(const Dense& X, const Dense& Y) { return support::gram(gaussian, X, Y); }

Dense features(const LandmarkFeatures& of, const Dense& X) {
  Dense out(X.rows(), of.rank());
  of.apply(Points(view(X)), view(out));
  return out;
}

/// Every third landmark repeats another one.
Dense landmarks(Index m) {
  Dense C = normal(m, 2, 7);
  for (Index i = 2; i < m; i += 3) C.row(i) = C.row(i - 1).eval();
  return C;
}

}  // namespace

TEST(their_inner_products_are_the_projected_kernel) {
  const Dense C = landmarks(30), X = normal(2000, 2, 1);
  const LandmarkFeatures of(gaussian, Points(view(C)));
  CHECK_EQ(of.rank(), 20);
  const Dense phi = features(of, X), K = gram(X, C);
  const Dense expected = K * gram(C, C).completeOrthogonalDecomposition().solve(Dense(K.topRows(50).transpose()));
  CHECK(relative(phi * phi.topRows(50).transpose(), expected) <= 1e-8);
  CHECK(relative(features(of, C) * features(of, C).transpose(), gram(C, C)) <= 1e-10);
}

TEST(normal_systems_are_those_of_the_features) {
  const Index n = 3500;
  const Dense C = landmarks(30), X = normal(n, 2, 2), Y = normal(n, 3, 3), w = normal(n, 1, 4).cwiseAbs();
  const LandmarkFeatures of(gaussian, Points(view(C)));
  const Dense phi = features(of, X);
  for (const bool weighted : {false, true}) {
    const Dense W = weighted ? w : Dense(Dense::Ones(n, 1));
    const NormalSystem found = of.system(Points(view(X)), weighted ? view(w) : MatrixView<const double>(), view(Y));
    CHECK(relative(dense(found.square), phi.transpose() * W.col(0).asDiagonal() * phi) <= 1e-11);
    CHECK(relative(dense(found.right), phi.transpose() * W.col(0).asDiagonal() * Y) <= 1e-11);
    for (Index c = 0; c < 3; ++c) {
      const double expected = (W.col(0).array() * Y.col(c).array().square()).sum();
      CHECK_NEAR(found.y_square[static_cast<std::size_t>(c)], expected, 1e-10 * expected);
    }
  }
}

TEST(rows_that_are_read_have_the_same_bits) {
  const Dense C = landmarks(30), X = normal(3500, 2, 5), Y = normal(3500, 1, 6);
  const LandmarkFeatures of(gaussian, Points(view(C)));
  const Points points(view(X));
  const StoredRows rows(points);
  const NormalSystem stored = of.system(points, {}, view(Y)), read = of.system(rows, {}, view(Y));
  CHECK(dense(stored.square) == dense(read.square));
  CHECK(dense(stored.right) == dense(read.right));
}

TEST(sparse_points) {
  Dense C = landmarks(30), X = normal(200, 2, 8);
  for (Index i = 0; i < X.rows(); i += 2) X(i, 0) = 0.0;
  const dependency_data::Sparse sparse_C(C), sparse_X(X);
  const LandmarkFeatures of(gaussian, Points(view(C))), sparse(gaussian, sparse_C.points());
  Dense found(200, sparse.rank());
  sparse.apply(sparse_X.points(), view(found));
  CHECK(relative(found, features(of, X)) <= 1e-9);
  CHECK(relative(dense(sparse.system(sparse_X.points(), {}, {}).square), found.transpose() * found) <= 1e-11);
}

TEST(any_number_of_threads) {
  const Dense C = landmarks(200), X = normal(4000, 2, 9), Y = normal(4000, 2, 10);
  CHECK(check::same_for_any_threads([&] {
    const LandmarkFeatures of(gaussian, Points(view(C)));
    const NormalSystem found = of.system(Points(view(X)), {}, view(Y));
    return std::vector<Dense>{features(of, X), dense(found.square), dense(found.right)};
  }));
}

TEST(sums_of_kernel_values_in_coordinates) {
  const Dense C = landmarks(30), X = normal(900, 2, 11), Y = normal(900, 2, 12), K = gram(X, C);
  const LandmarkFeatures of(gaussian, Points(view(C)), 1e-6);
  const Dense square = K.transpose() * K, right = K.transpose() * Y;
  NormalSystem sums{Matrix::copy_of(view(square)), Matrix::copy_of(view(right)), {1.0, 2.0}};
  const NormalSystem found = in_coordinates(of.basis(), sums), direct = of.system(Points(view(X)), {}, view(Y));
  CHECK(relative(dense(found.square), dense(direct.square)) <= 1e-6);
  CHECK(relative(dense(found.right), dense(direct.right)) <= 1e-6);
  CHECK(found.y_square == sums.y_square);
  const Dense K_mm = gram(C, C);
  CHECK_EQ(normal_tolerance(view(square), view(K_mm), 1e9), 1e-12);
  CHECK_EQ(normal_tolerance(view(square), view(K_mm), 1e-18), 1e-4);
}

TEST(what_does_not_fit_is_refused) {
  const Dense C = landmarks(9), X = normal(5, 3, 13);
  const LandmarkFeatures of(gaussian, Points(view(C)));
  Dense out(5, of.rank());
  CHECK_THROWS(std::invalid_argument, of.apply(Points(view(X)), view(out)));
  CHECK_THROWS(std::invalid_argument, of.system(Points(view(X)), {}, {}));
  CHECK_THROWS(std::invalid_argument, of.system(StoredRows(Points(view(X))), {}, {}));
  const Dense none(0, 2);
  CHECK_THROWS(std::invalid_argument, LandmarkFeatures(gaussian, Points(view(none))));
}

TEST_MAIN

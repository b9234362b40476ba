// SPDX-License-Identifier: BSD-3-Clause
// One system for several alphas, in tiles and by eigenvectors.
#include "models/kernel_ridge/exact.hpp"

#include <Eigen/Cholesky>
#include <vector>

#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using dependency_data::gaussian;
using dependency_data::gram;
using gramian::view;
using kernel_ridge::ExactSystem;
using kernel_ridge::Spectrum;
using support::relative;
using Dense = spectral::Matrix;

namespace {

/// Sizes around those of a tile.
void check_size(Index n, bool weighted) {
  const dependency_data::Samples data = dependency_data::samples(n, 3, 2);
  std::vector<double> roots;
  for (Index i = 0; weighted && i < n; ++i) roots.push_back(0.5 + 0.1 * static_cast<double>(i % 11));
  const GramSource source(gaussian(), Points(view(data.X)));
  const Dense K = gram(gaussian(), data.X, data.X);
  Dense S = Dense::Identity(n, n);
  for (Index i = 0; weighted && i < n; ++i) S(i, i) = roots[static_cast<std::size_t>(i)];
  ExactSystem points(source, roots), stored(GramSource(view(K)), roots);
  const Spectrum spectrum(source, roots, Spectrum::Signs::semidefinite);
  for (const double alpha : {1.0, 1e-2}) {
    const Dense expected = (S * K * S + alpha * Dense::Identity(n, n)).ldlt().solve(data.Y);
    Dense a = data.Y, b = data.Y, c = data.Y;
    CHECK(points.solve(alpha, view(a)));
    CHECK(stored.solve(alpha, view(b)));
    spectrum.solve(alpha, view(c));
    CHECK(relative(a, expected) <= 1e-10);
    CHECK(relative(b, expected) <= 1e-10);
    CHECK(relative(c, expected) <= 1e-9);
  }
}

}  // namespace

TEST(any_size) {
  for (const Index n : {1, 2, 47, 191, 192, 193, 400}) check_size(n, false);
}

TEST(weighted_samples) {
  for (const Index n : {5, 200}) check_size(n, true);
}

TEST(a_bad_matrix_leaves_the_right_side_and_the_next_alpha_works) {
  const dependency_data::Samples data = dependency_data::samples(250, 4, 2);
  const Dense K = gram(gaussian(), data.X, data.X) - 2.0 * Dense::Identity(250, 250);
  const std::vector<double> none;
  ExactSystem system(GramSource(view(K)), none);
  Dense B = data.Y;
  CHECK(!system.solve(0.5, view(B)));
  CHECK(B == data.Y);
  CHECK(system.solve(3.0, view(B)));
  CHECK(relative(B, (K + 3.0 * Dense::Identity(250, 250)).ldlt().solve(data.Y)) <= 1e-10);
}

TEST(eigenvectors_of_a_matrix_that_is_not_semidefinite) {
  const dependency_data::Samples data = dependency_data::samples(30, 5, 2);
  const Dense K = gram(gaussian(), data.X, data.X) - Dense::Identity(30, 30);
  const GramSource source(view(K));
  CHECK_THROWS(std::invalid_argument, Spectrum(source, {}, Spectrum::Signs::semidefinite));
  const Spectrum spectrum(source, {}, Spectrum::Signs::any);
  const Dense V = as_eigen(spectrum.vectors().view());
  const Eigen::VectorXd s = as_eigen(spectrum.values().view()).col(0);
  CHECK(relative(V * s.asDiagonal() * V.transpose(), K) <= 1e-12);
}

TEST_MAIN

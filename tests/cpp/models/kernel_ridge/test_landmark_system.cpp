// SPDX-License-Identifier: BSD-3-Clause
// The system of the landmarks in well-conditioned coordinates against its matrix.
#include "models/kernel_ridge/landmark_system.hpp"

#include "gramian/gram/landmark_system.hpp"
#include "support/check.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using dependency_data::gaussian;
using dependency_data::gram;
using gramian::view;
using System = kernel_ridge::LandmarkSystem;
using Dense = spectral::Matrix;

namespace {

const dependency_data::Samples data = dependency_data::samples(80, 1, 2);
const Dense landmarks = data.X.topRows(12), K = gram(gaussian(), data.X, landmarks),
            inner = gram(gaussian(), landmarks, landmarks);

double relative(const Dense& A, const Dense& B) { return (A - B).norm() / B.norm(); }

void pass(MatrixView<const double> V, MatrixView<const double> Y, MatrixView<double> out) {
  normal_product(gaussian(), Points(view(data.X)), Points(view(landmarks)), V, {}, Y, out);
}

}  // namespace

TEST(products_are_those_of_the_matrix) {
  const LandmarkBasis basis(view(inner));
  System system(basis, pass, 0x1p-53);
  system.set_alpha(0.3);
  const Index k = basis.rank();
  // The features of the samples in these coordinates: K T^-T at the pivots.
  Dense expand(12, k);
  const Dense identity = Dense::Identity(k, k);
  basis.expand(view(identity), view(expand));
  const Dense features = K * expand, V = spectral::normal(k, 2, 5);
  Dense out(k, 2);
  system.apply(view(V), view(out));
  CHECK(relative(out, features.transpose() * (features * V) + 0.3 * V) <= 1e-7);
  CHECK(relative(as_eigen(system.right(view(data.Y)).view()), features.transpose() * data.Y) <= 1e-7);
  CHECK_EQ(system.size(), k);
  CHECK_EQ(system.unit_roundoff(), 0x1p-53);
}

TEST(too_few_passes_are_told) {
  kernel_ridge::LandmarkProblem problem;
  problem.pass = pass;
  problem.gram = view(inner);
  problem.targets = view(data.Y);
  problem.sketch = [](Index rows) { return sketched_rows(gaussian(), Points(view(data.X)), Points(view(landmarks)), rows); };
  problem.square = data.Y.squaredNorm();
  kernel_ridge::LandmarkOptions options;
  options.alphas = {1e-6};
  options.tolerance = 1e-12;
  options.max_iterations = 1;
  const auto fit = kernel_ridge::solve_by_passes(problem, options, nullptr);
  CHECK(fit.stop_reason == SolverStop::max_iterations);
  CHECK_EQ(fit.iterations, 1);
  CHECK_EQ(fit.history.size(), 2);
  CHECK_NEAR(fit.history.front().value, problem.square, 1e-12 * problem.square);
  CHECK(fit.objective < problem.square);
}

TEST_MAIN

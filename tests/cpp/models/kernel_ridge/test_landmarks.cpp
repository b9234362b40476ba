// SPDX-License-Identifier: BSD-3-Clause
// Regressions in the span of landmarks: against the normal equations, and against the exact regression where all are landmarks.
#include <Eigen/QR>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <vector>

#include "gramian/gram/row_source.hpp"
#include "gramian/models/kernel_ridge.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using dependency_data::gram;
using gramian::view;
using kernel_ridge::fit_landmarks;
using kernel_ridge::LandmarkFit;
using kernel_ridge::LandmarkOptions;
using kernel_ridge::LandmarkSolver;
using support::relative;
using Dense = spectral::Matrix;
using Floats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

namespace {

constexpr Index n = 400, m = 60;
const dependency_data::Samples data = dependency_data::samples(n, 1, 3);
const Dense landmarks = data.X.topRows(m);
const Points X(view(data.X)), Z(view(landmarks));
const Kernel laplacian("laplacian", {1.0});  // its Gram matrices are well-conditioned

LandmarkOptions with(LandmarkSolver solver, std::vector<double> alphas = {0.1}) {
  LandmarkOptions options;
  options.solver = solver;
  options.alphas = std::move(alphas);
  options.tolerance = 1e-12;
  return options;
}

std::vector<double> some_weights() {
  std::vector<double> weights(n);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i % 4);
  return weights;
}

/// What the minimiser says of the samples: a minimiser among functions is unique, its coefficients need not be.
Dense values(const LandmarkFit& fit, const Dense& centres) {
  return gram(laplacian, data.X, centres) * as_eigen(fit.coefficients.view());
}

Dense solved(const std::vector<double>& weights, double alpha) {
  const Dense K = gram(laplacian, data.X, landmarks);
  Dense W = Dense::Identity(n, n);
  for (Index i = 0; i < n && !weights.empty(); ++i) W(i, i) = weights[static_cast<std::size_t>(i)];
  // By a QR factorization of [W^(1/2) K; alpha^(1/2) R], R a root of k(Z, Z): nothing is squared.
  const Eigen::SelfAdjointEigenSolver<Dense> eigen(gram(laplacian, landmarks, landmarks));
  Dense stacked(n + m, m), right = Dense::Zero(n + m, 3);
  const Eigen::VectorXd roots = eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  stacked << W.cwiseSqrt() * K, std::sqrt(alpha) * (roots.asDiagonal() * eigen.eigenvectors().transpose());
  right.topRows(n) = W.cwiseSqrt() * data.Y;
  return K * stacked.completeOrthogonalDecomposition().solve(right);
}

double objective(const Dense& f, const LandmarkFit& fit, const std::vector<double>& weights, double alpha) {
  double sum = 0.0;
  for (Index i = 0; i < n; ++i) {
    sum += (weights.empty() ? 1.0 : weights[static_cast<std::size_t>(i)]) * (data.Y.row(i) - f.row(i)).squaredNorm();
  }
  const Dense C = as_eigen(fit.coefficients.view());
  return sum + alpha * (C.transpose() * gram(laplacian, landmarks, landmarks) * C).trace();
}

}  // namespace

TEST(both_solvers_find_the_minimiser) {
  for (const std::vector<double>& weights : {std::vector<double>(), some_weights()}) {
    for (const double alpha : {10.0, 0.1, 1e-4}) {
      const Dense expected = solved(weights, alpha);
      for (const LandmarkSolver solver : {LandmarkSolver::direct, LandmarkSolver::conjugate_gradients}) {
        LandmarkOptions options = with(solver, {alpha});
        options.weights = weights;
        const LandmarkFit fit = fit_landmarks(laplacian, X, Z, view(data.Y), options);
        CHECK(fit.solver == solver);
        CHECK(relative(values(fit, landmarks), expected) <= 1e-6);
        CHECK_NEAR(fit.objective, objective(values(fit, landmarks), fit, weights, alpha), 1e-6 * fit.objective);
        CHECK_EQ(fit.history.back().value, fit.objective);
        CHECK_EQ(fit.residuals.size(), 3);
      }
    }
  }
}

TEST(all_samples_as_landmarks_are_the_exact_regression) {
  kernel_ridge::Options exact;
  exact.alphas = {0.1};
  const Dense expected =
      gram(laplacian, data.X, data.X) * as_eigen(kernel_ridge::fit({laplacian, X}, view(data.Y), exact).coefficients.view());
  for (const LandmarkSolver solver : {LandmarkSolver::direct, LandmarkSolver::conjugate_gradients}) {
    CHECK(relative(values(fit_landmarks(laplacian, X, X, view(data.Y), with(solver)), data.X), expected) <= 1e-8);
  }
}

TEST(repeated_landmarks_change_nothing) {
  Dense twice(2 * m, 2);
  twice << landmarks, landmarks;
  for (const LandmarkSolver solver : {LandmarkSolver::direct, LandmarkSolver::conjugate_gradients}) {
    const LandmarkFit once = fit_landmarks(laplacian, X, Z, view(data.Y), with(solver));
    const LandmarkFit fit = fit_landmarks(laplacian, X, Points(view(twice)), view(data.Y), with(solver));
    CHECK(relative(values(fit, twice), values(once, landmarks)) <= 1e-6);
  }
}

/// A kernel so smooth that the normal system has too few digits: then it is not formed.
TEST(a_smooth_kernel) {
  const Kernel smooth = dependency_data::gaussian();
  const Dense K = gram(smooth, data.X, landmarks), inner = gram(smooth, landmarks, landmarks);
  for (const double alpha : {1.0, 1e-2, 1e-4}) {
    std::vector<double> found;
    for (const LandmarkSolver solver : {LandmarkSolver::automatic, LandmarkSolver::direct}) {
      LandmarkOptions options = with(solver, {alpha});
      options.tolerance = 1e-8;
      const LandmarkFit fit = fit_landmarks(smooth, X, Z, view(data.Y), options);
      if (solver == LandmarkSolver::automatic) CHECK(fit.solver == LandmarkSolver::conjugate_gradients);
      const Dense C = as_eigen(fit.coefficients.view());
      found.push_back((data.Y - K * C).squaredNorm() + alpha * (C.transpose() * inner * C).trace());
      CHECK_NEAR(fit.objective, found.back(), 1e-4 * found.back());
    }
    CHECK(found[0] <= found[1] * (1.0 + 1e-8));
  }
  CHECK(fit_landmarks(laplacian, X, Z, view(data.Y), with(LandmarkSolver::automatic)).solver == LandmarkSolver::direct);
}

TEST(each_target_has_its_alpha) {
  for (const LandmarkSolver solver : {LandmarkSolver::direct, LandmarkSolver::conjugate_gradients}) {
    const Dense found = values(fit_landmarks(laplacian, X, Z, view(data.Y), with(solver, {0.1, 0.1, 5.0})), landmarks);
    CHECK(relative(found.leftCols(2), solved({}, 0.1).leftCols(2)) <= 1e-6);
    CHECK(relative(found.rightCols(1), solved({}, 5.0).rightCols(1)) <= 1e-6);
  }
}

TEST(rows_that_are_read_give_the_same_bits) {
  for (const LandmarkSolver solver : {LandmarkSolver::direct, LandmarkSolver::conjugate_gradients}) {
    const LandmarkFit stored = fit_landmarks(laplacian, X, Z, view(data.Y), with(solver));
    const LandmarkFit read = fit_landmarks(laplacian, StoredRows(X), Z, view(data.Y), with(solver));
    CHECK(as_eigen(read.coefficients.view()) == as_eigen(stored.coefficients.view()));
  }
}

TEST(a_normal_system_that_was_summed_up_elsewhere) {
  NormalSum sum(laplacian, Z, 3);
  sum.add(Points(view(data.X)), {}, view(data.Y));
  const LandmarkFit fit = fit_landmarks(laplacian, Z, sum.system(), {0.1});
  const LandmarkFit whole = fit_landmarks(laplacian, X, Z, view(data.Y), with(LandmarkSolver::direct));
  CHECK(as_eigen(fit.coefficients.view()) == as_eigen(whole.coefficients.view()));
}

TEST(float32_is_as_good_as_its_kernel_values) {
  const Floats rows = data.X.cast<float>(), centres = landmarks.cast<float>();
  const Points x(MatrixView<const float>(rows.data(), n, 2)), z(MatrixView<const float>(centres.data(), m, 2));
  LandmarkOptions options = with(LandmarkSolver::conjugate_gradients);
  options.tolerance = 1e-5;
  for (const LandmarkSolver solver : {LandmarkSolver::direct, LandmarkSolver::conjugate_gradients}) {
    options.solver = solver;
    CHECK(relative(values(fit_landmarks(laplacian, x, z, view(data.Y), options), landmarks), solved({}, 0.1)) <= 1e-3);
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  for (const LandmarkSolver solver : {LandmarkSolver::direct, LandmarkSolver::conjugate_gradients}) {
    CHECK(check::same_for_any_threads(
        [&] { return Dense(as_eigen(fit_landmarks(laplacian, X, Z, view(data.Y), with(solver)).coefficients.view())); }));
  }
}

TEST(what_does_not_fit_is_refused) {
  const auto refused = [](const LandmarkOptions& options, const Points& centres = Z) {
    CHECK_THROWS(std::invalid_argument, fit_landmarks(laplacian, X, centres, view(data.Y), options));
  };
  const Dense none(0, 2), wide(3, 5);
  refused({}, Points(view(none)));
  refused({}, Points(view(wide)));
  refused(with(LandmarkSolver::direct, {0.0}));
  refused(with(LandmarkSolver::direct, {1.0, 1.0}));
  LandmarkOptions options;
  options.weights = {1.0};
  refused(options);
  options = {};
  options.tolerance = -1.0;
  refused(options);
  options = {};
  options.max_iterations = -1;
  refused(options);
  NormalSum sum(laplacian, Z, 3);
  CHECK_THROWS(std::invalid_argument, fit_landmarks(laplacian, X, sum.system(), {0.1}));
}

TEST_MAIN

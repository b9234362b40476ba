// SPDX-License-Identifier: BSD-3-Clause
// Kernel PCA in the span of landmarks: against all samples, against the algebra, and from sums.
#include "gramian/models/deep_pca/landmarks.hpp"

#include <Eigen/Eigenvalues>
#include <utility>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/normal_sum.hpp"
#include "gramian/models/deep_pca/apply.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/dependency_samples.hpp"
#include "support/repeated_rows.hpp"

using namespace gramian;
using deep_pca::Fit;
using deep_pca::fit_landmarks;
using gramian::view;
using support::dense;
using support::relative;
using Dense = spectral::Matrix;

namespace {

deep_pca::Level level(Index components, double eta = 0.7) { return {Kernel("gaussian", {0.3}), components, eta}; }

Dense gram(const Dense& X, const Dense& Y) { return dependency_data::gram(level(1).kernel, X, Y); }

Dense codes(const Fit& fit, const Dense& Z, const Dense& X) {
  return dense(deep_pca::transform(fit.model, Points(view(X)), Points(view(Z))).features[0]);
}

Dense centring(Index n) { return Dense::Identity(n, n) - Dense::Constant(n, n, 1.0 / static_cast<double>(n)); }

/// Samples around few centres, of which some are landmarks, one of them twice.
struct Problem {
  Dense X = spectral::normal(150, 3, 1), Z = X.topRows(25), fresh = spectral::normal(20, 3, 2);
  Problem() { Z.row(24) = Z.row(3).eval(); }
};

}  // namespace

TEST(all_samples_for_landmarks_are_kernel_pca) {
  const Dense X = spectral::normal(60, 3, 3), fresh = spectral::normal(9, 3, 4);
  for (const bool centred : {false, true}) {
    deep_pca::Options options;
    options.centred = centred;
    const Fit exact = deep_pca::fit(PointSource(Points(view(X))), {level(4)}, options);
    const Fit found = fit_landmarks(Points(view(X)), Points(view(X)), level(4), centred);
    CHECK(relative(dense(found.model.features[0]), dense(exact.model.features[0])) <= 1e-8);
    CHECK(relative(codes(found, X, fresh), codes(exact, X, fresh)) <= 1e-8);
    for (std::size_t c = 0; c < 4; ++c) {
      CHECK_NEAR(found.model.eigenvalues[0][c], exact.model.eigenvalues[0][c], 1e-8);
      CHECK_NEAR(found.explained_variance_ratio[0][c], exact.explained_variance_ratio[0][c], 1e-9);
    }
    CHECK_NEAR(found.captured_trace[0], exact.captured_trace[0], 1e-9);
    CHECK_NEAR(found.state.energy, exact.state.energy, 1e-7);
    const Dense H = codes(exact, X, fresh);
    Dense some(9, 60), all(9, 60);
    deep_pca::weights(found.model, 1, view(H), view(some));
    deep_pca::weights(exact.model, 1, view(H), view(all));
    CHECK(relative(gram(X, X) * some.transpose(), gram(X, X) * all.transpose()) <= 1e-8);
  }
}

TEST(some_landmarks_are_the_projected_kernel) {
  const Problem p;
  for (const bool centred : {false, true}) {
    const Index n = p.X.rows(), s = 5;
    const Fit found = fit_landmarks(Points(view(p.X)), Points(view(p.Z)), level(s), centred);
    const auto projected = [&](const Dense& A, const Dense& B) {
      return Dense(gram(A, p.Z) * gram(p.Z, p.Z).completeOrthogonalDecomposition().solve(gram(p.Z, B)));
    };
    const Dense C = centred ? centring(n) : Dense(Dense::Identity(n, n)), K = C * projected(p.X, p.X) * C;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(K);
    for (Index c = 0; c < s; ++c) {
      CHECK_NEAR(found.model.eigenvalues[0][static_cast<std::size_t>(c)], eigen.eigenvalues()(n - 1 - c) / 0.7, 1e-8);
    }
    const Dense H = codes(found, p.Z, p.X);
    CHECK(relative(H.transpose() * H, Dense::Identity(s, s)) <= 1e-8);
    CHECK(relative(K * H, H * (0.7 * Eigen::Map<const Eigen::VectorXd>(found.model.eigenvalues[0].data(), s)).asDiagonal()) <=
          1e-8);
    CHECK(relative(codes(found, p.Z, p.Z), dense(found.model.features[0])) <= 1e-8);
    // Of the kernel itself, less the squared norm of the projected mean.
    const double mean = centred ? projected(p.X, p.X).sum() / 150.0 : 0.0, trace = gram(p.X, p.X).trace() - mean;
    CHECK_NEAR(found.captured_trace[0], (H.transpose() * K * H).trace() / trace, 1e-9);
  }
}

TEST(reconstructions_are_sums_over_landmarks) {
  const Problem p;
  const Fit found = fit_landmarks(Points(view(p.X)), Points(view(p.Z)), level(4), true);
  const Dense H = codes(found, p.Z, p.X), a = codes(found, p.Z, p.fresh);
  Dense weights(20, 25);
  deep_pca::weights(found.model, 1, view(a), view(weights));
  // sum_i ((C H)_i a / eta + 1 / n) phi(x_i), projected: its values at the landmarks are those of the sum over all samples.
  const Dense all = a * (centring(150) * H).transpose() / 0.7 + Dense::Constant(20, 150, 1.0 / 150.0);
  CHECK(relative(weights * gram(p.Z, p.Z), all * gram(p.X, p.Z)) <= 1e-8);
}

TEST(sums_and_rows_that_are_read) {
  const Problem p;
  const Points X(view(p.X)), Z(view(p.Z));
  for (const bool centred : {false, true}) {
    const Fit found = fit_landmarks(X, Z, level(4), centred);
    NormalSum sum(level(1).kernel, Z, 1);
    const Matrix ones = Matrix::filled(150, 1, 1.0);
    sum.add(X, {}, ones.view());
    const Fit summed = fit_landmarks({sum.system(), 150.0, 150}, Z, level(4), centred);
    CHECK(relative(codes(summed, p.Z, p.fresh), codes(found, p.Z, p.fresh)) <= 1e-5);
    CHECK_NEAR(summed.captured_trace[0], found.captured_trace[0], 1e-6);
    const StoredRows rows(X);
    const Fit read = fit_landmarks(rows, Z, level(4), centred);
    CHECK(dense(read.model.coefficients) == dense(found.model.coefficients));
    CHECK(read.captured_trace == found.captured_trace);
  }
}

TEST(weights_are_repetitions) {
  const Problem p;
  const std::vector<double> counts = repeated::counts(150);
  const Dense all = repeated::rows(view(p.X), counts);
  const MatrixView<const double> weights(counts.data(), 150, 1);
  const Points X(view(p.X)), Z(view(p.Z));
  for (const bool centred : {false, true}) {
    const Fit twice = fit_landmarks(Points(view(all)), Z, level(4), centred),
              once = fit_landmarks(X, Z, level(4), centred, weights);
    CHECK(relative(codes(once, p.Z, p.fresh), codes(twice, p.Z, p.fresh)) <= 1e-9);
    CHECK(relative(dense(once.model.coefficients), dense(twice.model.coefficients)) <= 1e-9);
    CHECK_NEAR(once.captured_trace[0], twice.captured_trace[0], 1e-10);
    for (std::size_t c = 0; c < 4; ++c) CHECK_NEAR(once.model.eigenvalues[0][c], twice.model.eigenvalues[0][c], 1e-8);
    const StoredRows rows(X);
    const Fit read = fit_landmarks(rows, Z, level(4), centred, weights);
    CHECK(dense(read.model.coefficients) == dense(once.model.coefficients));
    CHECK(read.captured_trace == once.captured_trace);
  }
}

TEST(weights_that_do_not_fit_are_refused) {
  const Problem p;
  const Points X(view(p.X)), Z(view(p.Z));
  for (const Dense& wrong : {Dense(Dense::Zero(150, 1)), Dense(Dense::Constant(150, 1, -1.0)), Dense(Dense::Ones(149, 1))}) {
    CHECK_THROWS(std::invalid_argument, fit_landmarks(X, Z, level(2), false, view(wrong)));
  }
}

TEST(any_number_of_threads) {
  const Dense X = spectral::normal(4000, 3, 5), Z = X.topRows(150);
  CHECK(check::same_for_any_threads([&] {
    const Fit found = fit_landmarks(Points(view(X)), Points(view(Z)), level(6), true);
    return std::make_pair(dense(found.model.coefficients), found.model.eigenvalues);
  }));
}

TEST(what_has_no_eigenvalue_is_zero) {
  const Dense X = spectral::normal(50, 2, 6);
  const Fit found = fit_landmarks(Points(view(X)), Points(view(X)), {Kernel("linear", {}), 4, 1.0}, false);
  CHECK(found.model.eigenvalues[0][1] > 0.0);
  CHECK_EQ(found.model.eigenvalues[0][2], 0.0);
  CHECK(dense(found.model.features[0]).rightCols(2).isZero());
  CHECK(codes(found, X, X.topRows(3)).rightCols(2).isZero());
}

TEST(sparse_points) {
  Problem p;
  for (Index i = 0; i < 150; i += 2) p.X(i, 0) = 0.0;
  p.Z = p.X.topRows(25);
  const dependency_data::Sparse X(p.X), Z(p.Z);
  const Fit sparse = fit_landmarks(X.points(), Z.points(), level(4), true);
  const Fit found = fit_landmarks(Points(view(p.X)), Points(view(p.Z)), level(4), true);
  CHECK(relative(dense(sparse.model.features[0]), dense(found.model.features[0])) <= 1e-8);
}

TEST(what_does_not_fit_is_refused) {
  const Problem p;
  const Points X(view(p.X)), Z(view(p.Z));
  CHECK_THROWS(std::invalid_argument, fit_landmarks(X, Z, level(26), false));
  CHECK_THROWS(std::invalid_argument, fit_landmarks(X, Z, level(0), false));
  CHECK_THROWS(std::invalid_argument, fit_landmarks(X, Z, level(2, 0.0), false));
  CHECK_THROWS(std::invalid_argument, fit_landmarks({NormalSystem{}, 1.0, 5}, Z, level(2), false));
}

TEST_MAIN

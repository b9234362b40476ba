// SPDX-License-Identifier: BSD-3-Clause
// Embeddings in the span of landmarks against the formula, against all samples, and from sums.
#include "gramian/models/conditional_mean/landmarks.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <vector>

#include "gramian/base/error.hpp"
#include "gramian/gram/normal_sum.hpp"
#include "gramian/models/conditional_mean/predictor.hpp"
#include "support/any_threads.hpp"
#include "support/check.hpp"
#include "support/dense.hpp"
#include "support/dependency_samples.hpp"

using namespace gramian;
using conditional_mean::fit_landmarks;
using conditional_mean::fit_sums;
using conditional_mean::LandmarkFit;
using conditional_mean::Parts;
using conditional_mean::SummedFit;
using Mean = conditional_mean::Predictor;
using dependency_data::gaussian;
using dependency_data::gram;
using gramian::view;
using support::relative;
using support::shared;
using Dense = spectral::Matrix;

namespace {

constexpr double lambda = 0.01;
const Kernel output_kernel("laplacian", {0.7});

gramian::Samples samples_of(const Dense& A) { return gramian::Samples(shared(A)); }

/// Samples, and some rows of these, one of which repeats another, as landmarks.
struct Problem {
  explicit Problem(Index n, std::uint64_t seed, Index m) : data(dependency_data::samples(n, seed)) {
    for (Index j = 0; j < m; ++j) rows.push_back((7 * j) % n);
    Z = dependency_data::rows_of(data.X, rows);
    if (m > 3 && m < n) Z.row(m - 1) = Z.row(1).eval();
    weights = spectral::normal(n, 1, seed + 9).cwiseAbs();
    weights *= static_cast<double>(n) / weights.sum();
  }
  LandmarkFit fit(bool weighted) const {
    return fit_landmarks(gaussian(), Points(view(data.X)), Points(view(Z)), weighted ? view(weights) : MatrixView<const double>(),
                         view(data.Y), {lambda});
  }
  Parts parts(bool weighted) const {
    Parts found = conditional_mean::parts_of(fit(weighted), gaussian(), samples_of(Z), samples_of(data.X), output_kernel,
                                             samples_of(data.Y));
    if (weighted) found.roots = shared(weights.cwiseSqrt());
    return found;
  }
  dependency_data::Samples data;
  std::vector<Index> rows;
  Dense Z, weights;
};

/// W K (Kᵀ W K + n lambda K_ZZ)^+ k(Z, x)
Dense naive_weights(const Problem& p, const Dense& fresh, bool weighted) {
  const Index n = p.data.X.rows();
  Dense W = Dense::Identity(n, n);
  if (weighted) W.diagonal() = p.weights;
  const Dense K = gram(gaussian(), p.data.X, p.Z);
  const Dense system = K.transpose() * W * K + static_cast<double>(n) * lambda * gram(gaussian(), p.Z, p.Z);
  return (W * K * system.completeOrthogonalDecomposition().solve(gram(gaussian(), p.Z, fresh))).transpose();
}

Dense weights_of(const Mean& mean, const Dense& X) {
  Dense out(X.rows(), mean.size());
  mean.weights(Points(view(X)), view(out));
  return out;
}

Dense predicted(const Mean& mean, const Dense& X) {
  Dense out(X.rows(), mean.outputs(Verb::predict));
  mean.apply(Verb::predict, Points(view(X)), view(out));
  return out;
}

Dense expected_values(const Mean& mean, const Dense& X, const Dense& G) {
  Dense out(X.rows(), G.cols());
  mean.expectation(Points(view(X)), view(G), view(out));
  return out;
}

Dense distances_of(const Mean& mean, const Dense& A, const Dense& B) {
  Dense out(A.rows(), 1);
  mean.distances(Points(view(A)), Points(view(B)), view(out));
  return out;
}

Dense evaluated(const Mean& mean, const Dense& X, const Dense& Y) {
  Dense out(X.rows(), Y.rows());
  mean.evaluate(Points(view(X)), Points(view(Y)), view(out));
  return out;
}

Mean exact(const Problem& p) {
  const Points X(view(p.data.X));
  const conditional_mean::Model model(GramSource(gaussian(), X), {lambda});
  return Mean(conditional_mean::parts_of(model, gaussian(), samples_of(p.data.X), output_kernel, samples_of(p.data.Y)));
}

/// The sums over samples in two parts, projected on the outputs of the landmarks.
SummedFit summed(const Problem& p, const Dense& outputs) {
  NormalSum sum(gaussian(), Points(view(p.Z)), p.data.Y.cols() + outputs.rows());
  const Index n = p.data.X.rows(), half = n / 2;
  for (const auto& [first, count] : {std::pair<Index, Index>{0, half}, {half, n - half}}) {
    const Dense X = p.data.X.middleRows(first, count), Y = p.data.Y.middleRows(first, count);
    Dense targets(count, Y.cols() + outputs.rows());
    targets << Y, gram(output_kernel, Y, outputs);
    sum.add(Points(view(X)), {}, view(targets));
  }
  return fit_sums(gaussian(), Points(view(p.Z)), output_kernel, Points(view(outputs)), sum.system(), static_cast<double>(n),
                  {lambda});
}

}  // namespace

TEST(weights_are_those_of_the_formula) {
  const Problem p(120, 1, 25);
  const Dense fresh = dependency_data::samples(40, 2).X, other = dependency_data::samples(7, 3).Y;
  for (const bool weighted : {false, true}) {
    const Mean mean(p.parts(weighted));
    CHECK_EQ(mean.parts().inputs.size(), 24);
    CHECK_EQ(mean.size(), 120);
    const Dense beta = naive_weights(p, fresh, weighted), G = spectral::normal(120, 3, 4);
    CHECK(relative(weights_of(mean, fresh), beta) <= 1e-8);
    CHECK(relative(predicted(mean, fresh), beta * p.data.Y) <= 1e-8);
    CHECK(relative(expected_values(mean, fresh, G), beta * G) <= 1e-8);
    CHECK(relative(evaluated(mean, fresh, other), beta * gram(output_kernel, p.data.Y, other)) <= 1e-8);
  }
}

TEST(all_samples_for_landmarks_are_the_embedding) {
  const Problem p(60, 5, 60);
  const Mean some(p.parts(false)), all = exact(p);
  const Dense fresh = dependency_data::samples(30, 6).X;
  CHECK(relative(weights_of(some, fresh), weights_of(all, fresh)) <= 1e-8);
  CHECK(relative(predicted(some, fresh), predicted(all, fresh)) <= 1e-8);
  const Dense a = fresh.topRows(15), b = fresh.bottomRows(15);
  CHECK(relative(distances_of(some, a, b), distances_of(all, a, b)) <= 1e-8);
}

TEST(sums_project_on_the_outputs) {
  const Problem p(150, 7, 30);
  const Dense outputs = dependency_data::rows_of(p.data.Y, p.rows);
  const SummedFit fit = summed(p, outputs);
  const Mean mean(conditional_mean::parts_of(fit, gaussian(), samples_of(p.Z), output_kernel, samples_of(outputs)));
  const Mean stored(p.parts(false));
  const Dense fresh = dependency_data::samples(40, 8).X;
  CHECK_EQ(mean.size(), 30);
  CHECK(relative(predicted(mean, fresh), predicted(stored, fresh)) <= 1e-7);
  // The embedding and its projection agree at the outputs that it was projected on.
  CHECK(relative(evaluated(mean, fresh, outputs), evaluated(stored, fresh, outputs)) <= 1e-7);
  const Dense kept = dependency_data::rows_of(outputs, fit.output_pivots);
  const Dense image = gram(output_kernel, kept, p.data.Y) * weights_of(stored, fresh).transpose();
  const Dense naive = gram(output_kernel, kept, kept).ldlt().solve(image).transpose();
  CHECK(relative(weights_of(mean, fresh), naive) <= 1e-6);
  const Dense G = spectral::normal(30, 2, 9);
  CHECK(relative(expected_values(mean, fresh, G), weights_of(mean, fresh) * G) <= 1e-10);
}

TEST(rows_that_are_read_and_any_number_of_threads) {
  const Problem p(2000, 10, 90);
  const Points X(view(p.data.X)), Z(view(p.Z));
  const auto numbers = [](const LandmarkFit& fit) {
    std::vector<double> all(fit.factor.data(), fit.factor.data() + fit.factor.size());
    all.insert(all.end(), fit.coefficients.data(), fit.coefficients.data() + fit.coefficients.size());
    return all;
  };
  const StoredRows rows(X);
  CHECK(numbers(fit_landmarks(gaussian(), rows, Z, {}, view(p.data.Y), {lambda})) == numbers(p.fit(false)));
  CHECK(check::same_for_any_threads([&] { return numbers(p.fit(true)); }));
}

TEST(sparse_inputs) {
  Problem p(100, 11, 20);
  for (Index i = 0; i < 100; i += 2) p.data.X(i, 0) = 0.0;
  p.Z = dependency_data::rows_of(p.data.X, p.rows);
  const dependency_data::Sparse X(p.data.X), Z(p.Z);
  const LandmarkFit fit = fit_landmarks(gaussian(), X.points(), Z.points(), {}, view(p.data.Y), {lambda});
  const Mean sparse(conditional_mean::parts_of(fit, gaussian(), gramian::Samples::copy_of(Z.points()),
                                               gramian::Samples::copy_of(X.points()), output_kernel, samples_of(p.data.Y)));
  const dependency_data::Sparse fresh(dependency_data::samples(9, 12).X);
  const Mean dense(p.parts(false));
  Dense found(9, 100), predictions(9, 4);
  sparse.weights(fresh.points(), view(found));
  sparse.apply(Verb::predict, fresh.points(), view(predictions));
  CHECK(relative(found, weights_of(dense, dependency_data::samples(9, 12).X)) <= 1e-8);
  CHECK(relative(predictions, predicted(dense, dependency_data::samples(9, 12).X)) <= 1e-8);
}

TEST(what_does_not_fit_is_refused) {
  const Problem p(30, 15, 8);
  const Points X(view(p.data.X)), Z(view(p.Z));
  CHECK_THROWS(std::invalid_argument, fit_landmarks(gaussian(), X, Z, {}, {}, {0.0}));
  const Dense zeros = Dense::Zero(30, 1);
  CHECK_THROWS(std::invalid_argument, fit_landmarks(gaussian(), X, Z, view(zeros), {}, {lambda}));
  const Dense outputs = dependency_data::rows_of(p.data.Y, p.rows);
  NormalSum sum(gaussian(), Z, 2);
  CHECK_THROWS(std::invalid_argument,
               fit_sums(gaussian(), Z, output_kernel, Points(view(outputs)), sum.system(), 30.0, {lambda}));
}

TEST_MAIN

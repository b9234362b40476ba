// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/weights.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/view_ops.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "models/embedding/feature_system.hpp"
#include "models/embedding/left_out.hpp"
#include "models/embedding/linear.hpp"
#include "models/embedding/objective_gram.hpp"
#include "models/embedding/options.hpp"

namespace gramian::embedding {
namespace {

constexpr Index block_rows = 4096;

/// [MCE] (5): n x n, V = D (D K D + N lambda I)^-1 D Y with D the roots of the weights.
void embed_gram(const Embedded& parts, const Kernel& kernel, const Points& X, const Criterion& criterion, Model& model) {
  const LabelledSample& sample = parts.sample;
  const Sampler sampler({X, sample.labels, sample.classes, sample.weights}, Risk::mean, {}, 0);
  const Batch& batch = sampler.whole();
  GramSystem system;
  Outcome found;
  const Point at{
      batch, criterion, sample.classes, parts.lambda, known_sensitivity(criterion, &kernel), CholeskyOptions().max_jitter};
  if (!system.evaluate(at, kernel, batch.points(), found)) refuse_lambda(parts.lambda);
  if (parts.calibrated) {
    const LeftOut left_out(batch, GramSystem::few_rows);
    model.calibration = left_out.calibration(system.left_out(batch, left_out.rows()).view());
  }
  model.form = Form::gram;
  model.predicted = found.predicted;
  model.jitter = system.jitter();
  model.sensitivity = found.alpha;
  model.complexity = found.terms.complexity;
  model.risk = found.terms.risk;
  model.accuracy = found.terms.accuracy;
  model.weights = Matrix::filled(X.size(), sample.classes, 0.0);  // of samples without weight too
  for (Index i = 0; i < batch.size(); ++i) {
    for (Index c = 0; c < sample.classes; ++c) model.weights(batch.rows[static_cast<std::size_t>(i)], c) = system.V()(i, c);
  }
}

/// As many features as samples, or more: W = Z^T V from the n x n system.
void embed_wide_features(const Embedded& parts, const Criterion& criterion, Model& model) {
  const Matrix Z = features_of(*parts.features, parts.theta, parts.sample.X);
  embed_gram(parts, Kernel("linear", {}), Points(Z.view()), criterion, model);
  Matrix W(Z.cols(), parts.sample.classes);
  gemm(1.0, transposed(Z.view()), model.weights.view(), 0.0, W.view());
  model.form = Form::features;
  model.weights = std::move(W);
}

void embed_features(const Embedded& parts, const Criterion& criterion, Model& model) {
  FeatureMap& map = *parts.features;
  if (map.outputs() >= parts.sample.X.size()) return embed_wide_features(parts, criterion, model);
  const auto features = [&](const Points& X, MatrixView<double> Z) { map.forward(parts.theta, X.float64(), Z, {}); };
  FeatureSystem system(parts.sample, map.outputs(), parts.lambda, features);
  if (parts.calibrated) model.calibration = system.calibration();
  model.form = Form::features;
  system.describe(criterion.sensitivity, criterion.epsilon, model);
}

void embed_coordinates(const Embedded& parts, const Criterion& criterion, Model& model) {
  LinearFeatures coordinates(*parts.kernel, parts.sample.X.dimension());
  const std::vector<double> theta = coordinates.start(0);
  embed_features({parts.sample, nullptr, &coordinates, theta.data(), parts.lambda, parts.calibrated}, criterion, model);
  coordinates.to_unit_vectors(theta.data(), model.weights.view());
}

/// Nystroem features Z = k(X, S) L^-T with k(S, S) = L L^T; f(x) = k(x, S) L^-T W.
void embed_landmarks(const Embedded& parts, const Points& X, const std::vector<Index>& landmarks, const Criterion& criterion,
                     Model& model) {
  const Kernel& kernel = *parts.kernel;
  const LabelledSample& sample = parts.sample;
  const PickedRows supports(X, landmarks);
  const Index m = static_cast<Index>(landmarks.size());
  Matrix L(m, m), squares(X.size(), 1);
  full(kernel, supports.points(), L.view());
  try {
    cholesky_in_place(L.view());
  } catch (const NumericalError&) {
    refuse_lambda(parts.lambda);
  }
  const auto features = [&](const Points& some, MatrixView<double> Z) {
    full(kernel, some, supports.points(), Z);
    solve_lower(L.view(), transposed(Z));
  };
  FeatureSystem system({X, sample.labels, sample.classes, sample.weights}, m, parts.lambda, features);
  if (parts.calibrated) model.calibration = system.calibration();
  diagonal(kernel, X, squares.view());
  double largest = 0.0;
  for (Index i = 0; i < X.size(); ++i) {
    if (sample.weight(i) > 0.0) largest = std::max(largest, squares(i, 0));
  }
  model.form = Form::gram;
  const double alpha = known_sensitivity(criterion, &kernel);
  system.describe(alpha > 0.0 ? alpha : std::sqrt(largest), criterion.epsilon, model);
  solve_lower_transposed(L.view(), model.weights.view());
}

}  // namespace

Matrix features_of(FeatureMap& features, const double* theta, const Points& X) {
  Matrix Z(X.size(), features.outputs());
  for (Index first = 0; first < X.size(); first += block_rows) {
    poll_stop();
    const Index rows = std::min(block_rows, X.size() - first);
    features.forward(theta, rows_of(X, first, rows).float64(), part(Z.view(), first, rows, 0, Z.cols()), {});
  }
  return Z;
}

void embed(const Embedded& given, const Options& options, Model& model) {
  Embedded parts = given;
  parts.calibrated = options.probabilities == Probabilities::calibrated;
  const Criterion criterion{options};
  const std::vector<Index>& landmarks = options.landmarks;
  if (parts.kernel == nullptr) return embed_features(parts, criterion, model);
  if (supported_by_coordinates(parts.sample, parts.kernel, parts.features, options)) {
    return embed_coordinates(parts, criterion, model);
  }
  const Matrix Z = parts.features == nullptr ? Matrix() : features_of(*parts.features, parts.theta, parts.sample.X);
  const Points X = parts.features == nullptr ? parts.sample.X : Points(Z.view());
  if (landmarks.empty()) return embed_gram(parts, *parts.kernel, X, criterion, model);
  embed_landmarks(parts, X, landmarks, criterion, model);
}

}  // namespace gramian::embedding

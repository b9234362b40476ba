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
#include "layers/feature_ridge.hpp"
#include "models/embedding/left_out.hpp"
#include "models/embedding/linear.hpp"
#include "models/embedding/objective_gram.hpp"
#include "models/embedding/options.hpp"

namespace gramian::embedding {
namespace {

constexpr Index block_rows = 4096;
constexpr Index most_left_out = 4096;
constexpr double least_left = 1e-12;  // of a row that decides its own prediction, but for rounding

/// A system that was positive definite in the search may fail here by rounding alone: with jitter, or not at all.
[[noreturn]] void fail(double lambda) {
  throw NumericalError("the system of the embedding can't be factored with lambda = " + std::to_string(lambda) +
                       ": raise lambda, or scale the data");
}

/// [MCE] Cor. 12: the sensitivity where it is known beforehand, and 0 where it is the largest among the samples.
double known_sensitivity(const Criterion& criterion, const Kernel* kernel) {
  if (criterion.sensitivity > 0.0 || kernel == nullptr) return criterion.sensitivity;
  const double square = kernel->supremum();
  return std::isfinite(square) ? std::sqrt(square) : 0.0;
}

/// [MCE] (5): n x n, V = D (D K D + N lambda I)^-1 D Y with D the roots of the weights.
void embed_gram(const Embedded& parts, const Kernel& kernel, const Points& X, const Criterion& criterion, Model& model) {
  const LabelledSample& sample = parts.sample;
  const Sampler sampler({X, sample.labels, sample.classes, sample.weights}, Risk::mean, {}, 0);
  const Batch& batch = sampler.whole();
  GramSystem system;
  Outcome found;
  const Point at{
      batch, criterion, sample.classes, parts.lambda, known_sensitivity(criterion, &kernel), CholeskyOptions().max_jitter};
  if (!system.evaluate(at, kernel, batch.points(), found)) fail(parts.lambda);
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

/// Z of some points, whatever the features are.
using Features = FunctionRef<void(const Points& X, MatrixView<double> Z)>;

/// [MCE] Alg. 2, lines 7-8: p x p, W = (Z^T D^2 Z + N lambda I)^-1 Z^T D^2 Y, in blocks of rows.
class FeatureSystem {
 public:
  FeatureSystem(const LabelledSample& sample, Index p, double lambda, Features features)
      : sampler_(sample, Risk::mean, {}, 0), features_(features), Z_(std::min(batch().size(), block_rows), p) {
    ridge_.begin(p, sample.classes);
    each_block([&](Index first, MatrixView<const double> Z) {
      ridge_.add_labels(Z, batch().roots.empty() ? nullptr : batch().roots.data() + first, batch().labels.data() + first);
      for (Index i = 0; i < Z.rows(); ++i) {
        double square = 0.0;
        for (Index j = 0; j < p; ++j) square += Z(i, j) * Z(i, j);
        largest_square_ = std::max(largest_square_, square);
      }
    });
    try {
      jitter_ = ridge_.solve(batch().total * lambda);
    } catch (const NumericalError&) {
      fail(lambda);
    }
  }

  Matrix& W() { return ridge_.W(); }

  /// Of rows that are left out one by one, with the features as they are.
  Calibration calibration() {
    const LeftOut left_out(batch(), most_left_out);
    Matrix values(static_cast<Index>(left_out.rows().size()), W().cols());
    Index done = 0;
    each_block([&](Index first, MatrixView<const double> Z) {
      const PickedRows some(Points(Z), left_out.within(first, first + Z.rows()));
      const Index count = some.points().size();
      if (count > 0) leave_out(some.points().float64(), left_out.rows().data() + done, rows_of(values.view(), done, count));
      done += count;
    });
    return left_out.calibration(values.view());
  }

  /// All but the form: what it says of the sample that it was solved for. sensitivity: 0 for the largest among the samples.
  void describe(double sensitivity, double epsilon, Model& model) {
    RiskSum sum(epsilon, W().cols());
    each_block([&](Index first, MatrixView<const double> Z) {
      Matrix P(Z.rows(), W().cols());
      gemm(1.0, Z, W().view(), 0.0, P.view());
      for (Index i = 0; i < Z.rows(); ++i) sum.add(P.view(), i, batch().label(first + i), batch().weight(first + i));
    });
    double square = 0.0;
    for (Index k = 0; k < W().size(); ++k) square += W().data()[k] * W().data()[k];
    model.sensitivity = sensitivity > 0.0 ? sensitivity : std::sqrt(largest_square_);
    model.complexity = model.sensitivity * std::sqrt(square);
    model.risk = sum.risk() / batch().total;
    model.accuracy = sum.accuracy();
    model.predicted = sum.predicted();
    model.jitter = jitter_;
    model.weights = std::move(W());
  }

 private:
  const Batch& batch() const { return sampler_.whole(); }

  /// out: their residual is that of the fit over 1 - w |L^-1 z|^2.
  void leave_out(MatrixView<const double> Z, const Index* rows, MatrixView<double> out) {
    gemm(1.0, Z, W().view(), 0.0, out);
    Matrix solved = Matrix::copy_of(Z);
    solve_lower(ridge_.factor(), transposed(solved.view()));
    for (Index i = 0; i < Z.rows(); ++i) {
      double square = 0.0;
      for (Index k = 0; k < solved.cols(); ++k) square += solved(i, k) * solved(i, k);
      const double left = std::max(1.0 - batch().weight(rows[i]) * square, least_left);
      for (Index c = 0; c < out.cols(); ++c) {
        const double y = batch().label(rows[i]) == c ? 1.0 : 0.0;
        out(i, c) = y - (y - out(i, c)) / left;
      }
    }
  }

  /// A single block is evaluated once.
  template <class Use>
  void each_block(Use use) {
    const Index n = batch().size(), p = Z_.cols();
    for (Index first = 0; first < n; first += block_rows) {
      poll_stop();
      const MatrixView<double> Z = part(Z_.view(), 0, std::min(block_rows, n - first), 0, p);
      if (n > block_rows || !filled_) features_(rows_of(batch().points(), first, Z.rows()), Z);
      filled_ = true;
      use(first, Z);
    }
  }

  Sampler sampler_;
  Features features_;
  Matrix Z_;
  bool filled_ = false;
  FeatureRidge ridge_;
  double largest_square_ = 0.0;
  double jitter_ = 0.0;
};

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
    fail(parts.lambda);
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

// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "base/view_ops.hpp"
#include "models/embedding/linear.hpp"
#include "models/embedding/options.hpp"
#include "gram/rows.hpp"

namespace gramian {
namespace {

constexpr Index block_rows = 4096;

double weight_of(const LabelledSample& sample, Index i) { return sample.weights == nullptr ? 1.0 : sample.weights[i]; }

double total_weight(const LabelledSample& sample) {
  double sum = 0.0;
  for (Index i = 0; i < sample.X.size(); ++i) sum += weight_of(sample, i);
  return sum;
}

/// A system that was positive definite in the search may fail here by rounding alone: with jitter, or not at all.
double factored(MatrixView<double> system, double lambda) {
  try {
    return cholesky_in_place(system);
  } catch (const NumericalError& error) {
    throw NumericalError("the system of the embedding can't be factored with lambda = " + std::to_string(lambda) +
                         ": raise alpha, which is lambda, or scale the data; " + error.what());
  }
}

/// [MCE] (7): -log of what is in [epsilon, 1].
double loss(double p, double epsilon) { return -std::log(std::clamp(p, epsilon, 1.0)); }

/// The classes that are the likeliest of some sample.
class Predicted {
 public:
  explicit Predicted(Index classes) : seen_(static_cast<std::size_t>(classes), false) {}

  /// value(c): of class c, for one sample.
  template <class Value>
  void add(Value value) {
    std::size_t best = 0;
    for (std::size_t c = 1; c < seen_.size(); ++c) {
      if (value(static_cast<Index>(c)) > value(static_cast<Index>(best))) best = c;
    }
    seen_[best] = true;
  }
  Index count() const { return static_cast<Index>(std::count(seen_.begin(), seen_.end(), true)); }

 private:
  std::vector<bool> seen_;
};

/// [MCE] Cor. 12: alpha is what the criterion says, or sup k(x, x)^(1/2), or the largest of the samples.
double sensitivity_of(const EmbeddingCriterion& criterion, const Kernel* kernel, double largest_square) {
  if (criterion.sensitivity > 0.0) return criterion.sensitivity;
  if (kernel != nullptr && std::isfinite(kernel->supremum())) return std::sqrt(kernel->supremum());
  return std::sqrt(std::max(0.0, largest_square));
}

double largest_entry(MatrixView<const double> column, const LabelledSample& sample) {
  double most = 0.0;
  for (Index i = 0; i < column.rows(); ++i) {
    if (weight_of(sample, i) > 0.0) most = std::max(most, column(i, 0));
  }
  return most;
}

/// [MCE] (5): n x n, V = D (D K D + N lambda I)^-1 D Y with D the roots of the weights.
class GramSystem {
 public:
  GramSystem(const LabelledSample& sample, const Kernel& kernel, const Points& X, double lambda)
      : sample_(sample), ridge_(total_weight(sample) * lambda), V_(X.size(), sample.classes) {
    const Index n = X.size();
    Matrix system(n, n);
    full(kernel, X, system.view());
    Matrix diagonal(n, 1);
    for (Index i = 0; i < n; ++i) diagonal(i, 0) = system(i, i);
    largest_square_ = largest_entry(diagonal.view(), sample);
    weigh(system);
    jitter_ = factored(system.view(), lambda);
    ridge_ += jitter_;
    cholesky_solve(system.view(), V_.view());
    for_entries(V_.view(), [&](Index i, Index c) { V_(i, c) *= root(i); });
  }

  Matrix& V() { return V_; }
  double largest_square() const { return largest_square_; }
  double jitter() const { return jitter_; }

  /// P = K V where there is weight; from the equations, without another pass over K.
  double prediction(Index i, Index c) const {
    const double w = weight_of(sample_, i);
    return (c == sample_.labels[i] ? 1.0 : 0.0) - ridge_ * V_(i, c) / w;
  }

 private:
  double root(Index i) const { return std::sqrt(weight_of(sample_, i)); }

  void weigh(Matrix& system) {
    const Index n = system.rows();
    if (sample_.weights != nullptr) for_entries(system.view(), [&](Index i, Index j) { system(i, j) *= root(i) * root(j); });
    for (Index i = 0; i < n; ++i) system(i, i) += ridge_;
    for_entries(V_.view(), [&](Index i, Index c) { V_(i, c) = c == sample_.labels[i] ? root(i) : 0.0; });
  }

  const LabelledSample& sample_;
  double ridge_;  ///< N lambda, and the jitter
  Matrix V_;
  double largest_square_ = 0.0;
  double jitter_ = 0.0;
};

void embed_gram(const EmbeddingParts& parts, const Kernel& kernel, const Points& X, const EmbeddingCriterion& criterion,
                EmbeddingModel& model) {
  const LabelledSample& sample = parts.sample;
  GramSystem system(sample, kernel, X, parts.lambda);
  double trace = 0.0, risk = 0.0;
  Predicted predicted(sample.classes);
  for (Index i = 0; i < X.size(); ++i) {
    const double w = weight_of(sample, i);
    if (w == 0.0) continue;
    risk += w * loss(system.prediction(i, sample.labels[i]), criterion.epsilon);
    for (Index c = 0; c < sample.classes; ++c) trace += system.V()(i, c) * system.prediction(i, c);
    predicted.add([&](Index c) { return system.prediction(i, c); });
  }
  model.predicted = predicted.count();
  model.form = EmbeddingForm::gram;
  model.jitter = system.jitter();
  model.sensitivity = sensitivity_of(criterion, &kernel, system.largest_square());
  model.complexity = model.sensitivity * std::sqrt(std::max(0.0, trace));
  model.risk = risk / total_weight(sample);
  model.weights = std::move(system.V());
}

/// Z of rows first .. first + Z.rows() - 1, whatever the features are.
using Features = FunctionRef<void(Index first, MatrixView<double> Z)>;

/// [MCE] Alg. 2, lines 7-8: p x p, W = (Z^T D^2 Z + N lambda I)^-1 Z^T D^2 Y, in blocks of rows.
class FeatureSystem {
 public:
  FeatureSystem(const LabelledSample& sample, Index p, double lambda, Features features)
      : sample_(sample), features_(features), W_(Matrix::filled(p, sample.classes, 0.0)) {
    Matrix system = Matrix::filled(p, p, 0.0);
    each_block([&](Index first, MatrixView<double> Z) { add(first, Z, system); });
    for (Index j = 0; j < p; ++j) system(j, j) += total_weight(sample) * lambda;
    jitter_ = factored(system.view(), lambda);
    cholesky_solve(system.view(), W_.view());
  }

  Matrix& W() { return W_; }
  double largest_square() const { return largest_square_; }
  double jitter() const { return jitter_; }

  /// Of the sample that it was solved for.
  void judge(double epsilon, EmbeddingModel& model) {
    double sum = 0.0;
    Predicted predicted(sample_.classes);
    each_block([&](Index first, MatrixView<double> Z) {
      Matrix P(Z.rows(), sample_.classes);
      gemm(1.0, Z, W_.view(), 0.0, P.view());
      for (Index i = 0; i < Z.rows(); ++i) {
        const double w = weight_of(sample_, first + i);
        if (w == 0.0) continue;
        sum += w * loss(P(i, sample_.labels[first + i]), epsilon);
        predicted.add([&](Index c) { return P(i, c); });
      }
    });
    model.risk = sum / total_weight(sample_);
    model.predicted = predicted.count();
  }

 private:
  template <class Use>
  void each_block(Use use) {
    const Index n = sample_.X.size();
    Matrix Z(std::min(n, block_rows), W_.rows());
    for (Index first = 0; first < n; first += block_rows) {
      poll_stop();
      const MatrixView<double> block = part(Z.view(), 0, std::min(block_rows, n - first), 0, W_.rows());
      features_(first, block);
      use(first, block);
    }
  }

  void add(Index first, MatrixView<double> Z, Matrix& system) {
    Matrix Y = Matrix::filled(Z.rows(), sample_.classes, 0.0);
    for (Index i = 0; i < Z.rows(); ++i) {
      const double w = weight_of(sample_, first + i), root = std::sqrt(w);
      double square = 0.0;
      for (Index j = 0; j < Z.cols(); ++j) {
        square += Z(i, j) * Z(i, j);
        Z(i, j) *= root;
      }
      if (w > 0.0) largest_square_ = std::max(largest_square_, square);
      Y(i, sample_.labels[first + i]) = root;
    }
    const MatrixView<const double> across = transposed(MatrixView<const double>(Z));
    gemm_symmetric(1.0, across, 1.0, system.view());
    gemm(1.0, across, Y.view(), 1.0, W_.view());
  }

  const LabelledSample& sample_;
  Features features_;
  Matrix W_;
  double largest_square_ = 0.0;
  double jitter_ = 0.0;
};

double norm(MatrixView<const double> W) {
  double sum = 0.0;
  for (Index i = 0; i < W.rows(); ++i) {
    for (Index c = 0; c < W.cols(); ++c) sum += W(i, c) * W(i, c);
  }
  return std::sqrt(sum);
}

void describe(FeatureSystem& system, double sensitivity, double epsilon, EmbeddingModel& model) {
  model.sensitivity = sensitivity;
  model.complexity = sensitivity * norm(system.W().view());
  model.jitter = system.jitter();
  system.judge(epsilon, model);
}

/// As many features as samples, or more: W = Z^T V from the n x n system.
void embed_wide_features(const EmbeddingParts& parts, const EmbeddingCriterion& criterion, EmbeddingModel& model) {
  const Matrix Z = features_of(*parts.features, parts.theta, parts.sample.X);
  embed_gram(parts, Kernel("linear", {}), Points(Z.view()), criterion, model);
  Matrix W(Z.cols(), parts.sample.classes);
  gemm(1.0, transposed(Z.view()), model.weights.view(), 0.0, W.view());
  model.form = EmbeddingForm::features;
  model.weights = std::move(W);
}

void embed_features(const EmbeddingParts& parts, const EmbeddingCriterion& criterion, EmbeddingModel& model) {
  FeatureMap& map = *parts.features;
  if (map.outputs() >= parts.sample.X.size()) return embed_wide_features(parts, criterion, model);
  const auto features = [&](Index first, MatrixView<double> Z) {
    map.forward(parts.theta, rows_of(parts.sample.X, first, Z.rows()).float64(), Z, {});
  };
  FeatureSystem system(parts.sample, map.outputs(), parts.lambda, features);
  model.form = EmbeddingForm::features;
  describe(system, sensitivity_of(criterion, nullptr, system.largest_square()), criterion.epsilon, model);
  model.weights = std::move(system.W());
}

void embed_coordinates(const EmbeddingParts& parts, const EmbeddingCriterion& criterion, EmbeddingModel& model) {
  LinearFeatures coordinates(*parts.kernel, parts.sample.X.dimension());
  const std::vector<double> theta = coordinates.start(0);
  embed_features({parts.sample, nullptr, &coordinates, theta.data(), parts.lambda}, criterion, model);
  coordinates.to_unit_vectors(theta.data(), model.weights.view());
}

/// Nystroem features Z = k(X, S) L^-T with k(S, S) = L L^T; f(x) = k(x, S) L^-T W.
void embed_landmarks(const EmbeddingParts& parts, const Points& X, const std::vector<Index>& landmarks,
                     const EmbeddingCriterion& criterion, EmbeddingModel& model) {
  const Kernel& kernel = *parts.kernel;
  const PickedRows supports(X, landmarks);
  const Index m = static_cast<Index>(landmarks.size());
  Matrix L(m, m);
  full(kernel, supports.points(), L.view());
  factored(L.view(), parts.lambda);
  const auto features = [&](Index first, MatrixView<double> Z) {
    full(kernel, rows_of(X, first, Z.rows()), supports.points(), Z);
    solve_lower(L.view(), transposed(Z));
  };
  FeatureSystem system(parts.sample, m, parts.lambda, features);
  model.form = EmbeddingForm::gram;
  Matrix squares(X.size(), 1);
  diagonal(kernel, X, squares.view());
  describe(system, sensitivity_of(criterion, &kernel, largest_entry(squares.view(), parts.sample)), criterion.epsilon, model);
  solve_lower_transposed(L.view(), system.W().view());
  model.weights = std::move(system.W());
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

void embed(const EmbeddingParts& parts, const EmbeddingOptions& options, EmbeddingModel& model) {
  const EmbeddingCriterion& criterion = options.criterion;
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

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/embedding/predictor.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/pool.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/expansion.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/losses/probabilities.hpp"
#include "models/embedding/linear.hpp"
#include "serving/decisions.hpp"

namespace gramian::embedding {
namespace {

constexpr Index rows_together = 4096;  // of which features are computed before the next ones

/// Images under one feature map after the other, for one thread at a time.
class FeaturePasses {
 public:
  MatrixView<const double> apply(const std::vector<FixedFeatures>& features, MatrixView<const double> X) {
    rooms_.resize(features.size());
    for (std::size_t i = 0; i < features.size(); ++i) {
      const MatrixView<double> Z = rooms_[i].take(X.rows(), features[i].outputs());
      features[i].apply(X, Z);
      X = Z;
    }
    return X;
  }

  MatrixView<double> scores(Index rows, Index cols) { return scores_.take(rows, cols); }

 private:
  std::vector<Room> rooms_;
  Room scores_;
};

void check_features(const Parts& parts) {
  for (std::size_t i = 1; i < parts.features.size(); ++i) {
    require(parts.features[i].inputs() == parts.features[i - 1].outputs(),
            "features: a map takes as many numbers as the one before it returns");
  }
  require(parts.features.empty() || !parts.kernel || parts.supports.form() == Samples::Form::dense,
          "features need supports that are dense");
  require(parts.features.empty() || !parts.kernel || parts.supports.dimension() == parts.features.front().inputs(),
          "supports must have as many features as the feature map takes");
}

void check_parts(const Parts& parts) {
  const bool by_values = parts.supports.form() == Samples::Form::count;
  require(!parts.kernel || !by_values, "a kernel needs supports");
  require(parts.kernel || by_values, "supports need a kernel");
  check_features(parts);
  const Index rows = parts.kernel || parts.features.empty() ? parts.supports.size() : parts.features.back().outputs();
  require(rows > 0, "there must be a kernel with supports, features, or a number of supports");
  require(parts.weights.rows() == rows, "weights has " + std::to_string(parts.weights.rows()) + " rows, it must have " +
                                            std::to_string(rows) + ": one for each support or feature");
  require(parts.weights.cols() > 0 && static_cast<Index>(parts.classes.size()) == parts.weights.cols(),
          "weights must have a column for each of " + std::to_string(parts.classes.size()) + " classes, it has " +
              std::to_string(parts.weights.cols()));
  if (parts.calibration) check_calibration(*parts.calibration);
}

/// Where the kernel is evaluated: the supports, or their features.
Samples seen(const Parts& parts) {
  if (parts.features.empty()) return parts.supports;
  FeaturePasses passes;
  return Samples(SharedMatrix::copy_of(passes.apply(parts.features, parts.supports.points().float64())));
}

}  // namespace

struct Predictor::State {
  explicit State(Parts own) : parts(std::move(own)) {
    check_parts(parts);
    if (parts.kernel) sum.emplace(*parts.kernel, seen(parts), parts.weights);
  }

  Parts parts;
  std::optional<KernelExpansion> sum{};
  Pool<FeaturePasses> passes{};
};

Parts parts_of(const Model& model, const Samples& training, std::vector<ClassLabel> classes,
               const std::vector<FixedFeatures>& features) {
  Parts parts{model.kernel, features, {}, SharedMatrix::copy_of(model.weights.view()), std::move(classes), model.calibration};
  if (model.kernel && model.form == Form::features) {
    parts.supports = Samples(SharedMatrix(unit_vectors(training.dimension())));
  } else if (model.kernel) {
    parts.supports = model.landmarks.empty() ? training : training.some(model.landmarks);
  }
  return parts;
}

Predictor::Predictor(Parts parts) : state_(std::make_shared<const State>(std::move(parts))) {}

const Parts& Predictor::parts() const { return state_->parts; }
const std::vector<ClassLabel>& Predictor::classes() const { return state_->parts.classes; }

bool Predictor::takes_sparse(Verb) const {
  return state_->parts.supports.form() == Samples::Form::sparse && state_->parts.features.empty();
}

Index Predictor::inputs(Verb verb) const {
  if (verb == Verb::transform || verb == Verb::inverse_transform) return 0;
  const Parts& parts = state_->parts;
  if (!parts.features.empty()) return parts.features.front().inputs();
  return parts.kernel ? parts.supports.dimension() : parts.supports.size();
}

Index Predictor::outputs(Verb verb) const {
  if (inputs(verb) == 0) return 0;
  return verb == Verb::predict ? 1 : state_->parts.weights.cols();
}

/// [MCE] (5): f(x) = Vᵀ k(x), or Wᵀ phi(x) of features.
void Predictor::decide(const Points& X, MatrixView<double> out) const {
  if (!state_->parts.features.empty()) return decide_on_features(X, out);
  if (state_->sum) return state_->sum->apply(X, out);
  require_finite(X.float64(), "X");
  gemm(1.0, X.float64(), state_->parts.weights.view(), 0.0, out);
}

void Predictor::decide_on_features(const Points& X, MatrixView<double> out) const {
  require(!X.sparse(), "X must be dense for features");
  const auto passes = state_->passes.borrow();
  for (Index first = 0; first < X.size(); first += rows_together) {
    poll_stop();
    const Index rows = std::min(rows_together, X.size() - first);
    const auto Z = passes->apply(state_->parts.features, rows_of(X.float64(), first, rows));
    const auto to = rows_of(out, first, rows);
    state_->sum ? state_->sum->apply(Points(Z), to) : gemm(1.0, Z, state_->parts.weights.view(), 0.0, to);
  }
}

void Predictor::compute(Verb verb, const Points& X, MatrixView<double> out) const {
  if (verb != Verb::predict) {
    decide(X, out);
    if (verb != Verb::predict_proba) return;
    const std::optional<Calibration>& calibration = state_->parts.calibration;
    return calibration ? calibrated_softmax(*calibration, out) : clip_normalise(out);
  }
  const auto passes = state_->passes.borrow();
  for (Index first = 0; first < X.size(); first += rows_together) {
    const Index rows = std::min(rows_together, X.size() - first);
    const auto scores = passes->scores(rows, state_->parts.weights.cols());
    decide(rows_of(X, first, rows), scores);
    first_largest(scores, rows_of(out, first, rows));
  }
}

}  // namespace gramian::embedding

// SPDX-License-Identifier: BSD-3-Clause
// Cross-validation over length scales and lambda.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/stage.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/random.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "layers/feature_ridge.hpp"
#include "models/embedding/lengths.hpp"
#include "models/embedding/linear.hpp"
#include "models/embedding/objective_gram.hpp"
#include "models/embedding/options.hpp"
#include "models/embedding/training.hpp"
#include "models/embedding/weights.hpp"

namespace gramian::embedding {
namespace {

/// The fold of each row, with about the same share of each class: rows in a random order, sorted by class, dealt out in turn.
std::vector<Index> folds_of(const LabelledSample& sample, Index count, std::uint64_t seed) {
  const Index n = sample.X.size();
  std::vector<Index> order(static_cast<std::size_t>(n)), fold(order.size());
  random_permutation(RandomStream(seed), order.data(), n);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return sample.labels[a] < sample.labels[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) fold[static_cast<std::size_t>(order[i])] = static_cast<Index>(i) % count;
  return fold;
}

/// All other folds, and this one held out.
Batch batch_of(const LabelledSample& sample, const std::vector<Index>& folds, Index fold) {
  Batch batch;
  for (const bool held_out : {false, true}) {
    for (std::size_t i = 0; i < folds.size(); ++i) {
      const Index row = static_cast<Index>(i);
      if (sample.weight(row) > 0.0 && (folds[i] == fold) == held_out) batch.rows.push_back(row);
    }
    if (!held_out) batch.training = batch.size();
  }
  batch.take(sample);
  return batch;
}

double held_out_weight(const Batch& fold) {
  double weight = 0.0;
  for (Index row = fold.training; row < fold.size(); ++row) weight += fold.weight(row);
  return weight;
}

/// What is summed over the samples of all folds.
struct Score {
  RiskSum sum;
  Index failures = 0;
  std::vector<double> folds{};  ///< the same of each fold by itself
  double value() const { return failures > 0 ? std::numeric_limits<double>::infinity() : sum.miss(); }
};

/// Predictions by systems of one kernel, for one lambda after the other.
class FoldSystem {
 public:
  FoldSystem(const LabelledSample& sample, const Kernel& kernel, const Batch& batch, bool in_coordinates, GramSystem& gram)
      : batch_(batch), classes_(sample.classes), gram_(gram) {
    if (!in_coordinates) {
      gram_.take(batch, kernel, batch.points());
      return;
    }
    LinearFeatures features(kernel, sample.X.dimension());
    Z_ = features_of(features, features.start(0).data(), batch.points());
    sums_.begin(Z_.cols(), classes_);
    sums_.add_labels(part(Z_.view(), 0, batch.training, 0, Z_.cols()), batch.roots.empty() ? nullptr : batch.roots.data(),
                     batch.labels.data());
  }

  /// Of the rows that are held out; empty where the system can't be factored.
  MatrixView<const double> predictions(double lambda) {
    const Index first = batch_.training, rows = batch_.size() - first;
    if (Z_.empty()) {
      const Point at{batch_, criterion_, classes_, lambda, 1.0, CholeskyOptions().max_jitter};
      return gram_.solve(at) ? rows_of(gram_.predictions().view(), first, rows) : MatrixView<const double>();
    }
    FeatureRidge ridge = sums_.copy();
    try {
      ridge.solve(batch_.total * lambda);
    } catch (const NumericalError&) {
      return {};
    }
    ensure_shape(P_, rows, classes_);
    gemm(1.0, rows_of(Z_.view(), first, rows), ridge.W().view(), 0.0, P_.view());
    return P_.view();
  }

 private:
  const Batch& batch_;
  const Criterion criterion_;  ///< of no effect on predictions
  Index classes_;
  GramSystem& gram_;
  Matrix Z_, P_;  ///< features of all rows, if these are few; predictions by them
  FeatureRidge sums_;
};

/// Takes the scores of all kernels and lambdas, in their order.
class Table {
 public:
  Table(Choice& choice, Index points, const std::vector<Batch>& folds)
      : choice_(choice), columns_(others + static_cast<Index>(folds.size())) {
    choice_.result.value = std::numeric_limits<double>::infinity();
    choice_.fold_losses = Matrix::filled(points, static_cast<Index>(folds.size()), std::numeric_limits<double>::quiet_NaN());
    for (const Batch& fold : folds) choice_.fold_weights.push_back(held_out_weight(fold));
  }

  /// So many were there when an earlier process was here.
  std::size_t known() const { return rows_.size(); }
  void fields(SnapshotFields& state) { state.rows("scores", rows_, columns_); }

  void add(const Kernel& kernel, double lambda, const Score& score) {
    rows_.push_back({score.value(), score.sum.accuracy(), static_cast<double>(score.failures)});
    rows_.back().insert(rows_.back().end(), score.folds.begin(), score.folds.end());
    take(kernel, lambda);
  }

  /// The next one of those that are there.
  void take(const Kernel& kernel, double lambda) {
    const auto number = static_cast<Index>(choice_.history.size());
    const std::vector<double>& row = rows_[static_cast<std::size_t>(number)];
    const double value = row[0];
    std::copy(row.begin() + others, row.end(), &choice_.fold_losses(number, 0));
    choice_.history.push_back({number, value, {value, 0.0, row[1]}, static_cast<Index>(row[2])});
    choice_.result.history.push_back({number, value, 0.0, 0.0, number + 1});
    choice_.result.iterations = choice_.result.evaluations = number + 1;
    if (value < choice_.result.value) {
      choice_.result.value = value;
      choice_.kernel = kernel;
      choice_.lambda = lambda;
    }
  }

 private:
  static constexpr Index others = 3;  // numbers of a row before those of the folds

  Choice& choice_;
  Index columns_;
  std::vector<std::vector<double>> rows_;
};

/// All lambdas of one kernel.
std::vector<Score> scores_of(const LabelledSample& sample, const Kernel& kernel, const std::vector<Batch>& folds,
                             const std::vector<double>& lambdas, bool in_coordinates) {
  std::vector<Score> scores(lambdas.size(), Score{RiskSum(sample.classes)});
  GramSystem gram;
  for (const Batch& fold : folds) {
    FoldSystem system(sample, kernel, fold, in_coordinates, gram);
    for (std::size_t l = 0; l < lambdas.size(); ++l) {
      poll_stop();
      const MatrixView<const double> P = system.predictions(lambdas[l]);
      if (P.empty()) ++scores[l].failures;
      RiskSum own(sample.classes);
      for (Index i = 0, row = fold.training; i < P.rows(); ++i, ++row) {
        scores[l].sum.add(P, i, fold.label(row), fold.weight(row));
        own.add(P, i, fold.label(row), fold.weight(row));
      }
      scores[l].folds.push_back(P.empty() ? std::numeric_limits<double>::infinity() : own.miss());
    }
  }
  return scores;
}

}  // namespace

Choice search(const LabelledSample& sample, const Kernel& kernel, const Options& options, const GridSearch& grid,
              Observer* observer) {
  const std::vector<double>& lambdas = grid.lambda_grid;
  const std::vector<Index> fold_of_row = folds_of(sample, grid.folds, options.seed);
  std::vector<Batch> folds;
  for (Index fold = 0; fold < grid.folds; ++fold) {
    Batch batch = batch_of(sample, fold_of_row, fold);
    if (batch.split() && batch.training > 0) folds.push_back(std::move(batch));
  }
  const bool in_coordinates = supported_by_coordinates(sample, &kernel, nullptr, options);
  Choice choice;
  choice.result.stop_reason = StopReason::value;
  Table table(choice, static_cast<Index>(grid.scale_grid.size() * lambdas.size()), folds);
  Stage stage(observer, [&](SnapshotFields& state) { table.fields(state); }, [](SnapshotFields&) {});
  std::size_t known = stage.has_ended() || stage.resumes() ? table.known() : 0;
  bool more = true;
  for (std::size_t f = 0; f < grid.scale_grid.size() && more; ++f) {
    const Kernel scaled = with_scaled_lengths(kernel, grid.scale_grid[f]);
    std::size_t l = 0;
    for (; l < lambdas.size() && known > 0; ++l, --known) table.take(scaled, lambdas[l]);
    if (l == lambdas.size()) continue;
    const std::vector<Score> scores = scores_of(sample, scaled, folds, lambdas, in_coordinates);
    for (; l < lambdas.size() && more; ++l) {
      table.add(scaled, lambdas[l], scores[l]);
      more = observer == nullptr || observer->observe(choice.result.history.back(), nullptr);
      if (more) stage.keep(choice.result.iterations);
    }
  }
  if (!more) choice.result.stop_reason = StopReason::observer;
  more ? stage.end() : stage.stop();
  if (choice.kernel) return choice;
  throw NumericalError("no system of the grid can be factored: give a larger lambda_grid, or scale the data");
}

}  // namespace gramian::embedding

// SPDX-License-Identifier: BSD-3-Clause
// Classifiers from multiclass conditional embeddings that learn their own kernel, [MCE].
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/losses/calibration.hpp"
#include "gramian/models/embedding/objective.hpp"
#include "gramian/optim/lbfgs.hpp"
#include "gramian/optim/result.hpp"
#include "gramian/optim/stochastic.hpp"

namespace gramian::embedding {

/// Adam with patience, on estimates from batches of samples.
struct Adam : AdamOptions {
  Adam() {
    max_iterations = 300;
    step = 0.1;
    gradient_tolerance = 0.0;
    patience = Patience{1e-5, 30, 20};
  }

  Index batch_size = 0;  ///< 0: all samples

  /// For callers who choose none, where a search draws: above a thousand samples batches of a thousand. By experiment: larger
  /// ones cost their cube, smaller ones leave too few samples to the embedding.
  static Index automatic_batch(Index samples) { return samples > 1000 ? 1000 : 0; }

  template <class Visit>
  static void fields(Visit visit) {
    AdamOptions::fields(visit);
    visit("batch_size", &Adam::batch_size);
  }
};

/// L-BFGS, of the whole objective.
struct Lbfgs : LbfgsOptions {
  Lbfgs() {
    max_iterations = 300;
    gradient_tolerance = 0.0;
    value_tolerance = 1e-5;
  }
};

/// The optimisers that a search may use.
using Solver = std::variant<Adam, Lbfgs>;

/// [MCE] (13): risk of a part of each batch that the embedding has not seen, the split redrawn every step; one fixed split for
/// L-BFGS. Defaults are by experiments on small public and synthetic sets: a share of the order of a tenth leaves most samples to
/// the embedding, and a multiplier below 1 does better than 0 and than 4e. Where batches are drawn lambda is that of all samples:
/// what is learned on b of n samples is multiplied by b / n, so that N lambda stays what it was in the search.
struct ValidationSearch {
  double fraction = 0.2;  ///< that is held out, in (0, 1)
  double tau = 0.3;       ///< of the complexity
  Solver solver;

  template <class Visit>
  static void fields(Visit visit) {
    visit("fraction", &ValidationSearch::fraction);
    visit("tau", &ValidationSearch::tau);
    visit("solver", &ValidationSearch::solver);
  }
};

/// [MCE] Alg. 1: risk of the same samples, and the complexity bound against overfitting.
struct RiskSearch {
  double tau = 4 * 2.718281828459045;  ///< 0: only the empirical risk
  Solver solver;

  template <class Visit>
  static void fields(Visit visit) {
    visit("tau", &RiskSearch::tau);
    visit("solver", &RiskSearch::solver);
  }
};

/// Factors of the length scales, and lambda, by k folds.
struct GridSearch {
  double tau = RiskSearch().tau;  ///< of the objective that is reported
  Index folds = 5;
  std::vector<double> lambda_grid = {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0};
  std::vector<double> scale_grid = {1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 1.0, 2.0, 4.0, 8.0, 16.0};

  template <class Visit>
  static void fields(Visit visit) {
    visit("tau", &GridSearch::tau);
    visit("folds", &GridSearch::folds);
    visit("lambda_grid", &GridSearch::lambda_grid);
    visit("scale_grid", &GridSearch::scale_grid);
  }
};

/// Length scales from the median distance; lambda as given.
struct MedianLengths {
  double tau = RiskSearch().tau;  ///< of the objective that is reported

  template <class Visit>
  static void fields(Visit visit) {
    visit("tau", &MedianLengths::tau);
  }
};

/// Kernel and lambda as given.
struct AsGiven {
  double tau = RiskSearch().tau;  ///< of the objective that is reported

  template <class Visit>
  static void fields(Visit visit) {
    visit("tau", &AsGiven::tau);
  }
};

/// The ways to learn the kernel and lambda.
using Learning = std::variant<ValidationSearch, RiskSearch, GridSearch, MedianLengths, AsGiven>;

/// How probabilities are made of f(x).
enum class Probabilities {
  calibrated,  ///< p = (1 - u) softmax(b f) + u / m, with b learned from leave-one-out values of f
  clip         ///< clipped at 0 and normalised, [MCE] (6)
};

/// A sensitivity of 0 is 1 in a search of features that nothing bounds, neither they themselves nor a kernel on top; the model's
/// complexity is that of the samples' own all the same.
struct Options : RiskOptions {
  Learning learning;
  double lambda = 1e-2;          ///< the first one; [MCE] starts at 1, where the search may rest on a plateau for long
  std::vector<Index> landmarks;  ///< rows that support explicit features of the learned kernel; empty: all samples, exactly
  bool keep_samples = false;     ///< that they support a linear kernel too, of which there are fewer coordinates
  Probabilities probabilities = Probabilities::calibrated;
  std::uint64_t seed = 0;
  std::uint64_t memory_budget = 0;  ///< bytes of a system, beside the limit of memory; 0: only that limit

  template <class Visit>
  static void fields(Visit visit) {
    visit("learning", &Options::learning);
    visit("risk", &Options::risk);
    visit("epsilon", &Options::epsilon);
    visit("sensitivity", &Options::sensitivity);
    visit("lambda_", &Options::lambda);
    visit("landmarks", &Options::landmarks);
    visit("keep_samples", &Options::keep_samples);
    visit("probabilities", &Options::probabilities);
    visit("seed", &Options::seed);
    visit("memory_budget", &Options::memory_budget);
  }
};

/// One iteration as it is kept for a history.
struct Step {
  Index number = 0;
  double value = 0.0;
  Terms terms;
  Index failures = 0;  ///< evaluations without a value in this step, which shortened it
};

/// A trained classifier; the rows of the training input that support it stay with the caller.
struct Model {
  std::optional<Kernel> kernel;  ///< none: linear, on features; in the form features unit vectors support it, not samples
  double lambda = 0.0;
  std::vector<double> theta;  ///< of the features
  Form form = Form::gram;
  Matrix weights;                          ///< V: n x m (form gram; m x classes rows of landmarks), or W: p x m
  std::vector<Index> landmarks;            ///< rows that support the kernel; empty: all of them
  std::optional<Calibration> calibration;  ///< none: probabilities are those of clip_normalise()
  double complexity = 0.0;                 ///< r of the training sample
  double risk = 0.0;                       ///< mean loss of the training sample
  double sensitivity = 0.0;                ///< alpha
  double jitter = 0.0;                     ///< the number that was added to the diagonal of the system; 0 as a rule
  double accuracy = 0.0;                   ///< share of the training sample, by its weights, that is predicted as it is labelled
  Index predicted = 0;  ///< the number of classes that are predicted for training samples: 1 for a constant classifier
};

/// The result of fit().
struct Fit {
  Model model;
  OptimResult result;
  std::vector<Step> history;  ///< where nothing was searched one entry, of what was found
  double objective = 0.0;     ///< the objective over all samples, none of them held out
  /// Of a grid, a row for each of its points, scale by scale: the mean of |e_y - f(x)|^2 over each held-out part; infinity where
  /// its system can't be factored, NaN where the observer ended the search before.
  Matrix fold_losses;
  std::vector<double> fold_weights;  ///< the weight of each part
};

/// Where learning starts without a kernel and features: 1 times a Gaussian with a length for each feature, sqrt(d) times its
/// deviation in the sample (1 where it is constant): about the typical distance, whatever the units. Sparse points: one length.
GRAMIAN_API Kernel initial_kernel(const LabelledSample& sample);

/// Learns kernel, features and lambda, then embeds all samples. kernel and features as for TrainingObjective, or both null for
/// initial_kernel(). theta: where the features start, empty: at their own start. The observer of a grid sees null for x. Throws
/// std::invalid_argument for options that contradict each other or an argument out of its range, MemoryLimitError (the message
/// says which option helps), NumericalError if nothing can be factored at the start.
GRAMIAN_API Fit fit(const LabelledSample& sample, const Kernel* kernel, FeatureMap* features, const Options& options = {},
                    const std::vector<double>& theta = {}, Observer* observer = nullptr);

/// How much likelier the second of two classes is, for each row of f(x): the difference of the probabilities of clip_normalise().
/// Both may be clipped and one of them be predicted all the same: then the smallest positive number, or 0. out is q x 1.
GRAMIAN_API void margin(MatrixView<const double> decision, MatrixView<double> out);

/// How the entropy of a prediction is computed.
enum class EntropyMethod {
  clip,     ///< of the clip-normalised probabilities, [MCE] (33)
  expected  ///< the embedding's own expectation of -log p, [MCE] (37)
};
/// For each row of `decision`, f(x): out is X.size() x 1.
GRAMIAN_API void entropy(MatrixView<const double> decision, EntropyMethod method, MatrixView<double> out);

/// [MCE] (11): as it is printed, mean loss + 4e r + sqrt(8 / n log(2 / delta)), for delta in (0, 1).
GRAMIAN_API double risk_bound(const Model& model, Index n, double delta);

}  // namespace gramian::embedding

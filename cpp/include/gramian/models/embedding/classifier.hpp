// SPDX-License-Identifier: BSD-3-Clause
// Classifiers from multiclass conditional embeddings that learn their own kernel, [MCE].
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/models/embedding/objective.hpp"
#include "gramian/optim/result.hpp"

namespace gramian {

enum class EmbeddingLearning {
  validation,        ///< [MCE] (13): risk of a part of each batch that the embedding has not seen, the split redrawn every step
  rademacher,        ///< [MCE] Alg. 1: risk of the same samples, and the complexity bound against overfitting
  erm,               ///< the same without the bound
  cross_validation,  ///< factors of the length scales, and lambda, from a grid by k folds
  median,            ///< length scales from the median distance; lambda as given
  none               ///< kernel and lambda as given
};
enum class EmbeddingSolver { adam, lbfgs };  ///< lbfgs: of the whole objective alone, validation then has one fixed split

struct EmbeddingOptions {
  EmbeddingLearning learning = EmbeddingLearning::validation;
  /// Its tau is not read: the one below is. A sensitivity of 0 is 1 in a search of features that nothing bounds, neither they
  /// themselves nor a kernel on top; the model's complexity is that of the samples' own all the same.
  EmbeddingCriterion criterion;
  std::optional<double> tau;  ///< of the complexity; none: 4e for rademacher, 1 for validation. erm has none of it
  EmbeddingBatches batches;   ///< a validation_fraction of 0 is 0.2 with validation; the others have no use for one
  EmbeddingSolver solver = EmbeddingSolver::adam;
  double learning_rate = 0.1;
  Index max_iterations = 300;
  /// Relative, of the objective (its running mean, for estimates), over `patience` iterations; 0: never.
  double tolerance = 1e-5;
  Index patience = 30;
  Index average = 20;               ///< of estimates: the mean of so many last points is what has been learned
  double lambda = 1e-2;             ///< the first one; [MCE] starts at 1, where the search may rest on a plateau for long
  Index folds = 5;                  ///< of cross_validation
  std::vector<double> lambda_grid;  ///< of cross_validation; empty: 10^-5 .. 1
  std::vector<double> scale_grid;   ///< factors of the length scales; empty: 2^-4 .. 2^4
  std::vector<Index> landmarks;     ///< rows that support explicit features of the learned kernel; empty: all samples, exactly
  bool keep_samples = false;        ///< that they support a linear kernel too, of which there are fewer coordinates
  std::uint64_t seed = 0;
  std::uint64_t memory_budget = std::uint64_t(1) << 31;  ///< beyond which an exact fit asks for landmarks or features
};

/// One iteration as it is kept for a history.
struct EmbeddingStep {
  Index number = 0;
  double value = 0.0;
  EmbeddingTerms terms;
  Index failures = 0;  ///< evaluations without a value in this step, which shortened it
};

/// A trained classifier; the rows of the training input that support it stay with the caller.
struct EmbeddingModel {
  std::optional<Kernel> kernel;  ///< none: linear, on features; in the form features unit vectors support it, not samples
  double lambda = 0.0;
  std::vector<double> theta;  ///< of the features
  EmbeddingForm form = EmbeddingForm::gram;
  Matrix weights;                ///< V: n x m (form gram; m x classes rows of landmarks), or W: p x m
  std::vector<Index> landmarks;  ///< rows that support the kernel; empty: all of them
  double complexity = 0.0;       ///< r of the training sample
  double risk = 0.0;             ///< mean loss of the training sample
  double sensitivity = 0.0;      ///< alpha
  double jitter = 0.0;           ///< what had to be added to the diagonal of the system; 0 as a rule
  Index predicted = 0;           ///< so many classes are the likeliest of some training sample: 1 of a constant classifier
};

struct EmbeddingFit {
  EmbeddingModel model;
  OptimResult result;
  std::vector<EmbeddingStep> history;
  double objective = 0.0;  ///< what is minimised, over all samples, none of them held out
};

/// Where learning starts without a kernel and features: 1 times a Gaussian with a length for each feature, sqrt(d) times its
/// deviation in the sample (1 where it is constant): about the typical distance, whatever the units. Sparse points: one length.
GRAMIAN_API Kernel embedding_kernel(const LabelledSample& sample);

/// Learns kernel, features and lambda, then embeds all samples. kernel and features as for EmbeddingObjective, or both null for
/// embedding_kernel(). theta: where the features start, null: their own start. The observer of a grid sees null for x. Throws
/// std::invalid_argument for options that contradict each other or an argument out of its range, MemoryLimitError (the message
/// says which option helps), NumericalError if nothing can be factored at the start.
GRAMIAN_API EmbeddingFit fit_embedding(const LabelledSample& sample, const Kernel* kernel, FeatureMap* features,
                                       const EmbeddingOptions& options = {}, const double* theta = nullptr,
                                       Observer* observer = nullptr);

/// f(x), [MCE] (5), for each row of X: out is X.size() x m. supports: the training rows that the model needs (all of them, or
/// its landmarks; none for features, nor for a linear kernel in that form). In blocks: memory does not grow with X.
GRAMIAN_API void embedding_decision(const EmbeddingModel& model, FeatureMap* features, const Points& supports, const Points& X,
                                    MatrixView<double> out);

/// How much likelier the second of two classes is, for each row of f(x): the difference of the probabilities of clip_normalise().
/// Both may be clipped and one of them be predicted all the same: then the smallest positive number, or 0. out is q x 1.
GRAMIAN_API void embedding_margin(MatrixView<const double> decision, MatrixView<double> out);

enum class EntropyMethod {
  clip,     ///< of the clip-normalised probabilities, [MCE] (33)
  expected  ///< the embedding's own expectation of -log p, [MCE] (37)
};
/// For each row of `decision`, f(x): out is X.size() x 1.
GRAMIAN_API void embedding_entropy(MatrixView<const double> decision, EntropyMethod method, MatrixView<double> out);

/// [MCE] (11): as it is printed, mean loss + 4e r + sqrt(8 / n log(2 / delta)), for delta in (0, 1).
GRAMIAN_API double embedding_risk_bound(const EmbeddingModel& model, Index n, double delta);

}  // namespace gramian

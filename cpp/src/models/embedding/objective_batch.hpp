// SPDX-License-Identifier: BSD-3-Clause
// Which samples an evaluation of the objective sees, and what each of them counts.
#pragma once

#include <vector>

#include "gram/rows.hpp"
#include "gramian/models/embedding/objective.hpp"

namespace gramian::embedding {

/// Some of the samples: first those that the embedding is made of, then those that are held out for the risk, if there are any.
class Batch {
 public:
  std::vector<Index> rows;      ///< of the samples
  std::vector<Index> labels;    ///< of these rows, as all that follows
  std::vector<double> weights;  ///< greater than 0
  std::vector<double> roots;    ///< of the weights; empty if these are all 1
  Index training = 0;           ///< rows that the embedding is made of
  double total = 0.0;           ///< the sum of their weights
  double risk_factor = 1.0;     ///< of the sum of weighted losses

  Index size() const { return static_cast<Index>(rows.size()); }
  bool split() const { return training < size(); }
  Index risk_first() const { return split() ? training : 0; }
  Index label(Index i) const { return labels[static_cast<std::size_t>(i)]; }
  double weight(Index i) const { return weights[static_cast<std::size_t>(i)]; }
  double root(Index i) const { return roots.empty() ? 1.0 : roots[static_cast<std::size_t>(i)]; }

  /// Takes what belongs to `rows` out of the sample.
  void take(const LabelledSample& sample);
  const Points& points() const { return copied_ ? some_.points() : all_; }

 private:
  Points all_ = MatrixView<const double>();
  bool copied_ = false;  ///< unless they are all of them, in their order
  PickedRows some_;
};

/// Throws std::invalid_argument for points, labels or weights that are none.
void check_sample(const LabelledSample& sample);
/// The same for features that do not fit the points.
void check_features(const FeatureMap& features, const Points& X);

/// Draws batches. Samples that count 0 are never in one.
class Sampler {
 public:
  /// Throws std::invalid_argument for a sample or options that are wrong.
  Sampler(const LabelledSample& sample, Risk risk, const Batches& batches, std::uint64_t seed);

  Index classes() const { return sample_.classes; }
  /// All samples, in one split.
  const Batch& whole() const { return whole_; }
  /// A function of the arguments alone, valid until the next draw.
  const Batch& draw(std::uint64_t seed, std::uint64_t step);

 private:
  Index samples() const { return static_cast<Index>(kept_.size()); }
  void fill(Batch& batch, Index size, std::uint64_t seed, std::uint64_t step);

  LabelledSample sample_;
  Risk risk_;
  Batches batches_;
  std::vector<Index> kept_;  // rows whose weight is greater than 0
  std::vector<Index> swaps_;
  double total_ = 0.0;
  Batch whole_, drawn_;
};

}  // namespace gramian::embedding

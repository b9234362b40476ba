// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/objective_batch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "gram/sparse_rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/random.hpp"
#include "gramian/base/finite.hpp"

namespace gramian::embedding {
namespace {

/// The stream of the split of all samples: no step has this number.
constexpr std::uint64_t whole_step = std::numeric_limits<std::uint64_t>::max();

[[noreturn]] void refuse_label(const LabelledSample& sample, Index row) {
  throw std::invalid_argument("the label in row " + std::to_string(row) + " is " + std::to_string(sample.labels[row]) +
                              ", it must be between 0 and " + std::to_string(sample.classes - 1));
}
[[noreturn]] void refuse_weight(Index row) {
  throw std::invalid_argument("the weight in row " + std::to_string(row) + " must be a finite number, 0 or greater");
}

void require_batches(const Batches& batches, Index samples) {
  require(batches.batch_size >= 0, "batch_size must be 0, for all samples, or greater");
  require(batches.validation_fraction >= 0.0 && batches.validation_fraction < 1.0,
          "validation_fraction must be in [0, 1), and 0 for none");
  require(batches.validation_fraction == 0.0 || (samples > 1 && batches.batch_size != 1),
          "a validation_fraction needs at least 2 samples, in each batch too");
}

}  // namespace

void check_sample(const LabelledSample& sample) {
  const Index n = sample.X.size();
  require(sample.X.scalar() == Scalar::float64, "X is float32: the objective is computed in float64, convert it first");
  require(n > 0, "there are no samples");
  require(sample.labels != nullptr && sample.classes > 0, "labels and the number of classes are needed");
  double total = 0.0;
  for (Index i = 0; i < n; ++i) {
    if (sample.labels[i] < 0 || sample.labels[i] >= sample.classes) refuse_label(sample, i);
    if (!(std::isfinite(sample.weight(i)) && sample.weight(i) >= 0.0)) refuse_weight(i);
    total += sample.weight(i);
  }
  require(std::isfinite(total), "the sum of the weights overflows");
  require(total > 0.0, "the weights are all 0: no sample is left");
  if (sample.X.sparse()) return check_sparse(sample.X.sparse64(), "X");
  require(all_finite(sample.X.float64()), "X has an entry that is not finite");
}

void check_features(const FeatureMap& features, const Points& X) {
  require(!X.sparse(), "features need dense points");
  require(features.inputs() == X.dimension(), "the features take " + std::to_string(features.inputs()) + " numbers, X has " +
                                                  std::to_string(X.dimension()) + ": they must be the same");
  require(features.outputs() > 0, "the features have no outputs");
}

void Batch::take(const LabelledSample& sample) {
  labels.resize(rows.size());
  weights.resize(rows.size());
  bool weighted = false, in_order = size() == sample.X.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    labels[i] = sample.labels[rows[i]];
    weights[i] = sample.weight(rows[i]);
    weighted = weighted || weights[i] != 1.0;
    in_order = in_order && rows[i] == static_cast<Index>(i);
  }
  roots.clear();
  for (std::size_t i = 0; weighted && i < rows.size(); ++i) roots.push_back(std::sqrt(weights[i]));
  total = 0.0;
  for (Index i = 0; i < training; ++i) total += weight(i);
  all_ = sample.X;
  copied_ = !in_order;
  if (copied_) some_.take(sample.X, rows);
}

Sampler::Sampler(const LabelledSample& sample, Risk risk, const Batches& batches, std::uint64_t seed)
    : sample_(sample), risk_(risk), batches_(batches) {
  check_sample(sample);
  for (Index i = 0; i < sample.X.size(); ++i) {
    if (sample.weight(i) > 0.0) kept_.push_back(i);
  }
  total_ = sample.total();
  require_batches(batches, samples());
  if (batches_.batch_size >= samples()) batches_.batch_size = 0;
  fill(whole_, samples(), seed, whole_step);
}

const Batch& Sampler::draw(std::uint64_t seed, std::uint64_t step) {
  if (batches_.batch_size == 0 && batches_.validation_fraction == 0.0) return whole_;
  fill(drawn_, batches_.batch_size == 0 ? samples() : batches_.batch_size, seed, step);
  return drawn_;
}

/// [MCE] Alg. 1, line 4: a batch, by the first steps of a Fisher-Yates shuffle, which are taken back afterwards: a draw does not
/// depend on the ones before it.
void Sampler::fill(Batch& batch, Index size, std::uint64_t seed, std::uint64_t step) {
  const Index n = samples();
  const double wanted = batches_.validation_fraction * static_cast<double>(size);
  const Index held_out =
      batches_.validation_fraction == 0.0 ? 0 : std::clamp(static_cast<Index>(std::llround(wanted)), Index(1), size - 1);
  // Of all samples it is enough to draw those that are held out.
  const Index drawn = size < n ? size : held_out;
  const RandomStream random(seed, step);
  swaps_.resize(static_cast<std::size_t>(drawn));
  const auto swap = [&](Index i) {
    std::swap(kept_[static_cast<std::size_t>(i)], kept_[static_cast<std::size_t>(swaps_[static_cast<std::size_t>(i)])]);
  };
  for (Index i = 0; i < drawn; ++i) {
    swaps_[static_cast<std::size_t>(i)] = i + random.below(static_cast<std::uint64_t>(i), n - i);
    swap(i);
  }
  // [MCE] (13): the risk is that of the rows held out, if there are any.
  batch.training = size - held_out;
  batch.rows.assign(kept_.begin() + held_out, kept_.begin() + size);
  batch.rows.insert(batch.rows.end(), kept_.begin(), kept_.begin() + held_out);
  for (Index i = drawn - 1; i >= 0; --i) swap(i);
  // Neighbours in memory stay neighbours, and all samples keep their order.
  std::sort(batch.rows.begin(), batch.rows.begin() + batch.training);
  std::sort(batch.rows.begin() + batch.training, batch.rows.end());
  batch.take(sample_);
  // What is expected of the sum is the sum over all samples.
  const double share = static_cast<double>(batch.size() - batch.risk_first()) / static_cast<double>(n);
  batch.risk_factor = 1.0 / (share * (risk_ == Risk::mean ? total_ : 1.0));
}

}  // namespace gramian::embedding

// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_regression/folds.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/random.hpp"
#include "models/deep_regression/start.hpp"

namespace gramian::deep_regression {
namespace {

/// None where all are 1.
std::vector<double> weights_of(const Regression& mode, const std::vector<Index>& rows) {
  return mode.sample_weight.empty() ? std::vector<double>() : picked(mode.sample_weight, rows);
}

std::vector<Index> all_but(Index samples, const std::vector<Index>& sorted) {
  std::vector<Index> all(static_cast<std::size_t>(samples)), out;
  std::iota(all.begin(), all.end(), Index(0));
  std::set_difference(all.begin(), all.end(), sorted.begin(), sorted.end(), std::back_inserter(out));
  return out;
}

/// Where the rows that both lists have are in `among`.
std::vector<Index> positions(const std::vector<Index>& rows, const std::vector<Index>& among) {
  std::vector<Index> out;
  for (const Index row : rows) {
    const auto at = std::lower_bound(among.begin(), among.end(), row);
    if (at != among.end() && *at == row) out.push_back(static_cast<Index>(at - among.begin()));
  }
  return out;
}

void check_test_rows(const std::vector<Index>& sorted, Index samples) {
  require(!sorted.empty(), "test_rows: a fold leaves nothing out");
  require(static_cast<Index>(sorted.size()) < samples, "test_rows: a fold leaves all rows out");
  require_ascending(sorted, samples, "test_rows");
}

}  // namespace

std::vector<std::vector<Index>> test_rows_of(const Grid& grid, Index samples, std::uint64_t seed) {
  std::vector<std::vector<Index>> folds = grid.test_rows;
  if (folds.empty()) {
    require(grid.folds >= 2 && grid.folds <= samples,
            "folds must be 2 or more, and not more than there are samples: there are " + std::to_string(samples));
    std::vector<Index> order(static_cast<std::size_t>(samples));
    random_permutation(RandomStream(seed, std::uint64_t(1) << 41), order.data(), samples);
    for (Index f = 0; f < grid.folds; ++f) {
      folds.emplace_back(order.begin() + f * samples / grid.folds, order.begin() + (f + 1) * samples / grid.folds);
    }
  }
  for (std::vector<Index>& rows : folds) {
    std::sort(rows.begin(), rows.end());
    check_test_rows(rows, samples);
  }
  return folds;
}

Fold::Fold(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers,
           const Options& options, const std::vector<Index>& test_rows, bool joint, int at_once)
    : options_(options),
      layers_(layers),
      joint_(joint),
      train_rows_(all_but(input.size(), test_rows)),
      train_targets_(picked(targets, train_rows_)),
      test_targets_(picked(targets, test_rows)),
      test_weights_(weights_of(std::get<Regression>(options.mode), test_rows)) {
  train_.emplace(input, train_rows_);
  const Regression& whole = std::get<Regression>(options.mode);
  Regression& mode = std::get<Regression>(options_.mode);
  mode.sample_weight = weights_of(whole, train_rows_);
  mode.landmarks = positions(whole.landmarks, train_rows_);
  require(mode.landmarks.empty() == whole.landmarks.empty(), "landmarks: a fold leaves all of them out");
  for (ImageLoss& image : options_.image_losses) {
    image_targets_.push_back(picked(image.targets, train_rows_));
    image.targets = image_targets_.back().view();
  }
  samples_.emplace(train_->source(), train_targets_.view(), layers_, options_);
  const LayeredTask first = task(1.0, 1.0);
  loss_ = first.loss;
  if (first.variable_layers() > 0) {
    share_.emplace(first, at_once);
    share_->features = first_features(first, options_.parameters);
  }
  pick_test(input, test_rows);
}

LayeredTask Fold::task(double last_penalty, double inner_penalty) const {
  std::vector<KernelLayer> kernels;
  for (const LayerPlan& layer : layers_) {
    kernels.push_back({layer.terms, &layer == &layers_.back() ? last_penalty : inner_penalty});
  }
  return make_task(*samples_, layers_, options_, std::move(kernels), joint_);
}

void Fold::pick_test(const PointSource& input, const std::vector<Index>& test_rows) {
  std::vector<Index> rows = samples_->supporting_rows();
  rows = rows.empty() ? train_rows_ : picked(train_rows_, rows);
  pairs_.emplace(input, test_rows, rows);
}

double Fold::loss(const CompositionModel& model) const {
  const Index L = static_cast<Index>(model.layers.size());
  Matrix outputs(test_targets_.rows(), test_targets_.cols());
  if (pairs_->inner()) {
    apply_layers(model, L, pairs_->products(), outputs.view());
  } else {
    apply_layers(model, 1, L, pairs_->samples(), pairs_->supports(), outputs.view());
  }
  return weighted_loss(*loss_, test_targets_.view(), outputs.view(), test_weights_, {});
}

double Fold::weight() const {
  if (test_weights_.empty()) return static_cast<double>(test_targets_.rows());
  return std::accumulate(test_weights_.begin(), test_weights_.end(), 0.0);
}

}  // namespace gramian::deep_regression

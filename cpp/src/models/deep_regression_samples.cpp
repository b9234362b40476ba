// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/gram/full.hpp"
#include "models/deep_regression_task.hpp"

namespace gramian {
namespace {

Matrix rows_of(MatrixView<const double> A, const std::vector<Index>& rows) {
  Matrix out(static_cast<Index>(rows.size()), A.cols());
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index j = 0; j < out.cols(); ++j) out(i, j) = A(rows[static_cast<std::size_t>(i)], j);
  }
  return out;
}

bool equal_rows(MatrixView<const double> A, Index i, Index j) {
  for (Index k = 0; k < A.cols(); ++k) {
    if (A(i, k) != A(j, k)) return false;
  }
  return true;
}

/// A kernel of no parameters that tells apart all points that any kernel can: for layers whose kernel is still open.
std::vector<Kernel> kernels_of(const DeepRegressionLayer& layer) {
  std::vector<Kernel> out;
  for (const LayerTerm& term : layer.terms) out.push_back(term.kernel);
  if (out.empty()) out.emplace_back("linear", std::vector<double>{});
  return out;
}

/// |phi(x_i) - phi(x_j)|^2 in the space of a kernel is 0 up to rounding.
bool coincide(MatrixView<const double> K, Index i, Index j) {
  constexpr double indistinct = 64.0 * 0x1p-53;
  const double squares = K(i, i) + K(j, j);
  return squares - 2.0 * K(i, j) <= indistinct * squares;
}

/// first[i]: the first sample that is the same as sample i for all kernels.
std::vector<Index> first_of_same(const LayerInput& input, const std::vector<Kernel>& kernels) {
  const Index n = input.size();
  const std::uint64_t bytes = static_cast<std::uint64_t>(checked_product(checked_product(n, n), 8)) * kernels.size();
  require_memory(bytes, "the Gram matrices of the samples", "interpolate fewer samples, or use regression with landmarks");
  std::vector<Matrix> grams;
  for (const Kernel& kernel : kernels) {
    grams.emplace_back(n, n);
    input.inner() ? full(kernel, input.products(), grams.back().view()) : full(kernel, input.points(), grams.back().view());
  }
  std::vector<Index> first(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    Index j = 0;
    const auto same = [&](const Matrix& K) { return coincide(K.view(), i, j); };
    while (j < i && (first[static_cast<std::size_t>(j)] != j || !std::all_of(grams.begin(), grams.end(), same))) ++j;
    first[static_cast<std::size_t>(i)] = j;
  }
  return first;
}

}  // namespace

DeepSamples::DeepSamples(const LayerInput& input, MatrixView<const double> targets,
                         const std::vector<DeepRegressionLayer>& layers, const DeepRegressionOptions& options)
    : all_(input), all_targets_(targets) {
  std::vector<Index> first;
  if (options.interpolate) first = first_of_same(input, kernels_of(layers.front()));
  for (Index i = 0; i < input.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (!options.sample_weight.empty() && options.sample_weight[at] == 0.0) continue;
    if (options.interpolate && first[at] != i) {
      require(equal_rows(targets, first[at], i),
              "rows " + std::to_string(first[at]) + " and " + std::to_string(i) +
                  " have different targets, but they are the same to the kernels of the first layer: no function meets both. "
                  "Remove one of them, change the kernel, or use regression");
      merged_.push_back(i);
      continue;
    }
    rows_.push_back(i);
  }
  require(!rows_.empty(), "sample_weight: all weights are 0");
  pick(options);
}

void DeepSamples::pick(const DeepRegressionOptions& options) {
  const std::vector<double>& weights = options.sample_weight;
  const bool uniform = std::all_of(weights.begin(), weights.end(), [](double w) { return w == 1.0; });
  for (const Index row : rows_) {
    if (!uniform) weights_.push_back(weights[static_cast<std::size_t>(row)]);
  }
  for (const Index row : options.landmarks) {
    const auto at = std::lower_bound(rows_.begin(), rows_.end(), row);
    if (at != rows_.end() && *at == row) landmarks_.push_back(static_cast<Index>(at - rows_.begin()));
  }
  require(landmarks_.empty() == options.landmarks.empty(), "landmarks: all of them have sample_weight 0");
  image_losses_ = options.image_losses;
  if (static_cast<Index>(rows_.size()) == all_.size()) return rows_.clear();
  picked_.emplace(all_, rows_);
  kept_targets_ = rows_of(all_targets_, rows_);
  for (ImageLoss& loss : image_losses_) {
    image_targets_.push_back(rows_of(loss.targets, rows_));
    loss.targets = image_targets_.back().view();
  }
}

std::vector<Index> DeepSamples::supporting_rows() const {
  if (landmarks_.empty() || rows_.empty()) return landmarks_.empty() ? rows_ : landmarks_;
  std::vector<Index> out;
  for (const Index row : landmarks_) out.push_back(rows_[static_cast<std::size_t>(row)]);
  return out;
}

double DeepTask::penalty(Index l, double square) const {
  const auto at = static_cast<std::size_t>(l - 1);
  return thetas[at] ? thetas[at]->value(square) : layers[at].penalty * square;
}

double DeepTask::slope(Index l, double square) const {
  const auto at = static_cast<std::size_t>(l - 1);
  return thetas[at] ? thetas[at]->slope(square) : layers[at].penalty;
}

}  // namespace gramian

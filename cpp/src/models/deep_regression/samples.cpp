// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/gram/full.hpp"
#include "models/deep_regression/distance_penalty.hpp"
#include "models/deep_regression/options.hpp"
#include "models/deep_regression/samples.hpp"
#include "models/layered/objective.hpp"

namespace gramian::deep_regression {
namespace {

bool equal_rows(MatrixView<const double> A, Index i, Index j) {
  for (Index k = 0; k < A.cols(); ++k) {
    if (A(i, k) != A(j, k)) return false;
  }
  return true;
}

/// A kernel of no parameters that tells apart all points that any kernel can: for layers whose kernel is still open.
std::vector<Kernel> kernels_of(const LayerPlan& layer) {
  std::vector<Kernel> out;
  for (const LayerTerm& term : layer.terms) out.push_back(term.kernel);
  if (out.empty()) out.emplace_back("linear", std::vector<double>{});
  return out;
}

constexpr double indistinct = 64.0 * 0x1p-53;

/// |phi(x_i) - phi(x_j)|^2 in the space of a kernel is 0 up to rounding.
bool coincide(MatrixView<const double> K, Index i, Index j) {
  const double squares = K(i, i) + K(j, j);
  return squares - 2.0 * K(i, j) <= indistinct * squares;
}

/// Far from the origin squares leave no digits for what coordinates still tell. Samples that coincide are taken for the same if
/// their coordinates are, next to how far each spreads; or if no function k(., p) tells them apart, p another sample or the
/// difference of the two.
class Differences {
 public:
  Differences(const PointSource& input, const std::vector<Kernel>& kernels) : kernels_(kernels) {
    if (input.inner() || input.points().sparse()) return;
    X_ = input.points().float64();
    for (Index k = 0; k < X_.cols(); ++k) spread_.push_back(spread_of(X_, k));
  }

  bool told(const std::vector<Matrix>& grams, Index i, Index j) const { return !X_.empty() && !near(i, j) && seen(grams, i, j); }

 private:
  bool near(Index i, Index j) const {
    constexpr double share = 1e-9;
    for (Index k = 0; k < X_.cols(); ++k) {
      if (std::fabs(X_(i, k) - X_(j, k)) > share * spread_[static_cast<std::size_t>(k)]) return false;
    }
    return true;
  }

  bool seen(const std::vector<Matrix>& grams, Index i, Index j) const {
    for (const Matrix& K : grams) {
      for (Index k = 0; k < K.rows(); ++k) {
        if (std::fabs(K(i, k) - K(j, k)) > indistinct * std::sqrt(K(i, i) * K(k, k))) return true;
      }
    }
    const Index d = X_.cols();
    Matrix points(3, d), K(3, 3);
    for (Index k = 0; k < d; ++k) points(0, k) = X_(i, k), points(1, k) = X_(j, k), points(2, k) = X_(i, k) - X_(j, k);
    for (const Kernel& kernel : kernels_) {
      full(kernel, Points(points.view()), K.view());
      if (std::fabs(K(0, 2) - K(1, 2)) > indistinct * std::sqrt(K(0, 0) * K(2, 2))) return true;
    }
    return false;
  }

  const std::vector<Kernel>& kernels_;
  MatrixView<const double> X_{};
  std::vector<double> spread_;  // of columns
};

/// first[i]: the first sample that is the same as sample i for all kernels.
std::vector<Index> first_of_same(const PointSource& input, const std::vector<Kernel>& kernels) {
  const Index n = input.size();
  const Differences differences(input, kernels);
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
    const auto coincides = [&](const Matrix& K) { return coincide(K.view(), i, j); };
    const auto same = [&] { return std::all_of(grams.begin(), grams.end(), coincides) && !differences.told(grams, i, j); };
    while (j < i && (first[static_cast<std::size_t>(j)] != j || !same())) ++j;
    first[static_cast<std::size_t>(i)] = j;
  }
  return first;
}

class WeightedImages final : public ImageTerm {
 public:
  WeightedImages(const ImageLoss& image, const std::vector<double>& weights) : image_(image), weights_(weights) {}
  Index layer() const override { return image_.layer; }
  double add(MatrixView<const double> images, MatrixView<double> bar, Matrix& room) const override {
    if (room.rows() != images.rows()) room = Matrix(images.rows(), images.cols());
    const MatrixView<double> own = bar.empty() ? bar : room.view();
    const double value = weighted_loss(*image_.loss, image_.targets, images, weights_, own);
    for (Index i = 0; i < bar.rows(); ++i) {
      for (Index j = 0; j < bar.cols(); ++j) bar(i, j) += image_.weight * own(i, j);
    }
    return image_.weight * value;
  }

 private:
  const ImageLoss& image_;
  const std::vector<double>& weights_;
};

class Distances final : public ImageTerm {
 public:
  Distances(double factor, Index layer) : factor_(factor), layer_(layer) {}
  Index layer() const override { return layer_; }
  double add(MatrixView<const double> images, MatrixView<double> bar, Matrix& room) const override {
    return add_distance_penalty(factor_, images, bar, room);
  }

 private:
  double factor_;
  Index layer_;
};

}  // namespace

double spread_of(MatrixView<const double> X, Index k) {
  double low = X(0, k), high = X(0, k);
  for (Index i = 0; i < X.rows(); ++i) low = std::min(low, X(i, k)), high = std::max(high, X(i, k));
  return high - low;
}

DistinctSamples::DistinctSamples(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers,
                                 const Options& options)
    : all_(input), all_targets_(targets) {
  const Regression& mode = regression_of(options);
  const bool interpolate = std::holds_alternative<Interpolation>(options.mode);
  std::vector<Index> first;
  if (interpolate) first = first_of_same(input, kernels_of(layers.front()));
  for (Index i = 0; i < input.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (!mode.sample_weight.empty() && mode.sample_weight[at] == 0.0) continue;
    if (interpolate && first[at] != i) {
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
  pick(mode, options.image_losses);
}

void DistinctSamples::pick(const Regression& mode, const std::vector<ImageLoss>& images) {
  const std::vector<double>& weights = mode.sample_weight;
  const bool uniform = std::all_of(weights.begin(), weights.end(), [](double w) { return w == 1.0; });
  for (const Index row : rows_) {
    if (!uniform) weights_.push_back(weights[static_cast<std::size_t>(row)]);
  }
  for (const Index row : mode.landmarks) {
    const auto at = std::lower_bound(rows_.begin(), rows_.end(), row);
    if (at != rows_.end() && *at == row) landmarks_.push_back(static_cast<Index>(at - rows_.begin()));
  }
  require(landmarks_.empty() == mode.landmarks.empty(), "landmarks: all of them have sample_weight 0");
  image_losses_ = images;
  if (static_cast<Index>(rows_.size()) == all_.size()) return rows_.clear();
  picked_.emplace(all_, rows_);
  kept_targets_ = picked(all_targets_, rows_);
  for (ImageLoss& loss : image_losses_) {
    image_targets_.push_back(picked(loss.targets, rows_));
    loss.targets = image_targets_.back().view();
  }
}

std::vector<Index> DistinctSamples::supporting_rows() const {
  if (landmarks_.empty() || rows_.empty()) return landmarks_.empty() ? rows_ : landmarks_;
  return picked(rows_, landmarks_);
}

LayeredTask make_task(const DistinctSamples& samples, const std::vector<LayerPlan>& layers, const Options& options,
                      std::vector<KernelLayer> kernels, bool joint) {
  LayeredTask task{samples.input(), samples.targets(), samples.landmarks(), samples.weights()};
  task.interpolate = std::holds_alternative<Interpolation>(options.mode);
  task.joint = joint;
  task.loss = regression_of(options).loss;
  if (task.loss == nullptr) task.loss = squared_loss();
  task.layers = std::move(kernels);
  for (const LayerPlan& layer : layers) task.thetas.push_back(layer.theta);
  for (const ImageLoss& image : samples.image_losses()) {
    task.images.push_back(std::make_shared<WeightedImages>(image, samples.weights()));
  }
  if (options.distance_penalty > 0.0) {
    task.images.push_back(std::make_shared<Distances>(options.distance_penalty, task.depth() - 1));
  }
  task.memory_budget = options.memory_budget;
  return task;
}

}  // namespace gramian::deep_regression

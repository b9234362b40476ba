// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/layers/feature_network.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/random.hpp"
#include "gramian/linalg/gemm.hpp"
#include "layers/dense_pass.hpp"
#include "layers/feature_arguments.hpp"

namespace gramian {
namespace {

constexpr double printed_deviation = 0.1;         // [MCE] Sec. 5: of weights at the start
constexpr double sigmoid_slope = 0.25;            // at 0
constexpr double cut = 2.0;                       // deviations
constexpr double below_cut = 0.0227501319481792;  // of a normal distribution

/// Normal numbers of this deviation, those beyond the cut left out: quantiles of what is between.
void fill_truncated_normal(const RandomStream& random, double deviation, double* out, Index count) {
  random.fill_uniform({out, count, 1});
  for (Index i = 0; i < count; ++i) {
    const double x = normal_quantile(below_cut + out[i] * (1.0 - 2.0 * below_cut));
    out[i] = deviation * std::min(cut, std::max(-cut, x));
  }
}

class FeatureNetwork final : public FeatureMap {
 public:
  FeatureNetwork(Index inputs, const std::vector<DenseLayer>& layers, const NetworkStart& start)
      : inputs_(inputs), layers_(layers), start_(start) {
    Index from = inputs;
    for (const DenseLayer& layer : layers) {
      offsets_.push_back(parameters_);
      parameters_ += checked_product(layer.outputs, from + 1);
      widest_ = std::max(widest_, layer.outputs);
      kept_ += layer.outputs;
      from = layer.outputs;
    }
    outputs_of_.resize(layers.size());
  }

  Index inputs() const override { return inputs_; }
  Index outputs() const override { return layers_.back().outputs; }
  Index parameter_count() const override { return parameters_; }
  bool bounded() const override {
    return layers_.back().activation == Activation::sigmoid || layers_.back().activation == Activation::tanh;
  }

  std::vector<double> start(std::uint64_t seed) const override {
    std::vector<double> theta(static_cast<std::size_t>(parameters_));
    for (Index l = 0; l < count(); ++l) {
      double* W = theta.data() + offset(l);
      // Streams that no small number names: others may draw from the same seed.
      const RandomStream random(seed, philox4x64({static_cast<std::uint64_t>(l), 0, 0, 0}, {seed, 0x77656967687473u})[0]);
      fill_truncated_normal(random, deviation(l), W, weight_count(l));
      std::fill_n(W + weight_count(l), layer(l).outputs, start_.bias);
      if (centred(l)) centre(l, W);
    }
    return theta;
  }

  void forward(const double* theta, MatrixView<const double> X, MatrixView<double> Z, const FeaturePass& pass) override {
    check_forward(*this, X, Z);
    rows_ = -1;  // until all is there
    require_pass_memory(X.rows(), kept_);
    MatrixView<const double> A = X;
    for (Index l = 0; l < count(); ++l) {
      const MatrixView<double> out = outputs_of_[static_cast<std::size_t>(l)].take(X.rows(), layer(l).outputs);
      gemm(1.0, A, transposed(weights(theta, l)), 0.0, out);
      finish_layer(layer(l), theta + offset(l) + weight_count(l), DropoutMask(layer(l), l, pass), out);
      A = out;
    }
    copy_rows(A, Z);
    X_ = X;
    pass_ = pass;
    keep_weights(theta);
    rows_ = X.rows();
  }

  void reverse(MatrixView<const double> Zbar, double* theta_bar) override {
    check_reverse(*this, rows_, Zbar);
    require_pass_memory(rows_, 2 * widest_);
    MatrixView<double> D = gradients_[0].take(rows_, outputs());
    copy_rows(Zbar, D);
    for (Index l = count() - 1; l >= 0; --l) {
      double* W_bar = theta_bar + offset(l);
      reverse_layer(layer(l), DropoutMask(layer(l), l, pass_), outputs_of(l), D, W_bar + weight_count(l));
      gemm(1.0, transposed(MatrixView<const double>(D)), l == 0 ? X_ : outputs_of(l - 1), 0.0,
           {W_bar, layer(l).outputs, inputs_of(l)});
      if (l == 0) return;
      const MatrixView<double> below = gradients_[(count() - l) % 2].take(rows_, inputs_of(l));
      gemm(1.0, D, weights(kept_weights_.data() - offset(1), l), 0.0, below);
      D = below;
    }
  }

 private:
  bool scaled(Index l) const { return !start_.weight_deviation && layer(l).activation == Activation::sigmoid; }
  bool centred(Index l) const { return scaled(l) && l > 0 && layer(l - 1).activation == Activation::sigmoid; }
  double deviation(Index l) const {
    const double by_inputs = 1.0 / std::sqrt(static_cast<double>(inputs_of(l)));
    if (scaled(l)) return by_inputs / sigmoid_slope;
    const double given = start_.weight_deviation.value_or(printed_deviation);
    return given > 0.0 ? given : by_inputs;
  }
  /// Inputs around 1/2 become inputs around 0.
  void centre(Index l, double* W) const {
    const Index inputs = inputs_of(l);
    for (Index i = 0; i < layer(l).outputs; ++i) {
      for (Index j = 0; j < inputs; ++j) W[weight_count(l) + i] -= 0.5 * W[i * inputs + j];
    }
  }

  Index count() const { return static_cast<Index>(layers_.size()); }
  const DenseLayer& layer(Index l) const { return layers_[static_cast<std::size_t>(l)]; }
  Index inputs_of(Index l) const { return l == 0 ? inputs_ : layer(l - 1).outputs; }
  Index offset(Index l) const { return offsets_[static_cast<std::size_t>(l)]; }
  Index weight_count(Index l) const { return layer(l).outputs * inputs_of(l); }
  MatrixView<const double> weights(const double* theta, Index l) const {
    return {theta + offset(l), layer(l).outputs, inputs_of(l)};
  }
  /// As the last forward pass left them.
  MatrixView<const double> outputs_of(Index l) { return outputs_of_[static_cast<std::size_t>(l)].take(rows_, layer(l).outputs); }

  /// The caller's may move before the reverse pass; those of the first layer, most of them, it does not ask for.
  void keep_weights(const double* theta) {
    if (count() > 1) kept_weights_.assign(theta + offset(1), theta + parameters_);
  }

  Index inputs_;
  std::vector<DenseLayer> layers_;
  NetworkStart start_;
  std::vector<Index> offsets_;  // of each layer's parameters
  Index parameters_ = 0, widest_ = 0, kept_ = 0;

  // Of the last forward pass:
  Index rows_ = -1;
  MatrixView<const double> X_;
  FeaturePass pass_;
  std::vector<Room> outputs_of_;
  std::vector<double> kept_weights_;

  Room gradients_[2];
};

void check_layers(Index inputs, const std::vector<DenseLayer>& layers, const NetworkStart& start) {
  require(inputs >= 1, "features: a network needs at least one input");
  require(!layers.empty(), "features: a network needs at least one layer");
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const std::string name = "features: layer " + std::to_string(l + 1) + ": ";
    require(layers[l].outputs >= 1, name + "outputs must be at least 1, got " + std::to_string(layers[l].outputs));
    require(layers[l].dropout >= 0.0 && layers[l].dropout < 1.0,
            name + "dropout must be at least 0 and less than 1, got " + std::to_string(layers[l].dropout));
  }
  const double deviation = start.weight_deviation.value_or(printed_deviation);
  require(std::isfinite(deviation) && deviation >= 0.0,
          "features: weight_deviation must be finite and at least 0, got " + std::to_string(deviation));
  require(std::isfinite(start.bias), "features: bias must be finite");
}

}  // namespace

std::unique_ptr<FeatureMap> feature_network(Index inputs, const std::vector<DenseLayer>& layers, const NetworkStart& start) {
  check_layers(inputs, layers, start);
  return std::make_unique<FeatureNetwork>(inputs, layers, start);
}

}  // namespace gramian

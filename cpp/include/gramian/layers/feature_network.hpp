// SPDX-License-Identifier: BSD-3-Clause
// Fully connected networks as features: [MCE] App. C.2, App. C.3.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gramian/layers/feature_map.hpp"

namespace gramian {

/// The function between two fully connected layers.
enum class Activation { identity, relu, sigmoid, tanh };

/// One fully connected layer of feature_network().
struct DenseLayer {
  Index outputs = 0;
  Activation activation = Activation::relu;
  /// Share of this layer's outputs that a training pass sets to 0, in [0, 1); the others grow by 1 / (1 - share).
  double dropout = 0.0;
};

/// The distribution of the first weights and biases of feature_network().
struct NetworkStart {
  /// Of normal weights, cut off at two deviations; 0: 1 / sqrt(inputs of the layer). None: 0.1, [MCE] Sec. 5, but for layers of
  /// sigmoids 4 / sqrt(inputs), as the slope of one is 1/4, with biases that centre those of its inputs that are sigmoids: with
  /// 0.1 all samples would have nearly the same features.
  std::optional<double> weight_deviation;
  double bias = 0.1;
};

/// z = a_L(W_L a_{L-1}(...) + b_L). Parameters, layer by layer: W_l (outputs x inputs, row-major), then b_l. At ReLU's kink the
/// derivative is 0. A pass costs 2 n times the number of weights, its reverse twice as much less the first layer's share; n times
/// the sum of the layers' outputs are kept. Throws std::invalid_argument for no layers, a layer without outputs, or a number out
/// of its range.
GRAMIAN_API std::unique_ptr<FeatureMap> feature_network(Index inputs, const std::vector<DenseLayer>& layers,
                                                        const NetworkStart& start = {});

}  // namespace gramian

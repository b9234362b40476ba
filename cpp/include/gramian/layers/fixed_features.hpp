// SPDX-License-Identifier: BSD-3-Clause
// Features that are not trained any more: a feature map with its parameters, as a value.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "gramian/kernels/kernel.hpp"
#include "gramian/layers/feature_map.hpp"
#include "gramian/layers/feature_network.hpp"

namespace gramian {

/// feature_network() by its layers.
struct NetworkFeatures {
  std::vector<DenseLayer> layers;
};

/// random_fourier_features() by their arguments.
struct FourierFeatures {
  Kernel kernel;
  Index count;
  std::uint64_t seed;
};

/// Features of the caller's own: each call makes a map for one thread.
using OwnFeatures = std::function<std::unique_ptr<FeatureMap>()>;

/// phi(x; theta) for a fixed theta. Any number of threads may use it at the same time; copies share their numbers.
class GRAMIAN_API FixedFeatures {
 public:
  using Form = std::variant<NetworkFeatures, FourierFeatures, OwnFeatures>;

  /// theta: as many numbers as the map has parameters; none: those of start(0). Throws std::invalid_argument for any other number
  /// of them, for one that is not finite, and what the map's own function throws.
  FixedFeatures(Form form, Index inputs, std::vector<double> theta = {});

  Index inputs() const;
  Index outputs() const;
  const Form& form() const;
  const std::vector<double>& theta() const;

  /// Z = phi(X; theta), X.rows() x outputs(). Throws std::invalid_argument for shapes that do not fit, MemoryLimitError.
  void apply(MatrixView<const double> X, MatrixView<double> Z) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace gramian

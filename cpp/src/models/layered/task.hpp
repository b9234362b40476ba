// SPDX-License-Identifier: BSD-3-Clause
// What one training of layers minimises: sum_i w_i V(y_i, f_L(.. f_1(x_i))) + sum_l Theta_l(|f_l|^2) + terms of inner images, as
// in [DKL] (7). In [KAE] (4) there is the mean of losses in place of their sum: it is this objective over n.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/layers/composition.hpp"
#include "gramian/losses/loss.hpp"
#include "gramian/losses/penalty.hpp"

namespace gramian {

/// A further loss, of the images X_l of an inner layer. Several threads may call it at once.
class ImageTerm {
 public:
  virtual ~ImageTerm() = default;
  virtual Index layer() const = 0;  ///< l < L
  /// The value. Its gradient is added to bar, unless that is empty. `room` is for use within, kept by who calls again.
  virtual double add(MatrixView<const double> images, MatrixView<double> bar, Matrix& room) const = 0;
};

/// Views are of what outlives it.
struct LayeredTask {
  PointSource input;
  MatrixView<const double> targets;
  std::vector<Index> landmarks{};  ///< rows of the input that support the layers; empty: all
  std::vector<double> weights{};   ///< of the samples, in the sum of losses; empty: 1 each
  bool mean = false;               ///< of the losses instead of their sum; weights have the mean 1 then
  bool interpolate = false;        ///< [DKL] (Int): f_L meets the targets, and |f_L|^2 takes the place of losses
  bool joint = false;              ///< all layers' coefficients are variables; else the last layer is solved for
  std::shared_ptr<const Loss> loss{};
  std::vector<KernelLayer> layers{};
  std::vector<std::shared_ptr<Penalty>> thetas{};  ///< null: linear, with the penalty of the layer
  std::vector<std::shared_ptr<const ImageTerm>> images{};
  std::uint64_t memory_budget = std::uint64_t(1) << 30;

  Index depth() const { return static_cast<Index>(layers.size()); }
  Index variable_layers() const { return joint ? depth() : depth() - 1; }
  /// Theta_l of a squared norm, and its slope there.
  double penalty(Index l, double square) const {
    const auto at = static_cast<std::size_t>(l - 1);
    return thetas[at] ? thetas[at]->value(square) : layers[at].penalty * square;
  }
  double slope(Index l, double square) const {
    const auto at = static_cast<std::size_t>(l - 1);
    return thetas[at] ? thetas[at]->slope(square) : layers[at].penalty;
  }
};

}  // namespace gramian

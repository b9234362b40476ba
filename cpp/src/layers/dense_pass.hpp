// SPDX-License-Identifier: BSD-3-Clause
// One dense layer, number by number: what stands between the products of a network's passes.
#pragma once

#include <cstdint>

#include "gramian/layers/feature_network.hpp"

namespace gramian {

/// Which of a layer's outputs a pass drops, and by what the others grow: a function of (seed, step, layer) and the entry.
class DropoutMask {
 public:
  DropoutMask(const DenseLayer& layer, Index number, const FeaturePass& pass);

  bool drops() const { return share_ > 0.0; }

  /// numbers of rows first .. last, row-major: 0 where dropped, times 1 / (1 - share) elsewhere.
  void apply(Index first, Index last, double* numbers) const;

 private:
  double share_;
  Index outputs_;
  std::uint64_t seed_;
  std::uint64_t stream_;
};

/// A, the products of a layer with its inputs, becomes its outputs: a(A + b), dropped.
void finish_layer(const DenseLayer& layer, const double* bias, const DropoutMask& mask, MatrixView<double> A);

/// D becomes the gradient in what the activation was applied to: D o mask o a', where A are the layer's outputs. Returns its sums
/// over rows in bias_bar. D and A are row-major without gaps.
void reverse_layer(const DenseLayer& layer, const DropoutMask& mask, MatrixView<const double> A, MatrixView<double> D,
                   double* bias_bar);

}  // namespace gramian

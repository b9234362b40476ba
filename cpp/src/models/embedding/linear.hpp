// SPDX-License-Identifier: BSD-3-Clause
// Linear kernels, of which the coordinates of the points are the explicit features.
#pragma once

#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/kernels/kernel.hpp"
#include "gramian/layers/feature_map.hpp"

namespace gramian::embedding {

/// x_j sqrt(c) / l_j, of k(x, y) = c sum_j x_j y_j / l_j^2. Parameters: logs of Kernel::parameters(), in their order.
class LinearFeatures final : public FeatureMap {
 public:
  /// Throws std::invalid_argument for length scales that are not as many as inputs.
  LinearFeatures(const Kernel& kernel, Index inputs);

  Index inputs() const override { return inputs_; }
  Index outputs() const override { return inputs_; }
  Index parameter_count() const override { return static_cast<Index>(start_.size()); }
  std::vector<double> start(std::uint64_t) const override { return start_; }
  void forward(const double* theta, MatrixView<const double> X, MatrixView<double> Z, const FeaturePass& pass) override;
  void reverse(MatrixView<const double> Zbar, double* theta_bar) override;

  /// V with f(x) = sum_j k(x, e_j) V_j, from W with f(x) = W^T z, in place: unit vectors support the kernel.
  void to_unit_vectors(const double* theta, MatrixView<double> W);

 private:
  void set_scales(const double* theta);

  Index inputs_;
  std::size_t factors_ = 0;  ///< of the parameters, the first ones; length scales follow
  std::vector<double> start_;
  std::vector<double> scales_;  ///< sqrt(c) / l_j
  MatrixView<const double> X_;
};

/// e_1, ..., e_d: what supports an embedding in coordinates.
Matrix unit_vectors(Index d);

}  // namespace gramian::embedding

// SPDX-License-Identifier: BSD-3-Clause
// tr(Hᵀ K(X) H) / 2, what a level of deep kernel PCA adds to the energy: its gradient, and the derivative of that.
#pragma once

#include <cstdint>
#include <memory>

#include "gramian/base/matrix.hpp"
#include "gramian/layers/composition.hpp"
#include "models/deep_pca/measure.hpp"

namespace gramian::deep_pca {

/// One level's K, on the data or on features that move. Of a level on the data X_bar and Xdot are empty.
class LevelTrace {
 public:
  virtual ~LevelTrace() = default;
  virtual void move_to(MatrixView<const double> X) = 0;
  virtual void gradient(MatrixView<const double> H, MatrixView<double> H_bar, MatrixView<double> X_bar) = 0;
  virtual void hessian(MatrixView<const double> H, MatrixView<const double> Hdot, MatrixView<const double> Xdot,
                       MatrixView<double> H_bar, MatrixView<double> X_bar) = 0;
  virtual void product(MatrixView<const double> V, MatrixView<double> out) = 0;
  /// K V, even if this is a centred K.
  virtual void uncentred(MatrixView<const double> V, MatrixView<double> out) { product(V, out); }
  virtual double trace() = 0;
};

/// Takes what its kept tiles need from the budget, or keeps none. With weights K is S K S, and the features of the level below
/// are scaled as well: X is S^-1 times what move_to() is given. The measure must outlive the level.
std::unique_ptr<LevelTrace> make_first_level(const Kernel& kernel, const PointSource& input, bool centred,
                                             const SampleMeasure& measure, std::uint64_t& budget);
std::unique_ptr<LevelTrace> make_upper_level(const Kernel& kernel, Index dimension, bool centred, const SampleMeasure& measure,
                                             std::uint64_t& budget);

}  // namespace gramian::deep_pca

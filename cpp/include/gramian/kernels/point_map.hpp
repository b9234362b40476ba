// SPDX-License-Identifier: BSD-3-Clause
// A fixed map of points, for kernels on its images: k(f(x), f(y)).
#pragma once

#include <memory>

#include "gramian/base/view.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

/// f, which nothing is learned of. Used by several threads at once.
class GRAMIAN_API PointMap {
 public:
  virtual ~PointMap();
  virtual Index inputs() const = 0;   ///< features of the points
  virtual Index outputs() const = 0;  ///< features of their images
  /// images: n x outputs(). An image depends on its point alone, to the last bit.
  virtual void apply(MatrixView<const double> X, MatrixView<double> images) const = 0;
  /// Xbar += the gradient in the points, from that in their images.
  virtual void pull_back(MatrixView<const double> X, MatrixView<const double> images_bar, MatrixView<double> Xbar) const = 0;
};

/// k(f(x), f(y)): a kernel like any other on dense points, but for second derivatives in these, which are refused. Its parameters
/// are those of k.
GRAMIAN_API Kernel on_images(std::shared_ptr<const PointMap> map, const Kernel& kernel);

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/kernels/width.hpp"

#include <cmath>
#include <vector>

#include "base/check.hpp"
#include "kernels/node.hpp"

namespace gramian {
namespace {

Kernel leaf_with_width(const Kernel& kernel, double gamma, Index features) {
  const KernelInfo& info = kernel.info();
  require(kernel.node().length_scales.empty(), "the kernel has a length scale for each feature already");
  if (!info.width.exists()) return kernel;
  // Powers of 1 / length^2 = 2 gamma: a Gaussian gets this gamma to the last bit.
  const bool sums_distances = info.needs_coordinates && !info.traits.smooth_at_coincidence;
  const double inverse_square = 2.0 * gamma / (sums_distances ? static_cast<double>(features) : 1.0);
  std::vector<double> parameters = kernel.parameters();
  parameters[static_cast<std::size_t>(info.width.parameter)] =
      info.width.factor * std::pow(inverse_square, -0.5 * info.width.power);
  return Kernel(info.name, parameters);
}

}  // namespace

Kernel with_width(const Kernel& kernel, double gamma, Index features) {
  require(std::isfinite(gamma) && gamma > 0.0, "gamma must be a finite number greater than 0");
  require(features >= 1, "there must be at least one feature");
  const Kernel::Node& node = kernel.node();
  if (node.kind == NodeKind::sum) {
    return with_width(node.children[0], gamma, features) + with_width(node.children[1], gamma, features);
  }
  if (node.kind == NodeKind::multiple) {
    const Kernel& part = node.children[0];
    const double inverse_square = part.traits().inner_product ? 2.0 * gamma : 1.0;
    return node.factor * inverse_square * with_width(part, gamma, features);
  }
  return leaf_with_width(kernel, gamma, features);
}

}  // namespace gramian

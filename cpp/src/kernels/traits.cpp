// SPDX-License-Identifier: BSD-3-Clause
// Facts about a kernel, of a combination from those of its parts.
#include "gramian/kernels/traits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/node.hpp"

namespace gramian {
namespace {

/// The fact is stated for length 1: distances grow by what points are divided by.
KernelTraits leaf_traits_of(const Kernel& kernel) {
  const Kernel::Node& leaf = kernel.node();
  const KernelInfo& info = kernel.info();
  KernelTraits traits = info.traits;
  traits.inner_product = traits.explicit_features && leaf.length_scales.empty();
  const KernelWidth& width = info.width;
  double length = width.exists() ? length_of(width, leaf.parameters[static_cast<std::size_t>(width.parameter)]) : 1.0;
  if (!leaf.length_scales.empty()) length *= *std::min_element(leaf.length_scales.begin(), leaf.length_scales.end());
  traits.squared_lipschitz /= length * length;
  return traits;
}

/// |a b - a' b'| <= |a - a'| |b| + |a'| |b - b'| for the features a and b of two factors.
double product_lipschitz(const Kernel& first, double first_square, const Kernel& second, double second_square) {
  const double sum = std::sqrt(first_square * second.supremum()) + std::sqrt(first.supremum() * second_square);
  return sum * sum;
}

}  // namespace

double length_of(const KernelWidth& width, double value) { return std::pow(value / width.factor, 1.0 / width.power); }
double value_of(const KernelWidth& width, double length) { return width.factor * std::pow(length, width.power); }

KernelTraits Kernel::traits() const {
  const Node& node = *node_;
  if (node.kind == NodeKind::leaf) return leaf_traits_of(*this);
  const Kernel &first = node.children.front(), &last = node.children.back();
  const KernelTraits a = first.traits(), b = node.children.size() > 1 ? last.traits() : a;
  // Of all combinations; what else is known of one follows.
  KernelTraits traits{};
  traits.smooth_at_coincidence = a.smooth_at_coincidence && b.smooth_at_coincidence;
  traits.squared_lipschitz = std::numeric_limits<double>::infinity();
  traits.points = std::min(a.points, b.points);
  switch (node.kind) {
    case NodeKind::multiple:
      traits.explicit_features = a.explicit_features;
      traits.squared_lipschitz = node.factor * a.squared_lipschitz;
      break;
    case NodeKind::sum: traits.squared_lipschitz = a.squared_lipschitz + b.squared_lipschitz; break;
    case NodeKind::product:
      traits.squared_lipschitz = product_lipschitz(first, a.squared_lipschitz, last, b.squared_lipschitz);
      break;
    default: traits.points = PointKind::vectors; break;  // nothing is known of a map of points
  }
  return traits;
}

}  // namespace gramian

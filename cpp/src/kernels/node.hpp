// SPDX-License-Identifier: BSD-3-Clause
// What is behind a Kernel, and the parts of its profile that are needed once a call and not once an entry.
#pragma once

#include "gramian/kernels/kernel.hpp"

namespace gramian {

enum class NodeKind { leaf, sum, product, multiple, images };

struct Kernel::Node {
  NodeKind kind;
  // A leaf:
  int id = 0;  ///< its place in the registry
  std::vector<double> parameters{};
  std::vector<double> length_scales{};
  // A multiple:
  double factor = 1.0;
  // All others: two children, or one.
  std::vector<Kernel> children{};
  // A kernel on images:
  std::shared_ptr<const PointMap> map{};
};

enum class LeafForm { distance, inner, coordinate };

/// What the engine must know of a leaf before it makes a tile.
struct LeafTraits {
  LeafForm form;
  double point_scale;  ///< the factor that the kernel wants its points multiplied by
  double supremum;

  /// Whether the kernel is one of x - y: then both points may be moved, and large offsets cost no digits.
  bool of_differences() const { return form != LeafForm::inner; }
};
LeafTraits leaf_traits(const Kernel::Node& leaf);

/// The length that a value of the kernel's width stands for, and back.
double length_of(const KernelWidth& width, double value);
double value_of(const KernelWidth& width, double length);

/// Kernel::supremum(), and its gradient in all parameters. Of the parameters it is a function of the factors alone; where it is
/// infinite, so are its derivatives, or NaN.
double supremum(const Kernel& kernel, std::vector<double>& gradient);

}  // namespace gramian

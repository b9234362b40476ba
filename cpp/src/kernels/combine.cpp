// SPDX-License-Identifier: BSD-3-Clause
// Sums, products and multiples of kernels.
#include <cmath>
#include <limits>

#include "gramian/base/error.hpp"
#include "kernels/node.hpp"

namespace gramian {
namespace {

void collect(const Kernel::Node& node, std::vector<double>& out) {
  if (node.kind == NodeKind::multiple) out.push_back(node.factor);
  out.insert(out.end(), node.parameters.begin(), node.parameters.end());
  out.insert(out.end(), node.length_scales.begin(), node.length_scales.end());
  for (const Kernel& child : node.children) collect(child.node(), out);
}

double supremum_of(const Kernel::Node& node) {
  if (node.kind == NodeKind::leaf) return leaf_traits(node).supremum;
  double result = node.kind == NodeKind::sum ? 0.0 : node.factor;
  for (const Kernel& child : node.children) {
    const double other = supremum_of(child.node());
    result = node.kind == NodeKind::sum ? result + other : result * other;
  }
  return result;
}

bool coordinates_needed(const Kernel::Node& node) {
  if (node.kind == NodeKind::leaf) return !node.length_scales.empty() || leaf_traits(node).form == LeafForm::coordinate;
  for (const Kernel& child : node.children) {
    if (coordinates_needed(child.node())) return true;
  }
  return false;
}

std::shared_ptr<const Kernel::Node> combined(NodeKind kind, std::vector<Kernel> children, double factor = 1.0) {
  Kernel::Node node{kind};
  node.factor = factor;
  node.children = std::move(children);
  return std::make_shared<const Kernel::Node>(std::move(node));
}

}  // namespace

std::vector<double> Kernel::parameters() const {
  std::vector<double> all;
  collect(*node_, all);
  return all;
}

double Kernel::supremum() const { return supremum_of(*node_); }
bool Kernel::needs_coordinates() const { return coordinates_needed(*node_); }

Kernel operator+(const Kernel& a, const Kernel& b) { return Kernel(combined(NodeKind::sum, {a, b})); }
Kernel operator*(const Kernel& a, const Kernel& b) { return Kernel(combined(NodeKind::product, {a, b})); }
Kernel operator*(double factor, const Kernel& kernel) {
  require(std::isfinite(factor) && factor > 0.0,
          "the factor of a kernel must be finite and greater than 0, got " + std::to_string(factor));
  return Kernel(combined(NodeKind::multiple, {kernel}, factor));
}

}  // namespace gramian

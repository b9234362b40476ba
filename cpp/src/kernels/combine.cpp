// SPDX-License-Identifier: BSD-3-Clause
// Sums, products and multiples of kernels, and kernels on images.
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "gramian/base/error.hpp"
#include "gramian/kernels/point_map.hpp"
#include "kernels/node.hpp"

namespace gramian {
namespace {

void collect(const Kernel::Node& node, std::vector<double>& out) {
  if (node.kind == NodeKind::multiple) out.push_back(node.factor);
  out.insert(out.end(), node.parameters.begin(), node.parameters.end());
  out.insert(out.end(), node.length_scales.begin(), node.length_scales.end());
  for (const Kernel& child : node.children) collect(child.node(), out);
}

std::size_t count_values(const Kernel& kernel) {
  const Kernel::Node& node = kernel.node();
  std::size_t count = (node.kind == NodeKind::multiple ? 1 : 0) + node.parameters.size() + node.length_scales.size();
  for (const Kernel& child : node.children) count += count_values(child);
  return count;
}

/// Appends the derivatives to `gradient`, in the order of the parameters.
double supremum_of(const Kernel::Node& node, std::vector<double>& gradient) {
  const std::size_t own = gradient.size();
  if (node.kind == NodeKind::leaf) {
    gradient.resize(own + node.parameters.size() + node.length_scales.size(), 0.0);
    return leaf_traits(node).supremum;
  }
  if (node.kind == NodeKind::images) return supremum_of(node.children[0].node(), gradient);
  if (node.kind == NodeKind::multiple) gradient.push_back(0.0);
  const double first = supremum_of(node.children[0].node(), gradient);
  const std::size_t middle = gradient.size();
  const auto scale = [&](std::size_t from, std::size_t to, double factor) {
    for (std::size_t p = from; p < to; ++p) gradient[p] *= factor;
  };
  if (node.kind == NodeKind::multiple) {
    scale(own + 1, middle, node.factor);
    gradient[own] = first;
    return node.factor * first;
  }
  const double second = supremum_of(node.children[1].node(), gradient);
  if (node.kind == NodeKind::sum) return first + second;
  scale(own, middle, second);
  scale(middle, gradient.size(), first);
  return first * second;
}

/// The node with the values from `at` on, which moves behind the ones that it takes.
Kernel with_values(const Kernel& kernel, const double*& at) {
  const Kernel::Node& node = kernel.node();
  const auto take = [&at](std::size_t count) {
    at += count;
    return std::vector<double>(at - count, at);
  };
  if (node.kind == NodeKind::leaf) {
    const std::vector<double> parameters = take(node.parameters.size());
    return Kernel(kernel.info().name, parameters, take(node.length_scales.size()));
  }
  const double factor = node.kind == NodeKind::multiple ? *at++ : 1.0;
  const Kernel first = with_values(node.children[0], at);
  if (node.kind == NodeKind::multiple) return factor * first;
  if (node.kind == NodeKind::images) return on_images(node.map, first);
  const Kernel second = with_values(node.children[1], at);
  return node.kind == NodeKind::sum ? first + second : first * second;
}

void collect_learnable(const Kernel& kernel, std::vector<bool>& out) {
  const Kernel::Node& node = kernel.node();
  if (node.kind == NodeKind::multiple) out.push_back(true);
  for (std::size_t p = 0; p < node.parameters.size(); ++p)
    out.push_back(!kernel.info().parameters[p].whole && node.parameters[p] > 0.0);
  out.resize(out.size() + node.length_scales.size(), true);
  for (const Kernel& child : node.children) collect_learnable(child, out);
}

bool coordinates_needed(const Kernel::Node& node) {
  if (node.kind == NodeKind::leaf) return !node.length_scales.empty() || leaf_traits(node).form == LeafForm::coordinate;
  if (node.kind == NodeKind::images) return true;
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

PointMap::~PointMap() = default;

std::vector<double> Kernel::parameters() const {
  std::vector<double> all;
  collect(*node_, all);
  return all;
}

Kernel Kernel::with_parameters(const std::vector<double>& values) const {
  const std::size_t wanted = count_values(*this);
  if (values.size() != wanted)
    throw std::invalid_argument("this kernel has " + std::to_string(wanted) + " parameters, got " +
                                std::to_string(values.size()));
  const double* at = values.data();
  return with_values(*this, at);
}

std::vector<bool> Kernel::learnable_parameters() const {
  std::vector<bool> all;
  collect_learnable(*this, all);
  return all;
}

double supremum(const Kernel& kernel, std::vector<double>& gradient) {
  gradient.clear();
  return supremum_of(kernel.node(), gradient);
}

double Kernel::supremum() const {
  std::vector<double> gradient;
  return supremum_of(*node_, gradient);
}
bool Kernel::needs_coordinates() const { return coordinates_needed(*node_); }

Kernel on_images(std::shared_ptr<const PointMap> map, const Kernel& kernel) {
  require(map != nullptr, "a kernel on images needs a map");
  Kernel::Node node{NodeKind::images};
  node.children = {kernel};
  node.map = std::move(map);
  return Kernel(std::make_shared<const Kernel::Node>(std::move(node)));
}

Kernel operator+(const Kernel& a, const Kernel& b) { return Kernel(combined(NodeKind::sum, {a, b})); }
Kernel operator*(const Kernel& a, const Kernel& b) { return Kernel(combined(NodeKind::product, {a, b})); }
Kernel operator*(double factor, const Kernel& kernel) {
  if (!(std::isfinite(factor) && factor > 0.0))
    throw std::invalid_argument("the factor of a kernel must be finite and greater than 0, got " + std::to_string(factor));
  return Kernel(combined(NodeKind::multiple, {kernel}, factor));
}

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/lengths.hpp"

#include <cmath>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/kernels/point_map.hpp"
#include "gramian/gram/median_width.hpp"
#include "gramian/models/embedding/classifier.hpp"
#include "kernels/node.hpp"

namespace gramian::embedding {
namespace {

/// The width of a leaf of the registry; null if it has none.
double* width_in(const KernelInfo& info, std::vector<double>& parameters) {
  return info.width.exists() ? &parameters[static_cast<std::size_t>(info.width.parameter)] : nullptr;
}

/// visit(row, column, x) for all entries, of sparse points those that are stored.
template <class Visit>
void each_entry(const Points& X, Visit visit) {
  for (Index i = 0; i < X.size(); ++i) {
    if (!X.sparse()) {
      for (Index j = 0; j < X.dimension(); ++j) visit(i, j, X.float64()(i, j));
      continue;
    }
    const SparseRows<double>& rows = X.sparse64();
    for (Index e = rows.row_start[i]; e < rows.row_start[i + 1]; ++e) visit(i, rows.columns[e], rows.values[e]);
  }
}

/// The variance of each feature. What is not stored of sparse points is 0, and as far from the mean as that.
std::vector<double> variances_of(const LabelledSample& sample) {
  const auto d = static_cast<std::size_t>(sample.X.dimension());
  std::vector<double> means(d), squares(d), weights(d);
  const double total = sample.total();
  each_entry(sample.X, [&](Index i, Index j, double x) { means[static_cast<std::size_t>(j)] += sample.weight(i) * x / total; });
  each_entry(sample.X, [&](Index i, Index j, double x) {
    const auto feature = static_cast<std::size_t>(j);
    squares[feature] += sample.weight(i) * (x - means[feature]) * (x - means[feature]);
    weights[feature] += sample.weight(i);
  });
  for (std::size_t j = 0; j < d; ++j) squares[j] = (squares[j] + (total - weights[j]) * means[j] * means[j]) / total;
  return squares;
}

/// Lengths among images are not those among points: they may be changed in proportion alone, or not at all.
enum class OfImages { keep, change };

template <class Change>
Kernel changed(const Kernel& kernel, OfImages of_images, Change change) {
  const Kernel::Node& node = kernel.node();
  const auto child = [&](std::size_t i) { return changed(node.children[i], of_images, change); };
  switch (node.kind) {
    case NodeKind::leaf: return change(kernel.info(), node.parameters, node.length_scales);
    case NodeKind::multiple: return node.factor * child(0);
    case NodeKind::images: return of_images == OfImages::keep ? kernel : on_images(node.map, child(0));
    case NodeKind::sum: return child(0) + child(1);
    default: return child(0) * child(1);
  }
}

void collect_widths(const Kernel& kernel, std::vector<bool>& out) {
  const Kernel::Node& node = kernel.node();
  if (node.kind == NodeKind::multiple) out.push_back(false);
  if (node.kind == NodeKind::leaf) {
    const std::size_t first = out.size();
    const KernelWidth& width = kernel.info().width;
    out.resize(first + node.parameters.size() + node.length_scales.size(), false);
    if (width.exists() && !node.length_scales.empty()) out[first + static_cast<std::size_t>(width.parameter)] = true;
  }
  for (const Kernel& child : node.children) collect_widths(child, out);
}

}  // namespace

Kernel with_scaled_lengths(const Kernel& kernel, double factor) {
  return changed(kernel, OfImages::change,
                 [&](const KernelInfo& info, std::vector<double> parameters, std::vector<double> scales) {
                   for (double& scale : scales) scale *= factor;
                   double* const width = width_in(info, parameters);
                   if (scales.empty() && width != nullptr) *width *= std::pow(factor, info.width.power);
                   return Kernel(info.name, parameters, scales);
                 });
}

Kernel with_lengths(const Kernel& kernel, double length) {
  return changed(kernel, OfImages::keep, [&](const KernelInfo& info, std::vector<double> parameters, std::vector<double> scales) {
    double* const width = width_in(info, parameters);
    const double own = width != nullptr ? length_of(info.width, *width) : 1.0;
    for (double& scale : scales) scale = length / own;
    if (scales.empty() && width != nullptr) *width = value_of(info.width, length);
    return Kernel(info.name, parameters, scales);
  });
}

std::vector<bool> widths_beside_lengths(const Kernel& kernel) {
  std::vector<bool> out;
  collect_widths(kernel, out);
  return out;
}

Kernel initial_kernel(const LabelledSample& sample) {
  const std::vector<double> variances = variances_of(sample);
  const double d = static_cast<double>(variances.size());
  std::vector<double> lengths;
  double sum = 0.0;
  for (const double variance : variances) {
    require(std::isfinite(variance), "X has numbers whose squares overflow: scale the data");
    lengths.push_back(variance > 0.0 ? std::sqrt(d * variance) : 1.0);
    sum += variance;
  }
  const double length = sum > 0.0 ? std::sqrt(sum) : 1.0;
  if (sample.X.sparse()) return 1.0 * Kernel("gaussian", {0.5 / length / length});
  return 1.0 * Kernel("gaussian", {0.5}, lengths);
}

double median_length(const Points& X) { return 1.0 / std::sqrt(median_gamma(PointSource(X))); }

}  // namespace gramian::embedding

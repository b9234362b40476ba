// SPDX-License-Identifier: BSD-3-Clause
#include "layers/random_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/base/random.hpp"
#include "kernels/node.hpp"

namespace gramian {
namespace {

// A Matern kernel of order nu is e^-u times a polynomial in u = rate |x - y|; its spectrum is rate g / sqrt(chi), with g normal
// and chi of the chi-squared distribution with 2 nu degrees of freedom: Student's distribution. The tensor kernels are products
// of those over coordinates.
struct Row {
  const char* name;
  int degrees;
  bool by_coordinate;
  double constant;
  double power;
};
constexpr double root2 = 1.4142135623730951, root3 = 1.7320508075688772, root5 = 2.23606797749979;
constexpr Row table[] = {
    {"gaussian", 0, false, root2, 0.5},    {"laplacian", 1, false, 1.0, 1.0},   {"matern32", 3, false, root3, -1.0},
    {"matern52", 5, false, root5, -1.0},   {"laplacian_l1", 1, true, 1.0, 1.0}, {"tensor_matern2", 3, true, 1.0, 1.0},
    {"tensor_matern3", 5, true, 1.0, 1.0},
};

const Row& row_of(const std::string& name) {
  std::string known;
  for (const Row& row : table) {
    if (name == row.name) return row;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw std::invalid_argument("random Fourier features: no spectrum is known for the kernel " + name + "; there are: " + known);
}

/// The leaf below multiples.
const Kernel::Node& leaf_of(const Kernel& kernel) {
  const Kernel::Node* node = &kernel.node();
  while (node->kind == NodeKind::multiple) node = &node->children[0].node();
  require(node->kind == NodeKind::leaf,
          "random Fourier features are those of one kernel or of a multiple of it; for a sum put those of its parts beside each "
          "other");
  return *node;
}

std::string name_of(const Kernel::Node& leaf) { return kernel_registry()[static_cast<std::size_t>(leaf.id)].name; }

std::string text(Index number) { return std::to_string(number); }

}  // namespace

RandomSpectrum::RandomSpectrum(const Kernel& kernel, Index inputs) {
  const Kernel::Node& leaf = leaf_of(kernel);
  const Row& row = row_of(name_of(leaf));
  scales_ = static_cast<Index>(leaf.length_scales.size());
  require(scales_ == 0 || scales_ == inputs, "random Fourier features: the kernel has " + text(scales_) +
                                                 " length scales, and the data " + text(inputs) + " features");
  start_ = kernel.parameters();
  factors_ = parameter_count() - 1 - scales_;
  for (double& p : start_) p = std::log(p);
  degrees_ = row.degrees;
  by_coordinate_ = row.by_coordinate;
  constant_ = row.constant;
  power_ = row.power;
}

Matrix RandomSpectrum::base(Index count, Index inputs, std::uint64_t seed) const {
  // Streams that no small number names: others may draw from the same seed.
  const auto streams = philox4x64({0, 0, 0, 0}, {seed, 0x737065637472756du});
  Matrix out(count, inputs);
  RandomStream(seed, streams[0]).fill_normal(out.view());
  if (degrees_ == 0) return out;
  const RandomStream random(seed, streams[1]);
  const Index together = by_coordinate_ ? 1 : inputs;  // numbers that share a chi
  for (Index g = 0; g < out.size() / together; ++g) {
    double chi = 0.0;
    for (int k = 0; k < degrees_; ++k) {
      const double x = random.normal(static_cast<std::uint64_t>(g * degrees_ + k));
      chi += x * x;
    }
    for (Index i = g * together; i < (g + 1) * together; ++i) out.data()[i] /= std::sqrt(chi);
  }
  return out;
}

double RandomSpectrum::column_factor(const double* theta, Index k) const {
  const double rate = constant_ * std::exp(power_ * theta[factors_]);
  return scales_ == 0 ? rate : rate * std::exp(-theta[factors_ + 1 + k]);
}

double RandomSpectrum::height(const double* theta) const { return std::exp(std::accumulate(theta, theta + factors_, 0.0)); }

void RandomSpectrum::reverse(double height_bar, const std::vector<double>& column_bar, double* theta_bar) const {
  std::fill_n(theta_bar, factors_, height_bar);
  theta_bar[factors_] = power_ * std::accumulate(column_bar.begin(), column_bar.end(), 0.0);
  for (Index k = 0; k < scales_; ++k) theta_bar[factors_ + 1 + k] = -column_bar[static_cast<std::size_t>(k)];
}

}  // namespace gramian

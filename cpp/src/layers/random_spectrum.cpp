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

void require_spectrum(const KernelInfo& info) {
  if (info.spectrum.exists()) return;
  std::string known;
  for (const KernelInfo& other : kernel_registry()) {
    if (other.spectrum.exists()) known += (known.empty() ? "" : ", ") + other.name;
  }
  throw std::invalid_argument("random Fourier features: no spectrum is known for the kernel " + info.name +
                              "; there are: " + known);
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

std::string text(Index number) { return std::to_string(number); }

/// Root of a chi-squared number of the stream; 1 without degrees of freedom.
double chi(const RandomStream& random, Index number, int degrees) {
  if (degrees == 0) return 1.0;
  double sum = 0.0;
  for (int k = 0; k < degrees; ++k) {
    const double x = random.normal(static_cast<std::uint64_t>(number * degrees + k));
    sum += x * x;
  }
  return std::sqrt(sum);
}

}  // namespace

RandomSpectrum::RandomSpectrum(const Kernel& kernel, Index inputs) {
  const Kernel::Node& leaf = leaf_of(kernel);
  const KernelInfo& info = kernel_registry()[static_cast<std::size_t>(leaf.id)];
  require_spectrum(info);
  scales_ = static_cast<Index>(leaf.length_scales.size());
  require(scales_ == 0 || scales_ == inputs, "random Fourier features: the kernel has " + text(scales_) +
                                                 " length scales, and the data " + text(inputs) + " features");
  start_ = kernel.parameters();
  factors_ = parameter_count() - 1 - scales_;
  for (double& p : start_) p = std::log(p);
  spectrum_ = info.spectrum;
  by_coordinate_ = info.needs_coordinates;
  // The rate over the length that the leaf's parameter stands for.
  power_ = -1.0 / info.width.power;
  constant_ = spectrum_.rate * std::pow(info.width.factor, -power_);
}

Matrix RandomSpectrum::base(Index count, Index inputs, std::uint64_t seed) const {
  // Streams that no small number names: others may draw from the same seed.
  const auto streams = philox4x64({0, 0, 0, 0}, {seed, 0x737065637472756du});
  Matrix out(count, inputs);
  RandomStream(seed, streams[0]).fill_normal(out.view());
  const RandomStream above(seed, streams[2]), below(seed, streams[1]);
  const Index together = by_coordinate_ ? 1 : inputs;  // numbers that share a chi
  for (Index g = 0; g < out.size() / together; ++g) {
    const double multiplied = chi(above, g, spectrum_.multiplied), divided = chi(below, g, spectrum_.divided);
    for (Index i = g * together; i < (g + 1) * together; ++i) out.data()[i] = out.data()[i] * multiplied / divided;
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

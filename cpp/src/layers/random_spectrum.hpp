// SPDX-License-Identifier: BSD-3-Clause
// The spectrum of a kernel, as frequencies and as what its parameters do to them.
#pragma once

#include <cstdint>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

/// A leaf under as many factors as there are; frequencies are base * rate(theta) / length_scales(theta), coordinate by
/// coordinate, and features are multiplied by sqrt(factors). theta: the logs of the factors, of the leaf's parameter, of its
/// length scales.
class RandomSpectrum {
 public:
  /// Throws std::invalid_argument for a kernel whose spectrum is not one of these.
  RandomSpectrum(const Kernel& kernel, Index inputs);

  /// Frequencies at rate 1, a row each: a function of the seed, the first ones the same however many there are.
  Matrix base(Index count, Index inputs, std::uint64_t seed) const;

  const std::vector<double>& start() const { return start_; }
  Index parameter_count() const { return static_cast<Index>(start_.size()); }
  bool has_length_scales() const { return scales_ > 0; }

  /// What column k of the base is multiplied by.
  double column_factor(const double* theta, Index k) const;
  /// The product of the factors.
  double height(const double* theta) const;

  /// theta_bar from the gradients in the logs of the height, and of each column's factor; without length scales the columns'
  /// gradients come as their sum.
  void reverse(double height_bar, const std::vector<double>& column_bar, double* theta_bar) const;

 private:
  std::vector<double> start_;
  Index factors_ = 0;
  Index scales_ = 0;
  KernelSpectrum spectrum_{};
  bool by_coordinate_ = false;  // a distribution for each coordinate, in place of one for all
  double constant_ = 1.0;       // rate = constant * parameter^power
  double power_ = 1.0;
};

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// Facts about kernels, by which callers choose a method. Plain numbers: the files of the kernels, which are compiled once for
// each instruction set, state them.
#pragma once

namespace gramian {

/// The parameter that says over which length a kernel varies: parameter = factor length^power. k(x / c, y / c) is the kernel
/// whose length is c times as large.
struct KernelWidth {
  int parameter;  ///< its place among the kernel's parameters; negative: the kernel has no length
  double factor;
  double power;

  constexpr bool exists() const { return parameter >= 0; }
};

/// Random frequencies whose cosines have the kernel as their mean, for length 1: w = rate g chi_m / chi_d, where g is normal, and
/// chi_m and chi_d are roots of chi-squared numbers, with m and d degrees of freedom. A product over coordinates has a chi for
/// each of them, all others one for the whole frequency.
struct KernelSpectrum {
  double rate;     ///< 0: no spectrum is known
  int multiplied;  ///< m; 0: chi_m is 1
  int divided;     ///< d; 0: chi_d is 1

  constexpr bool exists() const { return rate > 0.0; }
};

/// What the points of a kernel are; a combination of kernels has the first kind of this list that one of its parts has.
enum class PointKind {
  vectors,  ///< numbers, whose differences and products mean something
  sets,     ///< zeros and ones, one for each element
  labels    ///< equal or different, and nothing else
};

/// What is known of any kernel, of sums, products, multiples and kernels on images by their parts.
struct KernelTraits {
  /// Where points coincide the kernel has a gradient that says something of its neighbourhood: no kink, jump or cusp.
  bool smooth_at_coincidence;
  /// A multiple of the inner product of the points, or of the points divided by length scales: a linear model needs no Gram
  /// matrix.
  bool explicit_features;
  /// The inner product of the points themselves, and nothing else.
  bool inner_product;
  /// dk/d|x - y|^2 is a negative multiple of k: the values themselves are the weights of the fixed point of a pre-image.
  bool proportional_slope;
  /// |phi(x) - phi(y)|^2 <= squared_lipschitz |x - y|^2 for the feature map phi; infinity if there is no such number, or none is
  /// known.
  double squared_lipschitz;
  PointKind points;
};

}  // namespace gramian

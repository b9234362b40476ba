// SPDX-License-Identifier: BSD-3-Clause
// Random Fourier features: phi(x)^T phi(y) is close to a Gaussian or a Matern kernel. [RFF]
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gramian/kernels/kernel.hpp"
#include "gramian/layers/feature_map.hpp"

namespace gramian {

/// phi(x) = sqrt(2 c / count) (cos(w_1 . x), ..., cos(w_m . x), sin(w_1 . x), ..., sin(w_m . x)) for count = 2 m features, with
/// phi(x)^T phi(y) close to c k(x, y), and equal to c at x = y. c is the product of the factors in front of the kernel. The
/// frequencies w_j come from its spectrum: normal for a Gaussian, of Student's distribution with 2 nu degrees of freedom for a
/// Matern kernel of order nu (laplacian: 1/2, matern32, matern52), of that distribution in each coordinate for a product over
/// coordinates (laplacian_l1, tensor_matern2, tensor_matern3). They are a function of the seed; more features begin with the
/// same ones. The error of an entry falls with 1 / sqrt(m). A pass costs 2 n m inputs operations, and keeps n m numbers.
///
/// Parameters: the logs of the kernel's own, those that Kernel::parameters() lists. The frequencies follow them, so that the
/// kernel is learned through its features; start() is the kernel's own parameters, whatever the seed.
///
/// Throws std::invalid_argument for any other kernel than one of these, with or without length scales, or a multiple of one; for
/// length scales that are not as many as inputs; and unless count is even and at least 2.
GRAMIAN_API std::unique_ptr<FeatureMap> random_fourier_features(const Kernel& kernel, Index inputs, Index count,
                                                                std::uint64_t seed);

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// The kernels of autoencoders whose users name none. The inner product keeps what principal components keep, and the Gaussian
// adds what is not linear.
#include "base/check.hpp"
#include "gramian/models/autoencoder.hpp"

namespace gramian::autoencoder {

Kernel open_kernel() { return Kernel("gaussian", {1.0}) + 1.0 * Kernel("linear", {}); }

Kernel code_kernel(Index codes) {
  require(codes >= 1, "there must be at least one code");
  return Kernel("gaussian", {0.5 / static_cast<double>(codes)}) + 1.0 * Kernel("linear", {});
}

}  // namespace gramian::autoencoder

// SPDX-License-Identifier: BSD-3-Clause
// Explicit features with parameters, and their reverse mode: networks, random features, features of the caller's own.
#pragma once

#include <cstdint>
#include <vector>

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// What a pass through features is for. Dropout draws its masks from (seed, step): the same pass gives the same features.
struct FeaturePass {
  bool training = false;
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
};

/// x -> phi(x; theta), from inputs() to outputs() numbers. The parameters stay with the caller: an optimiser moves them.
/// Implement it for features of your own. It keeps what the reverse of its last pass needs, and so belongs to one thread at a
/// time; the library's own keep outputs of all layers, n numbers each. Theirs throw std::invalid_argument for shapes that do not
/// fit and MemoryLimitError for a pass that does not; what is not finite is passed on. Any number of threads gives the same bits.
class GRAMIAN_API FeatureMap {
 public:
  virtual ~FeatureMap();
  virtual Index inputs() const = 0;
  virtual Index outputs() const = 0;
  virtual Index parameter_count() const = 0;
  /// Where training starts: parameter_count() numbers, a function of the seed.
  virtual std::vector<double> start(std::uint64_t seed) const = 0;

  /// Z = phi(X; theta), a row a sample: Z is X.rows() x outputs().
  virtual void forward(const double* theta, MatrixView<const double> X, MatrixView<double> Z, const FeaturePass& pass) = 0;
  /// theta_bar (overwritten) = J^T Zbar, from Zbar, the gradient in the features of the last forward pass, whose X must still be
  /// there and unchanged. theta and Z need not be. It may be called again after the same forward pass.
  virtual void reverse(MatrixView<const double> Zbar, double* theta_bar) = 0;
  /// Whether |phi(x; theta)| stays below some number that depends on theta alone, as a kernel with a supremum does.
  virtual bool bounded() const { return false; }
};

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// What the first layer sees of its input.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gram/source.hpp"
#include "gramian/base/matrix.hpp"
#include "gramian/layers/composition.hpp"

namespace gramian {

/// Throws std::invalid_argument unless the kernel can be evaluated on points like these.
void check_kernel(const Kernel& kernel, const PointSource& input);

/// The matrices C_m = k_m(X_0, S_0) of the first layer's terms: kept, or evaluated again for each product.
class FirstLayerGrams {
 public:
  /// Keeps those that fit the budget, and takes what they need from it.
  FirstLayerGrams(const PointSource& input, const std::vector<Index>& supports, std::vector<Kernel> kernels,
                  std::uint64_t& budget);
  /// Some of the samples. Nothing is evaluated anew for it.
  FirstLayerGrams(const FirstLayerGrams& whole, const std::vector<Index>& samples);

  void product(Index term, MatrixView<const double> V, MatrixView<double> out) const;     ///< C V
  void transposed(Index term, MatrixView<const double> U, MatrixView<double> out) const;  ///< Cᵀ U

 private:
  const Matrix& kept(Index term) const { return kept_[static_cast<std::size_t>(term)]; }
  const Kernel& kernel(Index term) const { return kernels_[static_cast<std::size_t>(term)]; }

  PointSource input_;
  std::vector<Index> supports_;
  std::vector<Kernel> kernels_;
  std::vector<Matrix> kept_;              // empty where it is evaluated
  std::unique_ptr<PickedPairs> pairs_{};  // null if all are kept
};

}  // namespace gramian

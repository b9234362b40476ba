// SPDX-License-Identifier: BSD-3-Clause
// Parts of what the first layer sees: some of its samples, and pairs of samples with supports.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/layers/composition.hpp"

namespace gramian {

/// Throws std::invalid_argument unless the first layer can be evaluated on it: float64, finite, one set, at least one sample.
void check_input(const LayerInput& input);

/// Throws std::invalid_argument unless the kernel can be evaluated on points like these.
void check_kernel(const Kernel& kernel, const LayerInput& input);

/// Some samples as an input of their own: a copy of them, of sparse rows or of inner products as well.
class PickedInput {
 public:
  PickedInput(const LayerInput& input, const std::vector<Index>& rows);
  PickedInput(PickedInput&&) = delete;  // there are views of what is within
  const LayerInput& input() const { return *picked_; }

 private:
  void pick_sparse(const SparseRows<double>& X, const std::vector<Index>& rows);

  Matrix numbers_;
  std::vector<Index> row_start_, columns_;
  std::vector<double> values_;
  std::optional<LayerInput> picked_;
};

/// The Gram matrix k(x_i, s_j) of samples with supports, two parts of one input. Nothing flows back to it.
class InputPairs {
 public:
  /// `samples` may be empty: all of them.
  InputPairs(const LayerInput& input, const std::vector<Index>& samples, const std::vector<Index>& supports);

  void product(const Kernel& kernel, MatrixView<const double> V, MatrixView<double> out) const;     ///< K V
  void transposed(const Kernel& kernel, MatrixView<const double> U, MatrixView<double> out) const;  ///< Kᵀ U
  void full(const Kernel& kernel, MatrixView<double> K) const;

 private:
  Points samples() const { return picked_samples_ ? picked_samples_->input().points() : all_.points(); }
  Points supports() const { return picked_supports_->input().points(); }

  LayerInput all_;
  std::optional<PickedInput> picked_samples_, picked_supports_;  // of points
  Matrix inner_, sample_squares_, support_squares_;              // of inner products
};

/// The matrices C_m = k_m(X_0, S_0) of the first layer's terms: kept, or evaluated again for each product.
class FirstSamples {
 public:
  /// Keeps those that fit the budget, and takes what they need from it.
  FirstSamples(const LayerInput& input, const std::vector<Index>& supports, std::vector<Kernel> kernels, std::uint64_t& budget);
  /// Some of the samples. Nothing is evaluated anew for it.
  FirstSamples(const FirstSamples& whole, const std::vector<Index>& samples);

  void product(Index term, MatrixView<const double> V, MatrixView<double> out) const;     ///< C V
  void transposed(Index term, MatrixView<const double> U, MatrixView<double> out) const;  ///< Cᵀ U

 private:
  const Matrix& kept(Index term) const { return kept_[static_cast<std::size_t>(term)]; }
  const Kernel& kernel(Index term) const { return kernels_[static_cast<std::size_t>(term)]; }

  LayerInput input_;
  std::vector<Index> supports_;
  std::vector<Kernel> kernels_;
  std::vector<Matrix> kept_;             // empty where it is evaluated
  std::unique_ptr<InputPairs> pairs_{};  // null if all are kept
};

}  // namespace gramian

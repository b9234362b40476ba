// SPDX-License-Identifier: BSD-3-Clause
// A joint objective that is estimated from batches of samples.
#pragma once

#include <cstdint>
#include <vector>

#include "models/layered/objective.hpp"

namespace gramian::autoencoder {

/// Estimates are the mean loss of a random batch, drawn without replacement, with the exact penalties: without bias, as every
/// sample is as likely as any other.
class BatchObjective final : public StochasticObjective {
 public:
  /// whole: of joint training; it must outlive this. batch_size: 0 for all samples.
  BatchObjective(LayeredObjective& whole, Index batch_size) : whole_(whole), batch_size_(batch_size) {}

  Index size() const override { return whole_.size(); }
  double evaluate(const double* x, double* gradient) override { return whole_.evaluate(x, gradient); }
  double sample(const double* x, std::uint64_t seed, std::uint64_t step, double* gradient) override;

 private:
  LayeredObjective& whole_;
  Index batch_size_;
  std::vector<Index> order_;
};

}  // namespace gramian::autoencoder

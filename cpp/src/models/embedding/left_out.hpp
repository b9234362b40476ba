// SPDX-License-Identifier: BSD-3-Clause
// Which samples are left out of an embedding for its calibration, and what they count.
#pragma once

#include <vector>

#include "gramian/losses/calibration.hpp"
#include "models/embedding/objective_batch.hpp"

namespace gramian::embedding {

/// Rows of a batch, evenly spread over it: one number is learned of them, and each takes the square of the size of the system.
class LeftOut {
 public:
  LeftOut(const Batch& batch, Index most);

  const std::vector<Index>& rows() const { return rows_; }
  /// Of rows first .. last - 1 of the batch, counted from `first`.
  std::vector<Index> within(Index first, Index last) const;
  /// values: f of each of these rows, without it; samples: how many there are, if the batch is a part of them, or 0.
  Calibration calibration(MatrixView<const double> values, Index samples = 0) const;

 private:
  std::vector<Index> rows_, labels_;
  std::vector<double> weights_;
  Index samples_;
};

}  // namespace gramian::embedding

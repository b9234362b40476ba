// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/left_out.hpp"

#include <algorithm>

namespace gramian::embedding {

LeftOut::LeftOut(const Batch& batch, Index most) : samples_(batch.training) {
  const Index count = std::min(samples_, most);
  for (Index k = 0; k < count; ++k) {
    const Index row = k * samples_ / count;
    rows_.push_back(row);
    labels_.push_back(batch.label(row));
    weights_.push_back(batch.weight(row));
  }
}

std::vector<Index> LeftOut::within(Index first, Index last) const {
  std::vector<Index> some;
  for (auto row = std::lower_bound(rows_.begin(), rows_.end(), first); row != rows_.end() && *row < last; ++row) {
    some.push_back(*row - first);
  }
  return some;
}

Calibration LeftOut::calibration(MatrixView<const double> values, Index samples) const {
  return calibrate(values, labels_.data(), weights_.data(), {}, samples > 0 ? samples : samples_);
}

}  // namespace gramian::embedding

// SPDX-License-Identifier: BSD-3-Clause
// Training samples of which some are new ones.
#pragma once

#include <optional>
#include <vector>

#include "gram/rows.hpp"

namespace gramian::dependency {

/// Samples 0 .. n - 1 but for some, ascending.
std::vector<Index> rows_except(const std::vector<Index>& out, Index n);

/// Some samples as new ones, the rest as training samples, in their own memory.
class HeldOut {
 public:
  HeldOut(const GramSource& from, const std::vector<Index>& out, const std::vector<Index>& rest);
  const GramSource& training() const { return *training_; }
  const CrossSource& fresh() const { return *fresh_; }

 private:
  PickedRows out_, rest_;           // of points
  Matrix gram_, cross_, diagonal_;  // of stored matrices
  std::optional<GramSource> training_;
  std::optional<CrossSource> fresh_;
};

}  // namespace gramian::dependency

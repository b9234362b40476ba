// SPDX-License-Identifier: BSD-3-Clause
// Some rows of what a layer sees, copied: so few that their Gram matrix is small, whatever the input is.
#pragma once

#include <optional>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/layers/composition.hpp"

namespace gramian {

/// Of 0 .. size-1 at most `most`, ascending. Drawn, as an even choice may fall in step with the order of the samples.
std::vector<Index> some_rows(Index size, Index most);

class AutoencoderRows {
 public:
  static constexpr Index most = 1000;

  AutoencoderRows(const LayerInput& input, const std::vector<Index>& rows);
  explicit AutoencoderRows(Matrix codes);

  Index size() const { return size_; }
  /// K = k of these rows; throws as full() does.
  void gram(const Kernel& kernel, MatrixView<double> K) const;
  /// out = f(these rows), of which all support f.
  void apply(const KernelLayer& layer, MatrixView<const double> Phi, MatrixView<double> out) const;
  /// 1 / the median of |x_i - x_j|^2 over pairs of rows; of the mean if the median is 0, and 1 if all rows are equal.
  double median_gamma() const;

 private:
  void copy_sparse(const SparseRows<double>& from, const std::vector<Index>& rows);
  Points points() const;

  Index size_ = 0;
  bool inner_ = false;
  Matrix dense_;  // coordinates, or inner products
  // Compressed rows, if there are any:
  Index cols_ = 0;
  std::vector<Index> row_start_, columns_;
  std::vector<double> values_;
};

}  // namespace gramian

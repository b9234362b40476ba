// SPDX-License-Identifier: BSD-3-Clause
// Products of many reflections in the compact form [SVL]: what reductions by Householder's vectors leave behind, applied by
// products of matrices.
#pragma once

#include <vector>

#include "gramian/base/export.hpp"
#include "gramian/base/matrix.hpp"

namespace gramian {

/// Q_1 Q_2 ..., each of them I - Y T Yᵀ on some rows, which are all or some of the rows of those before it.
class GRAMIAN_API Reflections {
 public:
  explicit Reflections(Index size) : size_(size) {}

  Index size() const { return size_; }
  /// One more factor on rows `row` and the next ones. Yt: Yᵀ, k x rows; T: k x k.
  void add(Index row, Matrix&& Yt, Matrix&& T);
  /// To be called once after the last of them.
  void finish();

  void apply(MatrixView<double> V) const;             ///< V = Q V, 2 n^2 operations a column
  void apply_transposed(MatrixView<double> V) const;  ///< V = Qᵀ V

 private:
  struct Factor {
    Index row;
    Matrix Yt;
    Matrix T;
    Matrix YTt;  // (Y T)ᵀ
    Index rows() const { return Yt.cols(); }
    Index count() const { return Yt.rows(); }
  };
  static Factor joined(const Factor& first, const Factor& second);

  Index size_;
  std::vector<Factor> factors_;
};

}  // namespace gramian

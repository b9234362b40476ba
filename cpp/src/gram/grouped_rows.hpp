// SPDX-License-Identifier: BSD-3-Clause
// Products of a Gram matrix of points that share the values of many features, as one-hot codes do: fewer features are left for
// each pair of rows when the rows that agree are brought together.
#pragma once

#include <memory>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

/// A sorted copy of the points in groups of neighbours. Between two groups, the features that are constant in both add the same
/// to each squared distance: one feature takes their place. This is for kernels of the distance with one length for all
/// features; the values are those of all features up to rounding.
template <class T>
class GroupedRows {
 public:
  /// group: rows of a group; 0: by their number. Null where the kernel needs the features themselves, or a product would take
  /// more than four fifths of the time of gramian::product().
  static std::unique_ptr<GroupedRows> make(const Kernel& kernel, MatrixView<const T> X, Index group = 0);

  /// out = K V. The same bits for any number of threads.
  void product(MatrixView<const T> V, MatrixView<double> out) const;

 private:
  GroupedRows(const Kernel& kernel, MatrixView<const T> X, std::vector<Index> order, Index group);
  Index rows() const { return static_cast<Index>(order_.size()); }
  Index groups() const;
  Index height(Index group) const;
  MatrixView<const T> rows_of_group(Index group) const;
  bool varies(Index group, Index feature) const { return varies_[static_cast<std::size_t>(group * features_ + feature)] != 0; }
  void find_constant_features();
  double relative_cost() const;
  MatrixView<const T> taken(Index group, const std::vector<Index>& features, T last, Buffer<T>& numbers) const;
  void add_within(Index group, MatrixView<const T> V, double* sums) const;
  void add_between(Index one, Index other, MatrixView<const T> V, double* one_sums, double* other_sums) const;

  Kernel kernel_;
  std::vector<Index> order_;  // the row of X that stands at each place
  Index group_;
  Index features_;
  Buffer<T> numbers_;  // the rows in this order
  std::vector<unsigned char> varies_;
};

}  // namespace gramian

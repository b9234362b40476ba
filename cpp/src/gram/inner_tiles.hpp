// SPDX-License-Identifier: BSD-3-Clause
// K(X, S) W for supports S that are known by their inner products with X, or that are sparse: weights that stay while X changes.
#pragma once

#include <memory>
#include <vector>

#include "gram/sparse_columns.hpp"
#include "gram/support_tiles.hpp"

namespace gramian {

/// Whether inner products are all that a kernel needs.
bool takes_inner_products(const Kernel::Node& node);

/// Immutable: any number of threads may call apply().
class InnerTiles {
 public:
  /// weights: a row for each support. Throws std::invalid_argument unless takes_inner_products().
  InnerTiles(const Kernel& kernel, std::shared_ptr<const PackedWeights> weights);

  /// No other row changes row i of the result, not in the last bit. X has as many features as the supports. Throws
  /// std::invalid_argument as check_sparse() does, or if a kernel value is not finite; other rows of the target may be written
  /// then. Messages call the first row of X `first_row`.
  void apply(const SparseRows<double>& X, const SparseColumns& supports, const SumTarget& target, Index first_row = 0) const;
  /// The same for inner products of two sets; a column for each support.
  void apply(const InnerProducts<double>& XS, const SumTarget& target) const;

  /// A rough cost of one row.
  double seconds_per_row() const;

 private:
  struct Leaf {
    const isa::KernelOps<double>* kernel;
    std::vector<double> parameters;
    bool distance;
    double square_scale;  ///< of squares and inner products
  };
  KernelTree take_leaves(const Kernel& kernel);
  template <class Source>
  void apply_all(const Source& source, const SumTarget& target) const;
  void add_tile(Index first, Index count, Index rows, const double* squares, const double* row_squares, const double* inner,
                PredictionRoom& room) const;

  const isa::Ops<double>& ops_;
  bool may_overflow_;
  std::vector<Leaf> leaves_;
  KernelTree tree_;
  std::shared_ptr<const PackedWeights> weights_;
};

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// K(X, S) W for supports S and weights W that stay while X changes: both are packed once.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gram/packed_leaves.hpp"
#include "gram/packed_weights.hpp"
#include "gram/scaled_rows.hpp"
#include "gram/sparse_columns.hpp"

namespace gramian {

/// Memory of one thread for one call at a time, which only grows: a prediction of a row takes less time than an allocation.
struct PredictionRoom {
  std::vector<Packed<double>> points{};  ///< as each leaf of a kernel sees them
  Buffer<double> tiles{};
  Buffer<double> sums{};
  Buffer<double> codes[2]{};  ///< of layers, in turn
  Buffer<double> inner{};     ///< inner products with some supports
  SparseQuery sparse{};
  ScaledRows scaled{};
  std::vector<double> squares{};               ///< |s|^2 of supports
  Buffer<double> images{};                     ///< of the points, as leaves see them
  std::vector<Buffer<double>> other_images{};  ///< those that no leaf sees
};

/// A room of this thread that nobody further up the stack has: the first, or the second one within a scope, and so on.
class PredictionRoomScope {
 public:
  PredictionRoomScope();
  ~PredictionRoomScope();
  PredictionRoomScope(const PredictionRoomScope&) = delete;
  PredictionRoomScope& operator=(const PredictionRoomScope&) = delete;
  PredictionRoom& operator*() { return *room_; }
  PredictionRoom* operator->() { return room_; }

 private:
  PredictionRoom* room_;
};

/// Immutable: any number of threads may call apply().
class SupportTiles {
 public:
  /// Names of arguments, for messages.
  struct Names {
    const char* supports;
    const char* weights;
  };

  /// Throws std::invalid_argument if a support or a weight is not finite, length scales and features disagree in number, or a
  /// kernel is on images of points with other features.
  SupportTiles(const Kernel& kernel, MatrixView<const double> supports, MatrixView<const double> weights, Names names);
  /// Weights that are packed already.
  SupportTiles(const Kernel& kernel, MatrixView<const double> supports, std::shared_ptr<const PackedWeights> weights,
               const char* supports_name);

  /// Row i of the result depends on x_i alone, to the last bit: it does not matter which of the ways below it went. X has the
  /// supports' number of features. Throws std::invalid_argument if a row of X or a kernel value is not finite; other rows of the
  /// target may be written then. Messages call the first row of X `first_row`.
  void apply(MatrixView<const double> X, const SumTarget& target, Index first_row = 0) const;

  Index outputs() const { return weights_->cols(); }
  /// A rough cost of one row.
  double seconds_per_row() const;

 private:
  PackedLeaves<double> pack_supports(const Kernel& kernel, MatrixView<const double> supports, const char* name) const;

  /// What the leaves see of the points.
  void apply_seen(MatrixView<const double> X, const SumTarget& target, Index first_row) const;
  /// A tile of supports with one of points, points along the vectors.
  void apply_tiles(MatrixView<const double> X, const SumTarget& target, Index first_row) const;
  void sum_tiles(Index points, PredictionRoom& room) const;
  /// Few points: supports along the vectors.
  void apply_few(MatrixView<const double> X, const SumTarget& target, Index first_row) const;
  void sum_few(Index points, Index sum_stride, PredictionRoom& room) const;

  std::optional<ImagePlan> images_;  // empty if all leaves see the points
  PackedLeaves<double> leaves_;      // of what they see of the supports
  Index step_;
  bool has_rows_;  // every leaf has values along the supports
  std::shared_ptr<const PackedWeights> weights_;
};

/// target = values W for rows of kernel values that somebody else computed, summed as SupportTiles does.
void apply_values(MatrixView<const double> values, const PackedWeights& weights, const SumTarget& target);

}  // namespace gramian

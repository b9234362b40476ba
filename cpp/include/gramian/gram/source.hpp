// SPDX-License-Identifier: BSD-3-Clause
// Where the numbers of a Gram matrix come from: points, their inner products, or values that were computed elsewhere. All of
// these are views: the memory that they were made from must outlive them.
#pragma once

#include <optional>
#include <utility>

#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"

namespace gramian {

/// A set of points, dense float64 or sparse, or a set that is known by its inner products: what the first layer of a composition
/// sees.
class PointSource {
 public:
  PointSource(const Points& points) : points_(points) {}
  PointSource(const InnerProducts<double>& inner) : inner_(inner) {}

  bool inner() const { return inner_.has_value(); }
  const Points& points() const { return *points_; }                  ///< unless inner()
  const InnerProducts<double>& products() const { return *inner_; }  ///< only if inner()
  Index size() const { return inner() ? inner_->inner().rows() : points_->size(); }

 private:
  std::optional<Points> points_;
  std::optional<InnerProducts<double>> inner_;
};

/// Kernel values of the training samples with each other: a Gram matrix, or a kernel and points.
class GRAMIAN_API GramSource {
 public:
  /// gram: n x n, symmetric and positive semi-definite.
  GramSource(MatrixView<const double> gram) : gram_(gram) {}
  GramSource(MatrixView<double> gram) : gram_(gram) {}
  /// Points of float64, dense or sparse.
  GramSource(const Kernel& kernel, const Points& points) : points_({kernel, points}) {}

  Index size() const { return points_ ? points_->second.size() : gram_.rows(); }
  bool stored() const { return !points_.has_value(); }
  MatrixView<const double> gram() const { return gram_; }   ///< empty unless stored
  const Kernel& kernel() const { return points_->first; }   ///< only if not stored
  const Points& points() const { return points_->second; }  ///< only if not stored

 private:
  MatrixView<const double> gram_;
  std::optional<std::pair<Kernel, Points>> points_;
};

/// Kernel values between new samples, in rows, and training samples, in columns; of outputs also of each new sample with itself.
/// Values of points are computed block by block, when they are needed.
class GRAMIAN_API CrossSource {
 public:
  /// Inputs: cross(i, j) = k(new_i, x_j).
  CrossSource(MatrixView<const double> cross) : cross_(cross) {}
  /// Outputs: cross(i, j) = l(new_i, y_j), diagonal(i, 0) = l(new_i, new_i).
  CrossSource(MatrixView<const double> cross, MatrixView<const double> diagonal) : cross_(cross), diagonal_(diagonal) {}
  /// Either. Points of float64, dense or sparse, both of one kind.
  CrossSource(const Kernel& kernel, const Points& fresh, const Points& training) : points_({kernel, fresh, training}) {}

  Index rows() const { return points_ ? points_->fresh.size() : cross_.rows(); }
  Index cols() const { return points_ ? points_->training.size() : cross_.cols(); }
  bool stored() const { return !points_.has_value(); }
  MatrixView<const double> cross() const { return cross_; }        ///< empty unless stored
  MatrixView<const double> diagonal() const { return diagonal_; }  ///< empty unless stored and given
  const Kernel& kernel() const { return points_->kernel; }         ///< only if not stored
  const Points& fresh() const { return points_->fresh; }           ///< only if not stored
  const Points& training() const { return points_->training; }     ///< only if not stored

 private:
  struct Pair {
    Kernel kernel;
    Points fresh;
    Points training;
  };
  MatrixView<const double> cross_;
  MatrixView<const double> diagonal_;
  std::optional<Pair> points_;
};

}  // namespace gramian

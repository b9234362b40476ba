// SPDX-License-Identifier: BSD-3-Clause
// How often each training sample of deep kernel PCA is there.
#pragma once

#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/eigen.hpp"

namespace gramian::deep_pca {

/// A sample of weight w stands for w samples that are equal, and so are their features. Over all of these, features H (one row
/// for each distinct sample) have orthonormal columns if S H has, where S is the diagonal matrix of the roots of the weights; the
/// Gram matrix K is S K S there, the vector of ones is S 1, and the number of samples is the sum of the weights. "Scaled" are
/// rows of S H. Without weights S is the identity, and nothing is copied or rounded.
class SampleMeasure {
 public:
  /// weights: one for each sample, or empty for 1 each. Throws std::invalid_argument unless all are finite and above 0.
  SampleMeasure(Index size, MatrixView<const double> weights);
  SampleMeasure(Index size, const std::vector<double>& weights);

  bool plain() const { return weights_.empty(); }  ///< 1 each
  Index size() const { return size_; }
  double total() const { return total_; }                               ///< the sum of the weights
  MatrixView<const double> weights() const { return weights_.view(); }  ///< n x 1; empty if plain
  std::vector<double> numbers() const { return {weights_.data(), weights_.data() + weights_.rows()}; }  ///< the same

  /// out = S A, S^-1 A, S^2 A; out may be A.
  void scale(MatrixView<const double> A, MatrixView<double> out) const;
  void unscale(MatrixView<const double> A, MatrixView<double> out) const;
  void repeat(MatrixView<const double> A, MatrixView<double> out) const;

  Matrix ones() const;  ///< S 1: n x 1
  /// The mean of features, each as often as its weight says.
  Eigen::RowVectorXd mean(MatrixView<const double> A) const;
  /// Features less their mean; out may be A.
  void centre(MatrixView<const double> A, MatrixView<double> out) const;
  /// The same of scaled rows: what is orthogonal to S 1.
  void centre_scaled(MatrixView<const double> A, MatrixView<double> out) const;
  /// out -= shift u uᵀ A for the unit vector u along S 1.
  void lower_constants(MatrixView<const double> A, double shift, MatrixView<double> out) const;

 private:
  Index size_;
  double total_;
  Matrix weights_{}, roots_{};
};

}  // namespace gramian::deep_pca

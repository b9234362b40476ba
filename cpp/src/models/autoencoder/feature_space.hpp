// SPDX-License-Identifier: BSD-3-Clause
// The feature space of a trained autoencoder, and the way through its layers.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/pool.hpp"
#include "base/workspace.hpp"
#include "gram/scaled_rows.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/models/autoencoder/feature_space_predictor.hpp"

namespace gramian::autoencoder {

class Reconstruction;

/// step(first, rows) for `count` rows in blocks, for each of which there is a row of `columns` numbers.
template <class Step>
void for_blocks(Index count, Index columns, Step step) {
  constexpr Index numbers = Index(1) << 22, fewest = 16, most = 4096;
  const Index together = std::clamp(numbers / std::max<Index>(columns, 1), fewest, most);
  for (Index first = 0; first < count; first += together) {
    poll_stop();
    step(first, std::min(together, count - first));
  }
}

/// Checked parts, and what is derived from them.
class FeatureSpace {
 public:
  /// Owned kernel values with all training samples.
  struct Values {
    Matrix cross, squares;
    KernelValues view() const { return {cross.view(), squares.view()}; }
  };

  explicit FeatureSpace(FeatureSpaceParts parts);

  const FeatureSpaceParts& parts() const { return parts_; }
  Index samples() const { return parts_.training.size(); }
  Index code_size() const { return map_.layer(parts_.code_layer).layer.outputs(); }
  bool has_points() const { return parts_.training.form() != Samples::Form::count; }
  MatrixView<const double> squares() const { return squares_.view(); }  ///< n x 1
  bool equal_squares() const;                                           ///< up to rounding

  void check(const KernelValues& values, Index columns) const;
  void check_codes(MatrixView<const double> codes) const;

  /// Values of points with all training samples.
  Values values(const Points& X) const;
  /// The columns of the landmarks.
  Matrix with_supports(MatrixView<const double> cross) const;
  void encode(const Points& X, MatrixView<double> out) const;
  void encode(const KernelValues& samples, MatrixView<double> out) const;

  /// What the last layer sees of codes.
  MatrixView<const double> inputs_of_last(MatrixView<const double> codes, Room& room) const;
  std::unique_ptr<const Reconstruction> reconstruction() const;

  /// Whether pre-images are computed from weights, and not chosen among the training samples.
  bool has_sums() const;
  /// Weighted sums of training samples.
  void sums(MatrixView<const double> weights, MatrixView<double> out) const;
  /// Of a Gaussian: points for rows of weights; returns how many were not found.
  Index preimages(MatrixView<const double> weights, MatrixView<double> out) const;
  /// Training samples.
  Matrix rows(const std::vector<Index>& which) const;

 private:
  void check_parts() const;
  Points alike(const Points& X, ScaledRows& rows) const;

  FeatureSpaceParts parts_;
  LayeredMap map_;
  Samples supports_{};  // of the first layer
  Matrix squares_, support_squares_;
};

}  // namespace gramian::autoencoder

// SPDX-License-Identifier: BSD-3-Clause
// Samples that are held out of the iterations, and end them.
#pragma once

#include <utility>
#include <vector>

#include "gramian/base/observer.hpp"
#include "gramian/models/kernel_ridge.hpp"

namespace gramian::kernel_ridge {

/// Scores the iterates of a fit every few iterations, keeps the best one, and ends the fit when no score is better for a while.
class Validated final : public Observer {
 public:
  /// X: the samples of the fit. roots: those of their weights, or empty: an iterate z has the coefficients S z. observer: whoever
  /// else watches, or null. What is referred to must outlive this. Throws std::invalid_argument for held-out samples that do not
  /// fit those of the fit.
  Validated(const Kernel& kernel, const Points& X, Index targets, const std::vector<double>& roots, const Validation& held_out,
            Scalar precision, Observer* observer);

  bool observe(const Iteration& iteration, const double* z) override;
  /// Scores the last iterate too, unless it has been scored.
  void finish(Index iterations, const double* z);

  bool ended() const { return ended_; }            ///< whether the scores ended the fit
  Index best_iteration() const { return best_; }   ///< 0: that of zeros
  const Matrix& best() const { return iterate_; }  ///< z, n x targets
  double best_score() const { return best_score_; }
  /// For 0 .. iterations; NaN for those that were not scored.
  std::vector<double> scores(Index iterations) const;

 private:
  void take(Index iteration, double score, const double* z);
  Matrix predictions(const double* z) const;
  void predict_rounded(const Matrix& coefficients, Matrix& out) const;
  double score(const Matrix& predictions) const;
  double weight(Index i) const { return held_out_.weights.empty() ? 1.0 : held_out_.weights[static_cast<std::size_t>(i)]; }

  Kernel kernel_;
  Points X_;
  const std::vector<double>& roots_;
  const Validation& held_out_;
  Observer* observer_;
  Buffer<float> rounded_, rounded_held_out_;  // the points, if products are float32
  Index patience_;
  std::vector<std::pair<Index, double>> scores_;
  Index best_ = 0, last_gain_ = 0;
  double best_score_ = 0.0;
  Matrix iterate_;
  bool ended_ = false;
};

}  // namespace gramian::kernel_ridge

// SPDX-License-Identifier: BSD-3-Clause
// Probabilities from scores of classes by one number, learned from scores of samples that were held out.
#pragma once

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// p = (1 - u) softmax(b f) + u / m for the scores f of m classes.
struct Calibration {
  double inverse_temperature = 1.0;  ///< b > 0
  double uniform_share = 0.0;        ///< u in [0, 1]
};

/// log b is normal before any score is seen. The defaults are for scores that estimate probabilities: of few samples, or of
/// samples that are not independent, the likelihood of b has its largest value far away.
struct CalibrationPrior {
  double centre = 5.0;  ///< exp of the mean of log b
  double width = 0.5;   ///< the deviation of log b
};

/// The b of the largest posterior density, and u = 1 / (n + 1), so that no class is ruled out by n samples. scores: a row for
/// each of some samples that were left out of what scores them; labels: their numbers in [0, m); weights: numbers > 0 that are
/// divided by their mean, null: 1 each; samples: n, if these are a part of them. A row that is not finite is left out. Takes time
/// in proportion to the size of scores, some 60 times. Throws std::invalid_argument for a
/// label out of its range, or a prior whose numbers are not greater than 0.
GRAMIAN_API Calibration calibrate(MatrixView<const double> scores, const Index* labels, const double* weights = nullptr,
                                  const CalibrationPrior& prior = {}, Index samples = 0);

/// The probabilities p of scores, in place. The largest score has the largest probability.
GRAMIAN_API void calibrated_softmax(const Calibration& calibration, MatrixView<double> scores);

/// Throws std::invalid_argument unless b > 0 is finite and u is in [0, 1].
GRAMIAN_API void check_calibration(const Calibration& calibration);

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// How probabilities are made of scores: a pair of numbers in Python, or None.
#pragma once

#include <optional>
#include <utility>

#include "gramian/losses/calibration.hpp"

namespace gramian::python {

/// (inverse_temperature, uniform_share)
using CalibrationPair = std::optional<std::pair<double, double>>;

inline CalibrationPair calibration_pair(const std::optional<Calibration>& calibration) {
  if (!calibration) return std::nullopt;
  return std::pair(calibration->inverse_temperature, calibration->uniform_share);
}

inline std::optional<Calibration> calibration_of(const CalibrationPair& pair) {
  if (!pair) return std::nullopt;
  return Calibration{pair->first, pair->second};
}

}  // namespace gramian::python

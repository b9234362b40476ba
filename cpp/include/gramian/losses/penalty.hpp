// SPDX-License-Identifier: BSD-3-Clause
// Penalties of the norm of a function: [DKL] Thm. 1 allows any strictly increasing function of its square.
#pragma once

#include <memory>

#include "gramian/base/export.hpp"

namespace gramian {

/// Theta(s) of a squared norm s >= 0. Implement it for a penalty of your own: strictly increasing, and differentiable for s > 0.
class GRAMIAN_API Penalty {
 public:
  virtual ~Penalty();
  /// Theta(s). Several threads may call it at once.
  virtual double value(double square) const = 0;
  /// Theta'(s), 0 or greater and finite. Where Theta has a kink at s = 0 (the norm itself), 0.
  virtual double slope(double square) const = 0;
  /// Whether it is s times a number, slope(0): then a last layer can be solved for.
  virtual bool linear() const { return false; }
};

/// std::invalid_argument unless weight >= 0 and exponent > 0 are finite.
GRAMIAN_API std::unique_ptr<Penalty> linear_penalty(double weight);                  ///< weight s
GRAMIAN_API std::unique_ptr<Penalty> norm_penalty(double weight);                    ///< weight sqrt(s)
GRAMIAN_API std::unique_ptr<Penalty> power_penalty(double weight, double exponent);  ///< weight s^exponent

}  // namespace gramian

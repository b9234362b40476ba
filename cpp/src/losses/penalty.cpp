// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/losses/penalty.hpp"

#include <cmath>

#include "base/check.hpp"
#include "gramian/base/error.hpp"

namespace gramian {

Penalty::~Penalty() = default;

namespace {

class PowerPenalty final : public Penalty {
 public:
  PowerPenalty(double weight, double exponent) : weight_(weight), exponent_(exponent) {}

  double value(double square) const override { return weight_ * std::pow(square, exponent_); }
  double slope(double square) const override {
    if (linear()) return weight_;
    // Below 1 the power has no slope at 0 (a kink), above 1 it is 0 there; so it is where the power overflows near 0.
    const double slope = square > 0.0 ? weight_ * exponent_ * std::pow(square, exponent_ - 1.0) : 0.0;
    return std::isfinite(slope) ? slope : 0.0;
  }
  bool linear() const override { return exponent_ == 1.0; }

 private:
  double weight_;
  double exponent_;
};

}  // namespace

std::unique_ptr<Penalty> linear_penalty(double weight) { return power_penalty(weight, 1.0); }
std::unique_ptr<Penalty> norm_penalty(double weight) { return power_penalty(weight, 0.5); }

std::unique_ptr<Penalty> power_penalty(double weight, double exponent) {
  require_not_negative(weight, "weight");
  require_positive(exponent, "exponent");
  return std::make_unique<PowerPenalty>(weight, exponent);
}

}  // namespace gramian

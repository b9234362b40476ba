// SPDX-License-Identifier: BSD-3-Clause
// The step of Adam, whoever takes it: on numbers, or on matrices with orthonormal columns.
#pragma once

#include <cmath>

#include "base/check.hpp"
#include "gramian/optim/stochastic.hpp"
#include "optim/course.hpp"

namespace gramian::optim_detail {

/// [Adam] Alg. 1: what moments become, and how far they move a number.
class AdamRule {
 public:
  /// Throws std::invalid_argument for constants out of their range.
  template <class Options>
  explicit AdamRule(const Options& options) : beta1_(options.beta1), beta2_(options.beta2), epsilon_(options.epsilon) {
    require_positive(options.step, "step");
    require_fraction(beta1_, "beta1");
    require_fraction(beta2_, "beta2");
    require_positive(epsilon_, "epsilon");
  }

  /// The next step begins.
  void advance() {
    power1_ *= beta1_;
    power2_ *= beta2_;
  }
  void add_first(double& moment, double g) const { moment = beta1_ * moment + (1.0 - beta1_) * g; }
  void add_second(double& moment, double square) const { moment = beta2_ * moment + (1.0 - beta2_) * square; }
  /// By what a step is divided.
  double root(double second) const { return std::sqrt(second / (1.0 - power2_)) + epsilon_; }
  double step(double length, double first, double root) const { return length * (first / (1.0 - power1_)) / root; }
  void fields(SnapshotFields& state) {
    state("power of beta1", power1_);
    state("power of beta2", power2_);
  }

 private:
  double beta1_, beta2_, epsilon_;
  double power1_ = 1.0;  ///< beta1^t
  double power2_ = 1.0;
};

/// The moments of numbers without a constraint.
class AdamSteps {
 public:
  AdamSteps(const AdamOptions& options, Index n)
      : rule_(options), length_(options.step), first_(static_cast<std::size_t>(n)), second_(static_cast<std::size_t>(n)) {}

  double move(Numbers& x, const Numbers& gradient, Index) {
    rule_.advance();
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double g = gradient[i];
      rule_.add_first(first_[i], g);
      rule_.add_second(second_[i], g * g);
      x[i] -= rule_.step(length_, first_[i], rule_.root(second_[i]));
    }
    return length_;
  }
  void fields(SnapshotFields& state) {
    rule_.fields(state);
    state("first moments", first_);
    state("second moments", second_);
  }

 private:
  AdamRule rule_;
  double length_;
  Numbers first_, second_;
};

}  // namespace gramian::optim_detail

// SPDX-License-Identifier: BSD-3-Clause
// The step of Adam, whoever takes it.
#pragma once

#include <cmath>

#include "optim/course.hpp"

namespace gramian::optim_detail {

struct AdamConstants {
  double step;
  double beta1;
  double beta2;
  double epsilon;
};

inline void require_adam(const AdamConstants& constants) {
  require_positive(constants.step, "step");
  require_fraction(constants.beta1, "beta1");
  require_fraction(constants.beta2, "beta2");
  require_positive(constants.epsilon, "epsilon");
}

/// [Adam] Alg. 1: the step from both moments, which are kept here.
class AdamRule {
 public:
  AdamRule(const AdamConstants& constants, Index n)
      : constants_(constants), first_(static_cast<std::size_t>(n)), second_(static_cast<std::size_t>(n)) {}

  double move(Numbers& x, const Numbers& gradient) {
    const double beta1 = constants_.beta1, beta2 = constants_.beta2;
    power1_ *= beta1;
    power2_ *= beta2;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double g = gradient[i];
      first_[i] = beta1 * first_[i] + (1.0 - beta1) * g;
      second_[i] = beta2 * second_[i] + (1.0 - beta2) * (g * g);
      const double m = first_[i] / (1.0 - power1_), v = second_[i] / (1.0 - power2_);
      x[i] -= constants_.step * m / (std::sqrt(v) + constants_.epsilon);
    }
    return constants_.step;
  }

 private:
  AdamConstants constants_;
  Numbers first_, second_;  ///< moments
  double power1_ = 1.0;     ///< beta1^t
  double power2_ = 1.0;
};

}  // namespace gramian::optim_detail

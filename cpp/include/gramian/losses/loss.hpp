// SPDX-License-Identifier: BSD-3-Clause
// What a reconstruction costs. [KAE] Thm. 6 allows any function of the outputs.
#pragma once

#include <memory>

#include "gramian/base/export.hpp"
#include "gramian/base/view.hpp"

namespace gramian {

/// A sum over samples, in rows, of a cost of target and output. Implement it for a loss of your own.
class GRAMIAN_API Loss {
 public:
  virtual ~Loss();
  /// sum_i V(target_i, output_i); unless empty, output_bar (as output) is overwritten with the gradient in the outputs.
  /// std::invalid_argument if shapes differ. Several threads may call it at once.
  virtual double evaluate(MatrixView<const double> target, MatrixView<const double> output,
                          MatrixView<double> output_bar) const = 0;
  /// Whether it is the squared error, for which there are closed forms.
  virtual bool squared() const { return false; }
  /// Of a loss with kinks: one without, which is never above it and at most width / 2 below for each sample. Else null. A search
  /// that would end early at a kink goes through ever narrower ones.
  virtual std::unique_ptr<Loss> smoothed(double width) const;
};

// With r = |target - output| of a sample, and the subgradient 0 where there is a kink. Cost O(n d), the same bits for any number
// of threads; NaN in, NaN out. std::invalid_argument unless epsilon >= 0 and delta > 0 are finite.
GRAMIAN_API std::unique_ptr<Loss> squared_loss();                                    ///< r^2
GRAMIAN_API std::unique_ptr<Loss> epsilon_insensitive_loss(double epsilon);          ///< max(0, r - epsilon)
GRAMIAN_API std::unique_ptr<Loss> squared_epsilon_insensitive_loss(double epsilon);  ///< max(0, r - epsilon)^2
GRAMIAN_API std::unique_ptr<Loss> huber_loss(double delta);  ///< r^2 up to delta, then 2 delta r - delta^2

/// -log of [sum_j target_j output_j] clipped to [epsilon, 1], [MCE] (7): target has a row of a unit vector for each sample,
/// output probabilities; both after `shift` was added to their entries, for outputs that sum to 0 and not to 1. Constant beyond
/// the clips, where the gradient is 0. std::invalid_argument unless epsilon is in (0, 1) and shift finite.
GRAMIAN_API std::unique_ptr<Loss> clipped_cross_entropy_loss(double epsilon, double shift = 0.0);

/// The negative logarithm of a probability. Of one output f and a target t in [0, 1]: log(1 + e^f) - t f. Of several outputs and
/// targets in rows that sum to 1 (one-hot, or probabilities): log sum_j e^{f_j} - sum_j t_j f_j. Targets are not checked.
GRAMIAN_API std::unique_ptr<Loss> logistic_loss();

}  // namespace gramian

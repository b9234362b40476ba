// SPDX-License-Identifier: BSD-3-Clause
// Losses of outputs. [KAE] Thm. 6 allows any function of the outputs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

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

/// With r = |target - output| of a sample, and the subgradient 0 where there is a kink. Cost O(n d), the same bits for any number
/// of threads; NaN in, NaN out. std::invalid_argument unless epsilon >= 0 and delta > 0 are finite.
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

/// The probabilities that are meant by outputs of the logistic loss: n x m from n x m, or n x 2 from one column.
GRAMIAN_API void softmax(MatrixView<const double> outputs, MatrixView<double> out);

/// A parameter of a loss.
struct LossParameter {
  const char* name;
  double sample;                         ///< a value for tests
  std::optional<double> otherwise = {};  ///< what it is if it is not given
};

/// A loss of the engine, by its name.
struct LossEntry {
  const char* name;
  std::vector<LossParameter> parameters;
  std::unique_ptr<Loss> (*make)(const double* parameters);
};

/// The list: tests, bindings and make_loss() iterate it.
inline std::vector<LossEntry> all_losses() {
  return {
      {"squared", {}, [](const double*) { return squared_loss(); }},
      {"epsilon_insensitive", {{"epsilon", 0.7}}, [](const double* p) { return epsilon_insensitive_loss(p[0]); }},
      {"squared_epsilon_insensitive", {{"epsilon", 0.7}}, [](const double* p) { return squared_epsilon_insensitive_loss(p[0]); }},
      {"huber", {{"delta", 0.5}}, [](const double* p) { return huber_loss(p[0]); }},
      {"clipped_cross_entropy",
       {{"epsilon", 1e-3}, {"shift", 0.0, 0.0}},
       [](const double* p) { return clipped_cross_entropy_loss(p[0], p[1]); }},
      {"logistic", {}, [](const double*) { return logistic_loss(); }},
  };
}

/// Throws std::invalid_argument for a name that is not in the list, or another number of parameters.
GRAMIAN_API std::unique_ptr<Loss> make_loss(const std::string& name, const std::vector<double>& parameters = {});

}  // namespace gramian

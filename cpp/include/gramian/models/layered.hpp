// SPDX-License-Identifier: BSD-3-Clause
// The common parts of autoencoders and deep regressions: layers before they are trained and after, and when a search ends.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/layers/composition_model.hpp"
#include "gramian/losses/penalty.hpp"
#include "gramian/optim/bfgs.hpp"
#include "gramian/optim/gradient_descent.hpp"
#include "gramian/optim/lbfgs.hpp"
#include "gramian/optim/stochastic.hpp"

namespace gramian {

/// Layer l, counted from the input, before it is trained.
struct LayerPlan {
  std::vector<LayerTerm> terms;       ///< none: `open` times A
  Index outputs = 0;                  ///< d_l; of the last layer: columns of the targets
  double penalty = 0.0;               ///< lambda_l: Theta_l(s) = lambda_l s
  std::shared_ptr<Penalty> theta{};   ///< any other Theta_l, in place of the penalty
  std::optional<OutputOperator> A{};  ///< of `open`; none: the identity
  Kernel open{"gaussian", {1.0}};     ///< with_width() by the median of squared distances where training begins
};

/// When a search ends, and how long its steps are, whatever its method.
struct TrainingLimits {
  Index max_iterations = 1000;
  double gradient_tolerance = 1e-4;  ///< on the largest magnitude of an entry of the gradient
  double value_tolerance = 1e-7;     ///< on the fall of the value in an iteration, relative to its magnitude; 0: never
  double step = 1e-2;                ///< of methods with steps of fixed lengths, and the first one that others try

  /// A solver's own options with these limits. That values of Adam and SGD, which rise and fall, come to rest is no reason to
  /// stop.
  template <class Solver>
  Solver solver() const {
    constexpr bool quasi_newton = std::is_same_v<Solver, LbfgsOptions> || std::is_same_v<Solver, BfgsOptions>;
    constexpr bool stochastic = std::is_same_v<Solver, AdamOptions> || std::is_same_v<Solver, SgdOptions>;
    Solver out;
    out.max_iterations = max_iterations;
    out.gradient_tolerance = gradient_tolerance;
    if constexpr (!stochastic) out.value_tolerance = value_tolerance;
    if constexpr (!quasi_newton) out.step = step;
    return out;
  }

  template <class Visit>
  static void fields(Visit visit) {
    visit("max_iterations", &TrainingLimits::max_iterations);
    visit("gradient_tolerance", &TrainingLimits::gradient_tolerance);
    visit("value_tolerance", &TrainingLimits::value_tolerance);
    visit("step", &TrainingLimits::step);
  }
};

/// The limits of searches that no option changes.
inline constexpr TrainingLimits autoencoder_limits{1000, 1e-5, 1e-5};
inline constexpr TrainingLimits deep_regression_limits{1000, 1e-5, 1e-7};

/// Numbers of the caller's: where a search begins. They are read during the call only.
struct WarmStart {
  WarmStart() = default;
  WarmStart(const double* first, Index count) : numbers(first), size(count) {}
  WarmStart(const std::vector<double>& all) : WarmStart(all.data(), static_cast<Index>(all.size())) {}
  explicit operator bool() const { return numbers != nullptr; }

  const double* numbers = nullptr;
  Index size = 0;
};

/// The result of training layers.
struct LayeredFit {
  CompositionModel model;
  std::vector<Matrix> outputs;  ///< X_1 .. X_{L-1} of the training samples
  OptimResult result;           ///< of the best start; x are the variables
  std::vector<double> restart_values;
  std::vector<StopReason> restart_reasons;
  double objective = 0.0;
  double loss = 0.0;                  ///< of the outputs in it: mean (the distortion of an autoencoder) or weighted sum
  std::vector<double> squared_norms;  ///< |f_l|^2
  /// Of a bound on |f_l|: the lambda_l for which this is a stationary point of the penalised problem too, [KAE] Thm. 1.
  std::vector<double> multipliers;
  /// sqrt of sum over layers of |gradient in f_l|^2 in their spaces: 0 at a stationary point, however ill-conditioned the Gram
  /// matrices are, [DKL] Thm. 2 and (14). NaN for landmarks that a kernel can't tell apart, or with a layer of several terms, or
  /// of an A that is not the identity.
  double stationarity = 0.0;
  bool joint = false;   ///< whether the last layer was a variable
  double jitter = 0.0;  ///< the number that was added to the diagonal of the last layer's system
};

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// What the training of an autoencoder minimises, as a function of the coefficients of its layers.
#pragma once

#include <cstdint>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/base/random.hpp"
#include "gramian/layers/composition.hpp"
#include "gramian/layers/ridge_output.hpp"
#include "gramian/losses/loss.hpp"
#include "gramian/optim/objective.hpp"

namespace gramian {

/// [KAE] (4), (5): as a function of Phi_1 .. Phi_{L-1}. The last layer is solved for, and acts as a loss on the codes. For (5)
/// its targets are the rows of C with C Cᵀ = K_in.
class EliminatedObjective final : public Objective {
 public:
  /// inner: layers 1 .. L-1. landmarks: whether these support the layers; then `last` sees their codes too.
  EliminatedObjective(Composition inner, RidgeOutput last, bool landmarks);

  Index size() const override { return inner_.coefficient_count(); }
  /// Infinity where it breaks down: that is for an optimiser, which comes back from there.
  double evaluate(const double* x, double* gradient) override;
  /// The same, but what breaks down is thrown.
  double value_at(const double* x, double* gradient);

  /// Phi_L is held at that of the last evaluate() from now on, [KAE] Alg. 1.
  void hold_last();
  /// The objective at x with Phi_L held. Without landmarks.
  double evaluate_held(const double* x, double* gradient);

  Composition& inner() { return inner_; }
  const RidgeOutput& last() const { return last_; }

 private:
  Composition inner_;
  RidgeOutput last_;
  Matrix codes_bar_, supports_bar_, held_;
};

/// What an estimate of a joint objective is made of.
struct SamplingOptions {
  Index batch_size = 0;               ///< 0: all samples
  double coefficient_fraction = 1.0;  ///< in (0, 1]
};

/// [KAE] (4), (6): as a function of all coefficients, for any loss; [KAE] Thm. 6 allows it.
class JointObjective final : public StochasticObjective {
 public:
  JointObjective(Composition layers, MatrixView<const double> targets, const Loss& loss, const SamplingOptions& sampling = {});

  Index size() const override { return layers_.coefficient_count(); }
  double evaluate(const double* x, double* gradient) override;
  double value_at(const double* x, double* gradient);  ///< as evaluate(), but throws

  /// From a random batch of samples, drawn without replacement: their mean loss with the exact penalties. Then of each layer a
  /// random set of rows of coefficients gets its part of the gradient, divided by the part of rows that were drawn, and the
  /// others get 0. Both are without bias, as every sample and every row is as likely as any other. In reverse mode the second
  /// draw saves no work (it did for [KAE]'s Jacobians): it is here as the doubly stochastic scheme that [KAE] Sec. 4.2 leaves for
  /// later, and as a way to damp steps in strongly coupled coefficients.
  double sample(const double* x, std::uint64_t seed, std::uint64_t step, double* gradient) override;

  Composition& layers() { return layers_; }
  double mean_loss() const { return mean_loss_; }  ///< of the last evaluation
  /// The gradient of the mean loss in X_L at the last evaluate() that was asked for a gradient.
  MatrixView<const double> output_bar() const { return output_bar_.view(); }

 private:
  double forward(const double* x);
  double sample_batch(const double* x, const RandomStream& random, double* gradient);
  void keep_some(const RandomStream& random, double* gradient) const;

  Composition layers_;
  MatrixView<const double> targets_;
  const Loss& loss_;
  SamplingOptions sampling_;
  Matrix output_bar_, batch_bar_, batch_targets_;
  std::vector<Index> order_;
  double mean_loss_ = 0.0;
  bool restricted_ = false;
};

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// The system of explicit features, and what its solution says of the samples.
#pragma once

#include "gramian/base/parallel.hpp"
#include "gramian/gram/normal_sum.hpp"
#include "gramian/models/embedding/classifier.hpp"
#include "layers/feature_ridge.hpp"
#include "models/embedding/objective_batch.hpp"

namespace gramian::embedding {

/// Throws a NumericalError that says what helps.
[[noreturn]] void refuse_lambda(double lambda);

/// [MCE] Cor. 12: the sensitivity where it is known beforehand, and 0 where it is the largest among the samples.
double known_sensitivity(const Criterion& criterion, const Kernel* kernel);

/// Z of some points, whatever the features are.
using Features = FunctionRef<void(const Points& X, MatrixView<double> Z)>;

/// [MCE] Alg. 2, lines 7-8: p x p, W = (Z^T D^2 Z + N lambda I)^-1 Z^T D^2 Y, in blocks of rows.
class FeatureSystem {
 public:
  /// Sums up the rows of the sample. features must outlive this.
  FeatureSystem(const LabelledSample& sample, Index p, double lambda, Features features);
  /// Takes the sums of N = weight samples, of which the sample has some.
  FeatureSystem(const LabelledSample& sample, NormalSystem sums, double weight, double lambda, Features features);

  const Matrix& W() const { return ridge_.W(); }

  /// Of rows of the sample that are left out one by one, with the features as they are. rows: those of the system, if there are
  /// more of them than in the sample; 0: the sample's.
  Calibration calibration(Index rows = 0);

  /// All but the form: what it says of the sample, whose largest feature is the sensitivity if that is 0. Takes W.
  void describe(double sensitivity, double epsilon, Model& model);

 private:
  const Batch& batch() const { return sampler_.whole(); }
  void solve(double shift, double lambda);
  void leave_out(MatrixView<const double> Z, const Index* rows, MatrixView<double> out);
  template <class Use>
  void each_block(Use use);

  Sampler sampler_;
  Features features_;
  Matrix Z_;
  bool filled_ = false;
  FeatureRidge ridge_;
  double jitter_ = 0.0;
};

}  // namespace gramian::embedding

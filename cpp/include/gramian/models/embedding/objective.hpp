// SPDX-License-Identifier: BSD-3-Clause
// The objective of a multiclass conditional embedding: empirical risk and Rademacher complexity, [MCE] (7), (11), (12), (13).
#pragma once

#include <memory>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/gram/points.hpp"
#include "gramian/kernels/kernel.hpp"
#include "gramian/layers/feature_map.hpp"
#include "gramian/optim/objective.hpp"

namespace gramian::embedding {

/// Samples of which the classes are known. All of it stays with the caller.
struct LabelledSample {
  Points X;
  const Index* labels = nullptr;  ///< X.size() numbers in [0, classes)
  Index classes = 0;
  const double* weights = nullptr;  ///< X.size() numbers >= 0, as if a sample were there so often; null: once

  double weight(Index i) const { return weights == nullptr ? 1.0 : weights[i]; }
  double total() const {
    double sum = 0.0;
    for (Index i = 0; i < X.size(); ++i) sum += weight(i);
    return sum;
  }
};

/// How the losses of the samples are combined.
enum class Risk {
  sum,  ///< of the samples' losses, as in the authors' code
  mean  ///< as [MCE] (12) prints it; the complexity then weighs n times more, and often only a constant classifier is left
};

/// How a loss and a complexity are taken of the samples.
struct RiskOptions {
  Risk risk = Risk::sum;
  double epsilon = 1e-15;  ///< probabilities are clipped to [epsilon, 1]
  /// sup sqrt(k(x, x)): 0 takes Kernel::supremum() where there is one, and the largest among the samples otherwise.
  double sensitivity = 0.0;
};

/// The risk together with the weight of the complexity.
struct Criterion : RiskOptions {
  double tau = 4 * 2.718281828459045;  ///< of the complexity; 0: only the empirical risk
};

/// The samples that one estimate of the objective uses.
struct Batches {
  Index batch_size = 0;              ///< of sample(); 0: all samples
  double validation_fraction = 0.0;  ///< of a batch, held out for the risk, [MCE] (13), the split redrawn each time; 0: none
};

/// n x n systems, or p x p ones of explicit features below a linear kernel, [MCE] Alg. 2.
enum class Form { gram, features };

/// The results of one evaluation besides the value.
struct Terms {
  double risk = 0.0;        ///< sum or mean, without tau r
  double complexity = 0.0;  ///< r
  double accuracy = 0.0;    ///< share of the samples that the risk was taken of
};

/// q over x = (logs of the kernel's parameters that can be learned, log lambda, theta). A parameter can be learned if it is
/// greater than 0 and not a whole number by its meaning; the others stay. evaluate() is over all samples: with a
/// validation fraction, over a fixed split of them. Where a factorization fails, or numbers leave their range, the value is
/// infinite, and that is counted.
class GRAMIAN_API TrainingObjective : public StochasticObjective {
 public:
  /// features: null, or a map of the points, which must be dense then; without a kernel it is a linear one on the features.
  /// At least one of the two. The map must outlive the objective.
  TrainingObjective(const LabelledSample& sample, const Kernel* kernel, FeatureMap* features, const Criterion& criterion,
                    const Batches& batches = {}, std::uint64_t seed = 0);
  ~TrainingObjective() override;
  TrainingObjective(TrainingObjective&&) noexcept;

  Index size() const override;
  double evaluate(const double* x, double* gradient) override;
  double sample(const double* x, std::uint64_t seed, std::uint64_t step, double* gradient) override;
  void fields(SnapshotFields& state) override;  ///< failures()

  Form form() const;
  /// x for a lambda > 0 and the parameters of the kernel; theta: those of the features, as many as there are.
  std::vector<double> pack(double lambda, const std::vector<double>& theta = {}) const;
  Kernel kernel_at(const double* x) const;  ///< throws std::invalid_argument without a kernel
  double lambda_at(const double* x) const;
  const double* theta_at(const double* x) const;  ///< within x; null without features

  Terms last_terms() const;
  Index failures() const;  ///< evaluations so far without a finite value and gradient

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gramian::embedding

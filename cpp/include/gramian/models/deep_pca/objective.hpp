// SPDX-License-Identifier: BSD-3-Clause
// The objective of deep kernel PCA, [DKPCA] (9), with its exact gradient.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/kernels/kernel.hpp"
#include "gramian/layers/composition.hpp"
#include "gramian/optim/objective.hpp"
#include "gramian/optim/stiefel_product.hpp"

namespace gramian::deep_pca {

/// Level j: k_j on the features of the level before it; the first one on the data.
struct Level {
  Kernel kernel;
  Index components = 1;  ///< s_j
  double eta = 1.0;      ///< eta_j, of either sign, not 0
};

/// Whether the eigenvalues are variables of the objective.
enum class Eigenvalues {
  eliminated,  ///< Lambda_j = diag(H_jᵀ A_j) / diag(H_jᵀ H_j), which is best for given H: no variables
  joint        ///< variables of their own, as in [DKPCA] Alg. 1
};

/// Options of a TrainingObjective.
struct ObjectiveOptions {
  Eigenvalues eigenvalues = Eigenvalues::eliminated;
  bool centred = false;  ///< every K_j is (I - 11ᵀ/n) K_j (I - 11ᵀ/n)
  /// Bytes that tiles of Gram matrices may be kept in between sweeps; those of the first level come first, as they stay.
  std::uint64_t memory_budget = std::uint64_t(1) << 30;
  /// How often each sample is there, above 0; empty: once. Then x has the rows of H_j times the roots of the weights.
  std::vector<double> weights{};

  template <class Visit>
  static void fields(Visit visit) {
    visit("eigenvalues", &ObjectiveOptions::eigenvalues);
    visit("centred", &ObjectiveOptions::centred);
    visit("memory_budget", &ObjectiveOptions::memory_budget);
    visit("weights", &ObjectiveOptions::weights);
  }
};

/// The facts about a point, beside the value.
struct State {
  double energy = 0.0;                           ///< sum_j tr(H_jᵀ K_j H_j) / (2 eta_j)
  double primal = 0.0;                           ///< [DKPCA] (5): with the W_j of (A.1) sum_j tr(H_jᵀ H_j Lambda_j) / 2 - energy
  std::vector<double> residuals;                 ///< |R_j|^2 / 2; their sum is the value
  std::vector<std::vector<double>> eigenvalues;  ///< diagonals of Lambda_j
  std::vector<double> captured;                  ///< tr(H_jᵀ K_j H_j)
  std::vector<double> kernel_traces;             ///< tr K_j
  std::vector<double> level_traces;              ///< of M_j of [DKPCA] (12): tr K_j / eta_j + tr(G_jᵀ H_j) / eta_{j+1}
};

/// J = sum_j |R_j|^2 / 2 with R_j = A_j - H_j Lambda_j, A_j = K_j H_j / eta_j + G_j / eta_{j+1}: the residuals of [DKPCA] (6);
/// A_j is the gradient in H_j of the energy sum_j tr(H_jᵀ K_j(H_{j-1}) H_j) / (2 eta_j), H_0 = X. (The paper has the factor 1/2
/// on the first term only.) x: H_1, ..., H_J, n x s_j each, row-major, one after the other, then the diagonals of Lambda_1,
/// ..., Lambda_J if these are variables. J is defined for any H, orthonormal or not, and so is the gradient.
///
/// With weights everything is as if each sample were there so many times: S H_j has orthonormal columns, for the roots of the
/// weights on the diagonal of S, S K_j(H_{j-1}) S is in the place of K_j, and S A_j in that of A_j.
///
/// Value: one sweep over each Gram matrix; gradient: one more. O(n^2 sum s_j) time. Nothing n x n is stored but tiles within the
/// budget, half of a Gram matrix each. Linear kernels of upper levels cost O(n s^2). The same bits for any number of threads.
class GRAMIAN_API TrainingObjective : public Objective {
 public:
  /// The input must outlive it. Throws std::invalid_argument for no levels, more components than samples, an eta that is 0 or not
  /// finite, kernels that the input can't serve.
  TrainingObjective(const PointSource& input, std::vector<Level> levels, const ObjectiveOptions& options = {});
  ~TrainingObjective() override;

  Index size() const override;
  double evaluate(const double* x, double* gradient) override;

  Index samples() const;
  const std::vector<Level>& levels() const;
  const ObjectiveOptions& options() const;
  /// Where H_j lives, with the free numbers of Lambda behind it.
  const StiefelProduct& manifold() const;

  State describe(const double* x);
  /// A_j for all levels: the gradient of the energy, laid out as x without eigenvalues.
  void energy_gradient(const double* x, double* out);
  /// out = K_j V for level j = 1 .. J at x (of level 1, x may be null), weighted, and centred if that was asked for. V, out: n x
  /// r.
  void product(const double* x, Index level, MatrixView<const double> V, MatrixView<double> out);
  /// The same, never centred.
  void uncentred_product(const double* x, Index level, MatrixView<const double> V, MatrixView<double> out);

  struct Parts;

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace gramian::deep_pca

// SPDX-License-Identifier: BSD-3-Clause
// The last layer of an autoencoder in closed form. For given codes its best coefficients are those of a kernel ridge
// regression, [KAE] (13). The objective becomes a function of the codes only.
#pragma once

#include <memory>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/layers/composition.hpp"

namespace gramian {

/// Options of a RidgeOutput.
struct RidgeOutputOptions {
  /// The sum over samples instead of their mean, as [DKL] has it: K + lambda I instead of K + n lambda I.
  bool sum = false;
  /// [DKL] (Int): K Phi = C, and the minimum is that of |f|^2, tr(C^T Phi), whatever the layer's penalty is. Without jitter:
  /// codes that can't be told apart are a NumericalError.
  bool interpolate = false;
  /// Of each sample, greater than 0: K + n lambda diag(weights)^-1. Empty: 1. Not for interpolation.
  std::vector<double> weights{};
};

/// min over Phi of (1/n) |C - K Phi A|^2 + lambda tr(Phi^T K Phi A), K = k(Z, Z) on codes Z: n x p, targets C: n x r with
/// C C^T = K_in, the inner products of what is to be reconstructed: the data itself, or a factor of its Gram matrix.
///
/// A = I: (K + n lambda I) Phi = C, the minimum is lambda tr(C^T Phi), and its gradient in K is -lambda Phi Phi^T, [KAE] (54).
/// A = U diag(a) U^T: (a_j K + n lambda I) psi_j = (C U)_j, Phi = Psi U^T, lambda tr(C^T Phi), -lambda Phi A Phi^T.
/// With landmarks S (m of the codes): (C_s^T C_s + n lambda K_ss) Phi = C_s^T C, (|C|^2 - tr C^T C_s Phi) / n, gradients
/// -(2/n)(C - C_s Phi) Phi^T in C_s and lambda Phi Phi^T in K_ss.
class GRAMIAN_API RidgeOutput {
 public:
  /// One term; targets must outlive this. Throws std::invalid_argument for more than one term, a penalty of 0, shapes that
  /// disagree, entries that are not finite.
  RidgeOutput(const KernelLayer& layer, MatrixView<const double> targets, Index code_size, RidgeOutputOptions options = {});
  ~RidgeOutput();
  RidgeOutput(RidgeOutput&&) noexcept;
  RidgeOutput& operator=(RidgeOutput&&) noexcept;

  /// The minimum at codes Z. If Zbar (n x p) is not empty it is overwritten with the gradient. O(n^3 / 3 + n^2 (r + p)), the
  /// first term once for each distinct a_j. Coincident codes with a tiny penalty may need jitter on the diagonal; the penalty
  /// itself stays what it is. Throws std::invalid_argument for a wrong shape or kernel values that overflow, NumericalError if
  /// the system can't be solved: the message asks for a larger penalty. MemoryLimitError.
  double evaluate(MatrixView<const double> Z, MatrixView<double> Zbar);
  /// With landmarks: S are the codes of the landmarks, m x p. Either gradient may be empty. O(n m^2 + n m (r + p)). A must be the
  /// identity, else std::invalid_argument.
  double evaluate(MatrixView<const double> Z, MatrixView<const double> S, MatrixView<double> Zbar, MatrixView<double> Sbar);

  /// The minimum on codes that are an input of any kind, supported by all of them or (unless it is empty) by these rows.
  double evaluate(const PointSource& codes, const std::vector<Index>& landmarks);

  /// The same problem for coefficients that are held at Phi, n x r: (1/n)|C - K Phi A|^2 + lambda |f|^2 and its gradient in Z.
  /// [KAE] Alg. 1: steps go along it between two solves. Phi may be coefficients(). O(n^2 (r + p)).
  double evaluate_at(MatrixView<const double> Phi, MatrixView<const double> Z, MatrixView<double> Zbar);

  /// Of the last evaluate():
  MatrixView<const double> coefficients() const;  ///< Phi, n (or m) x r
  double jitter() const;                          ///< what the factorization had to add, at most
  /// Of the last evaluate() or evaluate_at():
  double distortion() const;    ///< (1/n)|C - K Phi A|^2, or its sum, weighted
  double squared_norm() const;  ///< tr(Phi^T K Phi A)

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gramian

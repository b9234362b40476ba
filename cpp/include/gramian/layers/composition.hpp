// SPDX-License-Identifier: BSD-3-Clause
// Compositions of layers, f_L o ... o f_1, on a sample, with their reverse mode.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gramian/base/view.hpp"
#include "gramian/gram/source.hpp"
#include "gramian/layers/layer.hpp"

namespace gramian {

/// Options of a Composition.
struct CompositionOptions {
  /// Rows of the input whose images support every layer, in ascending order; empty: all of them, [KAE] Thm 6.
  std::vector<Index> landmarks;
  /// Bytes that stored Gram tiles may take, of this object alone; what does not fit is recomputed. The first layer's are stored
  /// first, as they serve every sweep; with landmarks so is C_1 (8 n m bytes), whose products then round in another way.
  std::uint64_t memory_budget = std::uint64_t(1) << 30;
};

/// The gradient of a further loss in the images X_l of a layer l < L: n x d_l.
struct ImageBar {
  Index layer = 1;
  MatrixView<const double> bar;
};

/// The layers X_l = K_l Phi_l A_l, K_l = k_l(X_{l-1}, X_{l-1}), |f_l|^2 = tr(Phi_l^T K_l Phi_l A_l) on n samples; with landmarks
/// X_l = C_l Phi_l A_l and the images of the m landmarks S_l = K_l Phi_l A_l, C_l = k_l(X_{l-1}, S_{l-1}), K_l = k_l(S_{l-1},
/// S_{l-1}). Coefficients, and gradients in them, are flat: Phi_1, ..., Phi_L one behind the other, each supports() x d_l
/// row-major. One object serves one thread at a time; it holds the workspace of all sweeps.
class GRAMIAN_API Composition {
 public:
  /// Throws std::invalid_argument for no layers, terms that disagree in size, negative penalties, landmarks that are out of range
  /// or not ascending, kernels that the input can't serve.
  Composition(const PointSource& input, std::vector<KernelLayer> layers, CompositionOptions options = {});
  ~Composition();
  Composition(Composition&&) noexcept;
  Composition& operator=(Composition&&) noexcept;

  /// Another composition with the same layers and its own workspace, which shares the Gram of the first layer.
  Composition sibling() const;

  Index samples() const;   ///< n
  Index supports() const;  ///< m: n without landmarks
  Index depth() const;     ///< L
  Index coefficient_count() const;
  const KernelLayer& layer(Index l) const;  ///< l = 1 .. L, as in the papers; as it was given
  /// Phi_l within flat coefficients.
  MatrixView<const double> coefficients(const double* flat, Index l) const;
  MatrixView<double> coefficients(double* flat, Index l) const;

  /// Computes X_1 .. X_L. O(n^2 sum (d_l + d_{l-1})), n m with landmarks. Returns sum_l lambda_l |f_l|^2.
  /// Throws std::invalid_argument if a coefficient is not finite, NumericalError if the images of these coefficients overflow.
  double forward(const double* flat);

  /// Of the last forward():
  MatrixView<const double> output(Index l) const;   ///< X_l, n x d_l
  MatrixView<const double> support(Index l) const;  ///< S_l, m x d_l: X_l without landmarks
  double squared_norm(Index l) const;               ///< |f_l|^2 in its space

  /// The gradient of loss(X_L) + sum_l lambda_l |f_l|^2 in all coefficients, at those of the last forward(), from the gradient of
  /// the loss in X_L (n x d_L). With landmarks the loss may depend on S_L too: support_bar is m x d_L or empty.
  /// mathematics: Phibar_l = K_l (Xbar_l + 2 lambda_l Phi_l) A_l, Kbar_l = (Xbar_l + lambda_l Phi_l)(Phi_l A_l)^T.
  void reverse(MatrixView<const double> output_bar, MatrixView<const double> support_bar, double* gradient);
  /// The same where the objective sees images of inner layers too.
  void reverse(MatrixView<const double> output_bar, MatrixView<const double> support_bar, const std::vector<ImageBar>& images,
               double* gradient);

  /// Of the last reverse(), without landmarks: Xbar_l + 2 lambda_l Phi_l, flat: the coefficients of the gradient in the function
  /// f_l itself. It is zero at a stationary point, however ill-conditioned K_l is.
  void function_gradient(double* flat) const;

  /// The weight of |f_l|^2 from now on: reverse() may follow without another forward().
  void set_penalty(Index l, double lambda);

  /// Only the samples `rows` (ascending, of the input) are outputs until the next call: X_l has a row for each of these, supports
  /// stay what they are. Empty: all samples again.
  void restrict_to(std::vector<Index> rows);

  /// Layer l alone on new points: f_l(X) = k_l(X, S_{l-1}) Phi_l A_l; out: X.size() x d_l.
  static void apply_layer(const KernelLayer& layer, const Points& X, const Points& supports, MatrixView<const double> Phi,
                          MatrixView<double> out);
  static void apply_layer(const KernelLayer& layer, const InnerProducts<double>& XS, MatrixView<const double> Phi,
                          MatrixView<double> out);

 private:
  struct State;
  explicit Composition(std::unique_ptr<State> state);
  void check_number(Index l) const;
  void check_forward(Index l) const;

  std::unique_ptr<State> state_;
};

}  // namespace gramian

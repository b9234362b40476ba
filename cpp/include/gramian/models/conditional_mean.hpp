// SPDX-License-Identifier: BSD-3-Clause
// Conditional mean embeddings of anything with a kernel: expectations, distances between conditionals, samples. [MCE] Sec. 2
#pragma once

#include <utility>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/gram/source.hpp"
#include "gramian/ovk/separable_ridge.hpp"

namespace gramian::conditional_mean {

/// Options of Model.
struct Options {
  double lambda = 1e-3;  ///< above 0; it is multiplied by n

  template <class Visit>
  static void fields(Visit visit) {
    visit("lambda_", &Options::lambda);
  }
};

/// The embedding of P(Y | X = x) estimated from n pairs, [MCE] (1):
///
///   mu(x) = sum_i beta_i(x) l(y_i, .),    beta(x) = (K + n lambda I)^-1 k(X, x),    K = k(X, X).
///
/// It holds the Cholesky factor of K + n lambda I, and neither inputs nor outputs: what can be said of Y follows from the
/// weights.
class GRAMIAN_API Model {
 public:
  /// O(n^3 / 3) time, 1.5 n^2 numbers during the factorization and n^2 later. lambda > 0. Throws std::invalid_argument for a Gram
  /// matrix that is not square, symmetric and finite; NumericalError if K + n lambda I is not positive definite, with the jitter
  /// that cholesky() may add; MemoryLimitError.
  Model(const GramSource& inputs, const Options& options);
  /// With a factor that was kept: n x n, lower triangular; it must outlive this.
  explicit Model(MatrixView<const double> factor);
  // A copy would view the factor of the original.
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  Model(Model&&) = default;
  Model& operator=(Model&&) = default;

  Index size() const { return factor_.rows(); }
  MatrixView<const double> factor() const { return factor_; }  ///< L with L Lᵀ = K + n lambda I
  double jitter() const { return jitter_; }                    ///< the number that was added to the diagonal; 0 as a rule

  /// out = beta(x) for each new x, a row a point: q x n. inputs: columns are the training samples. O(q n^2), in blocks.
  void weights(const CrossSource& inputs, MatrixView<double> out) const;
  /// out = (K + n lambda I)^-1 G: n x r, for values G of r functions at y_1 .. y_n. Then E[g(Y) | x] is about k(x, X) out.
  void coefficients(MatrixView<const double> G, MatrixView<double> out) const;
  /// out = E[g(Y) | x] of r functions, [MCE] (2): q x r. O(n^2 r + q n r), without weights.
  void expectation(const CrossSource& inputs, MatrixView<const double> G, MatrixView<double> out) const;

 private:
  Matrix own_;
  MatrixView<const double> factor_;
  double jitter_ = 0.0;
};

/// out(i, j) = mu_i(y_j), the embedding itself: <mu_i, l(y_j, .)> = sum_k weights(i, k) l(y_k, y_j) at new outputs y_j. With l
/// the Kronecker delta and y_j a class this is the decision function of a multiclass conditional embedding, [MCE] Lemma 8.
/// weights: q x n; outputs: c x n, columns are the training outputs; out: q x c. O(q c n).
GRAMIAN_API void values(MatrixView<const double> weights, const CrossSource& outputs, MatrixView<double> out);

/// out = |mu|^2 of embeddings with these weights: rows, q x n; out: q x 1. O(q n^2) time, and memory for some rows of weights:
/// the Gram matrix of points isn't formed. Never negative.
GRAMIAN_API void squared_norms(MatrixView<const double> weights, const GramSource& outputs, MatrixView<double> out);

/// out = |mu_a - mu_b|^2 for embeddings with weights a and b of the same outputs: rows, q x n each, in pairs; out: q x 1. With an
/// output kernel that is bounded by 1 and characteristic this is the squared maximum mean discrepancy. As squared_norms().
/// Embeddings of different samples: weights (a, 0) and (0, b) of the outputs of both.
GRAMIAN_API void distances(MatrixView<const double> a, MatrixView<const double> b, const GramSource& outputs,
                           MatrixView<double> out);

/// Rows of all samples; neither part may be empty.
struct ValidationSplit {
  std::vector<Index> training, held_out;
};

/// The candidates of a cross-validation.
struct Grid {
  std::vector<double> lambdas = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0};
  std::vector<double> scale_factors = {0.25, 0.5, 1.0, 2.0, 4.0};  ///< of the kernel's widths; the caller stretches the kernel
  Index folds = 5;
  bool regularised = false;  ///< the loss includes lambda |U|^2 of the operator U of [MCE] (1), (Song et al. 2013)

  template <class Visit>
  static void fields(Visit visit) {
    visit("lambdas", &Grid::lambdas);
    visit("scale_factors", &Grid::scale_factors);
    visit("folds", &Grid::folds);
    visit("regularised", &Grid::regularised);
  }
};

/// For each split and each lambda mean |l(y, .) - mu(x)|^2 over the held-out part, (Grunewalder et al. 2012, [MCE] Sec. 2.2), for
/// one kernel and the given splits. K, L: Gram matrices of all samples; the size of the training part is the n in n lambda. One
/// eigendecomposition for each split, then O(n^2) for each lambda. out: splits x lambdas.
GRAMIAN_API void cross_validation_losses(MatrixView<const double> K, MatrixView<const double> L,
                                         const std::vector<ValidationSplit>& splits, const Grid& grid, MatrixView<double> out);

/// The mean loss over samples that are left out one at a time, in closed form: that of n splits, each with the size of its
/// training part in n lambda. weights: n x 1, or empty for 1; their sum over the training part takes the place of its size. One
/// eigendecomposition, then O(n^3) for each lambda. out: 1 x lambdas. The loss can't be regularised.
GRAMIAN_API void leave_one_out_losses(MatrixView<const double> K, MatrixView<const double> L, MatrixView<const double> weights,
                                      const Grid& grid, MatrixView<double> out);

}  // namespace gramian::conditional_mean

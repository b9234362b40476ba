// SPDX-License-Identifier: BSD-3-Clause
// Kernel dependency estimation with operator-valued kernels, [KDE]: structured outputs, seen through a kernel of their own.
#pragma once

#include <optional>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/gram/preimage.hpp"
#include "gramian/linalg/incomplete_cholesky.hpp"
#include "gramian/gram/source.hpp"
#include "gramian/ovk/separable_ridge.hpp"

namespace gramian::dependency {

/// Factors k ≈ Uc Ucᵀ and L ≈ Vc Vcᵀ: their ranks m1 and m2 by number, by tolerance, or by the one that is reached first.
struct Ranks {
  IncompleteCholeskyOptions inputs;
  IncompleteCholeskyOptions outputs;

  template <class Visit>
  static void fields(Visit visit) {
    visit("inputs", &Ranks::inputs);
    visit("outputs", &Ranks::outputs);
  }
};

/// Options of fit().
struct Options {
  DependencyOperator output_operator = ConditionalOperator{};
  double lambda = 1e-2;         ///< greater than 0; multiplied by n: [KDE] (8). Cortes et al. 2005, the identity, have no n
  std::vector<double> lambdas;  ///< not empty: the one with the smallest criterion is taken, and `lambda` isn't read
  /// Samples to compare `lambdas` with, by mean |Phi(y) - g(x)|^2 for g fitted to the others; the model is fitted to all of them.
  /// Empty: leave-one-out, with operator and n held.
  std::vector<Index> held_out;
  /// Outputs are replaced by their projections on this many leading kernel principal components, and candidates are compared
  /// there: with the identity this is Weston et al. 2003. 0: outputs as they are. Not with ranks.
  Index components = 0;
  bool centred = false;        ///< components around the mean of the outputs, which is added to predictions
  std::optional<Ranks> ranks;  ///< none: exact
  /// How often each sample counts, greater than 0; empty: once. Then both Gram matrices are formed, with ranks too. Not with
  /// held_out or centred.
  std::vector<double> weights;

  template <class Visit>
  static void fields(Visit visit) {
    visit("output_operator", &Options::output_operator);
    visit("lambda_", &Options::lambda);
    visit("lambdas", &Options::lambdas);
    visit("held_out", &Options::held_out);
    visit("components", &Options::components);
    visit("centred", &Options::centred);
    visit("ranks", &Options::ranks);
    visit("weights", &Options::weights);
  }
};

/// A trained model: arrays only, and the training samples that they belong to. With s1 input and s2 output supports, predictions
/// are
///
///   g(x) = sum_j w_j(x) l(y_j, .) over output supports j,    w(x) = C k(input supports, x), + 1/n with `centred`.
///
/// C itself is kept where it is exact, s1 = s2 = n. With ranks C = F_l^-T G F_k^-1, and factors are kept: they lose no digits.
struct Model {
  std::vector<Index> input_supports;   ///< training samples, in the order of columns; empty: all
  std::vector<Index> output_supports;  ///< the same for outputs
  Matrix coefficients;                 ///< s2 x s1: C, or G with ranks
  Matrix input_factor;                 ///< s1 x s1, F_k, lower triangular; empty without ranks
  Matrix output_factor;                ///< s2 x s2, F_l
  Matrix components;                   ///< n x p: coordinates of y are componentsᵀ l(y), less the mean ones; empty: none
  std::vector<double> mean;            ///< p coordinates of the mean of the outputs; empty unless centred
  bool centred = false;

  Index inputs() const { return coefficients.cols(); }   ///< s1
  Index outputs() const { return coefficients.rows(); }  ///< s2
};

/// A model for predictions: a Model, or the same in memory that somebody else owns.
struct View {
  View() = default;
  View(const Model& model)
      : coefficients(model.coefficients.view()),
        input_factor(model.input_factor.view()),
        output_factor(model.output_factor.view()),
        components(model.components.view()),
        mean(model.mean.data()),
        centred(model.centred) {}

  MatrixView<const double> coefficients, input_factor, output_factor, components;
  const double* mean = nullptr;
  bool centred = false;

  Index inputs() const { return coefficients.cols(); }
  Index outputs() const { return coefficients.rows(); }
};

/// The result of fit().
struct Fit {
  Model model;
  double lambda = 0.0;  ///< the one that was taken
  /// Of each of `lambdas`: mean |Phi(y) - g(x)|^2 over samples that g has not seen; with components and leave-one-out of the
  /// projection of Phi(y).
  std::vector<double> criteria;
  double input_residual = 0.0;   ///< with ranks: trace(k - Uc Ucᵀ) / trace(k)
  double output_residual = 0.0;  ///< the same of L
};

/// Fits g, [KDE] (1), (8).
///
/// Exact: k and L are formed; one eigendecomposition and a band reduction for one lambda, two eigendecompositions for several of
/// them, O(n^3). With ranks: k and L are not formed, O(n (m1^2 + m2^2) + m1^3 + m2^3), and O(n m1 m2) for each of `lambdas`.
/// Throws std::invalid_argument for sizes that disagree, options out of their range, entries that are not finite, or a Gram
/// matrix that is not symmetric and positive semi-definite; MemoryLimitError.
GRAMIAN_API Fit fit(const GramSource& inputs, const GramSource& outputs, const Options& options = {});

/// w(x) for new inputs: q x s2. inputs: columns are the input supports. O(q s1 s2).
GRAMIAN_API void weights(const View& model, const CrossSource& inputs, MatrixView<double> weights);

/// out(i, j) = l(y_j, y_j) - 2 <g(x_i), Phi(y_j)> for candidates y_j, [KDE] (4): q x c, squared distances less what depends on
/// x_i only. Among components l(y, y) is the length of the projection. candidates: columns are the output supports.
GRAMIAN_API void scores(const View& model, const CrossSource& inputs, const CrossSource& candidates, MatrixView<double> out);

/// The `count` candidates with the smallest scores for each new input, the best first; ties go to the smaller index.
/// Scores, weights and values of kernels are formed block by block, never all. O(q c s2 + q s1 s2). For candidates that are the
/// training outputs pass these. Throws std::invalid_argument if there are fewer than `count` candidates, and for count < 1.
GRAMIAN_API NearestCandidates nearest_outputs(const View& model, const CrossSource& inputs, const CrossSource& candidates,
                                              Index count = 1);

/// The rows of these candidates without their scores, q x count. For many inputs M, whose rows make scores of an input's kernel
/// values, is replaced by a product of low rank with a bound of what that leaves out, and candidates that could be among the best
/// are scored exactly: O(q r (s1 + c) + q s1) where the rank r of scores is low, and never much more than nearest_outputs(). Up
/// to 2^24 numbers of M are kept, and 4096 inputs at a time. Candidates that differ by rounding may change places.
GRAMIAN_API std::vector<Index> nearest_rows(const View& model, const CrossSource& inputs, const CrossSource& candidates,
                                            Index count = 1);

/// The exact pre-image for a linear output kernel: out = weights Y, q x d. Y: output supports of float64, dense or sparse.
GRAMIAN_API void linear_preimages(MatrixView<const double> weights, const Points& Y, MatrixView<double> out);

/// The same for new inputs, out = sum_j w_j(x) y_j, without their weights: O(s1 s2 d + q s1 d), and with ranks O(q s1^2) more. Y:
/// output supports.
GRAMIAN_API void linear_predictions(const View& model, const CrossSource& inputs, const Points& Y, MatrixView<double> out);

/// Sequences of `symbols` different symbols whose features are one block of `symbols` numbers for each position, 1 for the symbol
/// at this position, 0 beyond the end: [KDE] Sec. 6.2. images: q x (positions symbols), from linear_predictions.
/// Returns q x positions symbols, -1 beyond the end: of all sequences the one whose features are nearest, of this length, or if
/// lengths are empty of any length up to `positions`. Ties go to the smaller symbol and the shorter sequence. O(q positions
/// symbols).
GRAMIAN_API std::vector<Index> decode_sequences(MatrixView<const double> images, Index symbols,
                                                const std::vector<Index>& lengths = {});

}  // namespace gramian::dependency

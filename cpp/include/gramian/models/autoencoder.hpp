// SPDX-License-Identifier: BSD-3-Clause
// Kernel autoencoders, [KAE]: on vectors (KAE), and on anything with inner products (K2AE).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/layers/composition_model.hpp"
#include "gramian/losses/loss.hpp"
#include "gramian/optim/result.hpp"

namespace gramian {

/// Layer l of an autoencoder before it is trained.
struct AutoencoderLayer {
  std::vector<LayerTerm> terms;       ///< none: a Gaussian, its gamma from the median of squared distances of this layer's inputs
  Index outputs = 0;                  ///< d_l; of the last layer: columns of the targets
  double penalty = 0.0;               ///< lambda_l
  std::optional<OutputOperator> A{};  ///< of that Gaussian; none: the identity
};

enum class LastLayer {
  eliminated,  ///< solved for: the optimiser sees the inner layers alone
  joint        ///< all layers' coefficients are variables
};
enum class AutoencoderSolver { lbfgs, adam, gradient_descent, sgd, alternating };
enum class LayerStart {
  principal,  ///< leading principal components of each layer's Gram matrix, centred, with unit variance
  random      ///< random directions of these, mixed with normal weights, with unit variance
};

struct AutoencoderOptions {
  /// A last layer without a penalty, or under a max_norm, can't be eliminated: it is trained jointly, and the fit says so.
  LastLayer last_layer = LastLayer::eliminated;
  AutoencoderSolver solver = AutoencoderSolver::lbfgs;
  const Loss* loss = nullptr;  ///< null: squared; any other needs LastLayer::joint
  /// s_l for each layer, greater than 0, or infinity: |f_l| <= s_l, [KAE] (7). By gradient_descent alone. Penalties that are not
  /// 0 stay in the objective.
  std::vector<double> max_norm;
  std::vector<Index> landmarks;              ///< rows whose images support the layers, ascending; empty: all
  LayerStart start = LayerStart::principal;  ///< of the first start; all others are random
  Index restarts = 1;
  std::uint64_t seed = 0;
  Index max_iterations = 500;
  double gradient_tolerance = 1e-6;
  double value_tolerance = 1e-9;  ///< not of adam and sgd, whose values rise and fall
  double step = 1e-2;             ///< of adam and sgd; the first one tried by gradient_descent and alternating
  Index batch_size = 0;           ///< of adam and sgd: samples an estimate; 0: all. Needs LastLayer::joint
  /// Of adam and sgd: part of the coefficients that an estimate updates, in (0, 1]: the doubly stochastic [KAE] Sec. 4.2.
  double coefficient_fraction = 1.0;
  Index inner_steps = 1;  ///< of alternating: gradient steps between two solves for the last layer
  std::uint64_t memory_budget = std::uint64_t(1) << 30;
};

/// A trained autoencoder: apply_layers() encodes and decodes.
using AutoencoderModel = CompositionModel;

struct AutoencoderFit {
  AutoencoderModel model;
  std::vector<Matrix> outputs;  ///< X_1 .. X_{L-1} of the training samples
  OptimResult result;           ///< of the best start; x are the coefficients that were optimised
  std::vector<double> restart_values;
  double objective = 0.0;
  double distortion = 0.0;            ///< mean loss of the training samples
  std::vector<double> squared_norms;  ///< |f_l|^2
  /// sqrt of sum over layers of |function gradient|^2 in their spaces: 0 at a stationary point, however ill-conditioned the Gram
  /// matrices are. NaN for landmarks with a layer of several terms, or of an A that is not the identity.
  double stationarity = 0.0;
  /// With max_norm: the lambda_l for which this is a stationary point of the penalised problem too, [KAE] Thm. 1.
  std::vector<double> multipliers;
  LastLayer last_layer = LastLayer::eliminated;  ///< joint if the last layer could not be eliminated
  double jitter = 0.0;
};

/// Minimises (1/n) sum loss + sum lambda_l |f_l|^2, [KAE] (4), (5), for two layers or more. targets: n x d_L, the data itself, or
/// a factor C of the Gram matrix that it is reconstructed in (K2AE). warm_start: coefficients of the variables of the first
/// start, or null; it needs the terms of all layers. The other starts are random. Starts run in parallel if there are as many of
/// them as threads and no observer; each is reproducible by itself. An observer that says stop ends the starts that are still to
/// come. An iteration takes O(n^2 sum (d_l + d_{l-1})), and O(n^3 / 3) more if the last layer is eliminated. Throws
/// std::invalid_argument for options that contradict each other, the message names them; MemoryLimitError; NumericalError if the
/// objective can't be evaluated at the best start.
GRAMIAN_API AutoencoderFit fit_autoencoder(const PointSource& input, MatrixView<const double> targets,
                                           const std::vector<AutoencoderLayer>& layers, const AutoencoderOptions& options = {},
                                           const double* warm_start = nullptr, Observer* observer = nullptr);

/// Weights of the reconstruction in a feature space, sum_j weights(i, j) phi(x_j): W^-1 k_L(code, codes), [KAE] App. B.7.
/// codes: n x p of the training samples, new_codes: q x p, weights: q x n. O(n^3 / 3 + q n^2).
GRAMIAN_API void reconstruction_weights(const KernelLayer& last, MatrixView<const double> codes,
                                        MatrixView<const double> new_codes, MatrixView<double> weights);

/// The same for a last layer that landmarks support, supports: m x p. weights: q x n, those of its ridge regression on all
/// samples: k(new, S) (C^T C + n lambda k(S, S))^-1 C^T, C = k(codes, S). O(n m^2).
GRAMIAN_API void reconstruction_weights(const KernelLayer& last, MatrixView<const double> codes,
                                        MatrixView<const double> supports, MatrixView<const double> new_codes,
                                        MatrixView<double> weights);

/// |phi(x_i) - reconstruction of it|^2 for q samples: diagonal(i) - 2 <weights_i, cross_i> + |weights_i C|^2, with cross: q x n
/// inner products with the training samples, and C C^T = K_in. [KAE] App. B.7. out: q x 1.
GRAMIAN_API void feature_distortion(MatrixView<const double> weights, MatrixView<const double> cross,
                                    MatrixView<const double> diagonal, MatrixView<const double> factor, MatrixView<double> out);

/// What [KAE] Thm. 5 bounds the excess risk of two layers with: C_0 L M s t sqrt(K p / n) + 24 M^2 sqrt(ln(2 / delta) / 2n).
/// Terms to compare fits by, not a promise: C_0 is unknown, and s, t and M are taken from the sample here.
struct GeneralizationTerms {
  double s = 0.0;          ///< |f_1|
  double t = 0.0;          ///< |f_2|
  double K = 0.0;          ///< sup k_1(x, x) tr(A_1) / p; infinity if k_1 has no bound
  double L_squared = 0.0;  ///< 2 gamma tr(A_2) for a Gaussian k_2, tr(A_2) for a linear one; infinity for those that have none.
                           ///< For a factor of a Gram matrix tr(A_2) is its rank: in an infinite space there is no bound
  double M = 0.0;          ///< largest |x_i|
  Index p = 0;             ///< d_1
};

/// targets: as for the fit. Throws std::invalid_argument unless the model has two layers.
GRAMIAN_API GeneralizationTerms generalization_terms(const AutoencoderFit& fit, MatrixView<const double> targets);

}  // namespace gramian

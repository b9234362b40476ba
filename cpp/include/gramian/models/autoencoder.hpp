// SPDX-License-Identifier: BSD-3-Clause
// Kernel autoencoders, [KAE]: on vectors (KAE), and on anything with inner products (K2AE).
#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/layers/composition_model.hpp"
#include "gramian/losses/loss.hpp"
#include "gramian/models/layered.hpp"

namespace gramian::autoencoder {

/// [KAE] Alg. 1: gradient steps for the inner layers and a solve for the last one, in turns. Without landmarks.
struct AlternatingOptions {
  Index max_iterations = 1000;  ///< epochs
  Index inner_steps = 1;        ///< for each layer, in each epoch
  double step = 1e-2;           ///< the first one that is tried
  double gradient_tolerance = autoencoder_limits.gradient_tolerance;
  double value_tolerance = autoencoder_limits.value_tolerance;

  template <class Visit>
  static void fields(Visit visit) {
    visit("max_iterations", &AlternatingOptions::max_iterations);
    visit("inner_steps", &AlternatingOptions::inner_steps);
    visit("step", &AlternatingOptions::step);
    visit("gradient_tolerance", &AlternatingOptions::gradient_tolerance);
    visit("value_tolerance", &AlternatingOptions::value_tolerance);
  }
};

/// The last layer is solved for: the optimiser sees the inner layers only. For the squared loss. Without a penalty that is linear
/// and greater than 0 the last layer can't be eliminated: it is trained jointly, and the fit says so.
struct EliminatedTraining {
  std::variant<LbfgsOptions, AdamOptions, GradientDescentOptions, AlternatingOptions> solver =
      autoencoder_limits.solver<LbfgsOptions>();

  template <class Visit>
  static void fields(Visit visit) {
    visit("solver", &EliminatedTraining::solver);
  }
};

/// All layers' coefficients are variables.
struct JointTraining {
  std::variant<LbfgsOptions, AdamOptions, GradientDescentOptions, SgdOptions> solver = autoencoder_limits.solver<LbfgsOptions>();
  std::shared_ptr<const Loss> loss{};  ///< null: squared
  Index batch_size = 0;                ///< of Adam and SGD: samples an estimate; 0: all. Starts draw different batches

  template <class Visit>
  static void fields(Visit visit) {
    visit("solver", &JointTraining::solver);
    visit("loss", &JointTraining::loss);
    visit("batch_size", &JointTraining::batch_size);
  }
};

/// [KAE] (7): |f_l| <= s_l, all layers jointly. Penalties that are not 0 stay in the objective.
struct ConstrainedTraining {
  std::vector<double> max_norm;  ///< s_l for each layer, greater than 0, or infinity
  GradientDescentOptions solver = autoencoder_limits.solver<GradientDescentOptions>();
  std::shared_ptr<const Loss> loss{};  ///< null: squared

  template <class Visit>
  static void fields(Visit visit) {
    visit("max_norm", &ConstrainedTraining::max_norm);
    visit("solver", &ConstrainedTraining::solver);
    visit("loss", &ConstrainedTraining::loss);
  }
};

/// Where the coefficients of the inner layers start.
enum class Start {
  principal,  ///< leading principal components of each layer's Gram matrix, centred, with unit variance
  random      ///< random directions of these, mixed with normal weights, with unit variance
};

/// The layers that estimators have unless their users say something else.
struct LayerDefaults {
  std::vector<Index> hidden = {2};  ///< outputs of the inner layers
  double penalty = 1e-2;            ///< lambda_l where there are too few samples to choose one by

  template <class Visit>
  static void fields(Visit visit) {
    visit("hidden", &LayerDefaults::hidden);
    visit("penalty", &LayerDefaults::penalty);
  }
};

/// Kernels that contain principal components: a Gaussian and the inner product. open_kernel() is one for LayerPlan::open of the
/// first layer, code_kernel() one for a layer whose inputs are codes of an inner layer, which have variances of about 1.
GRAMIAN_API Kernel open_kernel();
GRAMIAN_API Kernel code_kernel(Index codes);

/// Options of fit().
struct Options {
  std::variant<EliminatedTraining, JointTraining, ConstrainedTraining> training{};
  std::vector<Index> landmarks;    ///< rows whose images support the layers, ascending; empty: all
  std::vector<double> weights;     ///< of the samples in the mean of losses, greater than 0; empty: 1 each
  Start start = Start::principal;  ///< of the first start; all others are random
  Index restarts = 1;
  std::uint64_t seed = 0;  ///< of starts
  std::uint64_t memory_budget = std::uint64_t(1) << 30;

  template <class Visit>
  static void fields(Visit visit) {
    visit("training", &Options::training);
    visit("landmarks", &Options::landmarks);
    visit("weights", &Options::weights);
    visit("start", &Options::start);
    visit("restarts", &Options::restarts);
    visit("seed", &Options::seed);
    visit("memory_budget", &Options::memory_budget);
  }
};

/// The layers of a trained autoencoder.
using Model = CompositionModel;

/// The result of fit().
using Fit = LayeredFit;

/// Minimises (1/n) sum loss + sum lambda_l |f_l|^2, [KAE] (4), (5), for two layers or more. targets: n x d_L, the data itself, or
/// a factor C of the Gram matrix that it is reconstructed in (K2AE). warm_start: coefficients of the first start, of the layers
/// that are variables or of all, one layer after the other; it needs the terms of all layers. The other starts are random. Starts
/// run in parallel if there are as many of them as threads and no observer; each is reproducible by itself. An observer that says
/// stop ends the starts that are still to come. An iteration takes O(n^2 sum (d_l + d_{l-1})), and O(n^3 / 3) more if the last
/// layer is eliminated. Throws std::invalid_argument for options that contradict each other, the message names them;
/// MemoryLimitError; NumericalError if the objective can't be evaluated at the best start.
GRAMIAN_API Fit fit(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers,
                    const Options& options = {}, WarmStart warm_start = {}, Observer* observer = nullptr);

/// The terms of the bound of [KAE] Thm. 5 on the excess risk of two layers: C_0 L M s t sqrt(K p / n) + 24 M^2 sqrt(ln(2 / delta)
/// / 2n). Terms to compare fits by, not a promise: C_0 is unknown, and s, t and M are taken from the sample here.
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
GRAMIAN_API GeneralizationTerms generalization_terms(const Fit& fit, MatrixView<const double> targets);

}  // namespace gramian::autoencoder

// SPDX-License-Identifier: BSD-3-Clause
// Concatenated kernel regression and interpolation, [DKL]: L functions of reproducing kernel Hilbert spaces, one behind the
// other.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/layers/composition_model.hpp"
#include "gramian/losses/loss.hpp"
#include "gramian/models/layered.hpp"
#include "gramian/optim/objective.hpp"

namespace gramian::deep_regression {

/// The parameters of the first layer, if it is not also the last one.
enum class InnerParameters {
  automatic,     ///< features where they can be had (terms that share no output, or one term) and are not too many; coefficients
                 ///< else, and where columns of X spread a hundred times wider than others and the kernel grows with them: of
                 ///< coefficients the wide functions shrink first, of weights all functions at one rate
  coefficients,  ///< Phi_1 itself, of which many are the same function where the kernel has a small rank
  features  ///< weights W of orthonormal functions of its space, W = F^T Phi for k = F F^T: |f_1| = |W|, however bad the Gram
};

/// weight sum_i V(target_i, X_l of sample i), beside the loss on the outputs: the remark after [DKL] Thm. 1.
struct ImageLoss {
  Index layer = 1;  ///< l < L
  std::shared_ptr<const Loss> loss{};
  MatrixView<const double> targets{};  ///< n x d_l; it must outlive the fit
  double weight = 1.0;
};

/// A Matern kernel by its smoothness, nu, and its width.
struct MaternShape {
  double nu, length_scale;
};

/// Losses and norms, [DKL] (7), and for the squared loss (Reg). Classification is regression with a loss for classes.
struct Regression {
  std::shared_ptr<const Loss> loss{};  ///< null: squared
  /// All layers' coefficients are variables. Otherwise the last layer is solved for; this needs the squared loss, one term, and a
  /// linear penalty greater than 0, and the fit says if it was not so. (Of L = 1 then everything is solved for.)
  bool joint = false;
  std::vector<double> sample_weight{};  ///< n of them, 0 or greater: a measure on the samples; empty: 1 each
  std::vector<Index> landmarks{};       ///< rows whose images support the layers, ascending; empty: all

  /// The last kernel for callers who choose none, on this many features: wide, so that a fit begins almost linear.
  static MaternShape outer_kernel(Index features) { return {2.5, 3.0 * std::sqrt(static_cast<double>(features))}; }

  template <class Visit>
  static void fields(Visit visit) {
    visit("loss", &Regression::loss);
    visit("joint", &Regression::joint);
    visit("sample_weight", &Regression::sample_weight);
    visit("landmarks", &Regression::landmarks);
  }
};

/// [DKL] (Int): f_L meets the targets, its norm is minimised with penalty 1 whatever its layer says. There is no loss, and no
/// measure on samples whose targets are all met; with landmarks there would be fewer functions than targets.
struct Interpolation {
  /// mu of estimators whose users name none.
  static constexpr double inner_penalty = 1.0;
  /// As in Regression.
  static MaternShape outer_kernel(Index features) { return {1.5, std::sqrt(static_cast<double>(features))}; }
};

/// Layers of estimators whose users name neither sizes nor kernels.
inline constexpr Index default_depth = 2;

/// Options of fit().
struct Options {
  std::variant<Regression, Interpolation> mode{};
  std::variant<LbfgsOptions, BfgsOptions, AdamOptions> solver = deep_regression_limits.solver<LbfgsOptions>();
  double distance_penalty = 0.0;  ///< gamma of [DKL] (15), on X_{L-1}
  std::vector<ImageLoss> image_losses;
  InnerParameters parameters = InnerParameters::automatic;
  /// The first start: images as close to the layer's inputs as its kernel allows. All others, and it too if this is false, are
  /// draws from Gaussian processes with the kernels of the layers, times init_scale; of coefficients that are asked for, normal
  /// numbers times init_scale / sqrt(m).
  bool start_at_identity = true;
  double init_scale = 1.0;
  Index restarts = 8;
  /// The part of the restarts that come last and begin close to the best of those before them, in rounds of four: where kinks
  /// hold a search up, some of these come further down. In [0, 1).
  double refined_share = 0.25;
  std::uint64_t seed = 0;
  std::uint64_t memory_budget = std::uint64_t(1) << 30;

  /// Of all but the image losses, which view their targets.
  template <class Visit>
  static void fields(Visit visit) {
    visit("mode", &Options::mode);
    visit("solver", &Options::solver);
    visit("distance_penalty", &Options::distance_penalty);
    visit("parameters", &Options::parameters);
    visit("start_at_identity", &Options::start_at_identity);
    visit("init_scale", &Options::init_scale);
    visit("restarts", &Options::restarts);
    visit("refined_share", &Options::refined_share);
    visit("seed", &Options::seed);
    visit("memory_budget", &Options::memory_budget);
  }
};

/// model.landmarks: the rows that support layer 1; fewer than all also where samples have weight 0 or were merged. outputs: of
/// the samples that count; result.x are the variables in the parameters below.
struct Fit : LayeredFit {
  std::vector<Index> rows{};        ///< of the samples that count, not merged nor of weight 0; empty: all
  std::vector<double> penalties{};  ///< Theta_l(|f_l|^2)
  InnerParameters parameters = InnerParameters::coefficients;
  Index inner_rank = 0;         ///< features of layer 1, of all its outputs; 0 for coefficients
  std::vector<Index> merged{};  ///< rows that were left out, as the kernels can't tell them from an earlier one: interpolation
};

/// Minimises sum_i w_i V(y_i, f_L(.. f_1(x_i))) + sum_l Theta_l(|f_l|^2) + gamma sum_{i<j} coth |X_{L-1,i} - X_{L-1,j}|^2 + image
/// losses: [DKL] (7), with (Reg) for the squared loss, whose last layer is solved for, and (Int) for interpolation. Sums, not
/// means: [KAE]'s objective is this one divided by n. L = 1 is kernel ridge regression, or interpolation.
///
/// A point where the last system is not positive definite is out of the domain: J = infinity. Samples that all kernels of layer 1
/// take for the same are merged for interpolation if their targets are equal. Starts run in parallel if there are as many of them
/// as threads and no observer, and each is reproducible by itself, for any number of threads. warm_start: variables of an earlier
/// fit of the same input, layers and parameters; they replace the first start. An evaluation takes O(n^2 sum (d_l + d_{l-1})),
/// and O(n^3 / 3) more if the last layer is solved for. Throws std::invalid_argument for options that contradict each other and
/// for samples to interpolate that are the same but for their targets, the message names the rows; MemoryLimitError;
/// NumericalError if J is infinity at the end of every start.
GRAMIAN_API Fit fit(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers,
                    const Options& options = {}, WarmStart warm_start = {}, Observer* observer = nullptr);

/// Throws what fit() throws for its arguments and its memory, before any work is done: for callers with
/// expensive work before the fit. Samples that the kernels can't tell apart are not looked for.
GRAMIAN_API void check(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers,
                       const Options& options = {});

/// The objective of fit(), as a function of its variables, for an optimiser of one's own: those of layer 1 as
/// `parameters` has them, then the coefficients of each layer behind it that is not solved for. Points and targets must outlive
/// it. Throws what fit() throws for its arguments, and
/// std::invalid_argument where nothing is left to search: one layer, which is solved for.
GRAMIAN_API std::unique_ptr<Objective> objective(const PointSource& input, MatrixView<const double> targets,
                                                 const std::vector<LayerPlan>& layers, const Options& options = {});

/// The penalties that are tried: last_penalties for the last layer (lambda, alpha), inner_penalties for all others (mu).
struct Grid {
  std::vector<double> last_penalties = {1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0};
  std::vector<double> inner_penalties = {1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0};
  Index folds = 5;                            ///< drawn with options.seed
  std::vector<std::vector<Index>> test_rows;  ///< or these rows are left out, one set after the other

  template <class Visit>
  static void fields(Visit visit) {
    visit("last_penalties", &Grid::last_penalties);
    visit("inner_penalties", &Grid::inner_penalties);
    visit("folds", &Grid::folds);
    visit("test_rows", &Grid::test_rows);
  }
};

/// Options for the fits of a choice, which need not be finished: a quarter of the restarts, none of them refined, at most a
/// hundred iterations, and a coarser tolerance.
GRAMIAN_API Options options_of_a_choice(Options options);

/// The result of validate().
struct Validation {
  Matrix errors;       ///< mean loss of the rows that were left out; last_penalties x inner_penalties; infinity: a fit failed
  Matrix fold_errors;  ///< of each fold by itself: folds x (last_penalties inner_penalties), inner ones side by side
  double last_penalty = 0.0, inner_penalty = 0.0;  ///< of the smallest; ties go to the largest penalties
};

/// Cross-validation over the grid. In each fold the Gram of layer 1 and its features serve all fits; a fit begins where the one
/// with the next larger last penalty ended, and with options.restarts starts of its own at the largest. Folds and inner penalties
/// run in parallel. The same bits for any number of threads. Layers with a theta keep it. Not for interpolation. An observer that
/// says stop ends the fits that run, and all others after an iteration, so that each pair has a loss; several threads ask it.
GRAMIAN_API Validation validate(const PointSource& input, MatrixView<const double> targets, const std::vector<LayerPlan>& layers,
                                const Options& options, const Grid& grid, Observer* observer = nullptr);

/// The deep kernel k_L(X_{L-1}(x), X_{L-1}(y)), [DKL] (10), (11), of images as apply_layers() makes them (for L = 1: of the
/// points themselves). K: n x n, or n x m. Throws std::invalid_argument unless the last layer has one term.
GRAMIAN_API void deep_gram(const CompositionModel& model, const Points& images, MatrixView<double> K);
GRAMIAN_API void deep_gram(const CompositionModel& model, const Points& x_images, const Points& y_images, MatrixView<double> K);

}  // namespace gramian::deep_regression

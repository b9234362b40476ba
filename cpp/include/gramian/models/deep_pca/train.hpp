// SPDX-License-Identifier: BSD-3-Clause
// Deep kernel principal component analysis, [DKPCA]: levels of kernel PCA that see each other, forward and backward.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "gramian/base/matrix.hpp"
#include "gramian/models/deep_pca/objective.hpp"
#include "gramian/models/layered.hpp"
#include "gramian/optim/riemannian.hpp"

namespace gramian::deep_pca {

/// One level, or linear kernels on all levels but the first.
struct ClosedForm {};
/// Eigenproblems in turn until they agree, [DKPCA] (6); for the same kernels.
struct SelfConsistent {
  Index max_iterations = 1000;
  double gradient_tolerance = 1e-4;  ///< on the largest entry of R_j, relative to the largest eigenvalue

  template <class Visit>
  static void fields(Visit visit) {
    visit("max_iterations", &SelfConsistent::max_iterations);
    visit("gradient_tolerance", &SelfConsistent::gradient_tolerance);
  }
};
/// Kernel PCA of each level on the one before, without a way back (Deng et al. 2019).
struct Levelwise {};
/// The closed form where there is one and the start is that of kernel PCA; these iterations otherwise.
struct Automatic {
  RiemannianLbfgsOptions otherwise = {1000, 12, 1e-4, 1e-10, 1e-4};

  template <class Visit>
  static void fields(Visit visit) {
    visit("otherwise", &Automatic::otherwise);
  }
};
/// Those of optim/riemannian.hpp minimise the residuals; StiefelDescentOptions: [DKPCA] Alg. 1.
using Solver = std::variant<Automatic, ClosedForm, SelfConsistent, RiemannianLbfgsOptions, RiemannianAdamOptions,
                            StiefelDescentOptions, Levelwise>;
GRAMIAN_API const char* name_of(const Solver& solver);  ///< "closed_form", ...
/// The solver of this name, with the tolerances and steps that suit J. Throws std::invalid_argument if there is none.
GRAMIAN_API Solver solver_named(const std::string& name);
GRAMIAN_API std::vector<std::string> names_of_solvers();

/// Where training starts.
enum class Start {
  kpca,   ///< levelwise kernel PCA
  random  ///< random directions. They lead to *small* eigenvalues, whose residuals are small: compare captured traces
};

/// The levels that estimators have unless their users say something else.
struct LevelDefaults {
  std::vector<Index> components = {5, 5};  ///< s_j
  double eta = 1.0;                        ///< of every level

  template <class Visit>
  static void fields(Visit visit) {
    visit("components", &LevelDefaults::components);
    visit("eta", &LevelDefaults::eta);
  }
};

/// Options of fit().
struct Options {
  Solver solver;
  Start start = Start::kpca;  ///< of the first start; all others are random
  Index starts = 1;
  std::uint64_t seed = 0;
  Eigenvalues eigenvalues = Eigenvalues::eliminated;
  bool centred = false;
  std::uint64_t memory_budget = std::uint64_t(1) << 30;
  std::vector<double> weights{};  ///< how often each sample is there, above 0; empty: once

  template <class Visit>
  static void fields(Visit visit) {
    visit("solver", &Options::solver);
    visit("start", &Options::start);
    visit("starts", &Options::starts);
    visit("seed", &Options::seed);
    visit("eigenvalues", &Options::eigenvalues);
    visit("centred", &Options::centred);
    visit("memory_budget", &Options::memory_budget);
    visit("weights", &Options::weights);
  }
};

/// The small parts of a model.
struct Summary {
  std::vector<Level> levels;
  std::vector<std::vector<double>> eigenvalues;  ///< diagonals of Lambda_j
  bool centred = false;
  bool coupled = true;                       ///< false: of levelwise, the levels know nothing of the next one
  std::vector<std::vector<double>> means;    ///< of the columns of H_j, if centred; else zeros
  std::vector<std::vector<double>> offsets;  ///< (C H_j)ᵀ K_j 1 / n, if centred; else zeros

  Index depth() const { return static_cast<Index>(levels.size()); }

  template <class Visit>
  static void fields(Visit visit) {
    visit("levels", &Summary::levels);
    visit("eigenvalues", &Summary::eigenvalues);
    visit("centred", &Summary::centred);
    visit("coupled", &Summary::coupled);
    visit("means", &Summary::means);
    visit("offsets", &Summary::offsets);
  }
};

/// A trained model: everything but the training samples, which stay with the caller.
struct Model : Summary {
  std::vector<Matrix> features;  ///< H_1 .. H_J; n x s_j, orthonormal columns, by falling eigenvalue
  /// K_1 H_1 / eta_1, n x s_1: the part of each training sample in the equations of a new one. Empty where they are linear.
  Matrix inputs;
  /// Of one level on landmarks, which are the n samples here: what takes the place of C H_1, n x s_1, and of 1/n, n x 1, in sums
  /// over all samples. Empty without landmarks.
  Matrix coefficients, centre;
  /// How often each sample is there, n x 1; empty: once. Means are over all of them, and H_j would have orthonormal columns if
  /// each row were there so often.
  Matrix weights;

  Index samples() const { return features.empty() ? 0 : features.front().rows(); }
};

/// A model for computations: a Model, or the same in memory that somebody else owns.
struct View : Summary {
  View() = default;
  View(const Model& model)
      : Summary(model),
        inputs(model.inputs.view()),
        coefficients(model.coefficients.view()),
        centre(model.centre.view()),
        weights(model.weights.view()) {
    for (const Matrix& H : model.features) features.push_back(H.view());
  }

  std::vector<MatrixView<const double>> features;
  MatrixView<const double> inputs, coefficients, centre, weights;

  Index samples() const { return features.empty() ? 0 : features.front().rows(); }
};

/// How the training from one start ended.
struct StartReport {
  double value = 0.0;           ///< J
  double captured_trace = 0.0;  ///< of the first level
  StopReason stop_reason = StopReason::value;
  Index iterations = 0;
};

/// The result of fit().
struct Fit {
  Model model;
  OptimResult result;  ///< of the best start; its x is empty. Of a closed form: no iterations, StopReason::gradient
  Solver solver;       ///< that was used
  std::vector<StartReport> starts;
  double objective = 0.0;  ///< J, [DKPCA] (9) with 1/2 on every term
  State state;             ///< with the eigenvalues in the order of the model
  /// Lambda_j / tr M_j of each level: parts of the sum of all n eigenvalues of (12); for one level those of kernel PCA.
  std::vector<std::vector<double>> explained_variance_ratio;
  /// tr(H_jᵀ K_j H_j) / tr K_j of each level: the share of their level's variance that the components hold, whatever Lambda is.
  std::vector<double> captured_trace;
};

/// Solves [DKPCA] (6) for levels of kernel PCA: a stationary point where J is 0, as near as it gets. By default from levelwise
/// kernel PCA: a small J by itself says little, as a random start ends at bottom eigenvectors of K_1 (see captured_trace). The
/// best of several starts is that of smallest J. warm_start: H_1 .. H_J of an earlier fit, one after the other, each row by row,
/// which replace the first start; a closed form, and levelwise, have no use for them. A value costs O(n^2 sum s_j) and a gradient
/// the same again. Throws std::invalid_argument for options that contradict each other, the message names them; MemoryLimitError.
GRAMIAN_API Fit fit(const PointSource& input, const std::vector<Level>& levels, const Options& options = {},
                    WarmStart warm_start = {}, Observer* observer = nullptr);

/// gamma of a Gaussian kernel on features with orthonormal columns, n x s, for callers who choose none: a tenth over the mean
/// squared distance between rows, which is 2 s / n. By experiment: with this gamma the equations are solved well. rows: n, the
/// sum of the weights if there are some.
GRAMIAN_API double upper_gamma(double rows, Index components);

/// [DKPCA] (5): its stabilised form J + c J^2 / 2 from J, of [DKPCA] Sec. 2.1. It has the same stationary points.
GRAMIAN_API double stabilised_objective(double primal, double c);

/// [DKPCA] Lemma 4.1: |K_1 / eta_1 - H_1 Lambda_1 H_1ᵀ|, the error of the deep approximation, and its bounds, corrected, for two
/// levels with a linear k_2.
struct Bounds {
  double lower = 0.0;  ///< sqrt(sum_{i > s_1} lambda_i^2) - sqrt(s_2) / |eta_2|; 0 if that is negative
  double error = 0.0;
  double upper = 0.0;  ///< NaN if an eigenvalue of Lambda_1 is negative: there is none then
};

/// lambda_i are the eigenvalues of K_1 / eta_1 + H_2 H_2ᵀ / eta_2. O(n^2). Throws std::invalid_argument for other models.
GRAMIAN_API Bounds bounds(const PointSource& input, const View& model);

}  // namespace gramian::deep_pca

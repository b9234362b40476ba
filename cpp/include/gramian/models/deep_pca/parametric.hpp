// SPDX-License-Identifier: BSD-3-Clause
// Deep kernel PCA of learned features, with a learned way back: [DKPCA] (11).
#pragma once

#include <memory>
#include <vector>

#include "gramian/layers/feature_map.hpp"
#include "gramian/models/deep_pca/train.hpp"
#include "gramian/optim/stochastic.hpp"

namespace gramian::deep_pca {

/// Maps phi to features and psi back. A map gives the gradient in its parameters and not in its input, so psi is here as the
/// composition of both; theta has the parameters of phi, then those of psi. Both serve one thread at a time.
struct Maps {
  FeatureMap& features;    ///< phi: from d to p numbers
  FeatureMap& round_trip;  ///< psi(phi(.)): from d to d numbers
};

/// J + gamma sum_i w_i |x_i - psi(phi(x_i))|^2 in theta, [DKPCA] (11), with the features and eigenvalues of all levels fixed; the
/// first level has a linear kernel on phi(X). w_i are the weights of the fit, or 1. O(n p s) for s components, beside one pass
/// through both maps.
class GRAMIAN_API MapObjective : public Objective {
 public:
  /// fit: of levels trained on Z = phi(X; theta) for some theta. Maps and X must outlive it. Throws std::invalid_argument for
  /// shapes that disagree, a first kernel that is not linear, levels that do not see each other, or gamma below 0.
  MapObjective(const Maps& maps, MatrixView<const double> X, MatrixView<const double> Z, const Fit& fit, double gamma);
  ~MapObjective() override;

  Index size() const override;
  double evaluate(const double* theta, double* gradient) override;
  /// sum_i w_i |x_i - psi(phi(x_i))|^2
  double squared_error(const double* theta);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The maps and levels that estimators have unless their users say something else. Either map is a network with one layer of
/// units between its ends.
struct MapDefaults {
  std::vector<Index> components = {2, 2};  ///< s_j
  Index units = 32;
  Index least_features = 4, most_features = 32;  ///< p: as many as X has, within these bounds

  template <class Visit>
  static void fields(Visit visit) {
    visit("components", &MapDefaults::components);
    visit("units", &MapDefaults::units);
    visit("least_features", &MapDefaults::least_features);
    visit("most_features", &MapDefaults::most_features);
  }
};

/// Options of fit_parametric().
struct ParametricOptions {
  double gamma = 1.0;        ///< the weight of reconstructions, 0 or greater
  Index rounds = 10;         ///< turns: all levels with fixed maps, then both maps with fixed levels
  AdamOptions maps = {100};  ///< of each turn
  Options levels;

  template <class Visit>
  static void fields(Visit visit) {
    visit("gamma", &ParametricOptions::gamma);
    visit("rounds", &ParametricOptions::rounds);
    visit("maps", &ParametricOptions::maps);
    visit("levels", &ParametricOptions::levels);
  }
};

/// The result of fit_parametric().
struct ParametricFit {
  std::vector<double> theta;
  Matrix features;  ///< phi(X): n x p
  Fit pca;          ///< of these
  /// The objective and the sum of squared errors, at the start and after each turn, when the levels are solved for.
  std::vector<double> objectives, errors;
  OptimResult result;  ///< of the maps: Adam in all turns as one search; its x is empty
};

/// In turns from theta. `observer` sees the steps of Adam in all turns, one after the other, and `levels_observer` the iterations
/// of the levels in each; when one of them says stop, the levels are solved for a last time. Throws std::invalid_argument as
/// fit() and the objective do.
GRAMIAN_API ParametricFit fit_parametric(const Maps& maps, MatrixView<const double> X, std::vector<double> theta,
                                         const std::vector<Level>& levels, const ParametricOptions& options = {},
                                         Observer* observer = nullptr, Observer* levels_observer = nullptr);

}  // namespace gramian::deep_pca

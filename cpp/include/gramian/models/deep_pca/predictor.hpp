// SPDX-License-Identifier: BSD-3-Clause
// A trained deep kernel PCA as a value: features of new samples, and samples from features.
#pragma once

#include <memory>
#include <vector>

#include "gramian/gram/samples.hpp"
#include "gramian/layers/fixed_features.hpp"
#include "gramian/models/deep_pca/apply.hpp"
#include "gramian/serving/predictor.hpp"

namespace gramian::deep_pca {

/// The parts of a Predictor.
struct Parts {
  Summary summary{};
  std::vector<SharedMatrix> features{};  ///< H_1 .. H_J
  SharedMatrix inputs{};                 ///< as in Model
  SharedMatrix coefficients{};           ///< as in Model
  SharedMatrix centre{};                 ///< as in Model
  SharedMatrix weights{};                ///< as in Model
  /// The training samples; only their number if rows of X are inner products with them. Then the first kernel is the inner
  /// product.
  Samples training{};
  TransformOptions transform{};
  InverseOptions inverse{};
};

/// The parts of a model that fit() has trained on these samples.
GRAMIAN_API Parts parts_of(Model model, Samples training);

/// Verbs: transform gives the features of all levels side by side; inverse_transform, where the training samples are known, takes
/// features of the last level. The named functions do more.
class GRAMIAN_API Predictor final : public gramian::Predictor {
 public:
  /// Throws std::invalid_argument for parts that do not fit together; the message names them.
  explicit Predictor(Parts parts);

  const Parts& parts() const;
  const View& view() const;  ///< the same for the functions of apply.hpp

  const char* family() const override { return "deep_pca"; }
  Index inputs(Verb verb) const override;
  Index outputs(Verb verb) const override;
  bool takes_sparse(Verb verb) const override;
  void store(stored::Writer& to) const override;
  static Predictor load(stored::Reader& from);

  /// transform() of apply.hpp. X: points of the training samples' form, or rows of inner products with them. Throws
  /// std::invalid_argument for another number of features.
  Codes codes(const Points& X) const;
  /// inverse_transform() of apply.hpp. Throws std::invalid_argument if only inner products are known of the training samples.
  LevelPreimages preimages(Index level, MatrixView<const double> codes) const;

 private:
  void compute(Verb verb, const Points& X, MatrixView<double> out) const override;

  struct State;
  std::shared_ptr<const State> state_;
};

/// A trained ParametricFit as a value: a deep kernel PCA between two maps, features and back.
class GRAMIAN_API ParametricPredictor final : public gramian::Predictor {
 public:
  /// Throws std::invalid_argument unless `back` maps what the first level sees to as many numbers as `features` takes.
  ParametricPredictor(FixedFeatures features, FixedFeatures back, deep_pca::Predictor pca);

  const FixedFeatures& features() const { return features_; }
  const FixedFeatures& back() const { return back_; }
  const deep_pca::Predictor& pca() const { return pca_; }

  const char* family() const override { return "parametric_deep_pca"; }
  Index inputs(Verb verb) const override;
  Index outputs(Verb verb) const override;
  void store(stored::Writer& to) const override;
  static ParametricPredictor load(stored::Reader& from);

 private:
  void compute(Verb verb, const Points& X, MatrixView<double> out) const override;

  FixedFeatures features_, back_;
  deep_pca::Predictor pca_;
};

}  // namespace gramian::deep_pca

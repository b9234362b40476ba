// SPDX-License-Identifier: BSD-3-Clause
// A trained embedding classifier as a value: it predicts, and needs nothing else.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gramian/gram/samples.hpp"
#include "gramian/layers/fixed_features.hpp"
#include "gramian/models/embedding/classifier.hpp"
#include "gramian/serving/predictor.hpp"

namespace gramian::embedding {

/// The parts of a Predictor. f(x) = sum_j k(phi(x), phi(s_j)) W_j for a kernel, f(x) = W^T phi(x) without one; phi is the
/// composition of all features, or x itself.
struct Parts {
  std::optional<Kernel> kernel{};
  std::vector<FixedFeatures> features{};
  Samples supports{};      ///< s_j, of x; only their number if rows of X are kernel values to them; none without a kernel
  SharedMatrix weights{};  ///< W: a row for each support, or feature, and a column for each class
  std::vector<ClassLabel> classes{};
  std::optional<Calibration> calibration{};  ///< of predict_proba; none: clip_normalise()
};

/// The parts of a classifier that fit() has trained, on these samples, with these features (fit.model.theta are their
/// parameters).
GRAMIAN_API Parts parts_of(const Model& model, const Samples& training, std::vector<ClassLabel> classes,
                           const std::vector<FixedFeatures>& features = {});

/// A classifier, [MCE] (5). Verbs: scores are f(x), predict_proba is calibrated_softmax() or clip_normalise() of them, predict
/// the number of the largest. A row costs O(s (d + m)) for s supports of d features and m classes, beside the features.
class GRAMIAN_API Predictor final : public gramian::Predictor {
 public:
  /// Throws std::invalid_argument for parts that do not fit together; the message names them.
  explicit Predictor(Parts parts);

  const Parts& parts() const;

  const char* family() const override { return "embedding"; }
  Index inputs(Verb verb) const override;
  Index outputs(Verb verb) const override;
  bool takes_sparse(Verb verb) const override;
  void store(stored::Writer& to) const override;
  static Predictor load(stored::Reader& from);
  const std::vector<ClassLabel>& classes() const override;

 private:
  void compute(Verb verb, const Points& X, MatrixView<double> out) const override;
  void decide(const Points& X, MatrixView<double> out) const;
  void decide_on_features(const Points& X, MatrixView<double> out) const;

  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace gramian::embedding

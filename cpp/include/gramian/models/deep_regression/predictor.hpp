// SPDX-License-Identifier: BSD-3-Clause
// A trained concatenated regression, interpolation or classification as a value: it predicts, and needs nothing else.
#pragma once

#include <memory>
#include <vector>

#include "gramian/gram/column_scaling.hpp"
#include "gramian/layers/layered_map.hpp"
#include "gramian/models/deep_regression.hpp"
#include "gramian/serving/predictor.hpp"

namespace gramian::deep_regression {

/// What the outputs of the last layer are.
enum class Outputs {
  values,        ///< of a regression or an interpolation
  logits,        ///< of the classes; of two classes only that of the second one
  probabilities  ///< estimates of those of the classes, which may leave [0, 1]
};

/// The parts of a Predictor.
struct Parts {
  std::vector<SupportedLayer> layers{};  ///< from the input side; the supports of the first one are scaled as `inputs` says
  ColumnScaling inputs{};                ///< the first layer sees (x - shift) / scale; each may be empty: 0, and 1
  ColumnScaling outputs{};               ///< the model returns scale * f(x) + shift
  std::vector<ClassLabel> classes{};     ///< none for values
  Outputs meaning = Outputs::values;
};

/// The parts of what fit() has trained on these samples, which may have been scaled before.
GRAMIAN_API Parts parts_of(const Fit& fit, const Samples& training, ColumnScaling inputs = {}, ColumnScaling outputs = {});

/// f = f_L o ... o f_1, [DKL] (7). Verbs of a regression: predict is f(x), and transform what the last layer sees of x,
/// f_{L-1}(.. f_1(x)). A classifier has transform too; its scores are f(x), with a logit of 0 for the first of two classes;
/// predict_proba are probabilities, and predict the number of the class. A row costs O(m (d + d_1 + ... + d_L)) for m supports.
class GRAMIAN_API Predictor final : public gramian::Predictor {
 public:
  /// Throws std::invalid_argument for parts that do not fit together; the message names them.
  explicit Predictor(Parts parts);

  const Parts& parts() const;

  const char* family() const override { return "deep_regression"; }
  Index inputs(Verb verb) const override;
  Index outputs(Verb verb) const override;
  bool takes_sparse(Verb verb) const override;
  void store(stored::Writer& to) const override;
  static Predictor load(stored::Reader& from);
  const std::vector<ClassLabel>& classes() const override;

  /// The images of rows under layers 1 .. layer, layer = 1 .. L - 1; layer = 0: the rows as the first layer sees them. Dense or
  /// sparse rows, whatever the supports are. Throws as apply() does.
  void images(Index layer, const Points& X, MatrixView<double> out) const;
  /// Logarithms of predict_proba, of logits without going through them; minus infinity for an estimate of 0 or less. Throws as
  /// apply() does.
  void log_proba(const Points& X, MatrixView<double> out) const;

 private:
  void compute(Verb verb, const Points& X, MatrixView<double> out) const override;

  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace gramian::deep_regression

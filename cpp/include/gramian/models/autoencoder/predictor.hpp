// SPDX-License-Identifier: BSD-3-Clause
// A trained autoencoder of vectors as a value: it encodes and decodes, and needs nothing else.
#pragma once

#include <memory>
#include <vector>

#include "gramian/layers/layered_map.hpp"
#include "gramian/models/autoencoder.hpp"
#include "gramian/serving/predictor.hpp"

namespace gramian::autoencoder {

/// The parts of a Predictor.
struct Parts {
  std::vector<SupportedLayer> layers{};  ///< f_1 .. f_L; the last one has as many outputs as the first one's supports features
  Index code_layer = 1;                  ///< whose outputs are the codes: 1 .. L - 1
};

/// The parts of what fit() has trained on these samples.
GRAMIAN_API Parts parts_of(const Fit& fit, const Samples& training, Index code_layer);

/// [KAE] (4): transform gives codes of rows, inverse_transform rows from codes. A row costs O(m (d_1 + .. + d_L)) for m supports,
/// of the layers that it goes through.
class GRAMIAN_API Predictor final : public gramian::Predictor {
 public:
  /// Throws std::invalid_argument for parts that do not fit together; the message names them.
  explicit Predictor(Parts parts);

  const Parts& parts() const;

  const char* family() const override { return "autoencoder"; }
  Index inputs(Verb verb) const override;
  Index outputs(Verb verb) const override;
  void store(stored::Writer& to) const override;
  static Predictor load(stored::Reader& from);

  /// out(i, 0) = |x_i - f(x_i)|^2 for the reconstruction f(x), X.size() x 1. Throws as apply() does.
  void reconstruction_errors(MatrixView<const double> X, MatrixView<double> out) const;

 private:
  void compute(Verb verb, const Points& X, MatrixView<double> out) const override;

  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace gramian::autoencoder

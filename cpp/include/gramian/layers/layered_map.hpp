// SPDX-License-Identifier: BSD-3-Clause
// A trained composition as a value that owns what it predicts with.
#pragma once

#include <memory>
#include <vector>

#include "gramian/gram/samples.hpp"
#include "gramian/layers/composition_model.hpp"

namespace gramian {

/// A trained layer f(x) = sum_m k_m(x, S) Phi A_m with its supports S.
struct SupportedLayer {
  KernelLayer layer;
  SharedMatrix coefficients;  ///< Phi; a row for each support, d_l columns
  /// S: of layer 1 samples in any form, of the others dense, with as many features as the layer below has outputs.
  Samples supports;
};

/// f_L o ... o f_1. A value: copies share everything, the supports of each layer are packed once, and any number of threads may
/// call the const verbs at the same time.
///
/// From the second call on a thread, apply() of dense points allocates nothing, unless a kernel is on images of its points.
class GRAMIAN_API LayeredMap {
 public:
  /// Throws std::invalid_argument for no layers, shapes that do not fit together, entries that are not finite, or kernels that
  /// the supports can't serve.
  explicit LayeredMap(std::vector<SupportedLayer> layers);
  /// Copies the numbers of the model; first_supports are the rows of the training input that support layer 1.
  LayeredMap(const CompositionModel& model, Samples first_supports);

  Index depth() const;                         ///< L
  const SupportedLayer& layer(Index l) const;  ///< l = 1 .. L, as in the papers

  /// X_last of new samples: layers first .. last on X, inputs of layer `first`. Row i depends on x_i alone; the bits are those of
  /// apply_layers(). out: X.size() x d_last. O(n m d) for m supports. Throws std::invalid_argument for layers, shapes or forms
  /// that do not fit, and if an entry of X or the output of a layer is not finite; out holds unspecified values then.
  void apply(Index first, Index last, const Points& X, MatrixView<double> out) const;
  /// The same where layer 1 sees inner products of new samples with its supports: first = 1.
  void apply(Index last, const InnerProducts<double>& XS, MatrixView<double> out) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// A trained autoencoder of a feature space as a value: codes of new samples, and samples from codes.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gramian/layers/layered_map.hpp"
#include "gramian/models/autoencoder.hpp"
#include "gramian/serving/predictor.hpp"

namespace gramian::autoencoder {

/// The parts of a FeatureSpacePredictor, of n training samples.
struct FeatureSpaceParts {
  std::optional<Kernel> input_kernel{};  ///< <phi(x), phi(y)>; none: rows of X are kernel values with the training samples
  Samples training{};                    ///< only their number without a kernel
  std::vector<double> squared_norms{};   ///< n: <phi(x_i), phi(x_i)>
  SharedMatrix factor{};                 ///< C, n x r, with C C^T the Gram matrix
  std::vector<Index> landmarks{};        ///< rows of the training samples that support the layers, ascending; empty: all
  /// f_1 .. f_L, the last one with its penalty; the supports of the first one are only a number.
  std::vector<SupportedLayer> layers{};
  SharedMatrix codes{};  ///< n x p, of the training samples
  Index code_layer = 1;
  std::vector<double> sample_weights{};  ///< n: of the training; empty: 1 each
  /// Of a last layer that was fitted in the span of these n samples, which were some of those trained on: n x n, so that
  /// k_L(codes, supports of the last layer) times it is the weights of the samples. Empty: the regression on `codes` is solved.
  SharedMatrix reconstruction{};
};

/// The parts of what fit() has trained on InnerProducts of these samples, with C as targets.
GRAMIAN_API FeatureSpaceParts parts_of(const Fit& fit, std::optional<Kernel> input_kernel, Samples training,
                                       std::vector<double> squared_norms, SharedMatrix factor, Index code_layer,
                                       std::vector<double> sample_weights = {});

/// Kernel values of q samples: with the training samples, q x n, and of each with itself, q x 1.
struct KernelValues {
  MatrixView<const double> cross;
  MatrixView<const double> squares;
};

/// Points whose images are close to reconstructions, and how many of them an iteration did not find.
struct Reconstructed {
  Matrix points;
  Index astray = 0;
};

/// [KAE] (5): transform gives codes of points. Without a kernel it takes rows of kernel values with the training samples,
/// if the squared norms of these are all the same, as those of the rows are taken to be. inverse_transform gives points whose
/// images are close to what codes stand for, where the training samples are known: the reconstruction itself for the inner
/// product, the fixed point of a pre-image for a Gaussian on dense points, and else the nearest training sample.
///
/// The fixed point of a pre-image depends on the rows beside it by rounding; all else on its own row only, to the last bit.
/// Codes cost O(n (d + d_1 + ..)) for a row, reconstructions O(n^2), and the first of them O(n^3 / 3) besides, for a system that
/// is kept from then on.
class GRAMIAN_API FeatureSpacePredictor final : public gramian::Predictor {
 public:
  /// Throws std::invalid_argument for parts that do not fit together; the message names them.
  explicit FeatureSpacePredictor(FeatureSpaceParts parts);

  const FeatureSpaceParts& parts() const;

  const char* family() const override { return "k2_autoencoder"; }
  Index inputs(Verb verb) const override;
  Index outputs(Verb verb) const override;
  void store(stored::Writer& to) const override;
  static FeatureSpacePredictor load(stored::Reader& from);

  /// Codes of samples that are given by kernel values, with the landmarks only if there are some: q x m. out: q x p. These
  /// functions throw std::invalid_argument for shapes that do not fit and entries that are not finite.
  void encode(const KernelValues& samples, MatrixView<double> out) const;
  /// |phi(x_i) - reconstruction of it|^2, [KAE] App. B.7. out: q x 1.
  void reconstruction_errors(const Points& X, MatrixView<double> out) const;
  void reconstruction_errors(const KernelValues& samples, MatrixView<double> out) const;
  /// Weights of the training samples in the reconstruction of each code, q x n.
  void weights(MatrixView<const double> codes, MatrixView<double> out) const;
  /// For each code the training sample, or the candidate, that is nearest to its reconstruction.
  std::vector<Index> nearest(MatrixView<const double> codes) const;
  std::vector<Index> nearest(MatrixView<const double> codes, const Points& candidates) const;
  std::vector<Index> nearest(MatrixView<const double> codes, const KernelValues& candidates) const;
  /// inverse_transform with a report. Throws std::invalid_argument where the training samples are not known.
  Reconstructed reconstruct(MatrixView<const double> codes) const;

 private:
  void compute(Verb verb, const Points& X, MatrixView<double> out) const override;

  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace gramian::autoencoder

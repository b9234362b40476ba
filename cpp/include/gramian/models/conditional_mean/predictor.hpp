// SPDX-License-Identifier: BSD-3-Clause
// A conditional mean embedding as a value: it predicts, and needs nothing else.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gramian/gram/samples.hpp"
#include "gramian/models/conditional_mean/landmarks.hpp"
#include "gramian/serving/predictor.hpp"

namespace gramian::conditional_mean {

/// The parts of a Predictor, of n training outputs and k supports of the input kernel: the n training inputs, or landmarks.
struct Parts {
  std::optional<Kernel> kernel{};         ///< of inputs
  Samples inputs{};                       ///< the supports; only their number if rows of X are kernel values to them
  SharedMatrix factor{};                  ///< k x k, lower triangular: L with L Lᵀ = K + n lambda I, or that of a LandmarkFit
  Samples samples{};                      ///< of a LandmarkFit: the n training inputs, as dense or sparse as the landmarks
  SharedMatrix mixing{};                  ///< of a SummedFit, in the place of samples: n x k
  SharedMatrix roots{};                   ///< n x 1, of the samples' weights, whose mean is 1; empty: all weights are 1
  SharedMatrix coefficients{};            ///< k x p: E[Y | x] = k(x, inputs) coefficients; empty unless outputs are dense vectors
  std::optional<Kernel> output_kernel{};  ///< of outputs
  Samples outputs{};                      ///< the training outputs, as the output kernel sees them; none without an output kernel
  SharedMatrix output_gram{};             ///< n x n, without an output kernel
  std::vector<ClassLabel> labels{};       ///< where outputs are labels, n x 1 numbers of classes: those of the classes
};

/// The parts of an embedding that was fitted to these samples.
GRAMIAN_API Parts parts_of(const Model& model, const Kernel& kernel, const Samples& inputs, const Kernel& output_kernel,
                           const Samples& outputs);
/// The same in the span of landmarks, where all weights are 1.
GRAMIAN_API Parts parts_of(const LandmarkFit& fit, const Kernel& kernel, const Samples& landmarks, const Samples& inputs,
                           const Kernel& output_kernel, const Samples& outputs);
/// From sums; the outputs are those that were projected on.
GRAMIAN_API Parts parts_of(const SummedFit& fit, const Kernel& kernel, const Samples& landmarks, const Kernel& output_kernel,
                           const Samples& outputs);

/// An embedding, [MCE] (1). Its verb is predict, E[Y | x], where outputs are vectors. Other questions are asked by the functions
/// below, with rows of X of the form of the training inputs. A row costs O(k (d + p)) for predict, and O(k d + k^2 + n k)
/// where weights are needed; the last bits of these may depend on how many rows there are.
class GRAMIAN_API Predictor final : public gramian::Predictor {
 public:
  /// Throws std::invalid_argument for parts that do not fit together; the message names them.
  explicit Predictor(Parts parts);

  const Parts& parts() const;
  Index size() const;  ///< n, the number of weights

  const char* family() const override { return "conditional_mean"; }
  Index inputs(Verb verb) const override;
  Index outputs(Verb verb) const override;
  bool takes_sparse(Verb verb) const override;
  void store(stored::Writer& to) const override;
  static Predictor load(stored::Reader& from);
  const std::vector<ClassLabel>& classes() const override;

  /// out = beta(x), the weights of the training outputs: q x n.
  void weights(const Points& X, MatrixView<double> out) const;
  /// out = E[g(Y) | x] of r functions, [MCE] (2), with values G at the training outputs, n x r: q x r.
  void expectation(const Points& X, MatrixView<const double> G, MatrixView<double> out) const;
  /// out(i, j) = mu(x_i)(y_j), as values() has it: q x c. Y: points of the output kernel, or without one rows of kernel values to
  /// the training outputs.
  void evaluate(const Points& X, const Points& Y, MatrixView<double> out) const;
  /// out = |l(y, .) - mu(x)|^2 for pairs of rows: q x 1. squares: l(y, y), q x 1; empty with an output kernel.
  void losses(const Points& X, const Points& Y, MatrixView<const double> squares, MatrixView<double> out) const;
  /// out = |mu(x_a) - mu(x_b)|^2, as distances() has it, for pairs of rows, or all rows with a single one: q x 1.
  void distances(const Points& Xa, const Points& Xb, MatrixView<double> out) const;
  /// The same for x_b of another embedding, with the same output kernel. both: the training outputs of this one, then of the
  /// other.
  void distances(const Points& Xa, const Predictor& other, const Points& Xb, const GramSource& both,
                 MatrixView<double> out) const;
  /// Rows of training outputs that stand for the distribution given x, by herd(): q x count.
  std::vector<Index> sample(const Points& X, Index count) const;
  /// The same of other candidates: points of the output kernel, or without one rows of kernel values to the training outputs, and
  /// their own Gram matrix.
  std::vector<Index> sample(const Points& X, Index count, const Points& candidates, MatrixView<const double> gram = {}) const;

 private:
  void compute(Verb verb, const Points& X, MatrixView<double> out) const override;

  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace gramian::conditional_mean

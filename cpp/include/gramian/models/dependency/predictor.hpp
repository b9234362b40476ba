// SPDX-License-Identifier: BSD-3-Clause
// A dependency estimation as a value: structured outputs of new inputs.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gramian/models/dependency.hpp"
#include "gramian/models/dependency/operator_predictor.hpp"

namespace gramian::dependency {

class NearestChoice;

/// How a prediction in the feature space becomes an output.
enum class Preimage {
  none,        ///< it does not: weights and scores are all there is
  nearest,     ///< the nearest training output
  candidates,  ///< the nearest of other outputs
  linear,      ///< the sum of outputs with their weights, for the linear output kernel
  gaussian,    ///< gaussian_preimages(), for a Gaussian output kernel of dense outputs
  sequence     ///< decode_sequences() of the linear one
};

/// Outputs to choose from. For an output kernel they are points. Without one they are known by its values: with the output
/// supports, c x s2, and with themselves, c x 1.
struct Outputs {
  Samples points{};
  SharedMatrix values{};
  SharedMatrix squares{};

  Index size() const { return points.size() > 0 ? points.size() : values.rows(); }
};

/// The parts of a Predictor.
struct Parts {
  std::optional<Kernel> kernel{};       ///< k, of inputs
  Samples inputs{};                     ///< the input supports; without a kernel how many kernel values a row of X has
  std::vector<Index> input_supports{};  ///< without a kernel: which of these are used, in the order of columns; empty: all
  /// In place of the three above: g(x) comes from an operator-valued kernel. It is a vector of the space that outputs are in, or,
  /// with coefficients, n x q, of the span of training outputs: its weights are coefficients g(x).
  std::optional<OperatorPredictor> vectors{};
  SharedMatrix coefficients{}, input_factor{}, output_factor{}, components{};  ///< as in Model
  std::vector<double> mean{};                                                  ///< as in Model
  bool centred = false;
  std::optional<Kernel> output_kernel{};
  Outputs outputs{};                     ///< the training outputs
  std::vector<Index> output_supports{};  ///< rows of them; empty: all
  Preimage preimage = Preimage::nearest;
  Outputs candidates{};               ///< for Preimage::candidates
  std::vector<ClassLabel> symbols{};  ///< of sequences
};

/// The parts of a model that fit() has trained on points with these kernels, inputs and outputs.
GRAMIAN_API Parts parts_of(const Model& model, const Kernel& kernel, const Samples& inputs, const Kernel& output_kernel,
                           const Samples& outputs, Preimage preimage = Preimage::nearest);

/// Structured outputs, [KDE]. Verbs: predict gives the output where outputs are points, symbols by their numbers and -1 beyond
/// the end for sequences, and the row of the candidate otherwise; scores are those of the candidates, which are the training
/// outputs unless others are parts. With ranks, the last bits of a row may depend on how many rows there are.
class GRAMIAN_API Predictor final : public gramian::Predictor {
 public:
  /// Throws std::invalid_argument for parts that do not fit together; the message names them.
  explicit Predictor(Parts parts);

  const Parts& parts() const;
  Index supports() const;   ///< how many weights there are for a row: s2, or, for vectors without coefficients, q
  Index positions() const;  ///< of sequences; 0 for other outputs

  const char* family() const override { return "dependency"; }
  Index inputs(Verb verb) const override;
  Index outputs(Verb verb) const override;
  bool takes_sparse(Verb verb) const override;
  void store(stored::Writer& to) const override;
  static Predictor load(stored::Reader& from);

  // X: rows as predict takes them. Candidates: those of scores if null.

  /// w(x) with g(x) = sum_j w_j(x) Phi(y_j) over the output supports: q x supports().
  void weights(const Points& X, MatrixView<double> out) const;
  /// 2 <g(x), Phi(y)> - l(y, y) for candidates y, [KDE] (4) with its sign turned: q x c.
  void scores(const Points& X, const Outputs* candidates, MatrixView<double> out) const;
  /// Rows of the best candidates, q x count, the best first: nearest_rows(). Its preparations for the best of the model's own
  /// candidates are kept for later calls, once calls have cost as much as these: up to 2^24 numbers, which copies share.
  std::vector<Index> nearest(const Points& X, const Outputs* candidates, Index count) const;
  /// Preimage::gaussian with the report of its convergence.
  Preimages fixed_points(const Points& X) const;
  /// Preimage::sequence: q x positions() numbers of symbols, -1 beyond the end; lengths as in decode_sequences().
  std::vector<Index> sequences(const Points& X, const std::vector<Index>& lengths) const;

 private:
  void compute(Verb verb, const Points& X, MatrixView<double> out) const override;
  void predict(const Points& X, MatrixView<double> out) const;
  void choose(const Points& X, MatrixView<double> out) const;
  std::shared_ptr<const NearestChoice> kept_choice(const CrossSource& inputs) const;
  void linear(const Points& X, MatrixView<double> out) const;

  class NewInputs;
  class Choices;
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace gramian::dependency

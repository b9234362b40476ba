// SPDX-License-Identifier: BSD-3-Clause
// A ridge regression with an operator-valued kernel as a value.
#pragma once

#include <memory>

#include "gramian/gram/samples.hpp"
#include "gramian/ovk/operator_kernel.hpp"
#include "gramian/ovk/operator_ridge.hpp"
#include "gramian/serving/predictor.hpp"

namespace gramian::dependency {

/// The parts of an OperatorPredictor.
struct OperatorParts {
  OperatorKernelPointer kernel{};  ///< K, for q outputs
  Samples inputs{};                ///< x_i, the training inputs
  SharedMatrix coefficients{};     ///< Psi: n x q
};

/// The parts of a regression that operator_ridge() has solved on these inputs.
GRAMIAN_API OperatorParts parts_of(const OperatorRidge& fit, OperatorKernelPointer kernel, const Samples& inputs);

/// g(x) = sum_i K(x, x_i) psi_i, [KDE] (2). Its verb is predict. A row costs one action of the kernel, O(n (d + q)) for k(x, x')
/// A besides O(n q^2) for each call.
class GRAMIAN_API OperatorPredictor final : public gramian::Predictor {
 public:
  /// Throws std::invalid_argument for parts that do not fit together; the message names them.
  explicit OperatorPredictor(OperatorParts parts);

  const OperatorParts& parts() const;

  const char* family() const override { return "operator_ridge"; }
  Index inputs(Verb verb) const override;
  Index outputs(Verb verb) const override;
  bool takes_sparse(Verb verb) const override;
  void store(stored::Writer& to) const override;
  static OperatorPredictor load(stored::Reader& from);

 private:
  void compute(Verb verb, const Points& X, MatrixView<double> out) const override;

  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace gramian::dependency

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/dependency/operator_predictor.hpp"

#include <string>
#include <utility>

#include "base/check.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "ovk/operator_expansion.hpp"

namespace gramian::dependency {
namespace {

OperatorParts checked(OperatorParts parts) {
  require(parts.kernel != nullptr, "kernel is missing");
  require(parts.inputs.size() > 0 && parts.inputs.form() != Samples::Form::count, "inputs must be rows of numbers, at least one");
  require_shape(parts.coefficients.view(), parts.inputs.size(), parts.kernel->outputs(), "coefficients");
  require_finite(parts.coefficients.view(), "coefficients");
  return parts;
}

}  // namespace

OperatorParts parts_of(const OperatorRidge& fit, OperatorKernelPointer kernel, const Samples& inputs) {
  return {std::move(kernel), inputs, SharedMatrix::copy_of(fit.coefficients.view())};
}

struct OperatorPredictor::State {
  explicit State(OperatorParts own) : parts(checked(std::move(own))), sum(parts.kernel, parts.inputs, parts.coefficients) {
    Matrix first(1, parts.kernel->outputs());
    sum.apply(rows_of(parts.inputs.points(), 0, 1), first.view());  // it refuses inputs that a kernel of the caller's is not for
  }

  OperatorParts parts;
  OperatorExpansion sum;
};

OperatorPredictor::OperatorPredictor(OperatorParts parts) : state_(std::make_shared<const State>(std::move(parts))) {}

const OperatorParts& OperatorPredictor::parts() const { return state_->parts; }

Index OperatorPredictor::inputs(Verb verb) const { return verb == Verb::predict ? state_->parts.inputs.dimension() : 0; }
Index OperatorPredictor::outputs(Verb verb) const { return verb == Verb::predict ? state_->parts.kernel->outputs() : 0; }
bool OperatorPredictor::takes_sparse(Verb) const { return state_->parts.inputs.form() == Samples::Form::sparse; }

/// [KDE] (2): sum_i K(x, x_i) psi_i.
void OperatorPredictor::compute(Verb, const Points& X, MatrixView<double> out) const { state_->sum.apply(X, out); }

}  // namespace gramian::dependency

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/kernel_ridge/predictor.hpp"

#include <utility>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/expansion.hpp"

namespace gramian::kernel_ridge {
namespace {

Parts checked(Parts parts) {
  require(parts.supports.size() > 0, "supports are empty: there must be at least one");
  require(parts.kernel.has_value() == (parts.supports.form() != Samples::Form::count),
          "supports must be rows of numbers if there is a kernel for them, and only if so");
  require_shape(parts.coefficients.view(), parts.supports.size(), parts.coefficients.cols(), "coefficients");
  require(parts.coefficients.cols() > 0, "coefficients must have at least one column");
  return parts;
}

/// Kernel values are summed in the same way, whatever the kernel.
KernelExpansion expansion_of(const Parts& parts) {
  return {parts.kernel.value_or(Kernel("linear", {})), parts.supports, parts.coefficients};
}

}  // namespace

Parts parts_of(const Fit& fit, const Kernel& kernel, const Samples& supports) {
  return {kernel, supports, SharedMatrix::copy_of(fit.coefficients.view())};
}

struct Predictor::State {
  explicit State(Parts own) : parts(checked(std::move(own))), sum(expansion_of(parts)) {}

  Parts parts;
  KernelExpansion sum;
};

Predictor::Predictor(Parts parts) : state_(std::make_shared<const State>(std::move(parts))) {}

const Parts& Predictor::parts() const { return state_->parts; }

Index Predictor::inputs(Verb verb) const {
  const Parts& parts = state_->parts;
  if (verb != Verb::predict) return 0;
  return parts.kernel ? parts.supports.dimension() : parts.supports.size();
}
Index Predictor::outputs(Verb verb) const { return verb == Verb::predict ? state_->parts.coefficients.cols() : 0; }
bool Predictor::takes_sparse(Verb) const { return state_->parts.supports.form() == Samples::Form::sparse; }

void Predictor::compute(Verb, const Points& X, MatrixView<double> out) const {
  state_->parts.kernel ? state_->sum.apply(X, out) : state_->sum.apply_values(X.float64(), out);
}

}  // namespace gramian::kernel_ridge

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/expansion.hpp"

#include <utility>

#include "gram/expansion_parts.hpp"

namespace gramian {

KernelExpansion::KernelExpansion(const Kernel& kernel, Samples supports, SharedMatrix weights) {
  const Index outputs = weights.cols();
  std::vector<ExpansionTerm> terms{{kernel, std::move(weights)}};
  parts_ = std::make_shared<const ExpansionParts>(std::move(terms), std::move(supports), outputs, false);
}
KernelExpansion::KernelExpansion(std::vector<ExpansionTerm> terms, Samples supports, Index outputs)
    : parts_(std::make_shared<const ExpansionParts>(std::move(terms), std::move(supports), outputs, true)) {}

const Samples& KernelExpansion::supports() const { return parts_->supports(); }
Index KernelExpansion::outputs() const { return parts_->outputs(); }
const std::vector<ExpansionTerm>& KernelExpansion::terms() const { return parts_->terms(); }

void KernelExpansion::apply(const Points& X, MatrixView<double> out) const { parts_->apply(X, out); }
void KernelExpansion::apply(const InnerProducts<double>& XS, MatrixView<double> out) const { parts_->apply(XS, out); }
void KernelExpansion::apply_values(MatrixView<const double> cross, MatrixView<double> out) const {
  parts_->apply_values(cross, out);
}

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
// What is behind a KernelExpansion.
#pragma once

#include <optional>
#include <vector>

#include "gram/support_tiles.hpp"
#include "gramian/gram/expansion.hpp"

namespace gramian {

/// Immutable: any number of threads may call all of it.
class ExpansionParts {
 public:
  /// As KernelExpansion says. If it is no sum there is one term, whose product is the result: a sum begins with zeros.
  ExpansionParts(std::vector<ExpansionTerm> terms, Samples supports, Index outputs, bool is_sum);

  const std::vector<ExpansionTerm>& terms() const { return terms_; }
  const Samples& supports() const { return supports_; }
  Index outputs() const { return outputs_; }

  /// That X is such that apply() may see it.
  void check(const Points& X) const;
  void apply(const Points& X, MatrixView<double> out) const;
  void apply(const InnerProducts<double>& XS, MatrixView<double> out) const;
  void apply_values(MatrixView<const double> cross, MatrixView<double> out) const;

  /// Whether all of it is packed: dense supports, and no images of them.
  bool packed() const;
  /// Only if packed(), for shapes that fit: without allocation. Messages call the first row of X `first_row`.
  void apply_packed(MatrixView<const double> X, MatrixView<double> out, Index first_row) const;
  double seconds_per_row() const;

 private:
  SumTarget target(const ExpansionTerm& term, MatrixView<double> out) const {
    return {out, is_sum_, term.columns.empty() ? nullptr : &term.columns};
  }
  /// multiply(kernel, W, part) for a term that is not packed.
  template <class Multiply>
  void take_product(const ExpansionTerm& term, MatrixView<double> out, Multiply multiply) const;

  std::vector<ExpansionTerm> terms_;
  Samples supports_;
  Index outputs_;
  bool is_sum_;
  std::vector<std::optional<SupportTiles>> tiles_;  // of each term
  std::optional<PackedWeights> weights_;            // of a single term, for kernel values
};

}  // namespace gramian

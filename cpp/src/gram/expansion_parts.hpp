// SPDX-License-Identifier: BSD-3-Clause
// What is behind a KernelExpansion.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gram/inner_tiles.hpp"
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

  /// apply() for points that check() and shapes that fit. Messages call the first row of X `first_row`.
  void apply_checked(const Points& X, MatrixView<double> out, Index first_row) const;
  double seconds_per_row() const;

 private:
  SumTarget target(const ExpansionTerm& term, MatrixView<double> out) const {
    return {out, is_sum_, term.columns.empty() ? nullptr : &term.columns};
  }
  void pack(const ExpansionTerm& term, std::size_t i);
  /// For inner products that the terms are not packed for.
  void apply_product(const InnerProducts<double>& XS, MatrixView<double> out) const;

  std::vector<ExpansionTerm> terms_;
  Samples supports_;
  Index outputs_;
  bool is_sum_;
  std::vector<std::shared_ptr<const PackedWeights>> weights_;  // of each term
  std::vector<std::optional<SupportTiles>> tiles_;             // of each term, of dense supports
  std::vector<std::optional<InnerTiles>> inner_tiles_;         // of other supports
  std::optional<SparseColumns> columns_;                       // of sparse supports
};

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "gram/expansion_parts.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/pair_source.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/product.hpp"

namespace gramian {
namespace {

void check_term(const ExpansionTerm& term, Index supports, Index outputs) {
  const MatrixView<const double> W = term.weights.view();
  require_rows(W.rows(), W.cols(), supports, "weights");
  require_finite(W, "weights");
  const Index columns = term.columns.empty() ? outputs : static_cast<Index>(term.columns.size());
  if (W.cols() != columns) {
    require(false,
            "weights have " + std::to_string(W.cols()) + " columns, the outputs that they add to are " + std::to_string(columns));
  }
  for (const Index column : term.columns) {
    if (column < 0 || column >= outputs) {
      require(false, "column " + std::to_string(column) + " is not among the " + std::to_string(outputs) + " outputs");
    }
  }
}

}  // namespace

ExpansionParts::ExpansionParts(std::vector<ExpansionTerm> terms, Samples supports, Index outputs, bool is_sum)
    : terms_(std::move(terms)),
      supports_(std::move(supports)),
      outputs_(outputs),
      is_sum_(is_sum),
      tiles_(terms_.size()),
      inner_tiles_(terms_.size()) {
  require(outputs >= 0, "the number of outputs must not be negative");
  for (const ExpansionTerm& term : terms_) check_term(term, supports_.size(), outputs);
  if (supports_.form() == Samples::Form::sparse) columns_.emplace(supports_.sparse(), "supports");
  for (std::size_t i = 0; i < terms_.size(); ++i) pack(terms_[i], i);
}

/// Of supports that are only counted a kernel may not be for inner products: kernel values then serve, and it stays unpacked.
void ExpansionParts::pack(const ExpansionTerm& term, std::size_t i) {
  weights_.push_back(std::make_shared<const PackedWeights>(term.weights.view(), "weights"));
  if (supports_.form() == Samples::Form::dense) {
    tiles_[i].emplace(term.kernel, supports_.dense().view(), weights_.back(), "supports");
  } else if (supports_.form() == Samples::Form::sparse || takes_inner_products(term.kernel.node())) {
    inner_tiles_[i].emplace(term.kernel, weights_.back());
  }
}

double ExpansionParts::seconds_per_row() const {
  double seconds = 0.0;
  for (const auto& tiles : tiles_) seconds += tiles ? tiles->seconds_per_row() : 0.0;
  for (const auto& tiles : inner_tiles_) seconds += tiles ? tiles->seconds_per_row() : 0.0;
  return seconds;
}

void ExpansionParts::check(const Points& X) const {
  require(supports_.form() != Samples::Form::count,
          "of the supports only the number is known: inner products or kernel values are needed, not points");
  require(X.scalar() == Scalar::float64, "X is float32, the result float64: they must be the same");
  require(X.sparse() == (supports_.form() == Samples::Form::sparse),
          "one of X and the supports is sparse and the other dense: they must be alike");
  if (X.dimension() != supports_.dimension()) {
    require(false, "X has " + std::to_string(X.dimension()) + " features, the supports have " +
                       std::to_string(supports_.dimension()) + ": they must be the same");
  }
}

void ExpansionParts::apply(const Points& X, MatrixView<double> out) const {
  check(X);
  require_shape(out, X.size(), outputs_, "out");
  apply_checked(X, out, 0);
}

void ExpansionParts::apply_checked(const Points& X, MatrixView<double> out, Index first_row) const {
  if (is_sum_) fill_zero(out);
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const SumTarget to = target(terms_[i], out);
    X.sparse() ? inner_tiles_[i]->apply(X.sparse64(), *columns_, to, first_row) : tiles_[i]->apply(X.float64(), to, first_row);
  }
}

void ExpansionParts::apply(const InnerProducts<double>& XS, MatrixView<double> out) const {
  require_shape(XS.inner(), XS.inner().rows(), supports_.size(), "XS");
  require_shape(out, XS.inner().rows(), outputs_, "out");
  const bool packed = std::all_of(inner_tiles_.begin(), inner_tiles_.end(), [](const auto& tiles) { return tiles.has_value(); });
  if (XS.one_set() || !packed) return apply_product(XS, out);
  require_alike(XS);
  if (is_sum_) fill_zero(out);
  for (std::size_t i = 0; i < terms_.size(); ++i) inner_tiles_[i]->apply(XS, target(terms_[i], out));
}

void ExpansionParts::apply_product(const InnerProducts<double>& XS, MatrixView<double> out) const {
  if (is_sum_) fill_zero(out);
  for (const ExpansionTerm& term : terms_) {
    Matrix part(out.rows(), term.weights.cols());
    product(term.kernel, XS, term.weights.view(), part.view());
    target(term, out).take(part.view(), 0);
  }
}

void ExpansionParts::apply_values(MatrixView<const double> cross, MatrixView<double> out) const {
  require(weights_.size() == 1, "kernel values serve an expansion with a single term");
  require_shape(cross, cross.rows(), supports_.size(), "cross");
  require_shape(out, cross.rows(), outputs_, "out");
  if (is_sum_) fill_zero(out);
  gramian::apply_values(cross, *weights_.front(), target(terms_.front(), out));
}

}  // namespace gramian

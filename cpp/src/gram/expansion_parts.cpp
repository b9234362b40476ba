// SPDX-License-Identifier: BSD-3-Clause
#include "gram/expansion_parts.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/product.hpp"
#include "kernels/node.hpp"

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
    : terms_(std::move(terms)), supports_(std::move(supports)), outputs_(outputs), is_sum_(is_sum), tiles_(terms_.size()) {
  require(outputs >= 0, "the number of outputs must not be negative");
  for (const ExpansionTerm& term : terms_) check_term(term, supports_.size(), outputs);
  if (terms_.size() == 1) weights_.emplace(terms_.front().weights.view(), "weights");
  if (supports_.form() == Samples::Form::count) return;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const ExpansionTerm& term = terms_[i];
    if (supports_.form() == Samples::Form::dense && !has_images(term.kernel.node())) {
      tiles_[i].emplace(term.kernel, supports_.dense().view(), term.weights.view(), SupportTiles::Names{"supports", "weights"});
    } else {
      // Says now what each call would say.
      static_cast<void>(KernelTiles<double>(term.kernel, PairSource<double>(supports_.points(), supports_.some({}).points())));
    }
  }
}

bool ExpansionParts::packed() const {
  return supports_.form() == Samples::Form::dense &&
         std::all_of(tiles_.begin(), tiles_.end(), [](const auto& tiles) { return tiles.has_value(); });
}

double ExpansionParts::seconds_per_row() const {
  double seconds = 0.0;
  for (const auto& tiles : tiles_) seconds += tiles ? tiles->seconds_per_row() : 0.0;
  return seconds;
}

template <class Multiply>
void ExpansionParts::take_product(const ExpansionTerm& term, MatrixView<double> out, Multiply multiply) const {
  Matrix part(out.rows(), term.weights.cols());
  multiply(term.kernel, term.weights.view(), part.view());
  target(term, out).take(part.view(), 0);
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
  if (packed()) return apply_packed(X.float64(), out, 0);
  if (is_sum_) fill_zero(out);
  for (const ExpansionTerm& term : terms_) {
    take_product(term, out, [&](const Kernel& kernel, MatrixView<const double> W, MatrixView<double> part) {
      product(kernel, X, supports_.points(), W, part);
    });
  }
}

void ExpansionParts::apply_packed(MatrixView<const double> X, MatrixView<double> out, Index first_row) const {
  if (is_sum_) fill_zero(out);
  for (std::size_t i = 0; i < terms_.size(); ++i) tiles_[i]->apply(X, target(terms_[i], out), first_row);
}

void ExpansionParts::apply(const InnerProducts<double>& XS, MatrixView<double> out) const {
  require_shape(XS.inner(), XS.inner().rows(), supports_.size(), "XS");
  require_shape(out, XS.inner().rows(), outputs_, "out");
  if (is_sum_) fill_zero(out);
  for (const ExpansionTerm& term : terms_) {
    take_product(term, out, [&](const Kernel& kernel, MatrixView<const double> W, MatrixView<double> part) {
      product(kernel, XS, W, part);
    });
  }
}

void ExpansionParts::apply_values(MatrixView<const double> cross, MatrixView<double> out) const {
  require(weights_.has_value(), "kernel values serve an expansion with a single term");
  require_shape(cross, cross.rows(), supports_.size(), "cross");
  require_shape(out, cross.rows(), outputs_, "out");
  if (is_sum_) fill_zero(out);
  gramian::apply_values(cross, *weights_, target(terms_.front(), out));
}

}  // namespace gramian

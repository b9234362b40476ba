// SPDX-License-Identifier: BSD-3-Clause
#include "layers/composition_layer.hpp"

#include <algorithm>
#include <cmath>

#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/product.hpp"

namespace gramian {
namespace {

std::vector<Index> columns_not_zero(const OutputOperator& A) {
  std::vector<Index> columns;
  for (Index j = 0; A.form() == OutputOperator::Form::diagonal && j < A.size(); ++j) {
    if (A.eigenvalues()[static_cast<std::size_t>(j)] != 0.0) columns.push_back(j);
  }
  return columns;
}

}  // namespace

void check_layer(const KernelLayer& layer, const std::string& name) {
  require(!layer.terms.empty(), name + " has no terms: it needs a kernel");
  require(std::isfinite(layer.penalty) && layer.penalty >= 0.0, name + ": penalty is negative or not finite");
  for (const LayerTerm& term : layer.terms) {
    require(term.A.size() == layer.outputs(), name + ": one term has an A of size " + std::to_string(layer.outputs()) +
                                                  ", another one of size " + std::to_string(term.A.size()) +
                                                  "; they must be the same");
  }
}

OperatorColumns::OperatorColumns(const OutputOperator& A)
    : A_(A),
      all_(std::all_of(A.eigenvalues().begin(), A.eigenvalues().end(), [](double value) { return value != 0.0; }) ||
           A.form() == OutputOperator::Form::full),
      columns_(columns_not_zero(A)) {}

MatrixView<const double> OperatorColumns::kept(MatrixView<const double> V, Room& room) const {
  if (all()) return V;
  const MatrixView<double> out = room.take(V.rows(), rank());
  for_entries(out, [&](Index i, Index c) { out(i, c) = V(i, columns_[static_cast<std::size_t>(c)]); });
  return out;
}

/// [DKL] (20): of a diagonal A a factor for each output.
MatrixView<const double> OperatorColumns::times_A(MatrixView<const double> V, Room& room) const {
  if (A_.form() == OutputOperator::Form::identity) return V;
  const MatrixView<double> out = room.take(V.rows(), rank());
  if (all()) {
    A_.apply(V, out);
    return out;
  }
  for_entries(out, [&](Index i, Index c) {
    const Index j = columns_[static_cast<std::size_t>(c)];
    out(i, c) = V(i, j) * A_.eigenvalues()[static_cast<std::size_t>(j)];
  });
  return out;
}

void OperatorColumns::add(MatrixView<const double> part, MatrixView<double> out) const {
  if (all()) return add_rows(part, out);
  for_entries(part, [&](Index i, Index c) { out(i, columns_[static_cast<std::size_t>(c)]) += part(i, c); });
}

void LayerWork::take_coefficients(MatrixView<const double> Phi) {
  for (TermWork& term : terms_) term.B = term.A.times_A(Phi, term.B_room);
}

void LayerWork::move_to(MatrixView<const double> supports) {
  for (TermWork& term : terms_) term.plan.move_to(supports);
}

void LayerWork::support_images(MatrixView<double> S) {
  sum_terms(S, [](TermWork& term, MatrixView<double> out) { term.plan.product(term.B, out); });
}

void LayerWork::support_reverse(MatrixView<const double> V, MatrixView<const double> P, MatrixView<double> Phibar,
                                MatrixView<double> Sbar) {
  if (terms_.empty() && !Sbar.empty()) fill_zero(Sbar);
  sum_terms(Phibar, [&](TermWork& term, MatrixView<double> out) {
    const MatrixView<const double> VA = term.A.times_A(V, rooms_->V);
    if (Sbar.empty()) return term.plan.product(VA, out);
    const bool first = &term == &terms_.front();
    const MatrixView<double> bar = first ? Sbar : rooms_->points.take(Sbar.rows(), Sbar.cols());
    term.plan.product_and_adjoint(VA, out, term.A.kept(P, rooms_->P), term.B, bar);
    if (!first) add_rows(bar, Sbar);
  });
}

void LayerWork::sample_images(const SamplesAndSupports<const double>& at, MatrixView<double> X) {
  sum_terms(X, [&](TermWork& term, MatrixView<double> out) {
    product(term.kernel, Points(at.samples), Points(at.supports), term.B, out);
  });
}

void LayerWork::sample_reverse(const SamplesAndSupports<const double>& at, MatrixView<const double> Xbar,
                               MatrixView<double> Phibar, const SamplesAndSupports<double>& bar) {
  if (terms_.empty()) fill_zero(bar.samples);
  add_terms(Phibar, [&](TermWork& term, MatrixView<double> out) {
    product(term.kernel, Points(at.supports), Points(at.samples), term.A.times_A(Xbar, rooms_->V), out);
    const bool first = &term == &terms_.front();
    const MatrixView<double> samples = first ? bar.samples : rooms_->points.take(bar.samples.rows(), bar.samples.cols());
    const MatrixView<double> supports = rooms_->more_points.take(bar.supports.rows(), bar.supports.cols());
    const GramGradient<double> Cbar(term.A.kept(Xbar, rooms_->P), term.B);
    adjoint(term.kernel, Points(at.samples), Points(at.supports), Cbar, samples, supports);
    if (!first) add_rows(samples, bar.samples);
    add_rows(supports, bar.supports);
  });
}

}  // namespace gramian

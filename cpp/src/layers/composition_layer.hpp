// SPDX-License-Identifier: BSD-3-Clause
// One layer of a composition at work: its sums over terms k_m A_m.
#pragma once

#include <string>
#include <vector>

#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/gram/plan.hpp"
#include "gramian/layers/layer.hpp"

namespace gramian {

/// Throws std::invalid_argument, with `name` for the layer, if there are no terms, they disagree in size, or the penalty is none.
void check_layer(const KernelLayer& layer, const std::string& name);

/// The outputs that A acts on: a diagonal A may leave some out, and then the kernel's products have rank() columns only.
class OperatorColumns {
 public:
  explicit OperatorColumns(const OutputOperator& A);

  Index rank() const { return all() ? A_.size() : static_cast<Index>(columns_.size()); }
  bool all() const { return all_; }
  /// Of a diagonal A the outputs that it acts on; empty for any other, which acts on all.
  const std::vector<Index>& columns() const { return columns_; }

  /// Columns of V, or of V A; where there is nothing to do V itself, else within the room.
  MatrixView<const double> kept(MatrixView<const double> V, Room& room) const;
  MatrixView<const double> times_A(MatrixView<const double> V, Room& room) const;
  /// Adds rank() columns to those of `out` that they belong to.
  void add(MatrixView<const double> part, MatrixView<double> out) const;

 private:
  OutputOperator A_;
  bool all_;
  std::vector<Index> columns_;
};

/// One term k A on the supports.
struct TermWork {
  TermWork(const LayerTerm& term, GramPlan its_plan) : kernel(term.kernel), A(term.A), plan(std::move(its_plan)) {}

  Kernel kernel;
  OperatorColumns A;
  GramPlan plan;
  MatrixView<const double> B{};  ///< Phi A
  Room B_room{};
};

/// What all layers take their intermediate results from.
struct LayerRooms {
  Room part, V, P, points, more_points;
};

/// X_{l-1} and S_{l-1}, or their gradients.
template <class T>
struct SamplesAndSupports {
  MatrixView<T> samples;
  MatrixView<T> supports;
};

class LayerWork {
 public:
  /// Of terms with A = 0 there is nothing to see: `terms` are the others.
  LayerWork(std::vector<TermWork> terms, LayerRooms& rooms) : terms_(std::move(terms)), rooms_(&rooms) {}

  std::vector<TermWork>& terms() { return terms_; }
  const std::vector<TermWork>& terms() const { return terms_; }

  void take_coefficients(MatrixView<const double> Phi);
  void move_to(MatrixView<const double> supports);

  /// S = sum_m K_m Phi A_m.
  void support_images(MatrixView<double> S);
  /// Phibar = sum_m K_m V A_m, and (unless it is empty) Sbar from Kbar_m = P (Phi A_m)^T.
  void support_reverse(MatrixView<const double> V, MatrixView<const double> P, MatrixView<double> Phibar,
                       MatrixView<double> Sbar);

  /// The same for C_m = k_m(X, S): X_l = sum_m C_m Phi A_m ...
  void sample_images(const SamplesAndSupports<const double>& at, MatrixView<double> X);
  /// ... Phibar += sum_m C_m^T Xbar_l A_m, and gradients from Cbar_m = Xbar_l (Phi A_m)^T: that in the samples is overwritten,
  /// that in the supports added to.
  void sample_reverse(const SamplesAndSupports<const double>& at, MatrixView<const double> Xbar, MatrixView<double> Phibar,
                      const SamplesAndSupports<double>& bar);

  /// out = sum over terms of what multiply(term, target) puts into target, rank() columns.
  template <class Multiply>
  void sum_terms(MatrixView<double> out, Multiply multiply);
  template <class Multiply>
  void add_terms(MatrixView<double> out, Multiply multiply);

 private:
  std::vector<TermWork> terms_;
  LayerRooms* rooms_;
};

template <class Multiply>
void LayerWork::sum_terms(MatrixView<double> out, Multiply multiply) {
  if (terms_.size() == 1 && terms_[0].A.all()) return multiply(terms_[0], out);
  fill_zero(out);
  add_terms(out, multiply);
}

template <class Multiply>
void LayerWork::add_terms(MatrixView<double> out, Multiply multiply) {
  for (TermWork& term : terms_) {
    const MatrixView<double> part = rooms_->part.take(out.rows(), term.A.rank());
    multiply(term, part);
    term.A.add(part, out);
  }
}

}  // namespace gramian

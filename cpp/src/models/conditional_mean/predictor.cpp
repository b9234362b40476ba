// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/conditional_mean/predictor.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gram/source.hpp"
#include "gram/weighted_rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/expansion.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/herding.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "models/conditional_mean/blocks.hpp"
#include "models/conditional_mean/parts.hpp"

namespace gramian::conditional_mean {
namespace {

/// run(first, rows) for all rows in blocks, of weights of n outputs.
template <class Run>
void by_blocks(Index count, Index n, Run run) {
  const Index together = rows_of_weights(n);
  for (Index first = 0; first < count; first += together) {
    poll_stop();
    run(first, std::min(together, count - first));
  }
}

/// New samples beside those that a side of the model was fitted to.
CrossSource beside(const std::optional<Kernel>& kernel, const Samples& training, const Points& fresh, const char* name) {
  const Index wanted = kernel ? training.dimension() : training.size();
  require(fresh.dimension() == wanted, std::string(name) + " has " + std::to_string(fresh.dimension()) +
                                           " features, and this model takes " + std::to_string(wanted));
  require(fresh.scalar() == Scalar::float64, std::string(name) + " must be of float64");
  if (kernel) return {*kernel, fresh, training.points()};
  require(!fresh.sparse(), std::string(name) + " must be dense: its rows are kernel values");
  return CrossSource(fresh.float64());
}

/// How many pairs of rows there are, where one of the two sides may have a single row.
Index pairs_of(const CrossSource& a, const CrossSource& b) {
  require(a.rows() == b.rows() || a.rows() == 1 || b.rows() == 1,
          "Xa and Xb must have as many rows, or one of them a single one: got " + std::to_string(a.rows()) + " and " +
              std::to_string(b.rows()));
  return a.rows() == 1 ? b.rows() : a.rows();
}

/// Rows first .. first + rows - 1, or a single row in the place of each.
MatrixView<const double> some_rows(const CrossSource& source, Index first, Index rows, Scratch& scratch) {
  if (source.rows() > 1) return rows_of(source, first, rows, scratch);
  const MatrixView<const double> one = rows_of(source, 0, 1, scratch);
  return {one.data(), rows, one.cols(), 0, one.col_stride()};
}

}  // namespace

struct Predictor::State {
  explicit State(Parts own) : parts(std::move(own)) {
    check_parts(parts);
    if (parts.coefficients.empty()) return;
    // Kernel values are summed in the same way, whatever the kernel.
    mean.emplace(parts.kernel.value_or(Kernel("linear", {})), parts.inputs, parts.coefficients);
  }

  Index size() const { return outputs_of(parts); }
  Index supports() const { return parts.inputs.size(); }
  bool on_landmarks() const { return parts.samples.size() > 0 || !parts.mixing.empty(); }
  CrossSource inputs(const Points& X) const {
    const CrossSource source = beside(parts.kernel, parts.inputs, X, "X");
    check_source(source, supports(), "X");
    return source;
  }
  CrossSource outputs(const Points& Y, const char* name) const {
    return beside(parts.output_kernel, parts.output_kernel ? parts.outputs : Samples::counted(size()), Y, name);
  }
  GramSource outputs() const {
    if (parts.output_kernel) return {*parts.output_kernel, parts.outputs.points()};
    return GramSource(parts.output_gram.view());
  }
  CrossSource training_outputs() const {
    if (parts.output_kernel) return {*parts.output_kernel, parts.outputs.points(), parts.outputs.points()};
    return CrossSource(parts.output_gram.view());
  }

  /// A column for each sample, times the root of its weight.
  void scale(MatrixView<double> A) const {
    if (parts.roots.empty()) return;
    for_entries(A, [&](Index i, Index j) { A(i, j) *= parts.roots(j, 0); });
  }

  /// [MCE] (1): weights of some rows; of weighted samples S (S K S + n lambda I)^-1 S k(x).
  void weigh(const CrossSource& X, Index first, MatrixView<double> out, Scratch& scratch) const {
    weigh(rows_of(X, first, out.rows(), scratch), out);
  }

  /// The same, linear in the kernel values of the rows with the supports.
  void weigh(MatrixView<const double> cross, MatrixView<double> out) const {
    if (on_landmarks()) return spread(cross, out);
    if (parts.roots.empty()) return cholesky_solve(parts.factor.view(), transposed(cross), transposed(out));
    copy_rows(cross, out);
    scale(out);
    cholesky_solve(parts.factor.view(), transposed(out));
    scale(out);
  }

  /// The same from kernel values to landmarks: W k(X, p) F^-T F^-1 k(p, x), or E in the place of W k(X, p).
  void spread(MatrixView<const double> cross, MatrixView<double> out) const {
    Matrix images(supports(), cross.rows());
    cholesky_solve(parts.factor.view(), transposed(cross), images.view());
    if (!parts.mixing.empty()) return gemm(1.0, parts.mixing.view(), images.view(), 0.0, transposed(out));
    product(*parts.kernel, parts.samples.points(), parts.inputs.points(), std::as_const(images).view(), transposed(out));
    scale(out);
    scale(out);
  }

  /// What kernel values to the supports are multiplied with in an expectation of functions with values G at the outputs.
  Matrix dual(MatrixView<const double> G) const {
    require_shape(G, size(), G.cols(), "G");
    require_finite(G, "G");
    Matrix scaled = Matrix::copy_of(G);
    scale(transposed(scaled.view()));
    if (on_landmarks()) {
      Matrix out(supports(), G.cols());
      scale(transposed(scaled.view()));
      if (parts.mixing.empty()) {
        product(*parts.kernel, parts.inputs.points(), parts.samples.points(), std::as_const(scaled).view(), out.view());
      } else {
        gemm(1.0, transposed(parts.mixing.view()), scaled.view(), 0.0, out.view());
      }
      cholesky_solve(parts.factor.view(), out.view());
      return out;
    }
    cholesky_solve(parts.factor.view(), scaled.view());
    scale(transposed(scaled.view()));
    return scaled;
  }

  /// run(first, weights) for all rows in blocks.
  template <class Run>
  void by_weights(const Points& X, Run run) const {
    const CrossSource source = inputs(X);
    Scratch scratch, room;
    by_blocks(source.rows(), size(), [&](Index first, Index rows) {
      const MatrixView<double> weights = room.take(rows, size());
      weigh(source, first, weights, scratch);
      run(first, weights);
    });
  }

  /// Herding to mu(x) / sum_i beta_i(x).
  std::vector<Index> sample(const Points& X, Index count, const CrossSource& cross, const GramSource& candidates) const {
    std::vector<Index> all;
    by_weights(X, [&](Index, MatrixView<double> weights) {
      for (Index i = 0; i < weights.rows(); ++i) {
        double total = 0.0;
        for (Index j = 0; j < size(); ++j) total += weights(i, j);
        if (!(total > 0.0)) continue;
        for (Index j = 0; j < size(); ++j) weights(i, j) /= total;
      }
      Matrix means(weights.rows(), cross.rows());
      values(weights, cross, means.view());
      const std::vector<Index> some = herd(candidates, means.view(), count);
      all.insert(all.end(), some.begin(), some.end());
    });
    return all;
  }

  Parts parts;
  std::optional<KernelExpansion> mean{};  // E[Y | x]
};

Predictor::Predictor(Parts parts) : state_(std::make_shared<const State>(std::move(parts))) {}

const Parts& Predictor::parts() const { return state_->parts; }
Index Predictor::size() const { return state_->size(); }
const std::vector<ClassLabel>& Predictor::classes() const { return state_->parts.labels; }

Index Predictor::inputs(Verb verb) const {
  const Parts& parts = state_->parts;
  if (verb != Verb::predict || outputs(verb) == 0) return 0;
  return parts.kernel ? parts.inputs.dimension() : parts.inputs.size();
}

Index Predictor::outputs(Verb verb) const {
  const Parts& parts = state_->parts;
  const bool vectors = !parts.coefficients.empty() || parts.outputs.form() == Samples::Form::sparse;
  return verb == Verb::predict && vectors ? parts.outputs.dimension() : 0;
}

/// [MCE] (2): of the outputs themselves.
void Predictor::compute(Verb, const Points& X, MatrixView<double> out) const {
  const Parts& parts = state_->parts;
  if (parts.coefficients.empty()) {
    return state_->by_weights(X, [&](Index first, MatrixView<const double> weights) {
      weighted_rows(weights, parts.outputs.points(), rows_of(out, first, weights.rows()));
    });
  }
  parts.kernel ? state_->mean->apply(X, out) : state_->mean->apply_values(X.float64(), out);
}

bool Predictor::takes_sparse(Verb) const { return state_->parts.inputs.form() == Samples::Form::sparse; }

void Predictor::weights(const Points& X, MatrixView<double> out) const {
  require_shape(out, X.size(), size(), "out");
  const CrossSource source = state_->inputs(X);
  Scratch scratch;
  by_blocks(X.size(), size(), [&](Index first, Index rows) { state_->weigh(source, first, rows_of(out, first, rows), scratch); });
}

void Predictor::expectation(const Points& X, MatrixView<const double> G, MatrixView<double> out) const {
  const CrossSource source = state_->inputs(X);
  require_shape(out, X.size(), G.cols(), "out");
  const Matrix dual = state_->dual(G);
  if (out.empty()) return;
  if (source.stored()) return gemm(1.0, source.cross(), dual.view(), 0.0, out);
  product(source.kernel(), source.fresh(), source.training(), dual.view(), out);
}

void Predictor::evaluate(const Points& X, const Points& Y, MatrixView<double> out) const {
  require_shape(out, X.size(), Y.size(), "out");
  const CrossSource fresh = state_->outputs(Y, "Y");
  state_->by_weights(
      X, [&](Index first, MatrixView<const double> weights) { values(weights, fresh, rows_of(out, first, weights.rows())); });
}

void Predictor::losses(const Points& X, const Points& Y, MatrixView<const double> squares, MatrixView<double> out) const {
  require(Y.size() == X.size(), "X and Y must have as many rows");
  require_shape(out, X.size(), 1, "out");
  const CrossSource fresh = state_->outputs(Y, "Y");
  if (!fresh.stored()) {
    require(squares.empty(), "squares are for outputs without a kernel");
    if (!out.empty()) diagonal(fresh.kernel(), Y, out);
  } else {
    require_shape(squares, X.size(), 1, "squares");
    require_finite(squares, "squares");
    copy_rows(squares, out);
  }
  Scratch scratch;
  state_->by_weights(X, [&](Index first, MatrixView<const double> weights) {
    const MatrixView<const double> cross = rows_of(fresh, first, weights.rows(), scratch);
    Matrix norms(weights.rows(), 1);
    squared_norms(weights, state_->outputs(), norms.view());
    for (Index i = 0; i < weights.rows(); ++i) {
      double inner = 0.0;
      for (Index j = 0; j < size(); ++j) inner += weights(i, j) * cross(i, j);
      out(first + i, 0) = out(first + i, 0) - 2.0 * inner + norms(i, 0);
    }
  });
}

/// Weights are linear in kernel values, so that a difference of two embeddings has one row of them.
void Predictor::distances(const Points& Xa, const Points& Xb, MatrixView<double> out) const {
  const CrossSource a = state_->inputs(Xa), b = state_->inputs(Xb);
  require_shape(out, pairs_of(a, b), 1, "out");
  Scratch left, right;
  by_blocks(out.rows(), size(), [&](Index first, Index rows) {
    const MatrixView<const double> ka = some_rows(a, first, rows, left), kb = some_rows(b, first, rows, right);
    Matrix cross(rows, ka.cols()), weights(rows, size());
    for_entries(cross.view(), [&](Index i, Index j) { cross(i, j) = ka(i, j) - kb(i, j); });
    state_->weigh(std::as_const(cross).view(), weights.view());
    squared_norms(weights.view(), state_->outputs(), rows_of(out, first, rows));
  });
}

void Predictor::distances(const Points& Xa, const Predictor& other, const Points& Xb, const GramSource& both,
                          MatrixView<double> out) const {
  const CrossSource a = state_->inputs(Xa), b = other.state_->inputs(Xb);
  require_shape(out, pairs_of(a, b), 1, "out");
  const Index own = size(), others = other.size();
  Scratch left, right;
  by_blocks(out.rows(), own + others, [&](Index first, Index rows) {
    Matrix weights(rows, own + others), cross = Matrix::copy_of(some_rows(b, first, rows, right));
    for_entries(cross.view(), [&](Index i, Index j) { cross(i, j) = -cross(i, j); });
    other.state_->weigh(std::as_const(cross).view(), part(weights.view(), 0, rows, own, others));
    cross = Matrix::copy_of(some_rows(a, first, rows, left));
    state_->weigh(std::as_const(cross).view(), part(weights.view(), 0, rows, 0, own));
    squared_norms(weights.view(), both, rows_of(out, first, rows));
  });
}

std::vector<Index> Predictor::sample(const Points& X, Index count) const {
  return state_->sample(X, count, state_->training_outputs(), state_->outputs());
}

std::vector<Index> Predictor::sample(const Points& X, Index count, const Points& candidates,
                                     MatrixView<const double> gram) const {
  const CrossSource cross = state_->outputs(candidates, "candidates");
  if (!cross.stored()) {
    require(gram.empty(), "the Gram matrix of candidates is for outputs without a kernel");
    return state_->sample(X, count, cross, GramSource(cross.kernel(), candidates));
  }
  require_shape(gram, candidates.size(), candidates.size(), "the Gram matrix of candidates");
  return state_->sample(X, count, cross, GramSource(gram));
}

}  // namespace gramian::conditional_mean

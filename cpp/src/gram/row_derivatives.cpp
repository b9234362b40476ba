// SPDX-License-Identifier: BSD-3-Clause
#include "gram/row_derivatives.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gram/block_vectors.hpp"
#include "gram/gradient_tiles.hpp"
#include "gram/kernel_tiles.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

constexpr const char* no_sweep = "the kernel is not a sum of functions of distances or of inner products";

/// A leaf of a sum, with the factor of all multiples above it.
struct Term {
  Index leaf;
  double factor;
};

/// False, and no more terms, for a product.
bool take_terms(const KernelTree& part, double factor, std::vector<Term>& terms) {
  if (part.kind == NodeKind::leaf) {
    terms.push_back({part.leaf, factor});
    return true;
  }
  if (part.kind != NodeKind::sum && part.kind != NodeKind::multiple) return false;
  if (part.kind == NodeKind::multiple) factor *= part.factor;
  return std::all_of(part.children.begin(), part.children.end(),
                     [&](const KernelTree& child) { return take_terms(child, factor, terms); });
}

bool has_slopes(const Kernel::Node& node) {
  if (node.kind == NodeKind::leaf) return isa::ops<double>().kernels[node.id].slopes != nullptr;
  if (node.kind != NodeKind::sum && node.kind != NodeKind::multiple) return false;
  return std::all_of(node.children.begin(), node.children.end(), [](const Kernel& child) { return has_slopes(child.node()); });
}

/// What a leaf's tiles are applied to, y in the leaf's frame: [q, q (x) y], or q alone for gradients, and with weights
/// [1, y, y_k y_l for l <= k], or [1, y].
template <class T>
struct Supports {
  RowVectors<T> first, second;
};

/// Rows in T: a copy of them in float32.
template <class T>
class RowsIn {
 public:
  explicit RowsIn(MatrixView<const double> A) {
    if constexpr (std::is_same_v<T, double>) {
      view_ = A;
    } else {
      numbers_ = Buffer<T>(checked_product(A.rows(), A.cols()));
      const MatrixView<T> to(numbers_.data(), A.rows(), A.cols());
      for_rows(A.rows(), A.cols(), [&](Index first, Index last) {
        for (Index i = first; i < last; ++i) {
          for (Index k = 0; k < A.cols(); ++k) to(i, k) = static_cast<T>(A(i, k));
        }
      });
      view_ = to;
    }
  }
  MatrixView<const T> view() const { return view_; }

 private:
  Buffer<T> numbers_;
  MatrixView<const T> view_;
};

/// Tiles and sums are in T.
template <class T>
class Derivatives {
 public:
  Derivatives(const Kernel& kernel, MatrixView<const double> X, MatrixView<const double> Y, MatrixView<const double> Q,
              MatrixView<const double> W, bool gradients)
      : gradients_(gradients),
        X_(X),
        W_(W),
        d_(X.cols()),
        p_(Q.cols()),
        rows_(X),
        supporting_(Y),
        tiles_(kernel, PairSource<T>(Points(rows_.view()), Points(supporting_.view())).transposed(), true),
        step_(tile_step(Y.rows())) {
    const RowsIn<T> own_Q(Q), own_W(W);
    weights_.assign(GramGradient<T>(own_Q.view(), own_W.view()), Y.rows(), X.rows(), false);
    take_terms(tiles_.tree(), 1.0, terms_);
    values_of_Q_.assign(own_Q.view(), step_);
    for (const Term& term : terms_) supports_.push_back(supports_of(tiles_.leaf(term.leaf).frame(), Y, Q));
    values = Matrix::filled(X.rows(), p_, 0.0);
    slopes = Matrix::filled(X.rows(), gradients ? d_ : p_ * d_, 0.0);
    curvature = Matrix::filled(X.rows(), gradients ? 0 : d_ * d_, 0.0);
  }

  Matrix values, slopes, curvature;  ///< slopes: or gradients

  void run() {
    const Index n = tiles_.rows(), q = tiles_.cols(), blocks = count_pieces(q, step_);
    const Index terms = static_cast<Index>(terms_.size()), numbers = terms * term_numbers();
    const double entries = static_cast<double>(std::min(step_, q)) * static_cast<double>(n);
    const double vectors = static_cast<double>(firsts() + seconds() + p_);
    const double cost = entries * (3.0 * tiles_.seconds_per_entry() + 0.03e-9 * vectors * static_cast<double>(terms));
    const Index workers = max_workers(cost * static_cast<double>(blocks)), room = scratch_tiles * tile_numbers + numbers;
    Buffer<T> memory(checked_product(workers, room));
    parallel_for(blocks, cost, [&](Index block, int worker) {
      T *scratch = memory.data() + worker * room, *sums = scratch + scratch_tiles * tile_numbers;
      std::fill_n(sums, numbers, T(0));
      const Index first = block * step_, count = std::min(step_, q - first);
      for (Index t = 0; t < count_pieces(n, step_); ++t) {
        if (worker == 0) poll_stop();
        const TileBlock at{t * step_, std::min(step_, n - t * step_), first, count};
        for (Index l = 0; l < terms; ++l) visit(l, at, t, scratch, sums + l * term_numbers());
      }
      for (Index l = 0; l < terms; ++l) write(l, first, count, sums + l * term_numbers());
    });
  }

 private:
  static constexpr Index scratch_tiles = 4;

  Index firsts() const { return gradients_ ? p_ : p_ + p_ * d_; }
  Index seconds() const { return gradients_ ? 1 + d_ : 1 + d_ + d_ * (d_ + 1) / 2; }
  Index term_numbers() const { return (p_ + firsts() + seconds()) * step_; }

  Supports<T> supports_of(const Frame& frame, MatrixView<const double> Y, MatrixView<const double> Q) const {
    Matrix first(Y.rows(), firsts()), second(Y.rows(), seconds());
    for (Index i = 0; i < Y.rows(); ++i) {
      second(i, 0) = 1.0;
      Index at = 1 + d_;
      for (Index k = 0; k < d_; ++k) {
        const double y = second(i, 1 + k) = frame(Y(i, k), k);
        for (Index l = 0; l <= k && !gradients_; ++l) second(i, at++) = y * second(i, 1 + l);
      }
      for (Index c = 0; c < p_; ++c) {
        first(i, c) = Q(i, c);
        for (Index k = 0; k < d_ && !gradients_; ++k) first(i, p_ + c * d_ + k) = Q(i, c) * second(i, 1 + k);
      }
    }
    return {RowVectors<T>(RowsIn<T>(first.view()).view(), step_), RowVectors<T>(RowsIn<T>(second.view()).view(), step_)};
  }

  /// sums: of q with values, then with first and with second derivatives in s; of gradients with first ones, with weights.
  void visit(Index l, const TileBlock& at, Index t, T* scratch, T* sums) const {
    const LeafTiles<T>& leaf = tiles_.leaf(terms_[static_cast<std::size_t>(l)].leaf);
    const Supports<T>& supports = supports_[static_cast<std::size_t>(l)];
    T *of_value = scratch, *once = scratch, *twice = scratch, *weighed = scratch + tile_numbers;
    if (leaf.kernel().slope_of_value == 0.0) {
      once = scratch + 2 * tile_numbers, twice = gradients_ ? nullptr : scratch + 3 * tile_numbers;
      derive(leaf, at, of_value, once, twice);
      apply(at, of_value, values_of_Q_.tile(t), p_, sums);
    } else {
      leaf.values(at, of_value);
    }
    if (!gradients_ || once == of_value) apply(at, once, supports.first.tile(t), firsts(), sums + p_ * step_);
    weights_.weigh(at, gradients_ ? once : twice, weighed);
    apply(at, weighed, supports.second.tile(t), seconds(), sums + (p_ + firsts()) * step_);
  }

  /// Kernel values, dk/ds and d^2k/ds^2; the last one null if it is not wanted.
  static void derive(const LeafTiles<T>& leaf, const TileBlock& at, T* value, T* once, T* twice) {
    isa::SlopeJob<T> job{leaf.pair_job(at), once, twice};
    leaf.raw(at, value);
    job.at.raw = value;
    leaf.kernel().slopes(job);
  }

  void apply(const TileBlock& at, const T* tile, const T* V, Index vectors, T* sums) const {
    isa::ApplyJob<T> job{};
    job.tile = tile;
    job.rows = tiles_.whole_rows(at.height);
    job.cols = tiles_.whole_cols(at.width);
    job.vectors = vectors;
    job.stride = step_;
    job.V = V;
    job.sums = sums;
    tiles_.ops().apply_to_columns(job);
  }

  /// From sums over y to derivatives in x: s = -|x - y|^2 / 2 in the frame, ds/dx = y - x; or s = <x, y>, ds/dx = y.
  void write(Index l, Index first, Index count, const T* sums) {
    const Term& term = terms_[static_cast<std::size_t>(l)];
    const LeafTiles<T>& leaf = tiles_.leaf(term.leaf);
    const double slope = leaf.kernel().slope_of_value, once = slope == 0.0 ? 1.0 : slope;
    const T *firsts_of = sums + p_ * step_, *seconds_of = firsts_of + firsts() * step_;
    const bool distance = leaf.form() == LeafForm::distance;
    std::vector<double> x(static_cast<std::size_t>(d_), 0.0);
    for (Index j = 0; j < count; ++j) {
      for (Index k = 0; k < d_ && distance; ++k) x[static_cast<std::size_t>(k)] = leaf.frame()(X_(first + j, k), k);
      for (Index c = 0; c < p_; ++c)
        values(first + j, c) += term.factor * static_cast<double>((slope == 0.0 ? sums : firsts_of)[c * step_ + j]);
      const Column at{first + j, term.factor, once, leaf.frame().scale.data(), x.data()};
      if (gradients_) {
        write_gradients(at, seconds_of + j);
      } else {
        const double total = write_slopes(at, firsts_of + j);
        write_curvature(at, distance ? total : 0.0, seconds_of + j);
      }
    }
  }

  /// A row of X in the frame, or 0 where ds/dx does not depend on it, and the factors of derivatives.
  struct Column {
    Index row;
    double factor, once;
    const double *scale, *x;
  };

  void write_gradients(const Column& at, const T* sums) {
    for (Index k = 0; k < d_; ++k)
      slopes(at.row, k) += at.factor * at.once * at.scale[k] * (sum(sums, 1 + k) - at.x[k] * sum(sums, 0));
  }

  /// Returns the weighted sum of first derivatives in s.
  double write_slopes(const Column& at, const T* sums) {
    double total = 0.0;
    for (Index c = 0; c < p_; ++c) {
      const double whole = sum(sums, c);
      total += W_(at.row, c) * whole;
      for (Index k = 0; k < d_; ++k) {
        const double moment = sum(sums, p_ + c * d_ + k) - at.x[k] * whole;
        slopes(at.row, c * d_ + k) += at.factor * at.once * at.scale[k] * moment;
      }
    }
    return total;
  }

  /// total: what d^2s/dx^2 = -1 is multiplied with.
  void write_curvature(const Column& at, double total, const T* sums) {
    Index column = 1 + d_;
    for (Index k = 0; k < d_; ++k) {
      for (Index m = 0; m <= k; ++m, ++column) {
        const double moment =
            sum(sums, column) - at.x[k] * sum(sums, 1 + m) - at.x[m] * sum(sums, 1 + k) + at.x[k] * at.x[m] * sum(sums, 0);
        const double entry = at.factor * at.scale[k] * at.scale[m] * at.once * (at.once * moment - (k == m ? total : 0.0));
        curvature(at.row, k * d_ + m) += entry;
        if (m != k) curvature(at.row, m * d_ + k) += entry;
      }
    }
  }

  double sum(const T* sums, Index vector) const { return static_cast<double>(sums[vector * step_]); }

  bool gradients_;
  MatrixView<const double> X_, W_;
  Index d_, p_;
  RowsIn<T> rows_, supporting_;
  KernelTiles<T> tiles_;
  Index step_;
  GradientTiles<T> weights_;
  std::vector<Term> terms_;
  RowVectors<T> values_of_Q_;
  std::vector<Supports<T>> supports_;
};

}  // namespace

bool has_row_derivatives(const Kernel& kernel) { return has_slopes(kernel.node()); }

RowDerivatives row_derivatives(const Kernel& kernel, MatrixView<const double> X, MatrixView<const double> Y,
                               MatrixView<const double> Q, MatrixView<const double> W, Accuracy accuracy) {
  require(has_row_derivatives(kernel), no_sweep);
  const auto found = [](auto all) -> RowDerivatives {
    all.run();
    return {std::move(all.values), std::move(all.slopes), std::move(all.curvature)};
  };
  if (accuracy == Accuracy::rough) return found(Derivatives<float>(kernel, X, Y, Q, W, false));
  return found(Derivatives<double>(kernel, X, Y, Q, W, false));
}

RowGradients row_gradients(const Kernel& kernel, MatrixView<const double> X, MatrixView<const double> Y,
                           MatrixView<const double> Q, MatrixView<const double> W) {
  require(has_row_derivatives(kernel), no_sweep);
  Derivatives<double> all(kernel, X, Y, Q, W, true);
  all.run();
  return {std::move(all.values), std::move(all.slopes)};
}

}  // namespace gramian

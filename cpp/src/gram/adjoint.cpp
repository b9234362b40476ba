// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/adjoint.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "gram/accumulate.hpp"
#include "gram/backprop.hpp"
#include "gram/finite.hpp"
#include "gram/gradient_tiles.hpp"
#include "gram/kernel_tiles.hpp"
#include "gram/leaf_vectors.hpp"
#include "gram/pair_schedule.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

/// Where one sweep over the pairs of two sets (or of one) leaves its sums. For every tile of points and every leaf there are d +
/// 1 vectors: those of the points' gradient, and one of what multiplies the point itself; behind all leaves, the parameters.
template <class T>
class Sweep {
 public:
  Sweep(const Kernel& kernel, const PairSource<T>& source, const GramGradient<T>& Kbar, bool want_points,
        MatrixView<T> inner_bar);

  void run();
  std::vector<double> parameters();
  /// Adds the gradient of the first set, or of the second.
  void write_first(MatrixView<T> Xbar) { write(Xbar, source_.x(), 0); }
  void write_second(MatrixView<T> Ybar) { write(Ybar, source_.y(), source_.same() ? 0 : count_pieces(source_.rows(), step_)); }

 private:
  Index dimension() const { return source_.dense() ? source_.dimension() : 0; }
  Index leaf_numbers() const { return (dimension() + 1) * step_; }
  double* leaf_sums(BlockSums& sums, Index tile, Index leaf) const { return sums.tile(tile) + leaf * leaf_numbers(); }
  double* parameter_sums(BlockSums& sums, Index tile) const { return sums.tile(tile) + tiles_.leaf_count() * leaf_numbers(); }

  struct Place;
  void visit(Index row_tile, Index col_tile, int worker, BlockSums& sums);
  void visit_leaf(const KernelTree& part, const Place& place, T* Kbar, T* raw);
  void visit_pairs_of_leaf(const KernelTree& part, const Place& place, T* Kbar, T* raw);
  void visit_coordinates_of_leaf(const KernelTree& part, const Place& place, T* Kbar, T* values);
  void add_norms(const T* norms, double* sums) const;
  void apply(const LeafTiles<T>& leaf, const Place& place, Index leaf_index, T* weights);
  void write_inner(const LeafTiles<T>& leaf, const Place& place, const T* weights);
  void write(MatrixView<T> out, MatrixView<const T> points, Index first_tile);
  void finish_inner_diagonal();

  PairSource<T> source_;
  KernelTiles<T> tiles_;
  GradientTiles<T> gradient_;
  Index step_;
  bool want_points_;
  MatrixView<T> inner_bar_;
  std::vector<LeafVectors<T>> x_, y_;  // y_ is empty for one set
  BlockSums sums_;
  TileScratch<T> scratch_;
};

/// A block, whose it is, and where its sums go.
template <class T>
struct Sweep<T>::Place {
  TileBlock block;
  Index row_tile;
  Index col_tile;
  bool diagonal;  // the same points on both sides: everything is there twice, and once is enough
  int worker;
  T* tile_sums;
  BlockSums* sums;
  double* parameters;
};

template <class T>
Sweep<T>::Sweep(const Kernel& kernel, const PairSource<T>& source, const GramGradient<T>& Kbar, bool want_points,
                MatrixView<T> inner_bar)
    : source_(source),
      tiles_(kernel, source),
      gradient_(Kbar, source.rows(), source.cols(), source.same()),
      step_(tile_step(std::max(source.rows(), source.cols()))),
      want_points_(want_points),
      inner_bar_(inner_bar),
      sums_(count_pieces(source.rows(), step_) + (source.same() ? 0 : count_pieces(source.cols(), step_)),
            tiles_.leaf_count() * leaf_numbers() + tiles_.parameter_count()),
      scratch_(1 + backprop_depth(tiles_.tree()), 2 * leaf_numbers()) {
  if (!want_points_) return;
  for (Index l = 0; l < tiles_.leaf_count(); ++l) {
    const LeafTiles<T>& leaf = tiles_.leaf(l);
    const Index columns = applied_vectors(leaf, dimension());
    x_.emplace_back(in_frame(source_.x(), source_.rows(), leaf.frame(), columns), source_.rows(), columns, step_);
    if (!source_.same())
      y_.emplace_back(in_frame(source_.y(), source_.cols(), leaf.frame(), columns), source_.cols(), columns, step_);
  }
}

template <class T>
void Sweep<T>::run() {
  const double entries = static_cast<double>(step_) * static_cast<double>(step_);
  const double seconds = entries * (2.0 * tiles_.seconds_per_entry() + 0.03e-9 * static_cast<double>(dimension()));
  const auto one = [&](Index row_tile, Index col_tile, int worker, BlockSums& sums) { visit(row_tile, col_tile, worker, sums); };
  if (source_.same()) {
    sum_over_pairs(seconds, sums_, one);
  } else {
    sum_over_grid(count_pieces(source_.rows(), step_), count_pieces(source_.cols(), step_), seconds, sums_, one);
  }
  if (!inner_bar_.empty()) finish_inner_diagonal();
}

template <class T>
void Sweep<T>::visit(Index row_tile, Index col_tile, int worker, BlockSums& sums) {
  if (worker == 0) poll_stop();
  const Index row = row_tile * step_, col = col_tile * step_;
  std::vector<double> parameters(static_cast<std::size_t>(tiles_.parameter_count()), 0.0);
  const Place place{{row, std::min(step_, source_.rows() - row), col, std::min(step_, source_.cols() - col)},
                    row_tile,
                    source_.same() ? col_tile : count_pieces(source_.rows(), step_) + col_tile,
                    source_.same() && row_tile == col_tile,
                    worker,
                    scratch_.extra(worker),
                    &sums,
                    parameters.data()};
  T* Kbar = scratch_.tile(worker, 0);
  gradient_.evaluate(place.block, Kbar);
  backprop(tiles_, tiles_.tree(), place.block, Kbar, scratch_.tile(worker, 1), place.parameters,
           [&](const KernelTree& part, T* weights, T* free_tile) { visit_leaf(part, place, weights, free_tile); });
  const double share = place.diagonal ? 0.5 : 1.0;
  double* to = parameter_sums(sums, row_tile);
  for (std::size_t p = 0; p < parameters.size(); ++p) to[p] += share * parameters[p];
}

template <class T>
void Sweep<T>::visit_leaf(const KernelTree& part, const Place& place, T* Kbar, T* free_tile) {
  if (tiles_.leaf(part.leaf).form() == LeafForm::coordinate) {
    visit_coordinates_of_leaf(part, place, Kbar, free_tile);
  } else {
    visit_pairs_of_leaf(part, place, Kbar, free_tile);
  }
}

template <class T>
void Sweep<T>::visit_pairs_of_leaf(const KernelTree& part, const Place& place, T* Kbar, T* raw) {
  const LeafTiles<T>& leaf = tiles_.leaf(part.leaf);
  leaf.raw(place.block, raw);
  isa::PairJob<T> job = leaf.pair_job(place.block);
  T *row_norms = place.tile_sums, *col_norms = place.tile_sums + step_;
  std::fill_n(place.tile_sums, 2 * step_, T(0));
  job.raw = raw;
  job.weights = Kbar;
  job.row_sums = row_norms;
  job.col_sums = col_norms;
  job.parameter_sums = place.parameters + part.first_parameter;
  leaf.kernel().chain(job);
  if (!inner_bar_.empty()) write_inner(leaf, place, Kbar);
  if (!want_points_) return;
  if (leaf.form() == LeafForm::inner) {
    add_norms(col_norms, leaf_sums(*place.sums, place.col_tile, part.leaf));
    if (!place.diagonal) add_norms(row_norms, leaf_sums(*place.sums, place.row_tile, part.leaf));
  }
  apply(leaf, place, part.leaf, Kbar);
}

template <class T>
void Sweep<T>::add_norms(const T* norms, double* sums) const {
  for (Index i = 0; i < step_; ++i) sums[dimension() * step_ + i] += static_cast<double>(norms[i]);
}

template <class T>
void Sweep<T>::apply(const LeafTiles<T>& leaf, const Place& place, Index leaf_index, T* weights) {
  const Index columns = applied_vectors(leaf, dimension());
  const auto l = static_cast<std::size_t>(leaf_index);
  const LeafVectors<T>& rows = x_[l];
  const LeafVectors<T>& cols = source_.same() ? x_[l] : y_[l];
  isa::ApplyJob<T> job{weights,
                       tiles_.whole_rows(place.block.height),
                       tiles_.whole_cols(place.block.width),
                       columns,
                       step_,
                       rows.by_row(place.row_tile),
                       nullptr};
  accumulate(tiles_.ops().apply_to_columns, job, place.tile_sums, leaf_sums(*place.sums, place.col_tile, leaf_index));
  if (place.diagonal) return;
  job.V = cols.by_column(place.block.col / step_);
  accumulate(tiles_.ops().apply_to_rows, job, place.tile_sums, leaf_sums(*place.sums, place.row_tile, leaf_index));
}

template <class T>
void Sweep<T>::visit_coordinates_of_leaf(const KernelTree& part, const Place& place, T* Kbar, T* values) {
  const LeafTiles<T>& leaf = tiles_.leaf(part.leaf);
  const Index rows = tiles_.whole_rows(place.block.height), cols = tiles_.whole_cols(place.block.width), d = dimension();
  leaf.values(place.block, values);
  tiles_.ops().multiply(rows, cols, Kbar, values);
  std::vector<T> row_sums(static_cast<std::size_t>(d * step_), T(0)), col_sums(static_cast<std::size_t>(d * step_), T(0));
  double scale_sum = 0.0;
  leaf.kernel().coordinate_chain(
      {leaf.tile_job(place.block, nullptr), Kbar, row_sums.data(), col_sums.data(), step_, &scale_sum});
  // The points are scaled by gamma, if the kernel has one.
  if (!leaf.parameters().empty()) place.parameters[part.first_parameter] += scale_sum / leaf.parameters()[0];
  const auto add = [&](const std::vector<T>& from, Index tile) {
    double* to = leaf_sums(*place.sums, tile, part.leaf);
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += static_cast<double>(from[i]);
  };
  add(col_sums, place.col_tile);
  if (!place.diagonal) add(row_sums, place.row_tile);
}

template <class T>
void Sweep<T>::write_inner(const LeafTiles<T>& leaf, const Place& place, const T* weights) {
  // s of a distance kernel is point_scale^2 times what it would be in the caller's units; Kbar + Kbar^T counts each pair twice.
  const double unit = leaf.form() == LeafForm::distance ? leaf.point_scale() * leaf.point_scale() : 1.0;
  for (Index r = 0; r < place.block.height; ++r) {
    // Of a block on the diagonal one half is read: the result is exactly symmetric.
    for (Index c = 0; c < (place.diagonal ? r + 1 : place.block.width); ++c) {
      const Index i = place.block.row + r, j = place.block.col + c;
      const T w = static_cast<T>(0.5 * unit * static_cast<double>(weights[r * isa::tile_size + c]));
      inner_bar_(i, j) += w;
      if (i != j) inner_bar_(j, i) += w;
    }
  }
}

template <class T>
void Sweep<T>::finish_inner_diagonal() {
  for (Index i = 0; i < source_.rows(); ++i) {
    for (Index l = 0; l < tiles_.leaf_count(); ++l) {
      const LeafTiles<T>& leaf = tiles_.leaf(l);
      const double sum = leaf_sums(sums_, i / step_, l)[i % step_];
      const double unit = leaf.form() == LeafForm::distance ? -0.5 * leaf.point_scale() * leaf.point_scale() : 1.0;
      inner_bar_(i, i) += static_cast<T>(unit * sum);
    }
  }
}

template <class T>
std::vector<double> Sweep<T>::parameters() {
  std::vector<double> out(static_cast<std::size_t>(tiles_.parameter_count()), 0.0);
  for (Index t = 0; t < count_pieces(source_.rows(), step_); ++t) {
    const double* from = parameter_sums(sums_, t);
    for (std::size_t p = 0; p < out.size(); ++p) out[p] += from[p];
  }
  return out;
}

template <class T>
void Sweep<T>::write(MatrixView<T> out, MatrixView<const T> points, Index first_tile) {
  const Index d = dimension();
  for (Index i = 0; i < points.rows(); ++i) {
    for (Index l = 0; l < tiles_.leaf_count(); ++l) {
      const LeafTiles<T>& leaf = tiles_.leaf(l);
      const double* sums = leaf_sums(sums_, first_tile + i / step_, l) + i % step_;
      const double own = sums[d * step_];
      double* scales = parameter_sums(sums_, 0) + tiles_.first_length_scale(l);
      for (Index k = 0; k < d; ++k) {
        const double x = static_cast<double>(leaf.frame()(points(i, k), k));
        double gradient = sums[k * step_];
        if (leaf.form() == LeafForm::distance) gradient -= own * x;
        if (leaf.form() == LeafForm::inner) gradient += 2.0 * own * x;
        if (!out.empty())
          out(i, k) = (l == 0 ? T(0) : out(i, k)) + static_cast<T>(gradient * leaf.frame().scale[static_cast<std::size_t>(k)]);
        // x / l: d/dl = -(1/l) x' d/dx'
        if (!leaf.length_scales().empty()) scales[k] -= gradient * x / leaf.length_scales()[static_cast<std::size_t>(k)];
      }
    }
  }
}

template <class T>
void require_shape(MatrixView<T> out, Index rows, Index cols, const char* name) {
  const auto shape = [](Index r, Index c) { return std::to_string(r) + " x " + std::to_string(c); };
  require(out.empty() || (out.rows() == rows && out.cols() == cols),
          std::string(name) + " is " + shape(out.rows(), out.cols()) + ", it must be " + shape(rows, cols));
}

bool has_length_scales(const Kernel::Node& node) {
  if (!node.length_scales.empty()) return true;
  return std::any_of(node.children.begin(), node.children.end(),
                     [](const Kernel& child) { return has_length_scales(child.node()); });
}

template <class T>
std::vector<double> adjoint_of(const Kernel& kernel, const PairSource<T>& source, const GramGradient<T>& Kbar, MatrixView<T> Xbar,
                               MatrixView<T> Ybar) {
  require_shape(Xbar, source.rows(), source.dimension(), "Xbar");
  require_shape(Ybar, source.cols(), source.dimension(), "Ybar");
  const bool want_points = !Xbar.empty() || !Ybar.empty() || has_length_scales(kernel.node());
  require(source.dense() || !want_points, "sparse points have no gradient here: pass an empty Xbar to get the parameters' alone");
  Sweep<T> sweep(kernel, source, Kbar, want_points, {});
  sweep.run();
  if (want_points) sweep.write_first(Xbar);
  if (want_points && !source.same()) sweep.write_second(Ybar);
  std::vector<double> parameters = sweep.parameters();
  require_finite(Xbar);
  require_finite(Ybar);
  require_finite(parameters);
  return parameters;
}

}  // namespace

std::vector<double> adjoint(const Kernel& kernel, const Points& X, const GramGradient<double>& Kbar, MatrixView<double> Xbar) {
  return adjoint_of<double>(kernel, PairSource<double>(X), Kbar, Xbar, {});
}
std::vector<double> adjoint(const Kernel& kernel, const Points& X, const GramGradient<float>& Kbar, MatrixView<float> Xbar) {
  return adjoint_of<float>(kernel, PairSource<float>(X), Kbar, Xbar, {});
}
std::vector<double> adjoint(const Kernel& kernel, const Points& X, const Points& Y, const GramGradient<double>& Kbar,
                            MatrixView<double> Xbar, MatrixView<double> Ybar) {
  return adjoint_of<double>(kernel, PairSource<double>(X, Y), Kbar, Xbar, Ybar);
}
std::vector<double> adjoint(const Kernel& kernel, const Points& X, const Points& Y, const GramGradient<float>& Kbar,
                            MatrixView<float> Xbar, MatrixView<float> Ybar) {
  return adjoint_of<float>(kernel, PairSource<float>(X, Y), Kbar, Xbar, Ybar);
}
std::vector<double> adjoint(const Kernel& kernel, const InnerProducts<double>& XX, const GramGradient<double>& Kbar,
                            MatrixView<double> inner_bar) {
  const PairSource<double> source(XX);
  require(source.same(), "the gradient in inner products is there for one set of points");
  require_shape(inner_bar, source.rows(), source.rows(), "inner_bar");
  for (Index i = 0; i < inner_bar.rows(); ++i) {
    for (Index j = 0; j < inner_bar.cols(); ++j) inner_bar(i, j) = 0.0;
  }
  Sweep<double> sweep(kernel, source, Kbar, !inner_bar.empty(), inner_bar);
  sweep.run();
  std::vector<double> parameters = sweep.parameters();
  require_finite(inner_bar);
  require_finite(parameters);
  return parameters;
}

}  // namespace gramian

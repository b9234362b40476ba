// SPDX-License-Identifier: BSD-3-Clause
#include "gram/adjoint_sweep.hpp"

#include "gram/finite.hpp"
#include "gram/tile_algebra.hpp"

namespace gramian {
namespace {

template <class T>
void add_numbers(const T* from, Index count, double* sums) {
  for (Index i = 0; i < count; ++i) sums[i] += static_cast<double>(from[i]);
}

}  // namespace

template <class T>
LeafSums AdjointSweep<T>::leaf_sums(bool along) const {
  return {this->tiles().leaf_count(), this->source().dense() ? this->source().dimension() : 0, this->step(), along};
}

template <class T>
bool AdjointSweep<T>::weighed(const GramGradient<T>& Kbar) const {
  return this->tiles().tree().kind == NodeKind::leaf && slope_of_value() != 0.0 && !Kbar.dense();
}

template <class T>
typename AdjointSweep<T>::Way AdjointSweep<T>::way_for(const GramGradient<T>& Kbar) const {
  if (wanted_.parameters || !wanted_.points || !wanted_.inner_bar.empty() || this->tiles().tree().kind != NodeKind::leaf)
    return Way::tree;
  if (weighed(Kbar)) return Way::weighed;
  if (this->tiles().leaf(0).form() != LeafForm::coordinate) return Way::pairs;
  return Kbar.dense() ? Way::tree : Way::coordinates;
}

template <class T>
void AdjointSweep<T>::take_points() {
  if (holds_points_) return;
  const PairSource<T>& source = this->source();
  const auto count = static_cast<std::size_t>(this->tiles().leaf_count());
  x_.resize(count);
  y_.resize(source.same() ? 0 : count);
  for (std::size_t l = 0; l < count; ++l) {
    const LeafTiles<T>& leaf = this->tiles().leaf(static_cast<Index>(l));
    assign_leaf(leaf, source.x(), source.rows(), false, this->step(), numbers_, x_[l]);
    if (!source.same()) assign_leaf(leaf, source.y(), source.cols(), false, this->step(), numbers_, y_[l]);
  }
  holds_points_ = true;
}

template <class T>
void AdjointSweep<T>::adjoint(const GramGradient<T>& Kbar, bool both_roles, const Wanted& wanted, MatrixView<const T> V) {
  const KernelTiles<T>& tiles = this->tiles();
  const Index n = tiles.rows(), m = tiles.cols(), step = this->step();
  wanted_ = wanted;
  way_ = way_for(Kbar);
  gradient_.assign(Kbar, n, m, both_roles);
  vectors_.assign(V, step);
  leaves_ = wanted.points ? leaf_sums(false) : LeafSums{};
  if (wanted.points) take_points();
  const bool values = way_ == Way::weighed || way_ == Way::coordinates || (way_ == Way::tree && vectors_.count() > 0);
  const Index parameters = wanted.parameters ? tiles.parameter_count() : 0;
  const Index work = vectors_.count() + Kbar.P().cols() * (both_roles ? 2 : 1) + leaf_sums(false).dimension;
  this->sum({2.0 * this->seconds_per_pair(work), parameter_offset() + count_pieces(parameters, 8) * 8,
             1 + std::max(tiles.tree().depth(), tiles.tree().backprop_depth()),
             std::max(2 * leaf_sums(false).leaf_numbers(), this->room_for(vectors_.count())), values},
            [&](const TileVisit& visit) {
              switch (way_) {
                case Way::weighed: return visit_weighed(visit);
                case Way::pairs: return visit_pairs(visit);
                case Way::coordinates: return visit_coordinates(visit);
                case Way::tree: return visit_tree(visit);
              }
            });
  parameters_.assign(static_cast<std::size_t>(parameters), 0.0);
  for (Index t = 0; t < this->row_tiles(); ++t) {
    for (Index p = 0; p < parameters; ++p)
      parameters_[static_cast<std::size_t>(p)] += this->sums().tile(t)[parameter_offset() + p];
  }
  finish_inner_diagonal();
}

template <class T>
std::vector<double> AdjointSweep<T>::whole_adjoint(const GramGradient<T>& Kbar, MatrixView<T> Xbar, MatrixView<T> Ybar) {
  bool points = !Xbar.empty() || !Ybar.empty();
  require(this->source().dense() || !points,
          "sparse points have no gradient here: pass an empty Xbar to get the parameters' alone");
  for (Index l = 0; l < this->tiles().leaf_count(); ++l) points |= this->tiles().leaf(l).has_length_scales();
  adjoint(Kbar, this->source().same(), {points, true});
  if (points) write_points(Xbar, true);
  if (points && !this->source().same()) write_points(Ybar, false);
  require_finite(parameters_);
  return parameters_;
}

/// By strips of rows that stay in the first-level cache, with their weights, until all is done with them.
template <class T>
void AdjointSweep<T>::visit_weighed(const TileVisit& visit) {
  const T* tile = this->values(visit);
  T* weights = this->scratch(visit.worker, 1);
  const Index height = strip_height(this->step());
  TileBlock strip = visit.block;
  for (Index row = 0; row < visit.block.height; row += height) {
    strip.row = visit.block.row + row;
    strip.height = std::min(height, visit.block.height - row);
    gradient_.weigh(strip, tile + row * isa::tile_size, weights);
    apply_vectors(visit, strip, tile + row * isa::tile_size);
    add_weights(0, visit, strip, weights);
  }
}

template <class T>
void AdjointSweep<T>::visit_pairs(const TileVisit& visit) {
  T *tile = this->scratch(visit.worker, 0), *Kbar = this->scratch(visit.worker, 1);
  gradient_.evaluate(visit.block, Kbar);
  this->tiles().leaf(0).raw(visit.block, tile);
  add_pairs(this->tiles().tree(), visit, Kbar, tile, nullptr);
  this->tiles().finish(visit.block, tile);
  apply_vectors(visit, visit.block, tile);
}

template <class T>
void AdjointSweep<T>::visit_coordinates(const TileVisit& visit) {
  const T* tile = this->values(visit);
  T* weights = this->scratch(visit.worker, 1);
  gradient_.weigh(visit.block, tile, weights);
  apply_vectors(visit, visit.block, tile);
  add_coordinates(this->tiles().tree(), visit, weights, nullptr);
}

template <class T>
void AdjointSweep<T>::visit_tree(const TileVisit& visit) {
  if (vectors_.count() > 0) apply_vectors(visit, visit.block, this->values(visit));
  const KernelTiles<T>& tiles = this->tiles();
  T* Kbar = this->scratch(visit.worker, 0);
  std::vector<double> parameters(static_cast<std::size_t>(wanted_.parameters ? tiles.parameter_count() : 0), 0.0);
  double* const own = wanted_.parameters ? parameters.data() : nullptr;
  gradient_.evaluate(visit.block, Kbar);
  backprop(TileValues<T>(tiles, visit.block, own), tiles.tree(), Kbar, this->scratch(visit.worker, 1),
           [&](const KernelTree& part, T* weights, T* scratch) { add_leaf(part, visit, weights, scratch, own); });
  double* to = visit.sums->tile(visit.row_tile) + parameter_offset();
  for (std::size_t p = 0; p < parameters.size(); ++p) to[p] += (visit.diagonal ? 0.5 : 1.0) * parameters[p];
}

template <class T>
void AdjointSweep<T>::apply_vectors(const TileVisit& visit, const TileBlock& block, const T* tile) {
  if (vectors_.count() > 0) this->apply(visit, block, tile, vectors_, vectors_, leaves_.numbers());
}

/// What a leaf adds, from Kbar of the leaf; both tiles are used up.
template <class T>
void AdjointSweep<T>::add_leaf(const KernelTree& part, const TileVisit& visit, T* Kbar, T* scratch, double* parameters) {
  const LeafTiles<T>& leaf = this->tiles().leaf(part.leaf);
  if (leaf.form() == LeafForm::coordinate) {
    leaf.values(visit.block, scratch);
    TileValues<T>(this->tiles(), visit.block).multiply(Kbar, scratch);
    return add_coordinates(part, visit, Kbar, parameters);
  }
  leaf.raw(visit.block, scratch);
  add_pairs(part, visit, Kbar, scratch, parameters);
}

/// The same for a kernel on pairs: raw holds s, and holds the kernel's values afterwards if there are no parameters.
template <class T>
void AdjointSweep<T>::add_pairs(const KernelTree& part, const TileVisit& visit, T* Kbar, T* raw, double* parameters) {
  const LeafTiles<T>& leaf = this->tiles().leaf(part.leaf);
  const Index step = this->step();
  isa::PairJob<T> job = leaf.pair_job(visit.block);
  T *row_norms = this->extra(visit.worker), *col_norms = row_norms + step;
  std::fill_n(row_norms, 2 * step, T(0));
  job.raw = raw;
  job.weights = Kbar;
  job.row_sums = row_norms;
  job.col_sums = col_norms;
  if (parameters != nullptr) job.parameter_sums = parameters + part.first_parameter;
  (parameters != nullptr ? leaf.kernel().chain : leaf.kernel().value_and_chain)(job);
  if (!wanted_.inner_bar.empty()) add_to_inner(leaf, visit, Kbar);
  if (!wanted_.points) return;
  if (leaf.form() == LeafForm::inner) {
    add_numbers(col_norms, step, visit.sums->tile(visit.col_tile) + leaves_.own(part.leaf));
    if (!visit.diagonal) add_numbers(row_norms, step, visit.sums->tile(visit.row_tile) + leaves_.own(part.leaf));
  }
  add_weights(part.leaf, visit, visit.block, Kbar);
}

/// The same for a product over coordinates, from Kbar o K.
template <class T>
void AdjointSweep<T>::add_coordinates(const KernelTree& part, const TileVisit& visit, const T* weights, double* parameters) {
  if (!wanted_.points && parameters == nullptr) return;
  const LeafTiles<T>& leaf = this->tiles().leaf(part.leaf);
  const Index numbers = leaf_sums(false).dimension * this->step();
  double scale_sum = 0.0;
  isa::CoordinateJob<T> job{};
  job.points = leaf.tile_job(visit.block, nullptr);
  job.weights = weights;
  job.stride = this->step();
  if constexpr (std::is_same_v<T, double>) {
    if (parameters == nullptr) {  // the sums of two tiles, or of columns alone: added where they stand
      job.col_sums = visit.sums->tile(visit.col_tile) + leaves_.coordinates(part.leaf);
      if (!visit.diagonal) job.row_sums = visit.sums->tile(visit.row_tile) + leaves_.coordinates(part.leaf);
      return leaf.kernel().coordinate_chain(job);
    }
  }
  T *row_sums = this->extra(visit.worker), *col_sums = row_sums + numbers;
  std::fill_n(row_sums, 2 * numbers, T(0));
  job.col_sums = col_sums;
  // On the diagonal the sums of rows are those of columns.
  if (!visit.diagonal || parameters != nullptr) job.row_sums = row_sums;
  if (parameters != nullptr) job.scale_sum = &scale_sum;
  leaf.kernel().coordinate_chain(job);
  // The points are scaled by gamma, if the kernel has one.
  if (parameters != nullptr && !leaf.parameters().empty()) parameters[part.first_parameter] += scale_sum / leaf.parameters()[0];
  if (!wanted_.points) return;
  add_numbers(col_sums, numbers, visit.sums->tile(visit.col_tile) + leaves_.coordinates(part.leaf));
  if (!visit.diagonal) add_numbers(row_sums, numbers, visit.sums->tile(visit.row_tile) + leaves_.coordinates(part.leaf));
}

/// The same from Kbar o dk/ds; the block may be some rows of the tile.
template <class T>
void AdjointSweep<T>::add_weights(Index leaf, const TileVisit& visit, const TileBlock& block, const T* weights) {
  const bool ones = this->tiles().leaf(leaf).form() == LeafForm::distance;
  const auto l = static_cast<std::size_t>(leaf);
  this->apply(visit, block, weights, row_points()[l], col_points()[l], ones ? leaves_.own(leaf) : leaves_.coordinates(leaf));
}

template <class T>
void AdjointSweep<T>::add_to_inner(const LeafTiles<T>& leaf, const TileVisit& visit, const T* weights) {
  // s of a distance kernel is point_scale^2 times what it would be in the caller's units; Kbar + Kbar^T counts each pair twice.
  const double unit = leaf.form() == LeafForm::distance ? leaf.point_scale() * leaf.point_scale() : 1.0;
  for (Index r = 0; r < visit.block.height; ++r) {
    // Of a block on the diagonal one half is read: the result is exactly symmetric.
    for (Index c = 0; c < (visit.diagonal ? r + 1 : visit.block.width); ++c) {
      const Index i = visit.block.row + r, j = visit.block.col + c;
      const T w = static_cast<T>(0.5 * unit * static_cast<double>(weights[r * isa::tile_size + c]));
      wanted_.inner_bar(i, j) += w;
      if (i != j) wanted_.inner_bar(j, i) += w;
    }
  }
}

/// What flows through the squared norms into the diagonal.
template <class T>
void AdjointSweep<T>::finish_inner_diagonal() {
  const Index step = this->step();
  for (Index i = 0; i < wanted_.inner_bar.rows(); ++i) {
    for (Index l = 0; l < leaves_.leaves; ++l) {
      const LeafTiles<T>& leaf = this->tiles().leaf(l);
      const double sum = this->sums().tile(i / step)[leaves_.own(l) + i % step];
      const double unit = leaf.form() == LeafForm::distance ? -0.5 * leaf.point_scale() * leaf.point_scale() : 1.0;
      wanted_.inner_bar(i, i) += static_cast<T>(unit * sum);
    }
  }
}

/// Where leaves see images, the gradient goes through these to the points.
template <class T>
void AdjointSweep<T>::write_points(MatrixView<T> out, bool first, double factor) {
  PointImages<T>* images = this->tiles().images();
  const bool pulls_back = images != nullptr && !out.empty();
  write_leaves(leaves_, pulls_back ? images->bar(first) : out, first, {},
               factor * (way_ == Way::weighed ? slope_of_value() : 1.0), parameters_);
  if (pulls_back) images->pull_back(first, out);
  require_finite(out);
}

template <class T>
void AdjointSweep<T>::write_leaves(const LeafSums& leaves, MatrixView<T> out, bool first_set, MatrixView<const T> dots,
                                   double factor, std::vector<double>& parameters) const {
  const Index d = leaves.dimension, step = this->step(), first_tile = first_set ? 0 : this->row_tiles();
  const MatrixView<const T> points = first_set ? this->source().x() : this->source().y();
  const auto write_leaf = [&](Index l, Index tile, Index first, Index last) {
    const LeafTiles<T>& leaf = this->tiles().leaf(l);
    const double* sums = this->sums().tile(first_tile + tile);
    const double *own = sums + leaves.own(l), *own_dot = sums + leaves.own_dot(l);
    const double own_factor = leaf.form() == LeafForm::distance ? -1.0 : leaf.form() == LeafForm::inner ? 2.0 : 0.0;
    const Columns columns = leaf.columns();
    for (Index k = 0; k < d; ++k) {
      const double* coordinates = sums + leaves.coordinates(l) + k * step;
      const double scale = leaf.frame().scale[static_cast<std::size_t>(k)], unit = factor * scale;
      double along = 0.0;
      const auto write_column = [&](const auto& own_at) {
        for (Index i = first; i < last; ++i) {
          const double x = static_cast<double>(leaf.frame()(points(i, k), k));
          const double gradient = coordinates[i - first] + own_factor * own_at(i, x);
          if (!out.empty()) out(i, k) = (l == 0 ? T(0) : out(i, k)) + static_cast<T>(gradient * unit);
          along += gradient * x;
        }
      };
      if (dots.empty()) {
        write_column([&](Index i, double x) { return own[i - first] * x; });
      } else {
        write_column(
            [&](Index i, double x) { return own[i - first] * x + own_dot[i - first] * static_cast<double>(dots(i, k)) * scale; });
      }
      // x / l: d/dl = -(1/l) x' d/dx'
      if (!parameters.empty() && leaf.has_length_scales() && k >= columns.first && k < columns.first + columns.count) {
        const Index parameter = this->tiles().first_length_scale(l) + k - columns.first;
        parameters[static_cast<std::size_t>(parameter)] -= factor * along / leaf.length_scale(k);
      }
    }
  };
  const auto write_tile = [&](Index tile, Index first, Index last) {
    for (Index l = 0; l < leaves.leaves; ++l) write_leaf(l, tile, first, last);
  };
  if (parameters.empty()) return fill_tiles(points.rows(), step, 2 * d, write_tile);
  for (Index t = 0; t < count_pieces(points.rows(), step); ++t) write_tile(t, t * step, std::min(points.rows(), (t + 1) * step));
}

template class AdjointSweep<double>;
template class AdjointSweep<float>;

}  // namespace gramian

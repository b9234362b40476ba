// SPDX-License-Identifier: BSD-3-Clause
#include "gram/learned_gram.hpp"

#include <algorithm>

#include "gram/accumulate.hpp"
#include "gram/finite.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

constexpr Index block_width = 24;  // what the micro-kernel takes at once, on any processor
constexpr Index whole_vector = 8;
constexpr double seconds_per_multiply = 0.012e-9;
constexpr double seconds_per_square = 0.3e-9;

Index padded_dimension(Index d) { return count_pieces(d, whole_vector) * whole_vector; }

/// A block of coordinates: where it begins, and how many it has with padding.
struct CoordinateBlock {
  Index first;
  Index width;
};
Index block_count(Index d) { return count_pieces(padded_dimension(d), block_width); }
CoordinateBlock block_at(Index d, Index index) {
  return {index * block_width, std::min(block_width, padded_dimension(d) - index * block_width)};
}
template <class Each>
void for_coordinate_blocks(Index d, Each each) {
  for (Index index = 0; index < block_count(d); ++index) each(block_at(d, index));
}

const KernelTree& below_multiples(const KernelTree& tree) {
  return tree.kind == NodeKind::multiple ? below_multiples(tree.children[0]) : tree;
}

}  // namespace

bool LearnedGram::weighed() const {
  const KernelTree& leaf = below_multiples(tiles_->tree());
  return leaf.kind == NodeKind::leaf && tiles_->leaf(0).kernel().slope_of_value != 0.0 && tiles_->source().dense() &&
         tiles_->images() == nullptr;
}

TileBlock LearnedGram::block_of(Index row_tile, Index col_tile) const {
  const Index row = row_tile * step_, col = col_tile * step_;
  return {row, std::min(step_, size() - row), col, std::min(step_, size() - col)};
}

void LearnedGram::evaluate(const Kernel& kernel, const Points& points, Index columns) {
  kernel_ = kernel;
  points_ = points;
  columns_ = columns;
  tiles_.emplace(kernel, PairSource<double>(points));
  step_ = tile_step(size());
  if (kept_size_ != size()) {
    kept_size_ = -1;
    kept_.reset();
    kept_.emplace(tile_count(), step_);
    kept_size_ = size();
  }
  make_scratch();
  parallel_for(tile_count() * (tile_count() + 1) / 2, pair_entries() * tiles_->seconds_per_entry(), [&](Index task, int worker) {
    const TilePair pair = pair_in_triangle(task);
    if (worker == 0 && pair.col == 0) poll_stop();
    if (!wanted(pair.col)) return;
    tiles_->evaluate(block_of(pair.row, pair.col), kept_->tile(pair.row, pair.col), scratch_->tile(worker, 0));
  });
}

void LearnedGram::make_scratch() {
  const int workers = max_workers();
  const Index tiles = 1 + tiles_->tree().depth(), numbers = padded_dimension(points_->sparse() ? 0 : points_->dimension());
  if (workers <= workers_ && tiles <= scratch_tiles_ && numbers <= scratch_numbers_) return;
  workers_ = std::max(workers, workers_);
  scratch_tiles_ = std::max(tiles, scratch_tiles_);
  scratch_numbers_ = std::max(numbers, scratch_numbers_);
  scratch_.emplace(scratch_tiles_, scratch_numbers_, workers_);
}

template <class Each>
void LearnedGram::sweep(double seconds, Index tile_numbers, Each each) {
  make_scratch();
  sums_.clear(tile_count(), tile_numbers);
  sum_over_pairs(seconds, sums_, parts_, [&](Index row_tile, Index col_tile, int worker, BlockSums& sums) {
    if (worker == 0 && col_tile == 0) poll_stop();
    if (wanted(col_tile)) each(Visit{block_of(row_tile, col_tile), row_tile, col_tile, worker, sums});
  });
}

void LearnedGram::product(MatrixView<const double> V, MatrixView<double> out) {
  by_row_.assign(V, step_);
  by_column_.assign(V, step_);
  const double seconds = pair_entries() * 2.0 * static_cast<double>(V.cols()) * seconds_per_multiply;
  sweep(seconds, V.cols() * step_, [&](const Visit& visit) {
    const isa::ApplyBothJob<double> job{kept_->tile(visit.row_tile, visit.col_tile),
                                        tiles_->whole_rows(visit.block.height),
                                        tiles_->whole_cols(visit.block.width),
                                        V.cols(),
                                        step_,
                                        by_row_.from(visit.block.row),
                                        by_column_.tile(visit.col_tile),
                                        nullptr,
                                        nullptr};
    accumulate_pair<double>(tiles_->ops(), job, visit.row_tile == visit.col_tile, nullptr, visit.sums.tile(visit.row_tile),
                            visit.sums.tile(visit.col_tile));
  });
  sums_.write(out, step_);
}

std::vector<double> LearnedGram::adjoint(MatrixView<const double> P, MatrixView<const double> Q, MatrixView<double> Xbar) {
  if (!weighed() || !Xbar.empty()) return gramian::adjoint(*kernel_, *points_, GramGradient<double>(P, Q), Xbar);
  gradient_.assign(GramGradient<double>(P, Q), size(), size(), true);
  take_points();
  const Index d = padded_dimension(points_->dimension());
  const double seconds = pair_entries() * static_cast<double>(2 * P.cols() + 2 + d) * seconds_per_multiply;
  sweep(seconds, step_ + d, [&](const Visit& visit) { reverse_weighed(visit); });
  std::vector<double> parameters = weighed_parameters();
  require_finite(parameters);
  return parameters;
}

void LearnedGram::take_points() {
  const MatrixView<const double> X = points_->float64();
  const Index d = X.cols(), rows = tile_count() * step_;
  const std::vector<double>& centre = tiles_->leaf(0).frame().centre;
  ones_.assign(static_cast<std::size_t>(isa::tile_size), 1.0);
  reserve(centred_, checked_product(rows, padded_dimension(d)));
  fill_rows(rows, padded_dimension(d), [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      for_coordinate_blocks(d, [&](const CoordinateBlock& block) {
        const Index there = i < X.rows() ? std::min(block.width, d - block.first) : 0;
        const double* from = centre.data() + block.first;
        double* to = centred_.data() + block.first * rows + i * block.width;
        for (Index k = 0; k < there; ++k) to[k] = X(i, block.first + k) - from[k];
        std::fill(to + there, to + block.width, 0.0);
      });
    }
  });
}

/// With W = (Kbar + Kbar^T) o K and each pair once, sum_ij W_ij (x_ik - x_jk)^2 = sum_i (W 1)_i x_ik^2 - 2 sum_ij W_ij x_ik x_jk:
/// that in the differences is all that parameters need. A tile on the diagonal has each pair twice.
void LearnedGram::reverse_weighed(const Visit& visit) {
  const bool diagonal = visit.row_tile == visit.col_tile;
  const Index rows = tiles_->whole_rows(visit.block.height), cols = tiles_->whole_cols(visit.block.width),
              all = tile_count() * step_;
  double *weights = scratch_->tile(visit.worker, 0), *numbers = scratch_->extra(visit.worker);
  gradient_.weigh(visit.block, kept_->tile(visit.row_tile, visit.col_tile), weights);
  const isa::ApplyBothJob<double> margins{weights, rows, cols, 1, step_, ones_.data(), ones_.data(), nullptr, nullptr};
  accumulate_pair<double>(tiles_->ops(), margins, diagonal, nullptr, visit.sums.tile(visit.row_tile),
                          visit.sums.tile(visit.col_tile));
  const Index d = points_->dimension();
  double* sums = visit.sums.tile(visit.row_tile) + step_;
  std::fill_n(numbers, padded_dimension(d), 0.0);
  for_coordinate_blocks(d, [&](const CoordinateBlock& block) {
    const double* points = centred_.data() + block.first * all;
    tiles_->ops().bilinear({weights, rows, cols, points + visit.block.row * block.width, points + visit.block.col * block.width,
                            block.width, numbers + block.first});
  });
  for (Index k = 0; k < d; ++k) sums[k] += (diagonal ? 0.5 : 1.0) * numbers[k];
}

std::vector<double> LearnedGram::weighed_parameters() const {
  const Index d = points_->dimension(), all = tile_count() * step_;
  std::vector<double> spread(static_cast<std::size_t>(d), 0.0), out(static_cast<std::size_t>(tiles_->parameter_count()), 0.0);
  double total = 0.0;
  for (Index t = 0; t < tile_count(); ++t) {
    const double* margin = sums_.tile(t);
    for (Index i = 0; i < step_; ++i) total += 0.5 * margin[i];
  }
  parallel_for(block_count(d), seconds_per_square * static_cast<double>(all * block_width), [&](Index index, int) {
    const CoordinateBlock block = block_at(d, index);
    for (Index t = 0; t < tile_count(); ++t) {
      const double* margin = sums_.tile(t);
      double sums[block_width] = {};
      for (Index i = 0; i < step_; ++i) {
        const double* x = centred_.data() + block.first * all + (t * step_ + i) * block.width;
        for (Index k = 0; k < block.width; ++k) sums[k] += margin[i] * x[k] * x[k];
      }
      for (Index k = block.first; k < std::min(d, block.first + block.width); ++k)
        spread[static_cast<std::size_t>(k)] += sums[k - block.first] - 2.0 * margin[step_ + k];
    }
  });
  const LeafTiles<double>& leaf = tiles_->leaf(0);
  const double gamma = leaf.parameters()[0];
  const KernelTree* part = &tiles_->tree();
  for (; part->kind == NodeKind::multiple; part = &part->children[0])
    out[static_cast<std::size_t>(part->first_parameter)] = total / part->factor;
  double& gamma_bar = out[static_cast<std::size_t>(part->first_parameter)];
  for (Index k = 0; k < d; ++k) {
    const bool scaled = leaf.has_length_scales();
    const double scale = scaled ? leaf.length_scale(k) : 1.0;
    const double share = spread[static_cast<std::size_t>(k)] / (scale * scale);
    gamma_bar -= share;
    if (scaled) out[static_cast<std::size_t>(tiles_->first_length_scale(0) + k)] = 2.0 * gamma * share / scale;
  }
  return out;
}

}  // namespace gramian

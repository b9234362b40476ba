// SPDX-License-Identifier: BSD-3-Clause
#include "gram/learned_gram.hpp"

#include <algorithm>

#include "gram/finite.hpp"
#include "gramian/base/matrix.hpp"

namespace gramian {
namespace {

constexpr Index block_width = isa::panel_rows;  // what the micro-kernel takes at once, on any processor
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

void LearnedGram::evaluate(const Kernel& kernel, const Points& points, Index columns) {
  tiles_ = std::make_unique<KernelTiles<double>>(kernel, PairSource<double>(points));
  if (!kept_ || kept_->size() != size()) {
    kept_.reset();
    kept_ = std::make_unique<KeptTiles>(size());
    ones_.assign(Matrix::filled(size(), 1, 1.0).view(), tile_step(size()));
  }
  sweep_.bind(*tiles_, kept_.get());
  sweep_.keep_anew(columns);
}

std::vector<double> LearnedGram::adjoint(MatrixView<const double> P, MatrixView<const double> Q, MatrixView<double> Xbar) {
  const GramGradient<double> Kbar(P, Q);
  if (!weighed() || !Xbar.empty()) return sweep_.whole_adjoint(Kbar, Xbar, {});
  gradient_.assign(Kbar, size(), size(), true);
  take_points();
  const Index d = padded_dimension(dimension());
  const double seconds = static_cast<double>(sweep_.step() * sweep_.step() * (2 * P.cols() + 2 + d)) * seconds_per_multiply;
  sweep_.sum({seconds, sweep_.step() + d, 1 + tiles_->tree().depth(), d, true},
             [&](const TileVisit& visit) { visit_weighed(visit); });
  std::vector<double> parameters = weighed_parameters();
  require_finite(parameters);
  return parameters;
}

void LearnedGram::take_points() {
  const MatrixView<const double> X = tiles_->source().x();
  const Index d = X.cols(), rows = sweep_.row_tiles() * sweep_.step();
  const std::vector<double>& centre = tiles_->leaf(0).frame().centre;
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
void LearnedGram::visit_weighed(const TileVisit& visit) {
  const TileBlock& block = visit.block;
  const Index d = dimension(), all = sweep_.row_tiles() * sweep_.step();
  const double* values = sweep_.values(visit);
  double *weights = sweep_.scratch(visit.worker, 0), *numbers = sweep_.extra(visit.worker);
  gradient_.weigh(block, values, weights);
  sweep_.apply(visit, block, weights, ones_, ones_, 0);
  std::fill_n(numbers, padded_dimension(d), 0.0);
  for_coordinate_blocks(d, [&](const CoordinateBlock& coordinates) {
    const double* points = centred_.data() + coordinates.first * all;
    isa::BilinearJob<double> job{};
    job.tile = weights;
    job.rows = tiles_->whole_rows(block.height);
    job.cols = tiles_->whole_cols(block.width);
    job.row_points = points + block.row * coordinates.width;
    job.col_points = points + block.col * coordinates.width;
    job.stride = coordinates.width;
    job.sums = numbers + coordinates.first;
    tiles_->ops().bilinear(job);
  });
  double* sums = visit.sums->tile(visit.row_tile) + sweep_.step();
  for (Index k = 0; k < d; ++k) sums[k] += (visit.diagonal ? 0.5 : 1.0) * numbers[k];
}

std::vector<double> LearnedGram::weighed_parameters() const {
  const Index d = dimension(), step = sweep_.step(), all = sweep_.row_tiles() * step;
  std::vector<double> spread(static_cast<std::size_t>(d), 0.0), out(static_cast<std::size_t>(tiles_->parameter_count()), 0.0);
  double total = 0.0;
  for (Index t = 0; t < sweep_.row_tiles(); ++t) {
    const double* margin = sweep_.sums().tile(t);
    for (Index i = 0; i < step; ++i) total += 0.5 * margin[i];
  }
  parallel_for(block_count(d), seconds_per_square * static_cast<double>(all * block_width), [&](Index index, int) {
    const CoordinateBlock block = block_at(d, index);
    for (Index t = 0; t < sweep_.row_tiles(); ++t) {
      const double* margin = sweep_.sums().tile(t);
      double sums[block_width] = {};
      for (Index i = 0; i < step; ++i) {
        const double* x = centred_.data() + block.first * all + (t * step + i) * block.width;
        for (Index k = 0; k < block.width; ++k) sums[k] += margin[i] * x[k] * x[k];
      }
      for (Index k = block.first; k < std::min(d, block.first + block.width); ++k)
        spread[static_cast<std::size_t>(k)] += sums[k - block.first] - 2.0 * margin[step + k];
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

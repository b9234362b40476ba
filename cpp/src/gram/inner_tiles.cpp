// SPDX-License-Identifier: BSD-3-Clause
#include "gram/inner_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gram/few_rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

/// Supports that meet all rows of a group before the next ones do: their inner products stay in the second-level cache.
constexpr Index chunk_supports = 8 * isa::tile_size;

/// Inner products of sparse rows.
class SparseSource {
 public:
  SparseSource(const SparseRows<double>& X, const SparseColumns& supports, Index first_row)
      : X_(X), supports_(supports), first_row_(first_row) {}

  Index rows() const { return X_.rows; }
  const double* squares() const { return supports_.squares().data(); }
  double seconds_per_row() const {
    const Index entries = X_.row_start[X_.rows] - X_.row_start[0];
    return 1e-9 * static_cast<double>(entries) / static_cast<double>(std::max<Index>(1, X_.rows)) * 10.0;
  }
  void start(Index row, Index rows, PredictionRoom& room) const { supports_.start(X_, row, rows, first_row_, room.sparse); }
  const double* row_squares(PredictionRoom& room) const { return room.sparse.squares.data(); }
  void fill(Index, Index, Index first, Index count, PredictionRoom& room, double* inner) const {
    std::fill_n(inner, count_pieces(count, isa::tile_size) * few_numbers, 0.0);
    supports_.add(first, first + count, room.sparse, inner);
  }

 private:
  const SparseRows<double>& X_;
  const SparseColumns& supports_;
  Index first_row_;
};

double checked_square(double square) {
  require(std::isfinite(square) && square >= 0.0, "a squared norm is negative or not finite: these are no inner products");
  return square;
}

/// Inner products that the caller has.
class GivenSource {
 public:
  GivenSource(const InnerProducts<double>& XS, PredictionRoom& room) : XS_(XS), squares_(room.squares) {
    squares_.clear();
    for (Index j = 0; j < XS.inner().cols(); ++j) squares_.push_back(checked_square(XS.y_square(j)));
  }

  Index rows() const { return XS_.inner().rows(); }
  const double* squares() const { return squares_.data(); }
  double seconds_per_row() const { return 1e-9 * static_cast<double>(squares_.size()); }
  void start(Index row, Index rows, PredictionRoom& room) const {
    room.sparse.squares.clear();
    for (Index i = row; i < row + rows; ++i) room.sparse.squares.push_back(checked_square(XS_.x_square(i)));
  }
  const double* row_squares(PredictionRoom& room) const { return room.sparse.squares.data(); }
  void fill(Index row, Index rows, Index first, Index count, PredictionRoom&, double* inner) const {
    const MatrixView<const double> values = XS_.inner();
    for (Index begin = 0; begin < count; begin += isa::tile_size) {
      const Index width = std::min(isa::tile_size, count - begin);
      for (Index r = 0; r < rows; ++r) {
        double* const to = inner + place_of(r, begin);
        for (Index j = 0; j < width; ++j) to[j] = values(row + r, first + begin + j);
        std::fill(to + width, to + round_up(width, isa::room_behind), 0.0);
        require(what_is_not_finite(to, width) == 0.0, "the inner products have an entry that is not finite");
      }
    }
  }

 private:
  const InnerProducts<double>& XS_;
  std::vector<double>& squares_;
};

}  // namespace

bool takes_inner_products(const Kernel::Node& node) {
  if (node.kind == NodeKind::images) return false;
  if (node.kind == NodeKind::leaf) return leaf_traits(node).form != LeafForm::coordinate && node.length_scales.empty();
  return std::all_of(node.children.begin(), node.children.end(),
                     [](const Kernel& child) { return takes_inner_products(child.node()); });
}

InnerTiles::InnerTiles(const Kernel& kernel, std::shared_ptr<const PackedWeights> weights)
    : ops_(isa::ops<double>()),
      may_overflow_(!std::isfinite(kernel.supremum())),
      tree_(take_leaves(kernel)),
      weights_(std::move(weights)) {}

KernelTree InnerTiles::take_leaves(const Kernel& kernel) {
  KernelCounts counts;
  return number_leaves(kernel.node(), counts, [&](const Kernel::Node& node, Index image, Index) {
    require(image == 0, images_need_coordinates);
    require(takes_inner_products(node), kernel_needs_coordinates);
    const LeafTraits traits = leaf_traits(node);
    const bool distance = traits.form == LeafForm::distance;
    const double scale = distance ? traits.point_scale * traits.point_scale : 1.0;
    leaves_.push_back({&ops_.kernels[node.id], node.parameters, distance, scale});
  });
}

double InnerTiles::seconds_per_row() const {
  const double per_value = 0.8 * static_cast<double>(leaves_.size()) + 0.2 * static_cast<double>(weights_->cols());
  return 1e-9 * static_cast<double>(weights_->rows()) * per_value;
}

void InnerTiles::apply(const SparseRows<double>& X, const SparseColumns& supports, const SumTarget& target,
                       Index first_row) const {
  check_sparse(X, "X", first_row);
  apply_all(SparseSource(X, supports, first_row), target);
}

void InnerTiles::apply(const InnerProducts<double>& XS, const SumTarget& target) const {
  PredictionRoomScope room;
  apply_all(GivenSource(XS, *room), target);
}

template <class Source>
void InnerTiles::apply_all(const Source& source, const SumTarget& target) const {
  const Index n = source.rows(), m = weights_->rows(), vectors = weights_->cols(), sum_stride = vectors + isa::room_behind;
  if (n == 0 || vectors == 0) return;
  const double seconds = static_cast<double>(few_together) * (seconds_per_row() + source.seconds_per_row());
  parallel_for(count_pieces(n, few_together), seconds, [&](Index block, int) {
    const Index row = block * few_together, rows = std::min(few_together, n - row);
    PredictionRoomScope room;
    reserve(room->tiles, (1 + tree_.depth()) * few_numbers);
    reserve(room->inner, count_pieces(std::min(chunk_supports, m), isa::tile_size) * few_numbers);
    reserve(room->sums, checked_product(few_together, sum_stride));
    std::fill_n(room->sums.data(), rows * sum_stride, 0.0);
    source.start(row, rows, *room);
    for (Index first = 0; first < m; first += chunk_supports) {
      poll_stop();
      const Index count = std::min(chunk_supports, m - first);
      source.fill(row, rows, first, count, *room, room->inner.data());
      for (Index begin = 0; begin < count; begin += isa::tile_size) {
        add_tile(first + begin, std::min(isa::tile_size, count - begin), rows, source.squares() + first + begin,
                 source.row_squares(*room), room->inner.data() + place_of(0, begin), *room);
      }
    }
    target.take({room->sums.data(), rows, vectors, sum_stride, 1}, row);
  });
}

/// Values of a tile from its inner products and squared norms, and what they add to the sums.
void InnerTiles::add_tile(Index first, Index count, Index rows, const double* squares, const double* row_squares,
                          const double* inner, PredictionRoom& room) const {
  const Index width = round_up(count, isa::room_behind);
  double halves[isa::tile_size], row_halves[few_together];
  const auto of_leaf = [&](Index i, double* values) {
    const Leaf& leaf = leaves_[at(i)];
    const double half = 0.5 * leaf.square_scale;
    for (Index j = 0; j < count; ++j) halves[j] = half * squares[j];
    std::fill(halves + count, halves + width, 0.0);
    for (Index r = 0; r < rows; ++r) {
      row_halves[r] = half * row_squares[r];
      const double* const from = inner + r * isa::tile_size;
      double* const to = values + r * isa::tile_size;
      if (leaf.distance) {
        for (Index j = 0; j < width; ++j) to[j] = from[j] * leaf.square_scale - (row_halves[r] + halves[j]);
      } else {
        std::copy_n(from, width, to);
      }
    }
    isa::PairJob<double> job{};
    job.rows = rows;
    job.cols = width;
    job.row_half = row_halves;
    job.col_half = halves;
    job.parameters = leaf.parameters.data();
    job.raw = values;
    leaf.kernel->values(job);
  };
  double* const block = room.tiles.data();
  evaluate_block<few_numbers>(ops_, tree_, rows, width, may_overflow_, block, block + few_numbers, of_leaf);
  const Index sum_stride = weights_->cols() + isa::room_behind;
  ops_.apply_few(
      {room.tiles.data(), rows, count, isa::quarter_tile, weights_->cols(), weights_->from(first), room.sums.data(), sum_stride});
}

}  // namespace gramian

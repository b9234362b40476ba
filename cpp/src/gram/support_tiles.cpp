// SPDX-License-Identifier: BSD-3-Clause
#include "gram/support_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gram/few_rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/matrix.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/stop.hpp"

namespace gramian {
namespace {

struct RoomsOfThread {
  std::vector<std::unique_ptr<PredictionRoom>> all;
  std::size_t taken = 0;
};
thread_local RoomsOfThread rooms_of_thread;

/// Up to so many points are few: from there on a tile, which has room for 24 of them, is faster.
constexpr Index most_few = 12;

}  // namespace

PredictionRoomScope::PredictionRoomScope() {
  RoomsOfThread& rooms = rooms_of_thread;
  if (rooms.taken == rooms.all.size()) rooms.all.push_back(std::make_unique<PredictionRoom>());
  room_ = rooms.all[rooms.taken++].get();
}
PredictionRoomScope::~PredictionRoomScope() { --rooms_of_thread.taken; }

SupportTiles::SupportTiles(const Kernel& kernel, MatrixView<const double> supports, MatrixView<const double> weights, Names names)
    : ops_(isa::ops<double>()),
      size_(supports.rows()),
      dimension_(supports.cols()),
      step_(tile_step(size_)),
      may_overflow_(!std::isfinite(kernel.supremum())) {
  pack_supports(kernel, supports, names.supports);
  weights_ = std::make_shared<const PackedWeights>(weights, names.weights);
}

SupportTiles::SupportTiles(const Kernel& kernel, MatrixView<const double> supports, std::shared_ptr<const PackedWeights> weights,
                           const char* supports_name)
    : ops_(isa::ops<double>()),
      size_(supports.rows()),
      dimension_(supports.cols()),
      step_(tile_step(size_)),
      may_overflow_(!std::isfinite(kernel.supremum())),
      weights_(std::move(weights)) {
  pack_supports(kernel, supports, supports_name);
}

void SupportTiles::pack_supports(const Kernel& kernel, MatrixView<const double> supports, const char* name) {
  Matrix seen;
  if (has_images(kernel.node())) {
    images_.emplace(kernel, supports.cols());
    dimension_ = images_->width();
    require_memory(2 * bytes_of(size_, dimension_), "the images of the points", "use fewer points at a time");
    seen = Matrix(size_, dimension_);
    std::vector<Buffer<double>> others;
    images_->apply(supports, others, seen.view());
    supports = std::as_const(seen).view();
  }
  std::vector<double> mean;
  mean_of_rows(supports, mean);
  tree_ = number_leaves(kernel.node(), {supports, mean, name}, 0);
}

KernelTree SupportTiles::number_leaves(const Kernel::Node& node, const Seen& seen, Index image) {
  if (node.kind == NodeKind::images) return number_leaves(node.children.front().node(), seen, ++image_count_);
  KernelTree tree{node.kind};
  tree.factor = node.factor;
  if (node.kind == NodeKind::leaf) {
    tree.leaf = static_cast<Index>(leaves_.size());
    const isa::KernelOps<double>& ops = ops_.kernels[node.id];
    const Columns columns = images_ ? images_->images()[at(image)].columns : Columns{0, dimension_};
    leaves_.push_back({&ops, node.parameters, frame_of(node, leaf_traits(node), dimension_, columns, seen.centre), {}});
    leaves_.back().supports.assign(seen.supports, ops_.row_panel, leaves_.back().frame, seen.name);
    has_rows_ = has_rows_ && ops.point_row != nullptr;
  }
  for (const Kernel& child : node.children) tree.children.push_back(number_leaves(child.node(), seen, image));
  return tree;
}

void SupportTiles::pack(MatrixView<const double> X, Index panel, Index first_row, PredictionRoom& room) const {
  if (room.points.size() < leaves_.size()) room.points.resize(leaves_.size());
  for (std::size_t i = 0; i < leaves_.size(); ++i) room.points[i].assign(X, panel, leaves_[i].frame, "X", first_row);
}

void SupportTiles::apply(MatrixView<const double> X, const SumTarget& target, Index first_row) const {
  if (X.rows() == 0 || weights_->cols() == 0) return;
  if (!images_) return apply_seen(X, target, first_row);
  // Of few rows, which many calls have, in memory that stays.
  PredictionRoomScope room;
  std::vector<Buffer<double>> own_others;
  Buffer<double> own;
  const bool few = X.rows() <= isa::tile_size;
  Buffer<double>& numbers = few ? room->images : own;
  if (!few) require_memory(bytes_of(X.rows(), dimension_), "the images of the points", "use fewer points at a time");
  reserve(numbers, checked_product(X.rows(), dimension_));
  const MatrixView<double> seen(numbers.data(), X.rows(), dimension_);
  images_->apply(X, few ? room->other_images : own_others, seen);
  apply_seen(seen, target, first_row);
}

void SupportTiles::apply_seen(MatrixView<const double> X, const SumTarget& target, Index first_row) const {
  X.rows() <= most_few&& has_rows_ ? apply_few(X, target, first_row) : apply_tiles(X, target, first_row);
}

double SupportTiles::seconds_per_row() const {
  const double per_value = static_cast<double>(leaves_.size()) * (0.4 + 0.02 * static_cast<double>(dimension_));
  return 1e-9 * static_cast<double>(size_) * (per_value + 0.03 * static_cast<double>(weights_->cols()));
}

void SupportTiles::apply_tiles(MatrixView<const double> X, const SumTarget& target, Index first_row) const {
  const Index n = X.rows(), vectors = weights_->cols();
  parallel_for(count_pieces(n, step_), static_cast<double>(std::min(step_, n)) * seconds_per_row(), [&](Index block, int) {
    const Index first = block * step_, count = std::min(step_, n - first);
    PredictionRoomScope room;
    pack(rows_of(X, first, count), ops_.col_panel, first_row + first, *room);
    sum_tiles(count, *room);
    target.take({room->sums.data(), count, vectors, 1, step_}, first);
  });
}

/// Sums of points that are packed: vector c begins at c * step.
void SupportTiles::sum_tiles(Index points, PredictionRoom& room) const {
  const Index panels = count_pieces(points, ops_.col_panel), vectors = weights_->cols();
  reserve(room.tiles, (1 + tree_.depth()) * tile_numbers);
  reserve(room.sums, checked_product(vectors, step_));
  std::fill_n(room.sums.data(), vectors * step_, 0.0);
  isa::ApplyJob<double> apply{};
  apply.tile = room.tiles.data();
  apply.cols = panels * ops_.col_panel;
  apply.vectors = vectors;
  apply.stride = step_;
  apply.sums = room.sums.data();
  for (Index first = 0; first < size_; first += step_) {
    poll_stop();
    isa::TileJob<double> job{};
    job.dimension = dimension_;
    job.row_panels = count_pieces(std::min(step_, size_ - first), ops_.row_panel);
    job.col_panels = panels;
    apply.rows = job.row_panels * ops_.row_panel;
    apply.V = weights_->from(first);
    evaluate_block<tile_numbers>(ops_, tree_, apply.rows, apply.cols, may_overflow_, room.tiles.data(),
                                 [&](Index i, double* values) {
                                   const Leaf& leaf = leaves_[at(i)];
                                   job.rows = leaf.supports.from(first);
                                   job.cols = room.points[at(i)].from(0);
                                   job.parameters = leaf.parameters.data();
                                   job.out = values;
                                   leaf.kernel->tile(job);
                                 });
    ops_.apply_to_columns(apply);
  }
}

void SupportTiles::apply_few(MatrixView<const double> X, const SumTarget& target, Index first_row) const {
  const Index sum_stride = weights_->cols() + isa::room_behind;
  PredictionRoomScope room;
  for (Index first = 0; first < X.rows(); first += few_together) {
    const Index count = std::min(few_together, X.rows() - first);
    pack(rows_of(X, first, count), 1, first_row + first, *room);
    reserve(room->tiles, (1 + tree_.depth()) * few_numbers);
    reserve(room->sums, checked_product(few_together, sum_stride));
    sum_few(count, sum_stride, *room);
    target.take({room->sums.data(), count, weights_->cols(), sum_stride, 1}, first);
  }
}

void SupportTiles::sum_few(Index points, Index sum_stride, PredictionRoom& room) const {
  // Of one point as many values as there is room for: their sums do not wait for each other.
  const Index together = points == 1 ? few_numbers : isa::tile_size;
  std::fill_n(room.sums.data(), points * sum_stride, 0.0);
  isa::ApplyFewJob<double> apply{};
  apply.values = room.tiles.data();
  apply.rows = points;
  apply.step = step_;
  apply.vectors = weights_->cols();
  apply.sums = room.sums.data();
  apply.sum_stride = sum_stride;
  for (Index first = 0; first < size_; first += together) {
    poll_stop();
    apply.count = std::min(together, size_ - first);
    apply.V = weights_->from(first);
    isa::PointRowJob<double> job{};
    job.dimension = dimension_;
    job.panels = count_pieces(apply.count, ops_.row_panel);
    evaluate_block<few_numbers>(ops_, tree_, points, job.panels * ops_.row_panel, may_overflow_, room.tiles.data(),
                                [&](Index i, double* values) {
                                  const Leaf& leaf = leaves_[at(i)];
                                  job.points = leaf.supports.from(first);
                                  job.parameters = leaf.parameters.data();
                                  for (Index r = 0; r < points; ++r) {
                                    const isa::PackedPoints<double> point = room.points[at(i)].from(r);
                                    job.point = point.panels;
                                    job.half = *point.half;
                                    job.out = values + r * isa::tile_size;
                                    leaf.kernel->point_row(job);
                                  }
                                });
    ops_.apply_few(apply);
  }
}

void apply_values(MatrixView<const double> values, const PackedWeights& weights, const SumTarget& target) {
  if (values.rows() == 0 || weights.cols() == 0) return;
  const isa::Ops<double>& ops = isa::ops<double>();
  const Index n = values.rows(), m = weights.rows(), sum_stride = weights.cols() + isa::room_behind;
  const double seconds = 1e-9 * static_cast<double>(few_together * m) * (0.5 + 0.1 * static_cast<double>(weights.cols()));
  parallel_for(count_pieces(n, few_together), seconds, [&](Index block, int) {
    const Index row = block * few_together, rows = std::min(few_together, n - row);
    PredictionRoomScope room;
    reserve(room->tiles, few_numbers);
    reserve(room->sums, checked_product(few_together, sum_stride));
    std::fill_n(room->sums.data(), rows * sum_stride, 0.0);
    isa::ApplyFewJob<double> apply{room->tiles.data(), rows,      0, isa::quarter_tile, weights.cols(), nullptr,
                                   room->sums.data(),  sum_stride};
    for (Index first = 0; first < m; first += isa::tile_size) {
      apply.count = std::min(isa::tile_size, m - first);
      apply.V = weights.from(first);
      for (Index r = 0; r < rows; ++r) {
        for (Index j = 0; j < apply.count; ++j) room->tiles[r * isa::tile_size + j] = values(row + r, first + j);
        require(what_is_not_finite(room->tiles.data() + r * isa::tile_size, apply.count) == 0.0,
                "the kernel values have an entry that is not finite");
      }
      ops.apply_few(apply);
    }
    target.take({room->sums.data(), rows, weights.cols(), sum_stride, 1}, row);
  });
}

}  // namespace gramian

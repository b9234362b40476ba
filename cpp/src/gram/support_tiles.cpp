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

std::optional<ImagePlan> plan_of(const Kernel& kernel, Index dimension) {
  if (!has_images(kernel.node())) return std::nullopt;
  return ImagePlan(kernel, dimension);
}

}  // namespace

PredictionRoomScope::PredictionRoomScope() {
  RoomsOfThread& rooms = rooms_of_thread;
  if (rooms.taken == rooms.all.size()) rooms.all.push_back(std::make_unique<PredictionRoom>());
  room_ = rooms.all[rooms.taken++].get();
}
PredictionRoomScope::~PredictionRoomScope() { --rooms_of_thread.taken; }

SupportTiles::SupportTiles(const Kernel& kernel, MatrixView<const double> supports, MatrixView<const double> weights, Names names)
    : SupportTiles(kernel, supports, std::shared_ptr<const PackedWeights>(), names.supports) {
  weights_ = std::make_shared<const PackedWeights>(weights, names.weights);
}

SupportTiles::SupportTiles(const Kernel& kernel, MatrixView<const double> supports, std::shared_ptr<const PackedWeights> weights,
                           const char* supports_name)
    : images_(plan_of(kernel, supports.cols())),
      leaves_(pack_supports(kernel, supports, supports_name)),
      step_(tile_step(leaves_.size())),
      has_rows_(leaves_.has_point_rows()),
      weights_(std::move(weights)) {}

PackedLeaves<double> SupportTiles::pack_supports(const Kernel& kernel, MatrixView<const double> supports,
                                                 const char* name) const {
  const Index panel = isa::ops<double>().row_panel;
  if (!images_) return {kernel, supports, panel, name};
  require_memory(2 * bytes_of(supports.rows(), images_->width()), "the images of the points", "use fewer points at a time");
  Matrix seen(supports.rows(), images_->width());
  std::vector<Buffer<double>> others;
  images_->apply(supports, others, seen.view());
  return {kernel, std::as_const(seen).view(), panel, name, &*images_};
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
  const Index width = images_->width();
  if (!few) require_memory(bytes_of(X.rows(), width), "the images of the points", "use fewer points at a time");
  reserve(numbers, checked_product(X.rows(), width));
  const MatrixView<double> seen(numbers.data(), X.rows(), width);
  images_->apply(X, few ? room->other_images : own_others, seen);
  apply_seen(seen, target, first_row);
}

void SupportTiles::apply_seen(MatrixView<const double> X, const SumTarget& target, Index first_row) const {
  X.rows() <= most_few&& has_rows_ ? apply_few(X, target, first_row) : apply_tiles(X, target, first_row);
}

double SupportTiles::seconds_per_row() const {
  const double per_weight = 0.03e-9 * static_cast<double>(weights_->cols());
  return static_cast<double>(leaves_.size()) * (leaves_.seconds_per_value() + per_weight);
}

void SupportTiles::apply_tiles(MatrixView<const double> X, const SumTarget& target, Index first_row) const {
  const Index n = X.rows(), vectors = weights_->cols();
  parallel_for(count_pieces(n, step_), static_cast<double>(std::min(step_, n)) * seconds_per_row(), [&](Index block, int) {
    const Index first = block * step_, count = std::min(step_, n - first);
    PredictionRoomScope room;
    leaves_.pack(rows_of(X, first, count), leaves_.ops().col_panel, first_row + first, room->points);
    sum_tiles(count, *room);
    target.take({room->sums.data(), count, vectors, 1, step_}, first);
  });
}

/// Sums of points that are packed: vector c begins at c * step.
void SupportTiles::sum_tiles(Index points, PredictionRoom& room) const {
  const isa::Ops<double>& ops = leaves_.ops();
  const Index panels = count_pieces(points, ops.col_panel), vectors = weights_->cols();
  reserve(room.tiles, (1 + leaves_.scratch_blocks()) * tile_numbers);
  reserve(room.sums, checked_product(vectors, step_));
  std::fill_n(room.sums.data(), vectors * step_, 0.0);
  isa::ApplyJob<double> apply{};
  apply.tile = room.tiles.data();
  apply.cols = panels * ops.col_panel;
  apply.vectors = vectors;
  apply.stride = step_;
  apply.sums = room.sums.data();
  for (Index first = 0; first < leaves_.size(); first += step_) {
    poll_stop();
    isa::TileJob<double> job{};
    job.dimension = leaves_.dimension();
    job.row_panels = count_pieces(std::min(step_, leaves_.size() - first), ops.row_panel);
    job.col_panels = panels;
    apply.rows = job.row_panels * ops.row_panel;
    apply.V = weights_->from(first);
    const auto leaf_values = [&](Index i, double* values) {
      const auto& leaf = leaves_[i];
      job.rows = leaf.points.from(first);
      job.cols = room.points[at(i)].from(0);
      job.parameters = leaf.parameters.data();
      job.out = values;
      leaf.kernel->tile(job);
    };
    leaves_.evaluate<tile_numbers>(apply.rows, apply.cols, room.tiles.data(), room.tiles.data() + tile_numbers, leaf_values);
    ops.apply_to_columns(apply);
  }
}

void SupportTiles::apply_few(MatrixView<const double> X, const SumTarget& target, Index first_row) const {
  const Index sum_stride = weights_->cols() + isa::room_behind;
  PredictionRoomScope room;
  for (Index first = 0; first < X.rows(); first += few_together) {
    const Index count = std::min(few_together, X.rows() - first);
    leaves_.pack(rows_of(X, first, count), 1, first_row + first, room->points);
    reserve(room->tiles, (1 + leaves_.scratch_blocks()) * few_numbers);
    reserve(room->sums, checked_product(few_together, sum_stride));
    sum_few(count, sum_stride, *room);
    target.take({room->sums.data(), count, weights_->cols(), sum_stride, 1}, first);
  }
}

void SupportTiles::sum_few(Index points, Index sum_stride, PredictionRoom& room) const {
  const isa::Ops<double>& ops = leaves_.ops();
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
  for (Index first = 0; first < leaves_.size(); first += together) {
    poll_stop();
    apply.count = std::min(together, leaves_.size() - first);
    apply.V = weights_->from(first);
    isa::PointRowJob<double> job{};
    job.dimension = leaves_.dimension();
    job.panels = count_pieces(apply.count, ops.row_panel);
    const auto leaf_values = [&](Index i, double* values) {
      const auto& leaf = leaves_[i];
      job.points = leaf.points.from(first);
      job.parameters = leaf.parameters.data();
      for (Index r = 0; r < points; ++r) {
        const isa::PackedPoints<double> point = room.points[at(i)].from(r);
        job.point = point.panels;
        job.half = *point.half;
        job.out = values + r * isa::tile_size;
        leaf.kernel->point_row(job);
      }
    };
    leaves_.evaluate<few_numbers>(points, job.panels * ops.row_panel, room.tiles.data(), room.tiles.data() + few_numbers,
                                  leaf_values);
    ops.apply_few(apply);
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

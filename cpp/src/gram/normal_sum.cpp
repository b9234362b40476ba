// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/normal_sum.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/normal_accumulator.hpp"
#include "gram/pending_rows.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

void check_system(const NormalSystem& system, Index m, Index r) {
  require_shape(system.square.view(), m, m, "a square of the parts");
  require_shape(system.right.view(), m, r, "a right side of the parts");
  require(static_cast<Index>(system.y_square.size()) == r, "y_square of the parts must have a number for each output");
  require_finite(system.square.view(), "a square of the parts");
  require_finite(system.right.view(), "a right side of the parts");
  for (const double y : system.y_square) require_not_negative(y, "y_square of the parts");
  for (Index i = 0; i < m; ++i) {
    for (Index j = i + 1; j < m; ++j) require(system.square(i, j) == 0.0, "a square of the parts has entries above the diagonal");
  }
}

void check_levels(const NormalSumParts& parts, Index chunks_of_page) {
  require(parts.sums.size() == parts.levels.size(), "the parts must have a level for each sum");
  for (std::size_t i = 0; i < parts.levels.size(); ++i) {
    const bool last = i + 1 == parts.levels.size();
    require(parts.levels[i] >= (last ? -1 : 0) && parts.levels[i] < 64 && (i == 0 || parts.levels[i] < parts.levels[i - 1]),
            "the levels of the parts must decrease, from below 64, and only the last one may be -1");
  }
  const bool open = !parts.levels.empty() && parts.levels.back() == -1;
  require(open ? parts.open_chunks > 0 && parts.open_chunks < chunks_of_page : parts.open_chunks == 0,
          "open_chunks of the parts must be that of a page that is not full, and 0 without one");
}

NormalSystem copy_of(const NormalSystem& system) { return {system.square.clone(), system.right.clone(), system.y_square}; }

}  // namespace

struct NormalSum::State {
  State(const Kernel& kernel, const Points& points, Index outputs)
      : centres(points), sum(kernel, centres.points(), outputs), pending(points, outputs) {}

  void flush() {
    if (pending.size() == 0) return;
    sum.add(pending.points(), pending.weights(), pending.Y(), rows - pending.size());
    pending.clear();
  }
  void add(const Points& X, MatrixView<const double> weights, MatrixView<const double> Y);

  GrowingRows centres;
  NormalAccumulator sum;
  PendingRows pending;
  Index rows = 0;
};

/// A whole chunk that is there is not copied.
void NormalSum::State::add(const Points& X, MatrixView<const double> weights, MatrixView<const double> Y) {
  const Index chunk = sum.chunk_rows();
  for (Index first = 0; first < X.size();) {
    const Index count = std::min(chunk - pending.size(), X.size() - first);
    const Points some = rows_of(X, first, count);
    const MatrixView<const double> w = some_weights(weights, first, count), y = some_targets(Y, first, count);
    if (count == chunk) {
      sum.add(some, w, y, first);
    } else {
      pending.add(some, w, y, first);
    }
    rows += count;
    first += count;
    if (pending.size() == chunk) flush();
  }
}

NormalSum::NormalSum(const Kernel& kernel, const Points& C, Index outputs) {
  require(outputs >= 0, "the number of outputs must not be negative");
  state_ = std::make_unique<State>(kernel, C, outputs);
}

NormalSum::NormalSum(const Kernel& kernel, const Points& C, Index outputs, NormalSumParts parts) : NormalSum(kernel, C, outputs) {
  NormalAccumulator& sum = state_->sum;
  check_levels(parts, NormalAccumulator::page_rows / sum.chunk_rows());
  for (const NormalSystem& system : parts.sums) check_system(system, C.size(), outputs);
  const Index pending = parts.pending.size();
  require(pending < sum.chunk_rows(), "the parts have more pending rows than a chunk of " + std::to_string(sum.chunk_rows()));
  require(parts.rows >= pending, "the parts have more pending rows than rows");
  for (std::size_t i = 0; i < parts.sums.size(); ++i) {
    sum.push({parts.levels[i], std::move(parts.sums[i])}, parts.open_chunks);
  }
  if (pending > 0) {
    require_shape(parts.pending_weights.view(), pending, 1, "pending_weights");
    require_shape(parts.pending_Y.view(), pending, outputs, "pending_Y");
    state_->pending.add_samples(parts.pending, some_weights(parts.pending_weights.view(), 0, pending),
                                some_targets(parts.pending_Y.view(), 0, pending));
  }
  state_->rows = parts.rows;
}

NormalSum::~NormalSum() = default;
NormalSum::NormalSum(NormalSum&&) noexcept = default;
NormalSum& NormalSum::operator=(NormalSum&&) noexcept = default;

void NormalSum::add(const Points& X, MatrixView<const double> weights, MatrixView<const double> Y) {
  require_alike(X, state_->centres.points());
  require_weights_and_targets(weights, Y, X.size(), outputs());
  state_->add(X, weights, Y);
}

void NormalSum::merge(const NormalSum& other) {
  require(&other != this, "a sum cannot be merged with itself");
  require(other.size() == size() && other.outputs() == outputs(), "the other sum has other centres or outputs");
  require_alike(other.state_->centres.points(), state_->centres.points());
  state_->flush();
  state_->sum.close();
  for (const WaitingSum& sum : other.state_->sum.sums()) {
    state_->sum.push({sum.level, copy_of(sum.system)}, other.state_->sum.open_chunks());
  }
  const PendingRows& rows = other.state_->pending;
  state_->rows += other.rows();
  if (rows.size() > 0) state_->pending.add(rows.points(), rows.weights(), rows.Y(), 0);
}

Index NormalSum::rows() const { return state_->rows; }
Index NormalSum::size() const { return state_->sum.size(); }
Index NormalSum::outputs() const { return state_->sum.outputs(); }

NormalSystem NormalSum::system() const {
  NormalSystem out{Matrix(size(), size()), Matrix(size(), outputs()), {}};
  if (state_->pending.size() == 0) {
    state_->sum.write(out.square.view(), out.right.view(), out.y_square);
    return out;
  }
  // The chunk that is not full is added to a copy of the page that is open.
  NormalSumParts copy = parts();
  State whole(state_->sum.kernel(), state_->centres.points(), outputs());
  for (std::size_t i = 0; i < copy.sums.size(); ++i) whole.sum.push({copy.levels[i], std::move(copy.sums[i])}, copy.open_chunks);
  const PendingRows& rows = state_->pending;
  whole.sum.add(rows.points(), rows.weights(), rows.Y(), 0);
  whole.sum.write(out.square.view(), out.right.view(), out.y_square);
  return out;
}

NormalSumParts NormalSum::parts() const {
  NormalSumParts out;
  out.rows = rows();
  for (const WaitingSum& sum : state_->sum.sums()) {
    out.sums.push_back(copy_of(sum.system));
    out.levels.push_back(sum.level);
  }
  out.open_chunks = state_->sum.open_chunks();
  out.pending = state_->pending.samples();
  out.pending_weights = Matrix::copy_of(state_->pending.weights());
  out.pending_Y = Matrix::copy_of(state_->pending.Y());
  return out;
}

}  // namespace gramian

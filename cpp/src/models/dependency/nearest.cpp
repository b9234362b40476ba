// SPDX-License-Identifier: BSD-3-Clause
// Most candidates are ruled out by a bound of their scores.
#include "models/dependency/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/view_ops.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"
#include "linalg/inner_product.hpp"
#include "models/dependency/predict.hpp"

namespace gramian::dependency {
namespace {

constexpr Index inputs_together = 4096;
constexpr Index scored_together = 512;  // of inputs with several candidates left
constexpr double seconds_per_product = 0.5e-9;

struct Candidate {
  double score;  ///< or a lower bound
  Index index;
};

/// Of equal scores the smaller index is the better one.
bool better(const Candidate& a, const Candidate& b) { return a.score < b.score || (!(b.score < a.score) && a.index < b.index); }

/// Candidates that may be among the best `count` of one input.
class Left {
 public:
  /// For another input: memory is kept.
  void begin(Index count) {
    candidates_.clear();
    begin_again(count);
  }
  void begin_again(Index count) { uppers_.assign(at(count), std::numeric_limits<double>::infinity()); }

  double limit() const { return uppers_.back(); }
  void take(Index index, double lower, double upper) {
    candidates_.push_back({lower, index});
    lower_limit(upper);
  }
  /// A candidate has this upper bound.
  void lower_limit(double upper) {
    if (!(upper < limit())) return;
    uppers_.pop_back();
    uppers_.insert(std::upper_bound(uppers_.begin(), uppers_.end(), upper), upper);
  }
  /// Those whose lower bound is above `count` upper ones are out.
  void finish() {
    const double most = limit();
    candidates_.erase(
        std::remove_if(candidates_.begin(), candidates_.end(), [&](const Candidate& each) { return each.score > most; }),
        candidates_.end());
  }
  std::vector<Candidate>& candidates() { return candidates_; }

 private:
  std::vector<double> uppers_;  // ascending
  std::vector<Candidate> candidates_;
};

}  // namespace

/// Some inputs at a time.
class NearestChoice::Block {
 public:
  Block(const NearestChoice& choice, const InputCoordinates& inputs)
      : choice_(choice), screen_(choice.screen_), inputs_(inputs), count_(choice.count_) {}

  void take(Index first, Index rows, Index* out) {
    Matrix z(rows, screen_.rank() + 1), looks(rows, screen_.first.cols());
    choice_.sum_ ? inputs_.project(first, *choice_.sum_, z.view()) : inputs_.project(first, screen_.A.view(), z.view());
    for (Index i = 0; i < rows; ++i) take_looks(z, i, &looks(i, 0));
    if (static_cast<Index>(left_.size()) < rows) left_.resize(at(rows));
    for (Index i = 0; i < rows; ++i) left_[at(i)].begin(count_);
    choice_.tiles_.visit(looks.view(), 1, [&](const ProductTile& tile) {
      for (Index i = 0; i < tile.rows; ++i) look_at(tile, i, &looks(tile.row + i, screen_.looks), left_[at(tile.row + i)]);
    });
    const double seconds = seconds_per_product * 8.0 * static_cast<double>(screen_.rank());
    parallel_for(rows, seconds, [&](Index i, int) { look_again(&z(i, 0), left_[at(i)]); });
    std::vector<Index> open;
    for (Index i = 0; i < rows; ++i) {
      const std::vector<Candidate>& some = left_[at(i)].candidates();
      if (some.size() == 1) {
        out[i] = screen_.rows[at(some.front().index)];
      } else {
        open.push_back(i);
      }
    }
    const Index count = static_cast<Index>(open.size());
    for (Index from = 0; from < count; from += scored_together) {
      score({open.begin() + from, open.begin() + std::min(count, from + scored_together)}, first, out);
    }
  }

 private:
  /// The first numbers of z, the length of the others, and the bound of |t|.
  void take_looks(const Matrix& z, Index i, double* out) const {
    const Index r = screen_.rank(), looks = screen_.looks;
    const double* numbers = z.data() + i * z.cols();
    std::copy_n(numbers, looks, out);
    out[looks] = std::sqrt(inner_product(numbers + looks, numbers + looks, r - looks));
    out[looks + 1] = numbers[r];
  }

  /// norm - 2 (<b, z> + rests) is a lower bound of a score, and 4 times the rests more an upper one.
  void look_at(const ProductTile& tile, Index i, const double* lengths, Left& left) const {
    isa::ScoreJob<double> job{screen_.norms.data() + tile.col, tile.numbers + i * ProductTile::stride, tile.cols, 0.0};
    const auto lower = [&](Index j) { return job.norms[j] - 2.0 * job.inner[j]; };
    const auto upper = [&](Index j) {
      const double* of = screen_.first.data() + (tile.col + j) * screen_.first.cols() + screen_.looks;
      return lower(j) + 4.0 * (lengths[0] * of[0] + lengths[1] * of[1]);
    };
    // A good limit from the start, so that few candidates are taken which later ones rule out.
    if (count_ == 1 && left.candidates().empty()) left.lower_limit(upper(dense_ops().least_score(job)));
    for (Index j = 0; j < tile.cols; ++j) {
      job.limit = left.limit();
      j = dense_ops().next_score(job, j);
      if (j == tile.cols) break;
      left.take(tile.col + j, lower(j), upper(j));
    }
  }

  /// The same with all numbers of z.
  void look_again(const double* z, Left& left) const {
    const Index r = screen_.rank();
    left.finish();
    if (left.candidates().size() == 1) return;
    left.begin_again(count_);
    for (Candidate& each : left.candidates()) {
      const double score = screen_.norms[at(each.index)] - 2.0 * inner_product(z, screen_.B.data() + each.index * r, r);
      const double bound = 2.0 * z[r] * screen_.rest(each.index);
      each.score = score - bound;
      left.lower_limit(score + bound);
    }
    left.finish();
  }

  /// Exact scores of what is left of some inputs.
  void score(const std::vector<Index>& some, Index first, Index* out) {
    std::vector<Index> rows;
    for (const Index i : some) rows.push_back(first + i);
    const Matrix t = inputs_.picked(rows);
    const Index s = t.cols();
    const double* numbers = t.data();
    parallel_for(t.rows(), seconds_per_product * static_cast<double>(s) * 4.0, [&](Index i, int) {
      std::vector<Candidate>& candidates = left_[at(some[at(i)])].candidates();
      for (Candidate& each : candidates) {
        each.score = screen_.norms[at(each.index)] - 2.0 * inner_product(numbers + i * s, screen_.M.data() + each.index * s, s);
      }
      std::partial_sort(candidates.begin(), candidates.begin() + count_, candidates.end(), better);
      for (Index c = 0; c < count_; ++c) out[some[at(i)] * count_ + c] = screen_.rows[at(candidates[at(c)].index)];
    });
  }

  const NearestChoice& choice_;
  const Screen& screen_;
  const InputCoordinates& inputs_;
  Index count_;
  std::vector<Left> left_{};
};

NearestChoice::NearestChoice(const View& model, const CrossSource& inputs, Index input_count, const CrossSource& candidates,
                             Index count)
    : count_(count),
      screen_(make_screen(model, InputCoordinates(model, inputs), input_count, candidates, count)),
      tiles_(transposed(std::as_const(screen_.first).view())) {}

void NearestChoice::keep_supports(const Kernel& kernel, const Samples& supports) {
  sum_.emplace(kernel, supports, SharedMatrix::copy_of(screen_.A.view()));
}

std::vector<Index> NearestChoice::rows(const View& model, const CrossSource& inputs) const {
  const Index q = inputs.rows();
  std::vector<Index> out(at(checked_product(q, count_)));
  const InputCoordinates coordinates(model, inputs);
  Block block(*this, coordinates);
  for (Index first = 0; first < q; first += inputs_together) {
    poll_stop();
    block.take(first, std::min(inputs_together, q - first), out.data() + first * count_);
  }
  return out;
}

std::vector<Index> nearest_rows(const View& model, const CrossSource& inputs, const CrossSource& candidates, Index count) {
  check_choice(model, inputs, candidates, count);
  if (worth_screening(model, inputs.rows(), candidates.rows())) {
    const NearestChoice choice(model, inputs, inputs.rows(), candidates, count);
    if (choice.worth_while()) return choice.rows(model, inputs);
  }
  return nearest_outputs(model, inputs, candidates, count).indices;
}

}  // namespace gramian::dependency

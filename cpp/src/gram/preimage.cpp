// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/preimage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/linalg/gemm.hpp"
#include "linalg/product_tiles.hpp"

namespace gramian {
namespace {

constexpr Index rows_together = 32;
constexpr double seconds_per_entry = 3e-9;

/// A response below this part of its terms' magnitudes is cancellation: the step would be rounding, many times the data's extent.
constexpr double least_response = 1e-10;

class FixedPoints {
 public:
  FixedPoints(double gamma, MatrixView<const double> X, MatrixView<const double> weights, const PreimageOptions& options)
      : kernel_("gaussian", {gamma}),
        X_(X),
        weights_(weights),
        options_(options),
        step_(options.tolerance / std::sqrt(2.0 * gamma)),
        sign_(at(weights.rows())),
        lost_(at(weights.rows()), 0) {
    const Index q = weights.rows();
    result_.points = Matrix(q, X.cols());
    result_.iterations.assign(at(q), 0);
    result_.converged.assign(at(q), 0);
    result_.restarted.assign(at(q), 0);
    for (Index row = 0; row < q; ++row) {
      bool positive = false;
      for (Index i = 0; i < X.rows(); ++i) positive |= weights(row, i) > 0.0;
      sign_[at(row)] = positive ? 1.0 : -1.0;
    }
  }

  Preimages run(MatrixView<const double> starts) {
    std::vector<Index> all(sign_.size());
    std::iota(all.begin(), all.end(), Index(0));
    if (starts.empty()) {
      start_at_training_points(all);
      iterate(all);
      return std::move(result_);
    }
    for (const Index row : all) set_point(row, starts, row);
    iterate(all);
    std::vector<Index> lost;
    std::copy_if(all.begin(), all.end(), std::back_inserter(lost), [&](Index row) { return lost_[at(row)] != 0; });
    for (const Index row : lost) result_.restarted[at(row)] = 1;
    start_at_training_points(lost);
    iterate(lost);
    return std::move(result_);
  }

 private:
  void set_point(Index row, MatrixView<const double> from, Index from_row) {
    for (Index k = 0; k < X_.cols(); ++k) result_.points(row, k) = from(from_row, k);
  }

  /// Responses at all training points, K W^T for some rows at a time.
  void start_at_training_points(const std::vector<Index>& rows) {
    for (std::size_t first = 0; first < rows.size(); first += rows_together) {
      const Index count = static_cast<Index>(std::min<std::size_t>(rows_together, rows.size() - first)), n = X_.rows();
      Matrix columns(n, count), responses(n, count);
      for (Index c = 0; c < count; ++c) {
        const Index row = rows[first + at(c)];
        for (Index i = 0; i < n; ++i) columns(i, c) = sign_[at(row)] * weights_(row, i);
      }
      product(kernel_, X_, columns.view(), responses.view());
      for (Index c = 0; c < count; ++c) {
        Index best = 0;
        for (Index i = 1; i < n; ++i) best = responses(i, c) > responses(best, c) ? i : best;
        set_point(rows[first + at(c)], X_, best);
      }
    }
  }

  void iterate(const std::vector<Index>& rows) {
    const Index count = static_cast<Index>(rows.size()), blocks = (count + rows_together - 1) / rows_together;
    const double entries = static_cast<double>(std::min(count, rows_together)) * static_cast<double>(X_.rows());
    parallel_for(blocks, 20.0 * entries * seconds_per_entry, [&](Index block, int worker) {
      const auto first = rows.begin() + block * rows_together, last = rows.begin() + std::min(count, (block + 1) * rows_together);
      std::vector<Index> active(first, last);
      for (Index iteration = 0; iteration < options_.max_iterations && !active.empty(); ++iteration) {
        if (worker == 0) poll_stop();
        step(active);
      }
    });
  }

  /// One step of some rows; those that are done leave.
  void step(std::vector<Index>& active) {
    const Index count = static_cast<Index>(active.size()), n = X_.rows(), d = X_.cols();
    Matrix Z(count, d), terms(count, n), sums(count, d);
    for (Index a = 0; a < count; ++a) {
      for (Index k = 0; k < d; ++k) Z(a, k) = result_.points(active[at(a)], k);
    }
    full(kernel_, Z.view(), X_, terms.view());
    std::vector<double> response(active.size(), 0.0), magnitude(active.size(), 0.0);
    for (Index a = 0; a < count; ++a) {
      const Index row = active[at(a)];
      for (Index i = 0; i < n; ++i) {
        const double term = terms(a, i) *= sign_[at(row)] * weights_(row, i);
        response[at(a)] += term;
        magnitude[at(a)] += std::fabs(term);
      }
    }
    gemm(1.0, terms.view(), X_, 0.0, sums.view());
    std::vector<Index> left;
    for (Index a = 0; a < count; ++a) {
      const Index row = active[at(a)];
      lost_[at(row)] = !(response[at(a)] > least_response * magnitude[at(a)]);
      if (lost_[at(row)] != 0) continue;
      ++result_.iterations[at(row)];
      result_.converged[at(row)] = move(row, &sums(a, 0), response[at(a)]) <= step_;
      if (result_.converged[at(row)] == 0) left.push_back(row);
    }
    active.swap(left);
  }

  /// Returns the length of the step.
  double move(Index row, const double* sums, double response) {
    double square = 0.0;
    for (Index k = 0; k < X_.cols(); ++k) {
      double& z = result_.points(row, k);
      const double next = sums[k] / response;
      square += (next - z) * (next - z);
      z = next;
    }
    return std::sqrt(square);
  }

  Kernel kernel_;
  MatrixView<const double> X_, weights_;
  PreimageOptions options_;
  double step_;
  std::vector<double> sign_;        // of the weights, for each row
  std::vector<std::uint8_t> lost_;  // rows without a positive response
  Preimages result_;
};

/// The best candidates of one row so far, in ascending order of their scores. Candidates come in ascending order of their
/// indices.
class BestOfRow {
 public:
  BestOfRow(double* scores, Index* indices, Index count) : scores_(scores), indices_(indices), count_(count) {}

  /// What is not a number, after an overflow, comes last.
  Index take(Index index, double score, Index filled) {
    if (std::isnan(score)) score = std::numeric_limits<double>::infinity();
    if (filled == count_ && !(score < scores_[count_ - 1])) return filled;
    const Index kept = std::min(filled, count_ - 1), place = std::upper_bound(scores_, scores_ + kept, score) - scores_;
    std::copy_backward(scores_ + place, scores_ + kept, scores_ + kept + 1);
    std::copy_backward(indices_ + place, indices_ + kept, indices_ + kept + 1);
    scores_[place] = score;
    indices_[place] = index;
    return kept + 1;
  }

  double worst() const { return scores_[count_ - 1]; }

 private:
  double* scores_;
  Index* indices_;
  Index count_;
};

constexpr Index packed_numbers = Index(1) << 22;  // of `cross` at a time
constexpr Index most_of_a_group = 64;             // candidates of a row that are kept more than once

/// The best of rows x candidates, from tiles of their inner products.
class Selection {
 public:
  Selection(Index rows, Index count)
      : found_{count, std::vector<Index>(at(checked_product(rows, count))), Matrix(rows, count)}, filled_(at(rows), 0) {}

  /// Candidates behind all that came before. diagonal: of the tile's first candidate on.
  void take(const ProductTile& tile, const double* diagonal, Index first_candidate) {
    for (Index i = 0; i < tile.rows; ++i) {
      BestOfRow best = row(tile.row + i);
      Index& filled = filled_[at(tile.row + i)];
      isa::ScoreJob<double> job{diagonal, tile.numbers + i * ProductTile::stride, tile.cols, 0.0};
      if (found_.count == 1) {
        const Index j = dense_ops().least_score(job);
        filled = best.take(first_candidate + j, job.norms[j] - 2.0 * job.inner[j], filled);
        continue;
      }
      for (Index j = 0; j < tile.cols; ++j) {
        if (filled == found_.count) {  // most of the others are not among the best, and need not be looked at one by one
          job.limit = best.worst();
          j = dense_ops().next_score(job, j);
          if (j == tile.cols) break;
        }
        filled = best.take(first_candidate + j, job.norms[j] - 2.0 * job.inner[j], filled);
      }
    }
  }

  void take(const Selection& later) {
    for (Index i = 0; i < found_.scores.rows(); ++i) {
      BestOfRow best = row(i);
      for (Index c = 0; c < later.filled_[at(i)]; ++c) {
        const Index index = later.found_.indices[at(i * found_.count + c)];
        filled_[at(i)] = best.take(index, later.found_.scores(i, c), filled_[at(i)]);
      }
    }
  }

  NearestCandidates release() { return std::move(found_); }

 private:
  BestOfRow row(Index i) { return {&found_.scores(i, 0), &found_.indices[at(i * found_.count)], found_.count}; }

  NearestCandidates found_;
  std::vector<Index> filled_;  // of each row
};

}  // namespace

Preimages gaussian_preimages(double gamma, MatrixView<const double> X, MatrixView<const double> weights,
                             MatrixView<const double> starts, const PreimageOptions& options) {
  require_positive(gamma, "gamma");
  require(options.max_iterations >= 1, "max_iterations must be 1 or greater");
  require_not_negative(options.tolerance, "tolerance");
  require(!X.empty(), "X is empty");
  require_shape(weights, weights.rows(), X.rows(), "weights");
  require_finite(X, "X");
  require_finite(weights, "weights");
  if (!starts.empty()) {
    require_shape(starts, weights.rows(), X.cols(), "starts");
    require_finite(starts, "starts");
  }
  return FixedPoints(gamma, X, weights, options).run(starts);
}

NearestCandidates nearest_candidates(MatrixView<const double> weights, MatrixView<const double> cross,
                                     MatrixView<const double> diagonal, Index count) {
  const Index q = weights.rows(), n = weights.cols(), candidates = cross.cols();
  require_shape(cross, n, candidates, "cross");
  require_shape(diagonal, candidates, 1, "diagonal");
  require(count >= 1 && count <= candidates, "count is " + std::to_string(count) + ", it must be from 1 to the number of " +
                                                 "candidates, " + std::to_string(candidates));
  require_finite(weights, "weights");
  require_finite(cross, "cross");
  require_finite(diagonal, "diagonal");

  std::vector<double> squares(at(candidates));
  for (Index c = 0; c < candidates; ++c) squares[at(c)] = diagonal(c, 0);
  Selection all(q, count);
  if (q == 0) return all.release();
  const Index together = std::max<Index>(product_tile, packed_numbers / std::max<Index>(n, 1) / product_tile * product_tile);
  for (Index first = 0; first < candidates; first += together) {
    poll_stop();
    const ProductTiles tiles(part(cross, 0, n, first, std::min(together, candidates - first)));
    const Index groups = count > most_of_a_group ? 1 : tiles.groups(q);
    std::vector<Selection> later;
    for (Index group = 1; group < groups; ++group) later.emplace_back(q, count);
    tiles.visit(weights, groups, [&](const ProductTile& tile) {
      Selection& best = tile.group == 0 ? all : later[at(tile.group - 1)];
      best.take(tile, squares.data() + first + tile.col, first + tile.col);
    });
    for (const Selection& group : later) all.take(group);
  }
  return all.release();
}

}  // namespace gramian

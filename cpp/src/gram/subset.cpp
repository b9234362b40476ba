// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/gram/subset.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/matrix.hpp"
#include "gramian/base/random.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/cholesky.hpp"

namespace gramian {
namespace {

constexpr Index rows_at_once = 1024;
constexpr double least_score = 1e-300;

std::vector<Index> random_rows(Index n, Index count, std::uint64_t seed) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  random_permutation(RandomStream(seed), order.data(), n);
  order.resize(static_cast<std::size_t>(count));
  return order;
}

/// [DKPCA] Sec. 3.3: k_ii - k_iS (K_SS + n lambda I)^-1 k_Si for all i, which is n lambda times the ridge leverage score.
std::vector<double> leverage_scores(const Kernel& kernel, MatrixView<const double> X, const std::vector<Index>& sample,
                                    double ridge) {
  const Index n = X.rows(), m = static_cast<Index>(sample.size());
  const Matrix S = picked(X, sample);
  Matrix K(m, m), diagonals(n, 1);
  full(kernel, Points(S.view()), K.view());
  diagonal(kernel, Points(X), diagonals.view());
  double mean = 0.0;
  for (Index i = 0; i < n; ++i) mean += diagonals(i, 0) / static_cast<double>(n);
  if (!(mean > 0.0)) return std::vector<double>(static_cast<std::size_t>(n), least_score);  // nothing tells one row from another
  for (Index i = 0; i < m; ++i) K(i, i) += static_cast<double>(n) * ridge * mean;
  const Cholesky factor(std::as_const(K).view());
  std::vector<double> scores;
  for (Index first = 0; first < n; first += rows_at_once) {
    const Index count = std::min(rows_at_once, n - first);
    const MatrixView<const double> rows(&X(first, 0), count, X.cols(), X.row_stride(), X.col_stride());
    Matrix cross(m, count);
    full(kernel, Points(S.view()), Points(rows), cross.view());
    factor.solve_lower(cross.view());
    for (Index i = 0; i < count; ++i) {
      double score = diagonals(first + i, 0);
      for (Index k = 0; k < m; ++k) score -= cross(k, i) * cross(k, i);
      scores.push_back(std::max(score, least_score));
    }
  }
  return scores;
}

/// Without replacement, each row with a chance in proportion to its score: the largest log(u) / score (Efraimidis, Spirakis
/// 2006).
std::vector<Index> draw(const std::vector<double>& scores, Index count, std::uint64_t seed) {
  const RandomStream random(seed, 1);
  std::vector<double> keys;
  for (std::size_t i = 0; i < scores.size(); ++i) keys.push_back(std::log1p(-random.uniform(i)) / scores[i]);
  std::vector<Index> order(scores.size());
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return keys[static_cast<std::size_t>(a)] > keys[static_cast<std::size_t>(b)]; });
  order.resize(static_cast<std::size_t>(count));
  return order;
}

/// [DKPCA] Sec. 3.3: the largest quadratic Renyi entropy, by rows that are swapped one by one.
class Entropy {
 public:
  Entropy(const Kernel& kernel, MatrixView<const double> X, std::vector<Index> rows)
      : kernel_(kernel), X_(X), rows_(std::move(rows)), inside_(static_cast<std::size_t>(X.rows()), false), S_(picked(X, rows_)) {
    for (const Index row : rows_) inside_[static_cast<std::size_t>(row)] = true;
  }

  /// The sum over all pairs falls if the pairs of `in` with the others weigh less than those of the row it replaces.
  void offer(Index in, Index place) {
    if (inside_[static_cast<std::size_t>(in)]) return;
    const Index out = rows_[static_cast<std::size_t>(place)];
    if (!(pairs(in, place) < pairs(out, place))) return;
    inside_[static_cast<std::size_t>(out)] = false;
    inside_[static_cast<std::size_t>(in)] = true;
    rows_[static_cast<std::size_t>(place)] = in;
    for (Index k = 0; k < X_.cols(); ++k) S_(place, k) = X_(in, k);
  }
  std::vector<Index> rows() const { return rows_; }

 private:
  /// 2 sum_{i != place} k(x, s_i) + k(x, x)
  double pairs(Index row, Index place) const {
    const Index m = S_.rows();
    const MatrixView<const double> x(&X_(row, 0), 1, X_.cols(), X_.row_stride(), X_.col_stride());
    Matrix values(1, m), own(1, 1);
    full(kernel_, Points(x), Points(S_.view()), values.view());
    diagonal(kernel_, Points(x), own.view());
    double sum = own(0, 0);
    for (Index i = 0; i < m; ++i) sum += i == place ? 0.0 : 2.0 * values(0, i);
    return sum;
  }

  const Kernel& kernel_;
  MatrixView<const double> X_;
  std::vector<Index> rows_;
  std::vector<bool> inside_;
  Matrix S_;
};

std::vector<Index> spread_rows(const Kernel& kernel, MatrixView<const double> X, Index count, const SubsetOptions& options) {
  Entropy entropy(kernel, X, random_rows(X.rows(), count, options.seed));
  const RandomStream random(options.seed, 2);
  const Index swaps = options.swaps == 0 ? X.rows() : options.swaps;
  for (Index t = 0; t < swaps; ++t) {
    poll_stop();
    const auto at = static_cast<std::uint64_t>(2 * t);
    entropy.offer(random.below(at, X.rows()), random.below(at + 1, count));
  }
  return entropy.rows();
}

}  // namespace

std::vector<Index> choose_subset(const Kernel& kernel, const Points& X, Index count, SubsetMethod method,
                                 const SubsetOptions& options) {
  const Index n = X.size();
  require(!X.sparse() && X.scalar() == Scalar::float64, "rows are chosen from dense float64 points only");
  require(count >= 1 && count <= n, "count is " + std::to_string(count) + ", it must be one of 1 .. " + std::to_string(n));
  require_not_negative(options.ridge, "ridge");
  require(options.swaps >= 0, "swaps must not be negative; 0 tries as many as there are rows");
  std::vector<Index> rows;
  if (method == SubsetMethod::random || count == n) {
    rows = random_rows(n, count, options.seed);
  } else if (method == SubsetMethod::renyi_entropy) {
    rows = spread_rows(kernel, X.float64(), count, options);
  } else {
    const double ridge = options.ridge > 0.0 ? options.ridge : 1.0 / static_cast<double>(n);
    rows = draw(leverage_scores(kernel, X.float64(), random_rows(n, count, options.seed), ridge), count, options.seed);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace gramian

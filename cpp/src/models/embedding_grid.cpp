// SPDX-License-Identifier: BSD-3-Clause
// Cross-validation over length scales and lambda.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gramian/base/error.hpp"
#include "gramian/base/random.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "layers/rows.hpp"
#include "models/embedding_lengths.hpp"
#include "models/embedding_training.hpp"

namespace gramian {
namespace {

using Rows = std::vector<Index>;

struct Fold {
  Rows train, test;
};

/// Folds with about the same share of each class: rows in a random order, sorted by class, dealt out in turn.
std::vector<Fold> folds_of(const LabelledSample& sample, Index count, std::uint64_t seed) {
  const Index n = sample.X.size();
  Rows order(static_cast<std::size_t>(n)), fold(order.size());
  random_permutation(RandomStream(seed), order.data(), n);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return sample.labels[a] < sample.labels[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) fold[static_cast<std::size_t>(order[i])] = static_cast<Index>(i) % count;
  std::vector<Fold> folds(static_cast<std::size_t>(count));
  for (Index f = 0; f < count; ++f) {
    for (Index i = 0; i < n; ++i) {
      Fold& into = folds[static_cast<std::size_t>(f)];
      (fold[static_cast<std::size_t>(i)] == f ? into.test : into.train).push_back(i);
    }
  }
  return folds;
}

double weight_of(const LabelledSample& sample, Index i) { return sample.weights == nullptr ? 1.0 : sample.weights[i]; }

/// What is summed over the samples of all folds.
struct Score {
  double squares = 0.0, right = 0.0, weight = 0.0;
  Index failures = 0;
};

/// For one kernel and one fold: one copy of the Gram matrix for each lambda, and one factorization.
class FoldProblem {
 public:
  FoldProblem(const LabelledSample& sample, MatrixView<const double> K, const Fold& fold) : sample_(sample), K_(K), fold_(fold) {
    for (const Index i : fold.train) total_ += weight_of(sample, i);
  }

  void add(double lambda, Score& score) const {
    const Index n = static_cast<Index>(fold_.train.size()), m = sample_.classes;
    Matrix system = cut(fold_.train), V(n, m);
    for_entries(system.view(), [&](Index i, Index j) { system(i, j) *= root(i) * root(j); });
    for (Index i = 0; i < n; ++i) system(i, i) += total_ * lambda;
    for_entries(V.view(), [&](Index i, Index c) { V(i, c) = c == label(fold_.train, i) ? root(i) : 0.0; });
    try {
      cholesky_in_place(system.view());
    } catch (const NumericalError&) {
      ++score.failures;
      score.squares = std::numeric_limits<double>::infinity();
      return;
    }
    cholesky_solve(system.view(), V.view());
    for_entries(V.view(), [&](Index i, Index c) { V(i, c) *= root(i); });
    judge(V, score);
  }

 private:
  double root(Index i) const { return std::sqrt(weight_of(sample_, fold_.train[static_cast<std::size_t>(i)])); }
  Index label(const Rows& rows, Index i) const { return sample_.labels[rows[static_cast<std::size_t>(i)]]; }

  Matrix cut(const Rows& rows) const {
    Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(fold_.train.size()));
    for_entries(out.view(), [&](Index i, Index j) {
      out(i, j) = K_(rows[static_cast<std::size_t>(i)], fold_.train[static_cast<std::size_t>(j)]);
    });
    return out;
  }

  void judge(const Matrix& V, Score& score) const {
    const Index q = static_cast<Index>(fold_.test.size()), m = sample_.classes;
    const Matrix cross = cut(fold_.test);
    Matrix P(q, m);
    gemm(1.0, cross.view(), V.view(), 0.0, P.view());
    for (Index i = 0; i < q; ++i) {
      const double w = weight_of(sample_, fold_.test[static_cast<std::size_t>(i)]);
      const Index y = label(fold_.test, i);
      Index best = 0;
      double square = 0.0;
      for (Index c = 0; c < m; ++c) {
        const double miss = P(i, c) - (c == y ? 1.0 : 0.0);
        square += miss * miss;
        if (P(i, c) > P(i, best)) best = c;
      }
      score.squares += w * square;
      score.right += best == y ? w : 0.0;
      score.weight += w;
    }
  }

  const LabelledSample& sample_;
  MatrixView<const double> K_;
  const Fold& fold_;
  double total_ = 0.0;
};

std::vector<double> powers(double base, int first, int last) {
  std::vector<double> out;
  for (int e = first; e <= last; ++e) out.push_back(std::pow(base, e));
  return out;
}

/// Takes the scores of one kernel, and tells the observer; whether to go on.
class Table {
 public:
  Table(EmbeddingChoice& choice, Observer* observer) : choice_(choice), observer_(observer) {
    choice_.result.value = std::numeric_limits<double>::infinity();
  }

  bool add(const Kernel& kernel, double lambda, const Score& score) {
    const double value = score.weight > 0.0 ? score.squares / score.weight : std::numeric_limits<double>::infinity();
    const auto number = static_cast<Index>(choice_.history.size());
    choice_.history.push_back(
        {number, value, {value, 0.0, score.weight > 0.0 ? score.right / score.weight : 0.0}, score.failures});
    choice_.result.history.push_back({number, value, 0.0, 0.0, number + 1});
    choice_.result.iterations = choice_.result.evaluations = number + 1;
    if (value < choice_.result.value) {
      choice_.result.value = value;
      choice_.kernel = kernel;
      choice_.lambda = lambda;
    }
    if (observer_ == nullptr || observer_->observe(choice_.result.history.back(), nullptr)) return true;
    choice_.result.stop_reason = StopReason::observer;
    return false;
  }

 private:
  EmbeddingChoice& choice_;
  Observer* observer_;
};

/// All lambdas of one kernel.
std::vector<Score> scores_of(const LabelledSample& sample, const Kernel& kernel, const std::vector<Fold>& folds,
                             const std::vector<double>& lambdas) {
  Matrix K(sample.X.size(), sample.X.size());
  full(kernel, sample.X, K.view());
  std::vector<Score> scores(lambdas.size());
  for (const Fold& fold : folds) {
    const FoldProblem problem(sample, K.view(), fold);
    for (std::size_t l = 0; l < lambdas.size(); ++l) {
      poll_stop();
      problem.add(lambdas[l], scores[l]);
    }
  }
  return scores;
}

}  // namespace

EmbeddingChoice search_embedding(const LabelledSample& sample, const Kernel& kernel, const EmbeddingOptions& options,
                                 Observer* observer) {
  const std::vector<double> lambdas = options.lambda_grid.empty() ? powers(10.0, -5, 0) : options.lambda_grid;
  const std::vector<double> factors = options.scale_grid.empty() ? powers(2.0, -4, 4) : options.scale_grid;
  const std::vector<Fold> folds = folds_of(sample, options.folds, options.seed);
  EmbeddingChoice choice;
  choice.result.stop_reason = StopReason::value;
  Table table(choice, observer);
  bool more = true;
  for (std::size_t f = 0; f < factors.size() && more; ++f) {
    const Kernel scaled = with_scaled_lengths(kernel, factors[f]);
    const std::vector<Score> scores = scores_of(sample, scaled, folds, lambdas);
    for (std::size_t l = 0; l < lambdas.size() && more; ++l) more = table.add(scaled, lambdas[l], scores[l]);
  }
  if (choice.kernel) return choice;
  throw NumericalError("no system of the grid can be factored: give larger alphas, which are the lambda_grid, or scale the data");
}

}  // namespace gramian

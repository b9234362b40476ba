// SPDX-License-Identifier: BSD-3-Clause
// Cross-validation over length scales and lambda.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "gramian/base/error.hpp"
#include "gramian/base/random.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "base/view_ops.hpp"
#include "models/embedding/lengths.hpp"
#include "models/embedding/linear.hpp"
#include "models/embedding/options.hpp"
#include "models/embedding/training.hpp"
#include "models/embedding/weights.hpp"

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

/// What is summed over the samples of all folds.
struct Score {
  double squares = 0.0, right = 0.0, weight = 0.0;
  Index failures = 0;
};

/// Rows of a fold and their weights.
class FoldRows {
 public:
  FoldRows(const LabelledSample& sample, const Rows& rows) : sample_(sample), rows_(rows) {
    for (Index i = 0; i < size(); ++i) roots_.push_back(std::sqrt(weight(i)));
  }
  Index size() const { return static_cast<Index>(rows_.size()); }
  Index at(Index i) const { return rows_[static_cast<std::size_t>(i)]; }
  Index label(Index i) const { return sample_.labels[at(i)]; }
  double weight(Index i) const { return sample_.weights == nullptr ? 1.0 : sample_.weights[at(i)]; }
  double root(Index i) const { return roots_[static_cast<std::size_t>(i)]; }
  double total() const {
    double sum = 0.0;
    for (Index i = 0; i < size(); ++i) sum += weight(i);
    return sum;
  }

 private:
  const LabelledSample& sample_;
  const Rows& rows_;
  std::vector<double> roots_;
};

/// f of the test rows is cross (system + total lambda I)^-1 right.
struct FoldProblem {
  Index size() const { return right.rows(); }
  Matrix right, cross;
  std::function<void(MatrixView<double>)> fill_system;  ///< anew for each lambda: one n x n matrix less than to copy it
};

/// D K D, D Y and K D with the roots of the weights in D.
FoldProblem by_gram(MatrixView<const double> K, const FoldRows& train, const FoldRows& test, Index classes) {
  const Index n = train.size();
  FoldProblem problem{Matrix(n, classes), Matrix(test.size(), n), [K, &train](MatrixView<double> system) {
                        for_entries(system, [&](Index i, Index j) {
                          system(i, j) = train.root(i) * K(train.at(i), train.at(j)) * train.root(j);
                        });
                      }};
  for_entries(problem.right.view(), [&](Index i, Index c) { problem.right(i, c) = c == train.label(i) ? train.root(i) : 0.0; });
  for_entries(problem.cross.view(), [&](Index i, Index j) { problem.cross(i, j) = K(test.at(i), train.at(j)) * train.root(j); });
  return problem;
}

/// The same from explicit features, with systems of as many rows as there are of them: (D Z)^T D Z, (D Z)^T D Y and Z.
FoldProblem by_features(MatrixView<const double> Z, const FoldRows& train, const FoldRows& test, Index classes) {
  const Index p = Z.cols();
  Matrix DZ(train.size(), p), DY(train.size(), classes);
  for_entries(DZ.view(), [&](Index i, Index j) { DZ(i, j) = train.root(i) * Z(train.at(i), j); });
  for_entries(DY.view(), [&](Index i, Index c) { DY(i, c) = c == train.label(i) ? train.root(i) : 0.0; });
  const auto products = std::make_shared<Matrix>(p, p);
  gemm_symmetric(1.0, transposed(DZ.view()), 0.0, products->view());
  FoldProblem problem{Matrix(p, classes), Matrix(test.size(), p), [products](MatrixView<double> system) {
                        for_entries(system, [&](Index i, Index j) { system(i, j) = (*products)(i, j); });
                      }};
  gemm(1.0, transposed(DZ.view()), DY.view(), 0.0, problem.right.view());
  for_entries(problem.cross.view(), [&](Index i, Index j) { problem.cross(i, j) = Z(test.at(i), j); });
  return problem;
}

void judge(const Matrix& P, const FoldRows& test, Score& score) {
  for (Index i = 0; i < P.rows(); ++i) {
    const double w = test.weight(i);
    const Index y = test.label(i);
    Index best = 0;
    double square = 0.0;
    for (Index c = 0; c < P.cols(); ++c) {
      const double miss = P(i, c) - (c == y ? 1.0 : 0.0);
      square += miss * miss;
      if (P(i, c) > P(i, best)) best = c;
    }
    score.squares += w * square;
    score.right += best == y ? w : 0.0;
    score.weight += w;
  }
}

void add(const FoldProblem& problem, double shift, const FoldRows& test, Score& score) {
  Matrix system(problem.size(), problem.size()), V = Matrix::copy_of(problem.right.view());
  problem.fill_system(system.view());
  for (Index i = 0; i < system.rows(); ++i) system(i, i) += shift;
  try {
    cholesky_in_place(system.view());
  } catch (const NumericalError&) {
    ++score.failures;
    score.squares = std::numeric_limits<double>::infinity();
    return;
  }
  cholesky_solve(system.view(), V.view());
  Matrix P(test.size(), V.cols());
  gemm(1.0, problem.cross.view(), V.view(), 0.0, P.view());
  judge(P, test, score);
}

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
                             const std::vector<double>& lambdas, bool in_coordinates) {
  Matrix of_all;
  if (in_coordinates) {
    LinearFeatures features(kernel, sample.X.dimension());
    of_all = features_of(features, features.start(0).data(), sample.X);
  } else {
    of_all = Matrix(sample.X.size(), sample.X.size());
    full(kernel, sample.X, of_all.view());
  }
  std::vector<Score> scores(lambdas.size());
  for (const Fold& fold : folds) {
    const FoldRows train(sample, fold.train), test(sample, fold.test);
    const FoldProblem problem = (in_coordinates ? by_features : by_gram)(of_all.view(), train, test, sample.classes);
    for (std::size_t l = 0; l < lambdas.size(); ++l) {
      poll_stop();
      add(problem, train.total() * lambdas[l], test, scores[l]);
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
  const bool in_coordinates = supported_by_coordinates(sample, &kernel, nullptr, options);
  EmbeddingChoice choice;
  choice.result.stop_reason = StopReason::value;
  Table table(choice, observer);
  bool more = true;
  for (std::size_t f = 0; f < factors.size() && more; ++f) {
    const Kernel scaled = with_scaled_lengths(kernel, factors[f]);
    const std::vector<Score> scores = scores_of(sample, scaled, folds, lambdas, in_coordinates);
    for (std::size_t l = 0; l < lambdas.size() && more; ++l) more = table.add(scaled, lambdas[l], scores[l]);
  }
  if (choice.kernel) return choice;
  throw NumericalError("no system of the grid can be factored: give larger alphas, which are the lambda_grid, or scale the data");
}

}  // namespace gramian

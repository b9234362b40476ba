// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/stage.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/eigen.hpp"
#include "linalg/small.hpp"
#include "linalg/tall.hpp"
#include "models/deep_pca/levels.hpp"
#include "models/deep_pca/start.hpp"
#include "optim/result_fields.hpp"

namespace gramian::deep_pca {
namespace {

constexpr double least_of_basis = 1e-10;    ///< of a squared singular value, relative to the largest
constexpr double equal_eigenvalues = 1e-8;  ///< relative to the largest

/// [DKPCA] (13): the eigenproblems M_j H_j = H_j Lambda_j with linear upper levels, M_1 = K_1 / |eta_1| + H_2 H_2ᵀ / |eta_2|, and
/// H_{j-1} H_{j-1}ᵀ for the others. What (6) has beside that, H_{j+1} H_{j+1}ᵀ / eta_{j+1}, does not turn the span of H_j if
/// H_{j+1} is of it, or has it; but a level that listened to the one above could never let go of a direction that both have.
/// Centred, each H beside H_j is C H.
class Alternation {
 public:
  Alternation(TrainingObjective& objective, double* x)
      : objective_(objective), measure_(measure_of(objective)), manifold_(objective.manifold()), x_(x) {}

  void round();
  /// The largest entry of a residual, relative to the largest eigenvalue; sets the value J.
  double residual(double& value);

 private:
  Index depth() const { return manifold_.block_count(); }
  double weight(Index j) const { return 1.0 / std::fabs(objective_.levels()[static_cast<std::size_t>(j)].eta); }
  MatrixView<const double> H(Index j) const { return manifold_.block(std::as_const(x_), j); }
  Matrix seen(Index j) const;
  void solve_first();
  void solve_upper(Index j);
  Matrix basis(Index j) const;
  SmallMatrix ordered(const SmallMatrix& M, const SmallMatrix& variance, Index count) const;

  TrainingObjective& objective_;
  SampleMeasure measure_;
  const StiefelProduct& manifold_;
  double* x_;
};

/// What a linear kernel sees of H_j.
Matrix Alternation::seen(Index j) const {
  Matrix out = Matrix::copy_of(H(j));
  if (objective_.options().centred) measure_.centre_scaled(H(j), out.view());
  return out;
}

void Alternation::solve_first() {
  const Matrix next = depth() > 1 ? seen(1) : Matrix();
  const auto apply = [&](MatrixView<const double> V, MatrixView<double> out) {
    objective_.product(x_, 1, V, out);
    as_eigen(out) *= weight(0);
    if (depth() > 1) tall_product(next.view(), weight(1) * tall_cross(next.view(), V), out, out);
  };
  const Matrix vectors = top_vectors(measure_, H(0).cols(), apply, 1e-12, objective_.options().centred);
  const MatrixView<double> to = manifold_.block(x_, 0);
  std::copy_n(vectors.data(), vectors.size(), to.data());
}

/// Orthonormal columns that span level j and its neighbours.
Matrix Alternation::basis(Index j) const {
  const Index n = objective_.samples();
  const Index last = std::min(j + 1, depth() - 1);
  Index cols = 0, first = 0;
  for (Index l = j - 1; l <= last; ++l) cols += H(l).cols();
  Matrix all(n, cols);
  for (Index l = j - 1; l <= last; first += H(l).cols(), ++l) {
    as_eigen(all.view()).middleCols(first, H(l).cols()) = as_eigen(H(l));
  }
  const SmallEigen gram = small_eigen(tall_cross(all.view(), all.view()));
  const double least = least_of_basis * gram.values(cols - 1);
  const Index rank = (gram.values.array() > least).count();
  Matrix out(n, rank);
  const Eigen::VectorXd scale = gram.values.tail(rank).cwiseSqrt().cwiseInverse();
  tall_product(all.view(), gram.vectors.rightCols(rank) * scale.asDiagonal(), out.view());
  return out;
}

/// Eigenvectors of M, those of the eigenvalues of largest magnitude first, and of equal ones those with the largest variance.
SmallMatrix Alternation::ordered(const SmallMatrix& M, const SmallMatrix& variance, Index count) const {
  const SmallEigen eigen = small_eigen(0.5 * (M + M.transpose()));
  const Index m = M.rows();
  std::vector<Index> order(static_cast<std::size_t>(m));
  for (Index i = 0; i < m; ++i) order[static_cast<std::size_t>(i)] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::fabs(eigen.values(a)) > std::fabs(eigen.values(b)); });
  const double most = std::fabs(eigen.values(order[0]));
  SmallMatrix out(m, m);
  for (Index first = 0; first < m;) {
    Index end = first;
    const double value = eigen.values(order[static_cast<std::size_t>(first)]);
    while (end < m && std::fabs(eigen.values(order[static_cast<std::size_t>(end)]) - value) <= equal_eigenvalues * most) ++end;
    SmallMatrix group(m, end - first);
    for (Index i = first; i < end; ++i) group.col(i - first) = eigen.vectors.col(order[static_cast<std::size_t>(i)]);
    const SmallEigen inside = small_eigen(SmallMatrix(group.transpose() * variance * group));
    out.middleCols(first, end - first) = group * inside.vectors.rowwise().reverse();
    first = end;
  }
  return out.leftCols(count);
}

void Alternation::solve_upper(Index j) {
  const Matrix Q = basis(j);
  Matrix KQ(Q.rows(), Q.cols());
  objective_.product(x_, 1, Q.view(), KQ.view());
  const SmallMatrix down = tall_cross(Q.view(), seen(j - 1).view());
  const SmallMatrix M = down * down.transpose();
  const MatrixView<double> to = manifold_.block(x_, j);
  tall_product(Q.view(), ordered(M, tall_cross(Q.view(), KQ.view()), to.cols()), to);
  stiefel_project(to, to);
}

void Alternation::round() {
  solve_first();
  for (Index j = 1; j < depth(); ++j) solve_upper(j);
}

double Alternation::residual(double& value) {
  std::vector<double> A(static_cast<std::size_t>(manifold_.free_offset()));
  set_eigenvalues(objective_, x_);
  value = objective_.evaluate(x_, nullptr);
  const State state = objective_.describe(x_);
  objective_.energy_gradient(x_, A.data());
  double most = 0.0, scale = 0.0;
  for (Index j = 0; j < depth(); ++j) {
    const auto a = as_eigen(manifold_.block(A.data(), j));
    const Eigen::Map<const Eigen::RowVectorXd> lambda(state.eigenvalues[static_cast<std::size_t>(j)].data(), a.cols());
    scale = std::max(scale, lambda.cwiseAbs().maxCoeff());
    most = std::max(most, (a - as_eigen(H(j)) * lambda.asDiagonal()).cwiseAbs().maxCoeff());
  }
  return scale > 0.0 ? most / scale : most;
}

/// All that the next round needs, and all that there is.
void keep_round(SnapshotFields& state, OptimResult& result, double* x, Index size) {
  std::vector<double> features(x, x + size);
  optim_detail::fields(state, result);
  state("features", features);
  std::copy(features.begin(), features.end(), x);
}

}  // namespace

OptimResult solve_self_consistently(TrainingObjective& objective, const SelfConsistent& options, double* x, Observer* observer) {
  Alternation solver(objective, x);
  OptimResult result;
  const auto record = [&](Index number) {
    result.gradient_norm = solver.residual(result.value);
    result.iterations = number;
    ++result.evaluations;
    result.history.push_back({number, result.value, result.gradient_norm, number == 0 ? 0.0 : 1.0, result.evaluations});
  };
  Stage stage(observer, [&](SnapshotFields& state) { keep_round(state, result, x, objective.size()); }, [](SnapshotFields&) {});
  if (stage.has_ended()) return result;
  if (!stage.resumes()) record(0);
  while (result.gradient_norm > options.gradient_tolerance && result.iterations < options.max_iterations) {
    poll_stop();
    solver.round();
    record(result.iterations + 1);
    if (observer != nullptr && !observer->observe(result.history.back(), x)) {
      result.stop_reason = StopReason::observer;
      stage.stop();
      return result;
    }
    stage.keep(result.iterations);
  }
  const bool solved = result.gradient_norm <= options.gradient_tolerance;
  result.stop_reason = solved ? StopReason::gradient : StopReason::max_iterations;
  stage.end();
  return result;
}

}  // namespace gramian::deep_pca

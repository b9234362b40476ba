// SPDX-License-Identifier: BSD-3-Clause
// What an embedding in the span of landmarks misses of held-out samples, for many lambdas at once.
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gram/rows.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/memory.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/models/conditional_mean/landmarks.hpp"
#include "models/conditional_mean/spectrum.hpp"
#include "ovk/separable_parts.hpp"

namespace gramian::conditional_mean {
namespace {

constexpr Index matrices_of_a_spectrum = 6;

/// Sums over one part of the samples.
struct Sums {
  Matrix square;  ///< k x k, of input features
  Matrix right;   ///< k x s, with output features
  double own = 0.0, weight = 0.0;

  void add(const NormalSystem& system, double norms, double weights, double times) {
    for_entries(square.view(), [&](Index i, Index j) { square(i, j) += times * system.square(i, j); });
    for_entries(right.view(), [&](Index i, Index j) { right(i, j) += times * system.right(i, j); });
    own += times * norms;
    weight += times * weights;
  }
};

Sums zeros(Index k, Index s) { return {Matrix::filled(k, k, 0.0), Matrix::filled(k, s, 0.0)}; }

/// How often a sample is in each of the parts, training and held out in turn.
using Membership = std::vector<std::uint16_t>;

/// Samples that are in the same parts are summed up once.
std::map<Membership, std::vector<Index>> cells_of(const std::vector<ValidationSplit>& splits, Index n) {
  std::vector<Membership> of_rows(static_cast<std::size_t>(n), Membership(2 * splits.size(), 0));
  for (std::size_t s = 0; s < splits.size(); ++s) {
    for (const Index row : splits[s].training) ++of_rows[at(row)][2 * s];
    for (const Index row : splits[s].held_out) ++of_rows[at(row)][2 * s + 1];
  }
  std::map<Membership, std::vector<Index>> cells;
  for (Index row = 0; row < n; ++row) cells[of_rows[at(row)]].push_back(row);
  return cells;
}

std::vector<Sums> sums_of(const LandmarkFeatures& inputs, const Points& X, const LandmarkFeatures& outputs, const Points& Y,
                          MatrixView<const double> weights, const std::vector<ValidationSplit>& splits) {
  std::vector<Sums> parts;
  for (std::size_t part = 0; part < 2 * splits.size(); ++part) parts.push_back(zeros(inputs.rank(), outputs.rank()));
  for (const auto& [membership, rows] : cells_of(splits, X.size())) {
    poll_stop();
    const PickedRows some(PointSource(X), rows), theirs(PointSource(Y), rows);
    const Index count = static_cast<Index>(rows.size());
    require_memory(bytes_of(count, outputs.rank()), "the features of the outputs", "use fewer landmarks, or more folds");
    Matrix w(weights.empty() ? 0 : count, weights.empty() ? 0 : 1), features(count, outputs.rank()), norms(count, 1);
    if (!weights.empty()) pick_rows(weights, rows, w.view());
    outputs.apply(theirs.points(), features.view());
    diagonal(outputs.kernel(), theirs.points(), norms.view());
    const NormalSystem system = inputs.system(some.points(), std::as_const(w).view(), std::as_const(features).view());
    double own = 0.0, weight = 0.0;
    for (Index i = 0; i < count; ++i) {
      const double one = w.empty() ? 1.0 : w(i, 0);
      own += one * norms(i, 0);
      weight += one;
    }
    for (std::size_t part = 0; part < parts.size(); ++part) {
      if (membership[part] > 0) parts[part].add(system, own, weight, membership[part]);
    }
  }
  return parts;
}

/// With square = Q diag(D) Qᵀ of the training part, and R = Qᵀ right of either part: linear is the diagonal of R R'ᵀ, H is (Qᵀ
/// square' Q) ∘ R Rᵀ, and norms are the diagonal of R Rᵀ.
Spectrum spectrum_of(const Sums& training, const Sums& held_out) {
  const Index k = training.square.rows(), s = training.right.cols();
  require_memory(bytes_of(k, k, matrices_of_a_spectrum) + bytes_of(k, s, 2), "the spectrum", "use fewer landmarks");
  Spectrum out{held_out.own, Matrix(k, 1), Matrix::filled(k, 1, 0.0), Matrix(k, 1), Matrix(k, k)};
  Matrix Q(k, k), half(k, k), R(k, s), held(k, s), M(k, k);
  decompose(training.square.view(), out.D, Q, "square");
  gemm(1.0, transposed(Q.view()), training.right.view(), 0.0, R.view());
  gemm(1.0, transposed(Q.view()), held_out.right.view(), 0.0, held.view());
  gemm(1.0, held_out.square.view(), Q.view(), 0.0, half.view());
  gemm(1.0, transposed(Q.view()), half.view(), 0.0, out.H.view());
  gemm_symmetric(1.0, R.view(), 0.0, M.view());
  for_entries(out.H.view(), [&](Index a, Index b) { out.H(a, b) *= M(a, b); });
  for (Index a = 0; a < k; ++a) {
    for (Index c = 0; c < s; ++c) out.linear(a, 0) += R(a, c) * held(a, c);
    out.norms(a, 0) = M(a, a);
  }
  return out;
}

}  // namespace

void cross_validation_losses(const LandmarkFeatures& inputs, const Points& X, const LandmarkFeatures& outputs, const Points& Y,
                             MatrixView<const double> weights, const std::vector<ValidationSplit>& splits, const Grid& grid,
                             MatrixView<double> out) {
  check_lambdas(grid.lambdas);
  check_splits(splits, X.size());
  require(Y.size() == X.size(), "X and Y must have as many rows");
  if (!weights.empty()) require_shape(weights, X.size(), 1, "weights");
  require_shape(out, static_cast<Index>(splits.size()), static_cast<Index>(grid.lambdas.size()), "out");
  const Index k = inputs.rank(), s = outputs.rank(), count = static_cast<Index>(2 * splits.size());
  require_memory(bytes_of(k, k, count) + bytes_of(k, s, count), "the sums of the folds", "use fewer landmarks, or fewer folds");
  const std::vector<Sums> parts = sums_of(inputs, X, outputs, Y, weights, splits);
  for (Index row = 0; row < out.rows(); ++row) {
    const Sums &training = parts[at(2 * row)], &held_out = parts[at(2 * row + 1)];
    require(training.weight > 0.0 && held_out.weight > 0.0, "a split has a part without weights above 0");
    const Spectrum spectrum = spectrum_of(training, held_out);
    for (Index i = 0; i < out.cols(); ++i) {
      poll_stop();
      out(row, i) = loss_of(spectrum, grid.lambdas[at(i)], {training.weight, held_out.weight}, grid.regularised);
    }
  }
}

}  // namespace gramian::conditional_mean

// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "gramian/base/error.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/eigen_top.hpp"
#include "linalg/tall.hpp"
#include "models/deep_pca/start.hpp"

namespace gramian::deep_pca {
namespace {

constexpr Index rows_at_once = 256;

/// |K V's K|: the squared Frobenius norm of the first level's Gram matrix, block of columns by block of columns.
double squared_norm(TrainingObjective& objective, const double* x) {
  const Index n = objective.samples();
  double sum = 0.0;
  for (Index first = 0; first < n; first += rows_at_once) {
    const Index count = std::min(rows_at_once, n - first);
    Matrix unit = Matrix::filled(n, count, 0.0), columns(n, count);
    for (Index c = 0; c < count; ++c) unit(first + c, c) = 1.0;
    objective.product(x, 1, unit.view(), columns.view());
    for (Index i = 0; i < columns.size(); ++i) sum += columns.data()[i] * columns.data()[i];
  }
  return sum;
}

double sum_of_top(TrainingObjective& objective, const double* x, Index count) {
  Matrix values(count, 1), vectors(objective.samples(), count);
  eigen_top(
      objective.samples(), [&](MatrixView<const double> V, MatrixView<double> out) { objective.product(x, 1, V, out); },
      values.view(), vectors.view());
  double sum = 0.0;
  for (Index i = 0; i < count; ++i) sum += values(i, 0);
  return sum;
}

/// Features of a level with orthonormal columns.
Matrix scaled(const View& model, std::size_t level) {
  Matrix out = Matrix::copy_of(model.features[level]);
  SampleMeasure(model.samples(), model.weights).scale(out.view(), out.view());
  return out;
}

double root(double square) { return std::sqrt(std::max(square, 0.0)); }

}  // namespace

/// [DKPCA] Lemma 4.1 and (14): corrected.
Bounds bounds(const PointSource& input, const View& model) {
  require(model.depth() == 2 && has_closed_form(model.levels), "the bounds are those of two levels with a linear second one");
  require(model.coupled, "the bounds are those of levels that see each other: levelwise kernel PCA has none");
  require(input.size() == model.samples(), "the input must be what the model was fitted to");
  const std::vector<double> weights = SampleMeasure(model.samples(), model.weights).numbers();
  TrainingObjective objective(input, model.levels, {Eigenvalues::eliminated, model.centred, 0, weights});
  const Matrix first_features = scaled(model, 0), second_features = scaled(model, 1);
  const MatrixView<const double> H1 = first_features.view(), H2 = second_features.view();
  const double eta1 = model.levels[0].eta, eta2 = model.levels[1].eta;
  Matrix KH1(H1.rows(), H1.cols()), KH2(H2.rows(), H2.cols());
  objective.product(nullptr, 1, H1, KH1.view());
  objective.product(nullptr, 1, H2, KH2.view());
  const SmallMatrix first = tall_cross(H1, KH1.view()) / eta1;
  const double second = tall_cross(H2, KH2.view()).trace() / eta1;
  const double square = squared_norm(objective, nullptr) / (eta1 * eta1);
  double cross = 0.0, squares = 0.0, sum = 0.0, least = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < model.eigenvalues[0].size(); ++c) {
    const double value = model.eigenvalues[0][c];
    cross += value * first(static_cast<Index>(c), static_cast<Index>(c));
    squares += value * value;
    sum += value;
    least = std::min(least, value);
  }
  const double s1 = static_cast<double>(H1.cols()), s2 = static_cast<double>(H2.cols());
  // [DKPCA] (A.4): |M_1|^2 less the squares of its eigenvalues in Lambda_1.
  const double rest = square + 2.0 * second / eta2 + s2 / (eta2 * eta2) - squares;
  Bounds bounds;
  bounds.error = root(square - 2.0 * cross + squares);
  bounds.lower = std::max(0.0, root(rest) - std::sqrt(s2) / std::fabs(eta2));
  const double more = eta2 > 0.0 ? 2.0 * s1 * s2 * sum / eta2 : -2.0 * sum_of_top(objective, nullptr, H2.cols()) / (eta1 * eta2);
  // [DKPCA] (A.5), (A.6): with s_2 / eta_2^2 where s_2 / eta_2 is printed.
  bounds.upper = least >= 0.0 ? root(rest - s2 / (eta2 * eta2) + more) : std::numeric_limits<double>::quiet_NaN();
  return bounds;
}

}  // namespace gramian::deep_pca

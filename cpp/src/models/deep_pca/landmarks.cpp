// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/deep_pca/landmarks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/row_chunks.hpp"
#include "gramian/base/error.hpp"
#include "gramian/eigen.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/eigen_top.hpp"
#include "models/deep_pca/levels.hpp"

namespace gramian::deep_pca {
namespace {

constexpr double tolerance_of_sums = 1e-8, tolerance_of_pairs = 1e-12;
constexpr double least_eigenvalue = 1e-12;  // relative to the largest: smaller ones are rounding
constexpr Index rows_together = 4096;

void check(const Level& level, Index landmarks) {
  require(level.components >= 1, "a level must have at least one component");
  require(level.components <= landmarks, "there are " + std::to_string(level.components) + " components and " +
                                             std::to_string(landmarks) + " landmarks: there can't be more components");
  require(std::isfinite(level.eta) && level.eta != 0.0, "eta must be finite and not 0");
}

template <class Rows>
double trace_of(const Kernel& kernel, const Rows& X, MatrixView<const double> weights) {
  double sum = 0.0;
  for_chunks(X, rows_together, Scalar::float64, [&](const Points& some, Index first) {
    Matrix values(some.size(), 1);
    diagonal(kernel, some, values.view());
    for (Index i = 0; i < values.rows(); ++i) sum += weights.empty() ? values(i, 0) : weights(first + i, 0) * values(i, 0);
  });
  return sum;
}

double total_of(MatrixView<const double> weights, Index samples) {
  if (weights.empty()) return static_cast<double>(samples);
  require_shape(weights, samples, 1, "weights");
  require_finite(weights, "weights");
  double sum = 0.0;
  for (Index i = 0; i < samples; ++i) {
    require(weights(i, 0) >= 0.0, "weights must be 0 or greater");
    sum += weights(i, 0);
  }
  require(sum > 0.0, "weights must not all be 0");
  return sum;
}

/// The sums in the coordinates of a basis: square PhiᵀPhi, right Phiᵀ1.
struct Spectrum {
  Spectrum(const Sums& sums, Index components, bool centred);

  Matrix mean;     ///< of the features, k x 1; zeros unless centred
  Matrix values;   ///< s x 1; zeros where there are no more
  Matrix vectors;  ///< k x s
  double trace;    ///< of the kernel, centred if that was asked for
};

Spectrum::Spectrum(const Sums& sums, Index components, bool centred)
    : mean(Matrix::filled(sums.system.square.rows(), 1, 0.0)),
      values(Matrix::filled(components, 1, 0.0)),
      vectors(Matrix::filled(mean.rows(), components, 0.0)),
      trace(sums.trace) {
  const double n = sums.samples;
  Matrix square = sums.system.square.clone();
  if (centred) {
    as_eigen(mean.view()) = as_eigen(sums.system.right.view()) / n;
    as_eigen(square.view()) -= n * as_eigen(mean.view()) * as_eigen(mean.view()).transpose();
    trace -= n * as_eigen(mean.view()).squaredNorm();
  }
  const Index found = std::min(components, square.rows());
  Matrix largest(found, 1), own(square.rows(), found);
  EigenTopOptions options;
  options.tolerance = tolerance_of_pairs;
  eigen_top(square.view(), largest.view(), own.view(), options);
  for (Index c = 0; c < found && largest(c, 0) > least_eigenvalue * largest(0, 0); ++c) {
    values(c, 0) = largest(c, 0);
    as_eigen(vectors.view()).col(c) = as_eigen(own.view()).col(c);
  }
}

/// h(x) = (phi(x) - mean)ᵀ u / sqrt(value) for the landmarks, and the sums that stand for those over all samples: coefficients
/// T^-T sqrt(value) u of the eigenvectors, T^-T mean of the mean.
Model model_of(const LandmarkBasis& basis, const Spectrum& spectrum, const Level& level, bool centred) {
  const Index m = basis.landmarks(), s = level.components;
  const Eigen::ArrayXd values = as_eigen(spectrum.values.view()).col(0).array(), roots = values.sqrt();
  const Eigen::ArrayXd inverse = (values > 0.0).select(roots.inverse(), 0.0);
  Matrix features(m, s), scaled(basis.rank(), s);
  as_eigen(features.view()) = (as_eigen(basis.features()).rowwise() - as_eigen(spectrum.mean.view()).col(0).transpose()) *
                              (as_eigen(spectrum.vectors.view()) * inverse.matrix().asDiagonal());
  Eigen::RowVectorXd signs = Eigen::RowVectorXd::Ones(s);
  for (Index c = 0; c < s; ++c) {
    Index row = 0;
    as_eigen(features.view()).col(c).cwiseAbs().maxCoeff(&row);
    if (features(row, c) < 0.0) signs(c) = -1.0;
  }
  as_eigen(features.view()) *= signs.asDiagonal();
  as_eigen(scaled.view()) = as_eigen(spectrum.vectors.view()) * (roots.matrix().transpose().cwiseProduct(signs)).asDiagonal();
  Model model;
  model.levels = {level};
  model.centred = centred;
  model.coefficients = Matrix(m, s);
  basis.expand(scaled.view(), model.coefficients.view());
  model.centre = Matrix::filled(m, 1, 0.0);
  basis.expand(spectrum.mean.view(), model.centre.view());
  std::vector<double> eigenvalues, means, offsets;
  for (Index c = 0; c < s; ++c) {
    eigenvalues.push_back(values(c) / level.eta);
    means.push_back(0.0);
    offsets.push_back(as_eigen(scaled.view()).col(c).dot(as_eigen(spectrum.mean.view()).col(0)));
  }
  model.eigenvalues = {std::move(eigenvalues)};
  model.means = {std::move(means)};
  model.offsets = {std::move(offsets)};
  model.features.push_back(std::move(features));
  return model;
}

Fit fit_of(const LandmarkBasis& basis, const Sums& sums, const Level& level, bool centred) {
  const Spectrum spectrum(sums, level.components, centred);
  Fit fit;
  fit.model = model_of(basis, spectrum, level, centred);
  fit.solver = ClosedForm{};
  fit.result.stop_reason = StopReason::gradient;
  fit.result.evaluations = 1;
  fit.result.history.push_back({0, 0.0, 0.0, 0.0, 1});
  const double held = as_eigen(spectrum.values.view()).sum();
  const double trace = spectrum.trace > 0.0 ? spectrum.trace : std::numeric_limits<double>::quiet_NaN();
  fit.state.energy = held / (2.0 * level.eta);
  fit.state.residuals = {0.0};
  fit.state.eigenvalues = fit.model.eigenvalues;
  fit.state.captured = {held};
  fit.state.kernel_traces = {spectrum.trace};
  fit.state.level_traces = {spectrum.trace / level.eta};
  fit.captured_trace = {held / trace};
  fit.explained_variance_ratio.emplace_back();
  for (Index c = 0; c < level.components; ++c) fit.explained_variance_ratio[0].push_back(spectrum.values(c, 0) / trace);
  fit.starts.push_back({0.0, held / trace, StopReason::gradient, 0});
  return fit;
}

template <class Rows>
Fit fit_rows(const Rows& X, const Points& landmarks, const Level& level, bool centred, MatrixView<const double> weights) {
  check(level, landmarks.size());
  require(X.size() > 0, "X has no rows");
  const double total = total_of(weights, X.size());
  const LandmarkFeatures features(level.kernel, landmarks);
  const Matrix ones = Matrix::filled(X.size(), 1, 1.0);
  const Sums sums{features.system(X, weights, ones.view()), trace_of(level.kernel, X, weights), total};
  return fit_of(features.basis(), sums, level, centred);
}

}  // namespace

Fit fit_landmarks(const Points& X, const Points& landmarks, const Level& level, bool centred, MatrixView<const double> weights) {
  return fit_rows(X, landmarks, level, centred, weights);
}

Fit fit_landmarks(const RowSource& X, const Points& landmarks, const Level& level, bool centred,
                  MatrixView<const double> weights) {
  return fit_rows(X, landmarks, level, centred, weights);
}

Fit fit_landmarks(const Sums& sums, const Points& landmarks, const Level& level, bool centred) {
  const Index m = landmarks.size();
  check(level, m);
  require(std::isfinite(sums.samples) && sums.samples > 0.0, "there are no samples");
  require_shape(sums.system.square.view(), m, m, "square");
  require_shape(sums.system.right.view(), m, 1, "right");
  require_finite(sums.system.square.view(), "square");
  require_finite(sums.system.right.view(), "right");
  require_not_negative(sums.trace, "trace");
  const Matrix gram = landmark_gram(level.kernel, landmarks);
  const LandmarkBasis basis(gram.view(), tolerance_of_sums);
  return fit_of(basis, {in_coordinates(basis, sums.system), sums.trace, sums.samples}, level, centred);
}

}  // namespace gramian::deep_pca

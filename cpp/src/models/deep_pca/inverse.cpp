// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "gramian/base/error.hpp"
#include "gramian/eigen.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/median_width.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/layers/composition.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/models/deep_pca/apply.hpp"
#include "kernels/node.hpp"
#include "linalg/tall.hpp"
#include "models/deep_pca/measure.hpp"

namespace gramian::deep_pca {
namespace {

constexpr Index rows_at_once = 512;

void check_level(const View& model, Index level, MatrixView<const double> codes) {
  require(level >= 1 && level <= model.depth(), "level must be one of 1 .. " + std::to_string(model.depth()));
  const Index s = model.features[static_cast<std::size_t>(level - 1)].cols();
  require(codes.cols() == s, "codes have " + std::to_string(codes.cols()) + " columns, level " + std::to_string(level) + " has " +
                                 std::to_string(s) + " components");
}

SampleMeasure measure_of(const View& model) { return {model.samples(), model.weights}; }

/// C H, each row times its weight.
Matrix centred_features(const View& model, Index level) {
  if (!model.coefficients.empty()) return Matrix::copy_of(model.coefficients);
  const SampleMeasure measure = measure_of(model);
  Matrix out = Matrix::copy_of(model.features[static_cast<std::size_t>(level - 1)]);
  if (model.centred) measure.centre(out.view(), out.view());
  measure.repeat(out.view(), out.view());
  return out;
}

/// What the features of a level were made from.
MatrixView<const double> below(const View& model, Index level, MatrixView<const double> training) {
  return level == 1 ? training : model.features[static_cast<std::size_t>(level - 2)];
}

/// phi is the identity: W a = Xᵀ (C H a) / eta, and the mean of X if it was taken away.
Matrix linear_points(const View& model, Index level, MatrixView<const double> codes, MatrixView<const double> X) {
  const Matrix H = centred_features(model, level);
  const double eta = model.levels[static_cast<std::size_t>(level - 1)].eta;
  Matrix out(codes.rows(), X.cols());
  tall_product(codes, tall_cross(H.view(), X) / eta, out.view());
  if (!model.centred) return out;
  const Eigen::RowVectorXd mean = model.centre.empty()
                                      ? measure_of(model).mean(X)
                                      : Eigen::RowVectorXd(as_eigen(model.centre).col(0).transpose() * as_eigen(X));
  as_eigen(out.view()).rowwise() += mean;
  return out;
}

/// With length scales the points are those of a plain Gaussian in units of their own.
Matrix fixed_points(const View& model, Index level, MatrixView<const double> codes, MatrixView<const double> X,
                    const PreimageOptions& options, std::vector<std::uint8_t>& converged) {
  const Kernel::Node& kernel = model.levels[static_cast<std::size_t>(level - 1)].kernel.node();
  Eigen::RowVectorXd scales = Eigen::RowVectorXd::Ones(X.cols());
  std::copy(kernel.length_scales.begin(), kernel.length_scales.end(), scales.data());
  Matrix units(X.rows(), X.cols()), out(codes.rows(), X.cols());
  as_eigen(units.view()) = as_eigen(X) * scales.cwiseInverse().asDiagonal();
  for (Index row = 0; row < codes.rows(); row += rows_at_once) {
    const Index count = std::min(rows_at_once, codes.rows() - row);
    const MatrixView<const double> some(&codes(row, 0), count, codes.cols(), codes.row_stride(), codes.col_stride());
    Matrix weights(count, X.rows());
    deep_pca::weights(model, level, some, weights.view());
    const Preimages found = gaussian_preimages(kernel.parameters[0], units.view(), weights.view(), {}, options);
    for (Index i = 0; i < count; ++i) {
      converged[static_cast<std::size_t>(row + i)] &= found.converged[static_cast<std::size_t>(i)];
    }
    as_eigen(out.view()).middleRows(row, count) = as_eigen(found.points.view()) * scales.asDiagonal();
  }
  return out;
}

double width_of(MatrixView<const double> H, const SampleMeasure& measure) {
  const PointSource features{Points(H)};
  return measure.plain() ? median_gamma(features) : median_gamma(features, measure.numbers());
}

/// Y = k(codes, H) S (S k(H, H) S + alpha I)^-1 S (X - mean) + mean with the roots of the weights on the diagonal of S.
Matrix ridge_points(const View& model, Index level, MatrixView<const double> codes, MatrixView<const double> X, double ridge) {
  require_positive(ridge, "ridge");
  const MatrixView<const double> H = model.features[static_cast<std::size_t>(level - 1)];
  const Index n = H.rows();
  const SampleMeasure measure = measure_of(model);
  const Kernel kernel("gaussian", {width_of(H, measure)});
  Matrix K(n, n), coefficients = Matrix::copy_of(X);
  full(kernel, Points(H), K.view());
  measure.scale(K.view(), K.view());
  measure.scale(transposed(K.view()), transposed(K.view()));
  measure.centre(X, coefficients.view());
  measure.scale(coefficients.view(), coefficients.view());
  as_eigen(K.view()).diagonal().array() += ridge;
  cholesky_in_place(K.view());
  cholesky_solve(std::as_const(K).view(), coefficients.view());
  measure.scale(coefficients.view(), coefficients.view());
  Matrix out(codes.rows(), X.cols());
  product(kernel, Points(codes), Points(H), std::as_const(coefficients).view(), out.view());
  as_eigen(out.view()).rowwise() += measure.mean(X);
  return out;
}

}  // namespace

/// [DKPCA] (A.3): phi_j(h_{j-1}) = W_j h_j, with the coefficients H_j h_j / eta_j as W_j is in (A.1).
void weights(const View& model, Index level, MatrixView<const double> codes, MatrixView<double> weights) {
  check_level(model, level, codes);
  require_shape(weights, codes.rows(), model.samples(), "weights");
  const Matrix H = centred_features(model, level);
  const double eta = model.levels[static_cast<std::size_t>(level - 1)].eta;
  const SampleMeasure measure = measure_of(model);
  as_eigen(weights).setConstant(model.centred ? 1.0 / measure.total() : 0.0);
  measure.repeat(transposed(weights), transposed(weights));
  if (!model.centre.empty()) as_eigen(weights).rowwise() = as_eigen(model.centre).col(0).transpose();
  if (!weights.empty()) gemm(1.0 / eta, codes, transposed(H.view()), 1.0, weights);
}

/// [DKPCA] (10): from one level to the one below it, down to the input.
LevelPreimages inverse_transform(const View& model, Index level, MatrixView<const double> codes,
                                 MatrixView<const double> training, const InverseOptions& options) {
  check_level(model, level, codes);
  require(training.rows() == model.samples(), "training must be the samples that the model was fitted to");
  LevelPreimages found;
  found.converged.assign(static_cast<std::size_t>(codes.rows()), 1);
  Matrix at = Matrix::copy_of(codes);
  for (Index l = level; l >= 1; --l) {
    const Kernel& kernel = model.levels[static_cast<std::size_t>(l - 1)].kernel;
    const KernelTraits traits = kernel.traits();
    require(options.method != Inverse::fixed_point || traits.proportional_slope || traits.inner_product,
            "fixed_point needs Gaussian kernels, level " + std::to_string(l) + " has another one: choose ridge");
    const MatrixView<const double> X = below(model, l, training);
    const bool ridge = options.method == Inverse::ridge || !(traits.inner_product || traits.proportional_slope);
    Matrix points = ridge                  ? ridge_points(model, l, at.view(), X, options.ridge)
                    : traits.inner_product ? linear_points(model, l, at.view(), X)
                                           : fixed_points(model, l, at.view(), X, options.fixed_point, found.converged);
    if (l > 1) found.levels.push_back(points.clone());
    at = std::move(points);
  }
  found.points = std::move(at);
  return found;
}

}  // namespace gramian::deep_pca

// SPDX-License-Identifier: BSD-3-Clause
#include "models/dependency/weighted.hpp"

#include <cmath>
#include <numeric>

#include "gram/source.hpp"
#include "gramian/eigen.hpp"

namespace gramian::dependency {
namespace {

Eigen::Map<const Eigen::VectorXd> vector_of(const std::vector<double>& numbers) {
  return {numbers.data(), static_cast<Eigen::Index>(numbers.size())};
}

Matrix scaled(const GramSource& source, const std::vector<double>& roots) {
  Matrix buffer;
  const MatrixView<const double> K = whole(source, buffer);
  Matrix out(K.rows(), K.cols());
  as_eigen(out.view()) = vector_of(roots).asDiagonal() * as_eigen(K) * vector_of(roots).asDiagonal();
  return out;
}

/// Row i of A is divided by the root of sample rows[i].
void divide_rows(Matrix& A, const std::vector<double>& roots, const std::vector<Index>& rows) {
  for (Index i = 0; i < A.rows(); ++i) {
    as_eigen(A.view()).row(i) /= roots[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])];
  }
}

}  // namespace

WeightedSamples::WeightedSamples(const GramSource& inputs, const GramSource& outputs, const std::vector<double>& weights)
    : mean_(std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size())) {
  for (const double weight : weights) roots_.push_back(std::sqrt(weight));
  k_ = scaled(inputs, roots_);
  L_ = scaled(outputs, roots_);
}

Options WeightedSamples::options(Options given) const {
  given.weights.clear();
  given.lambda *= mean_;
  for (double& lambda : given.lambdas) lambda *= mean_;
  if (auto* conditional = std::get_if<ConditionalOperator>(&given.output_operator)) conditional->epsilon *= mean_;
  return given;
}

void WeightedSamples::finish(Fit& fit) const {
  Model& model = fit.model;
  if (model.input_supports.empty()) {
    const auto roots = vector_of(roots_).asDiagonal();
    as_eigen(model.coefficients.view()) = roots * as_eigen(model.coefficients.view()) * roots;
    if (!model.components.empty()) as_eigen(model.components.view()) = roots * as_eigen(model.components.view());
  } else {
    divide_rows(model.input_factor, roots_, model.input_supports);
    divide_rows(model.output_factor, roots_, model.output_supports);
  }
  fit.lambda /= mean_;
  for (double& criterion : fit.criteria) criterion /= mean_;
}

}  // namespace gramian::dependency

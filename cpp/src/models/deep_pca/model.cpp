// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_pca/model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "gramian/eigen.hpp"
#include "gramian/linalg/eigen_symmetric.hpp"
#include "kernels/node.hpp"
#include "models/deep_pca/levels.hpp"
#include "models/deep_pca/start.hpp"

namespace gramian::deep_pca {
namespace {

/// A kernel with length scales tells its features apart.
bool has_scales(const Kernel& kernel) {
  const Kernel::Node& node = kernel.node();
  return !node.length_scales.empty() || std::any_of(node.children.begin(), node.children.end(), has_scales);
}

constexpr double equal_eigenvalues = 1e-10;  ///< relative to the largest: what rounding makes of equal ones

/// The order of falling values. Equal ones stay as they are: linear levels have many.
std::vector<Index> falling(const std::vector<double>& values, bool keep) {
  std::vector<Index> order(values.size());
  std::iota(order.begin(), order.end(), Index(0));
  if (keep) return order;
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return values[static_cast<std::size_t>(a)] > values[static_cast<std::size_t>(b)]; });
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::fabs(value));
  const auto value = [&](auto at) { return values[static_cast<std::size_t>(*at)]; };
  for (auto first = order.begin(), last = first; first != order.end(); first = last) {
    while (last != order.end() && value(first) - value(last) <= equal_eigenvalues * most) ++last;
    std::sort(first, last);
  }
  return order;
}

std::vector<double> numbers_of(const Eigen::RowVectorXd& row) { return {row.data(), row.data() + row.size()}; }

/// <h_c, (K_j h)_c> / eta_j
std::vector<double> own_eigenvalues(TrainingObjective& objective, const double* x, Index j) {
  const MatrixView<const double> H = objective.manifold().block(x, j);
  Matrix product(H.rows(), H.cols());
  objective.product(x, j + 1, H, product.view());
  const double eta = objective.levels()[static_cast<std::size_t>(j)].eta;
  return numbers_of(as_eigen(H).cwiseProduct(as_eigen(product.view())).colwise().sum() / eta);
}

std::vector<double> means_of(const Matrix& H, const SampleMeasure& measure, bool centred) {
  return centred ? numbers_of(measure.mean(H.view())) : std::vector<double>(static_cast<std::size_t>(H.cols()), 0.0);
}

/// (C H_j)ᵀ K_j 1 / n. The features of the model are in an order of their own, so K_j is asked for at x, whose kernels see no
/// difference.
std::vector<double> offsets_of(TrainingObjective& objective, const double* x, Index j, const Matrix& H) {
  if (!objective.options().centred) return std::vector<double>(static_cast<std::size_t>(H.cols()), 0.0);
  const SampleMeasure measure = measure_of(objective);
  const Matrix ones = measure.ones();
  Matrix sums(H.rows(), 1), centred(H.rows(), H.cols());
  objective.uncentred_product(x, j + 1, ones.view(), sums.view());
  measure.scale(H.view(), centred.view());
  measure.centre_scaled(centred.view(), centred.view());
  return numbers_of(as_eigen(sums.view()).col(0).transpose() * as_eigen(centred.view()) / measure.total());
}

/// K_1 H_1 / eta_1, a row for each sample.
Matrix inputs_of(TrainingObjective& objective, const double* x, const Matrix& H) {
  const SampleMeasure measure = measure_of(objective);
  Matrix inputs(H.rows(), H.cols()), scaled(H.rows(), H.cols());
  measure.scale(H.view(), scaled.view());
  objective.product(x, 1, scaled.view(), inputs.view());
  measure.unscale(inputs.view(), inputs.view());
  as_eigen(inputs.view()) /= objective.levels().front().eta;
  return inputs;
}

}  // namespace

Model make_model(TrainingObjective& objective, const double* x, const State& state, bool coupled) {
  Model model;
  const SampleMeasure measure = measure_of(objective);
  model.weights = Matrix::copy_of(measure.weights());
  model.levels = objective.levels();
  model.centred = objective.options().centred;
  model.coupled = coupled;
  for (Index j = 0; j < model.depth(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    const std::vector<double> values = coupled ? state.eigenvalues[at] : own_eigenvalues(objective, x, j);
    const std::vector<Index> order = falling(values, j + 1 < model.depth() && has_scales(model.levels[at + 1].kernel));
    const MatrixView<const double> from = objective.manifold().block(x, j);
    Matrix H(from.rows(), from.cols());
    std::vector<double> sorted;
    for (Index c = 0; c < H.cols(); ++c) {
      const Index which = order[static_cast<std::size_t>(c)];
      as_eigen(H.view()).col(c) = as_eigen(from).col(which);
      sorted.push_back(values[static_cast<std::size_t>(which)]);
    }
    measure.unscale(H.view(), H.view());
    fix_signs(H.view());
    model.means.push_back(means_of(H, measure, model.centred));
    model.offsets.push_back(offsets_of(objective, x, j, H));
    model.features.push_back(std::move(H));
    model.eigenvalues.push_back(std::move(sorted));
  }
  if (coupled && !has_closed_form(model.levels)) model.inputs = inputs_of(objective, x, model.features.front());
  return model;
}

}  // namespace gramian::deep_pca

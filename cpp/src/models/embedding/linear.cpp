// SPDX-License-Identifier: BSD-3-Clause
#include "models/embedding/linear.hpp"

#include <cmath>
#include <string>

#include "gramian/base/error.hpp"
#include "kernels/node.hpp"
#include "base/view_ops.hpp"

namespace gramian::embedding {

LinearFeatures::LinearFeatures(const Kernel& kernel, Index inputs)
    : inputs_(inputs), scales_(static_cast<std::size_t>(inputs)), X_(nullptr, 0, 0) {
  require(kernel.traits().explicit_features, "a linear kernel is needed, or a multiple of one");
  for (const Kernel* k = &kernel; k->node().kind == NodeKind::multiple; k = &k->node().children[0]) ++factors_;
  for (const double parameter : kernel.parameters()) start_.push_back(std::log(parameter));
  const std::size_t lengths = start_.size() - factors_;
  require(lengths == 0 || lengths == scales_.size(), "the kernel has " + std::to_string(lengths) + " length scales for " +
                                                         std::to_string(inputs) + " features of X: there must be one for each");
}

void LinearFeatures::set_scales(const double* theta) {
  double half = 0.0;  // log sqrt(c)
  for (std::size_t p = 0; p < factors_; ++p) half += 0.5 * theta[p];
  const bool lengths = start_.size() > factors_;
  for (std::size_t j = 0; j < scales_.size(); ++j) scales_[j] = std::exp(half - (lengths ? theta[factors_ + j] : 0.0));
}

void LinearFeatures::forward(const double* theta, MatrixView<const double> X, MatrixView<double> Z, const FeaturePass&) {
  set_scales(theta);
  X_ = X;
  for_entries(Z, [&](Index i, Index j) { Z(i, j) = X(i, j) * scales_[static_cast<std::size_t>(j)]; });
}

/// sum_i Zbar_ij Z_ij is the derivative in log scale_j, which is half the sum of the logs of the factors, minus log l_j.
void LinearFeatures::reverse(MatrixView<const double> Zbar, double* theta_bar) {
  std::vector<double> slopes(scales_.size(), 0.0);
  for (Index i = 0; i < Zbar.rows(); ++i) {
    for (Index j = 0; j < inputs_; ++j) slopes[static_cast<std::size_t>(j)] += Zbar(i, j) * X_(i, j);
  }
  double sum = 0.0;
  for (std::size_t j = 0; j < slopes.size(); ++j) sum += slopes[j] *= scales_[j];
  for (std::size_t p = 0; p < start_.size(); ++p) theta_bar[p] = p < factors_ ? 0.5 * sum : -slopes[p - factors_];
}

void LinearFeatures::to_unit_vectors(const double* theta, MatrixView<double> W) {
  set_scales(theta);
  for_entries(W, [&](Index j, Index c) { W(j, c) /= scales_[static_cast<std::size_t>(j)]; });
}

Matrix unit_vectors(Index d) {
  Matrix out = Matrix::filled(d, d, 0.0);
  for (Index j = 0; j < d; ++j) out(j, j) = 1.0;
  return out;
}

}  // namespace gramian::embedding

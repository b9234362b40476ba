// SPDX-License-Identifier: BSD-3-Clause
#include "models/layered/start.hpp"

#include <algorithm>

#include "base/view_ops.hpp"
#include "gram/rows.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/median_width.hpp"
#include "gramian/kernels/width.hpp"
#include "gramian/layers/ridge_output.hpp"

namespace gramian {
namespace {

/// Of the ridge that the last layer begins with, relative to the mean of k(x, x) and to a mean of losses. With less of it
/// coefficients are residuals over a small n lambda: so large that codes can't move without spoiling what they were fitted to,
/// and joint training stands still.
constexpr double least_ridge = 1e-2;

double mean_square(const Kernel& kernel, MatrixView<const double> points) {
  Matrix squares(points.rows(), 1);
  diagonal(kernel, Points(points), squares.view());
  double mean = 0.0;
  for (Index i = 0; i < points.rows(); ++i) mean += squares(i, 0) / static_cast<double>(points.rows());
  return mean;
}

}  // namespace

std::vector<KernelLayer> given_layers(const std::vector<LayerPlan>& plans) {
  std::vector<KernelLayer> out;
  for (const LayerPlan& plan : plans) out.push_back({plan.terms, plan.penalty});
  return out;
}

LayerTerm open_term(const LayerPlan& plan, const PointSource& inputs) {
  const Index features = inputs.inner() ? 1 : inputs.points().dimension();
  const Kernel kernel = with_width(plan.open, median_gamma(inputs), features);
  return {kernel, plan.A.value_or(OutputOperator::identity(plan.outputs))};
}

RandomStream start_stream(std::uint64_t seed, Index start, Index l) {
  return RandomStream(seed, (std::uint64_t(1) << 40) + static_cast<std::uint64_t>(start * 1024 + l));
}

std::vector<Index> samples_of(const std::vector<Index>& landmarks, const std::vector<Index>& supports) {
  return landmarks.empty() ? supports : picked(landmarks, supports);
}

void put_rows(const std::vector<Index>& rows, MatrixView<const double> from, MatrixView<double> to) {
  fill_zero(to);
  for (Index i = 0; i < from.rows(); ++i) {
    for (Index j = 0; j < to.cols(); ++j) to(rows[at(i)], j) = from(i, j);
  }
}

std::optional<Kernel> mixture(const KernelLayer& layer, FunctionRef<double(const OutputOperator&)> weight) {
  std::optional<Kernel> sum;
  for (const LayerTerm& term : layer.terms) {
    const double own = weight(term.A);
    if (!(own > 0.0)) continue;
    const Kernel part = own == 1.0 ? term.kernel : own * term.kernel;
    sum = sum ? *sum + part : part;
  }
  return sum;
}

std::optional<Kernel> average_mixture(const KernelLayer& layer) {
  const double outputs = static_cast<double>(layer.outputs());
  return mixture(layer, [&](const OutputOperator& A) { return A.trace() / outputs; });
}

void solve_last(const LayeredTask& task, Composition& layers, const std::vector<Index>& rows, bool all_samples,
                const std::optional<Kernel>& mixed, double* flat) {
  const Index L = task.depth(), m = layers.supports();
  const MatrixView<double> Phi = layers.coefficients(flat, L);
  fill_zero(Phi);
  layers.forward(flat);
  const Matrix codes = picked(layers.support(L - 1), rows);
  KernelLayer last = task.layers.back();
  const bool identity = last.terms.size() == 1 && last.terms.front().A.form() == OutputOperator::Form::identity;
  if (last.terms.size() > 1) last = KernelLayer::scalar(mixed.value_or(last.terms.front().kernel), last.outputs(), 0.0);
  const double share = task.mean ? 1.0 : static_cast<double>(codes.rows());
  const double least = least_ridge * share * mean_square(last.terms.front().kernel, codes.view());
  last.penalty = std::max({task.slope(L, 1.0), least, 1e-300});
  const RidgeOutputOptions options{!task.mean};
  if (all_samples && identity && m < layers.samples() && m <= subsample_rows) {
    RidgeOutput ridge(last, task.targets, codes.cols(), options);
    ridge.evaluate(layers.output(L - 1), layers.support(L - 1), {}, {});
    return copy_rows(ridge.coefficients(), Phi);
  }
  const Matrix wanted = picked(task.targets, samples_of(task.landmarks, rows));
  RidgeOutput ridge(last, wanted.view(), codes.cols(), options);
  ridge.evaluate(codes.view(), {});
  put_rows(rows, ridge.coefficients(), Phi);
}

}  // namespace gramian

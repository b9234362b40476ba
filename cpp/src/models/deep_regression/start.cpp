// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_regression/start.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/view_ops.hpp"
#include "gram/source.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/median_width.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/eigen_symmetric.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"

namespace gramian {
namespace {

/// Of the ridges that layers are fitted with where they begin, relative to the mean of k(x, x): rough, but with small norms.
constexpr double inner_ridge = 1e-3;
constexpr double last_ridge = 1e-2;

std::vector<double> column_means(MatrixView<const double> X) {
  std::vector<double> means(static_cast<std::size_t>(X.cols()));
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < X.cols(); ++j) means[static_cast<std::size_t>(j)] += X(i, j) / static_cast<double>(X.rows());
  }
  return means;
}

/// The leading `count` principal components of the rows; their covariance is small.
Matrix principal(MatrixView<const double> X, Index count) {
  const Index d = X.cols();
  const std::vector<double> means = column_means(X);
  Matrix centred = Matrix::copy_of(X), covariance(d, d), values(d, 1), V(d, d), out(X.rows(), count);
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < d; ++j) centred(i, j) -= means[static_cast<std::size_t>(j)];
  }
  gemm_symmetric(1.0, transposed(MatrixView<const double>(centred.view())), 0.0, covariance.view());
  eigen_symmetric(covariance.view(), values.view(), V.view(), EigenOrder::descending);
  const MatrixView<const double> leading(V.data(), d, count, d, 1);
  gemm(1.0, centred.view(), leading, 0.0, out.view());
  return out;
}

/// What `outputs` images should be for these inputs of a layer: themselves, and 0 for images that are more than these.
Matrix identity_of(MatrixView<const double> X, Index outputs) {
  if (outputs < X.cols()) return principal(X, outputs);
  Matrix out = Matrix::filled(X.rows(), outputs, 0.0);
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < X.cols(); ++j) out(i, j) = X(i, j);
  }
  return out;
}

/// The kernel of one output, if outputs do not mix: sum_m a_m(j) k_m. Else of the average output.
std::optional<Kernel> kernel_of_output(const KernelLayer& layer, Index j) {
  std::optional<Kernel> sum;
  const bool mixed = std::any_of(layer.terms.begin(), layer.terms.end(),
                                 [](const LayerTerm& term) { return term.A.form() == OutputOperator::Form::full; });
  for (const LayerTerm& term : layer.terms) {
    const double own = term.A.eigenvalues()[static_cast<std::size_t>(j)];
    const double weight = mixed ? term.A.trace() / static_cast<double>(layer.outputs()) : own;
    if (!(weight > 0.0)) continue;
    const Kernel part = weight == 1.0 ? term.kernel : weight * term.kernel;
    sum = sum ? *sum + part : part;
  }
  return sum;
}

bool same_kernel(const KernelLayer& layer, Index i, Index j) {
  return std::all_of(layer.terms.begin(), layer.terms.end(), [&](const LayerTerm& term) {
    const std::vector<double>& a = term.A.eigenvalues();
    return term.A.form() == OutputOperator::Form::full || a[static_cast<std::size_t>(i)] == a[static_cast<std::size_t>(j)];
  });
}

/// Phi of a layer on some of its inputs: column j = solve(the factor L of K_j + ridge, column j of T). T is overwritten.
template <class Solve>
void solve_columns(const PickedRows& rows, const KernelLayer& layer, MatrixView<double> T, double ridge, Solve solve) {
  const Index n = rows.size();
  Matrix K(n, n);
  for (Index j = 0, next = 0; j < T.cols(); j = next) {
    next = j + 1;
    while (next < T.cols() && same_kernel(layer, j, next)) ++next;
    const MatrixView<double> columns(T.data() + j * T.col_stride(), n, next - j, T.row_stride(), T.col_stride());
    const std::optional<Kernel> kernel = kernel_of_output(layer, j);
    if (!kernel) continue;
    full(*kernel, rows.source(), K.view());
    double mean = 0.0;
    for (Index i = 0; i < n; ++i) mean += K(i, i) / static_cast<double>(n);
    for (Index i = 0; i < n; ++i) K(i, i) += ridge * mean;
    cholesky_in_place(K.view());
    solve(MatrixView<const double>(K.view()), columns);
  }
}

void approximate(const PickedRows& rows, const KernelLayer& layer, MatrixView<double> T) {
  solve_columns(rows, layer, T, inner_ridge, [](MatrixView<const double> L, MatrixView<double> B) { cholesky_solve(L, B); });
}

/// f = L z has the covariance K, and its coefficients are L^-T z.
void draw(const PickedRows& rows, const KernelLayer& layer, const RandomStream& stream, double scale, MatrixView<double> T) {
  stream.fill_normal(T);
  for (Index i = 0; i < T.rows(); ++i) {
    for (Index j = 0; j < T.cols(); ++j) T(i, j) *= scale;
  }
  solve_columns(rows, layer, T, 1e-10, [](MatrixView<const double> L, MatrixView<double> B) { solve_lower_transposed(L, B); });
}

void put(const std::vector<Index>& rows, const Matrix& from, MatrixView<double> to) {
  for (Index i = 0; i < to.rows(); ++i) {
    for (Index j = 0; j < to.cols(); ++j) to(i, j) = 0.0;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (Index j = 0; j < to.cols(); ++j) to(rows[i], j) = from(static_cast<Index>(i), j);
  }
}

/// Of the landmarks, or of all samples where there are none.
std::vector<Index> samples_of(const std::vector<Index>& landmarks, std::vector<Index> rows) {
  return landmarks.empty() ? rows : picked(landmarks, rows);
}

bool dense(const PointSource& input) { return !input.inner() && !input.points().sparse(); }

}  // namespace

RandomStream DeepStart::stream(Index start, Index l) const {
  return RandomStream(task_.options.seed, (std::uint64_t(1) << 40) + static_cast<std::uint64_t>(start * 1024 + l));
}

std::vector<double> DeepStart::make(Index start, Composition& layers) const {
  const DeepVariables variables(features_, layers);
  std::vector<double> x(static_cast<std::size_t>(variables.size())), flat(static_cast<std::size_t>(layers.coefficient_count()));
  if (task_.depth() == 1) return x;  // of a problem that has one minimum
  const bool identity = start == 0 && task_.options.start_at_identity;
  first_layer(start, identity && dense(task_.samples.input()), layers, x, flat.data());
  for (Index l = 2; l < task_.depth(); ++l) inner_layer(l, start, identity, layers, flat.data());
  if (task_.joint) last_layer(layers, flat.data());
  variables.take_rest(flat.data(), x.data());
  return x;
}

void DeepStart::first_layer(Index start, bool identity, Composition& layers, std::vector<double>& x, double* flat) const {
  const KernelLayer& layer = task_.layers.front();
  const std::vector<Index>& landmarks = task_.samples.landmarks();
  const Index m = layers.supports();
  const MatrixView<double> Phi = layers.coefficients(flat, 1);
  const RandomStream random = stream(start, 1);
  const double scale = task_.options.start_scale;
  if (features_ != nullptr) {
    const Index count = features_->size();
    if (identity) {
      const Matrix X = picked(task_.samples.input().points().float64(), samples_of(landmarks, some_rows(m, m)));
      features_->approximate(identity_of(X.view(), layer.outputs()).view(), x.data());
    } else {
      for (Index i = 0; i < count; ++i) x[static_cast<std::size_t>(i)] = scale * random.normal(static_cast<std::uint64_t>(i));
    }
    return features_->expand(x.data(), Phi);
  }
  if (!identity && task_.parameters() == InnerParameters::coefficients) {
    random.fill_normal(Phi);
    for (Index i = 0; i < m * Phi.cols(); ++i) flat[i] *= scale / std::sqrt(static_cast<double>(m));
  } else {
    const std::vector<Index> some = some_rows(m), samples = samples_of(landmarks, some);
    const PickedRows rows(task_.samples.input(), samples);
    Matrix T(rows.size(), layer.outputs());
    if (identity) {
      T = identity_of(picked(task_.samples.input().points().float64(), samples).view(), layer.outputs());
      approximate(rows, layer, T.view());
    } else {
      draw(rows, layer, random, scale, T.view());
    }
    put(some, T, Phi);
  }
  std::copy_n(flat, m * Phi.cols(), x.data());
}

void DeepStart::inner_layer(Index l, Index start, bool identity, Composition& layers, double* flat) const {
  const KernelLayer& layer = task_.layers[static_cast<std::size_t>(l - 1)];
  layers.forward(flat);
  const std::vector<Index> some = some_rows(layers.supports());
  Matrix images = picked(layers.support(l - 1), some);
  Matrix T(images.rows(), layer.outputs());
  if (identity) T = identity_of(images.view(), layer.outputs());
  const PickedRows rows(std::move(images));
  identity ? approximate(rows, layer, T.view()) : draw(rows, layer, stream(start, l), task_.options.start_scale, T.view());
  put(some, T, layers.coefficients(flat, l));
}

/// The squared loss, whatever the loss is: it is solved for, and its solution is not far from that of others.
void DeepStart::last_layer(Composition& layers, double* flat) const {
  const Index L = task_.depth();
  layers.forward(flat);
  const std::vector<Index> some = some_rows(layers.supports());
  const Matrix images = picked(layers.support(L - 1), some);
  const Matrix targets = picked(task_.samples.targets(), samples_of(task_.samples.landmarks(), some));
  KernelLayer last = task_.layers.back();
  if (last.terms.size() > 1) last = KernelLayer::scalar(*kernel_of_output(last, 0), last.outputs(), 0.0);
  Matrix squares(images.rows(), 1);
  diagonal(last.terms.front().kernel, Points(images.view()), squares.view());
  double mean = 0.0;
  for (Index i = 0; i < images.rows(); ++i) mean += squares(i, 0) / static_cast<double>(images.rows());
  last.penalty = std::max({task_.slope(L, 1.0), last_ridge * static_cast<double>(images.rows()) * mean, 1e-300});
  RidgeOutputOptions options;
  options.sum = true;
  RidgeOutput ridge(last, targets.view(), images.cols(), options);
  ridge.evaluate(images.view(), {});
  put(some, Matrix::copy_of(ridge.coefficients()), layers.coefficients(flat, L));
}

std::vector<KernelLayer> decided_layers(const DeepSamples& samples, const std::vector<DeepRegressionLayer>& layers,
                                        const DeepRegressionOptions& options) {
  std::vector<KernelLayer> out;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    out.push_back({layers[l].terms, layers[l].penalty});
    if (!layers[l].terms.empty()) continue;
    double gamma = 1.0;
    if (l == 0) {
      gamma = median_gamma(samples.input());
    } else {
      // The layers below, as the first start has them.
      DeepTask below{samples, options, {out.begin(), out.end() - 1}, std::vector<std::shared_ptr<Penalty>>(l), true};
      below.layers.push_back(KernelLayer::scalar(Kernel("linear", {}), 1, 1.0));
      below.thetas.emplace_back();
      below.joint = false;
      Composition inner(samples.input(), {out.begin(), out.end() - 1}, {samples.landmarks(), options.memory_budget});
      const std::shared_ptr<const FeatureCoordinates> features = first_features(below, inner);
      const DeepStart start(below, features);
      const std::vector<double> x = start.make(0, inner);
      std::vector<double> flat(static_cast<std::size_t>(inner.coefficient_count()));
      DeepVariables(features, inner).expand(x.data(), flat.data());
      inner.forward(flat.data());
      gamma = median_gamma(Points(inner.support(inner.depth())));
    }
    out.back().terms.push_back({Kernel("gaussian", {gamma}), OutputOperator::identity(layers[l].outputs)});
  }
  return out;
}

std::shared_ptr<const FeatureCoordinates> first_features(const DeepTask& task, const Composition& layers) {
  constexpr Index most = 1000;
  const InnerParameters wanted = task.parameters();
  if (wanted == InnerParameters::coefficients) return nullptr;
  const std::vector<Index>& landmarks = task.samples.landmarks();
  std::optional<PickedRows> chosen;
  if (!landmarks.empty()) chosen.emplace(task.samples.input(), landmarks);
  const PointSource& supports = chosen ? chosen->source() : task.samples.input();
  const Index limit = wanted == InnerParameters::features ? layers.supports() : most;
  const std::shared_ptr<const FeatureCoordinates> made = FeatureCoordinates::make(task.layers.front(), supports, limit);
  require(made != nullptr || wanted == InnerParameters::automatic,
          "parameters: features are for terms of layer 1 that share no output; choose automatic or coefficients");
  return made;
}

}  // namespace gramian

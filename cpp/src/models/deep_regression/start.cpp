// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_regression/start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/view_ops.hpp"
#include "gram/source.hpp"
#include "gramian/base/error.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/eigen_symmetric.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "models/layered/start.hpp"
#include "optim/infinite_outside.hpp"

namespace gramian::deep_regression {
namespace {

/// Of the ridges that inner layers are fitted with where they begin, relative to the mean of k(x, x): rough, but with small
/// norms.
constexpr double inner_ridge = 1e-3;

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
  const bool mixed = std::any_of(layer.terms.begin(), layer.terms.end(),
                                 [](const LayerTerm& term) { return term.A.form() == OutputOperator::Form::full; });
  if (mixed) return average_mixture(layer);
  return mixture(layer, [&](const OutputOperator& A) { return A.eigenvalues()[at(j)]; });
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

bool dense(const PointSource& input) { return !input.inner() && !input.points().sparse(); }

/// Whether some columns spread a hundred times wider than others.
bool uneven(MatrixView<const double> X) {
  double narrowest = std::numeric_limits<double>::infinity(), widest = 0.0;
  for (Index k = 0; k < X.cols(); ++k) {
    const double spread = spread_of(X, k);
    if (spread > 0.0) narrowest = std::min(narrowest, spread);
    widest = std::max(widest, spread);
  }
  return widest >= 100.0 * narrowest;
}

bool constant_diagonal(const Kernel& kernel, const Points& points) {
  Matrix squares(points.size(), 1);
  diagonal(kernel, points, squares.view());
  const auto [least, most] = std::minmax_element(squares.data(), squares.data() + squares.size());
  return *most - *least <= 1e-8 * *most;
}

/// What is asked for; instead of automatic, coefficients where nothing else is better conditioned.
InnerParameters inner_parameters(const LayeredTask& task, InnerParameters asked) {
  const bool open = asked == InnerParameters::automatic && !task.input.inner() && !task.input.points().sparse();
  if (!open || !uneven(task.input.points().float64())) return asked;
  const std::vector<LayerTerm>& terms = task.layers.front().terms;
  const bool distances = std::all_of(terms.begin(), terms.end(),
                                     [&](const LayerTerm& term) { return constant_diagonal(term.kernel, task.input.points()); });
  return distances ? asked : InnerParameters::coefficients;
}

}  // namespace

std::vector<double> Starts::make(Index start, Composition& layers) const {
  const LayeredVariables variables(features_, layers);
  std::vector<double> x(static_cast<std::size_t>(variables.size())), flat(static_cast<std::size_t>(layers.coefficient_count()));
  if (task_.depth() == 1) return x;  // of a problem that has one minimum
  const bool identity = start == 0 && options_.start_at_identity;
  first_layer(start, identity && dense(task_.input), layers, x, flat.data());
  for (Index l = 2; l < task_.depth(); ++l) inner_layer(l, start, identity, layers, flat.data());
  if (task_.joint) {
    solve_last(task_, layers, some_rows(layers.supports()), false, kernel_of_output(task_.layers.back(), 0), flat.data());
  }
  variables.take_rest(flat.data(), x.data());
  return x;
}

std::optional<std::vector<double>> Starts::try_make(Index start, Composition& layers) const {
  std::optional<std::vector<double>> x;
  infinite_outside([&] { return x = make(start, layers), 0.0; });
  return x;
}

void Starts::first_layer(Index start, bool identity, Composition& layers, std::vector<double>& x, double* flat) const {
  const KernelLayer& layer = task_.layers.front();
  const std::vector<Index>& landmarks = task_.landmarks;
  const Index m = layers.supports();
  const MatrixView<double> Phi = layers.coefficients(flat, 1);
  const RandomStream random = start_stream(options_.seed, start, 1);
  const double scale = options_.init_scale;
  if (features_ != nullptr) {
    const Index count = features_->size();
    if (identity) {
      const Matrix X = picked(task_.input.points().float64(), samples_of(landmarks, some_rows(m, m)));
      features_->approximate(identity_of(X.view(), layer.outputs()).view(), x.data());
    } else {
      for (Index i = 0; i < count; ++i) x[static_cast<std::size_t>(i)] = scale * random.normal(static_cast<std::uint64_t>(i));
    }
    return features_->expand(x.data(), Phi);
  }
  if (!identity && inner_parameters(task_, options_.parameters) == InnerParameters::coefficients) {
    random.fill_normal(Phi);
    for (Index i = 0; i < m * Phi.cols(); ++i) flat[i] *= scale / std::sqrt(static_cast<double>(m));
  } else {
    const std::vector<Index> some = some_rows(m), samples = samples_of(landmarks, some);
    const PickedRows rows(task_.input, samples);
    Matrix T(rows.size(), layer.outputs());
    if (identity) {
      T = identity_of(picked(task_.input.points().float64(), samples).view(), layer.outputs());
      approximate(rows, layer, T.view());
    } else {
      draw(rows, layer, random, scale, T.view());
    }
    put_rows(some, T.view(), Phi);
  }
  std::copy_n(flat, m * Phi.cols(), x.data());
}

void Starts::inner_layer(Index l, Index start, bool identity, Composition& layers, double* flat) const {
  const KernelLayer& layer = task_.layers[static_cast<std::size_t>(l - 1)];
  layers.forward(flat);
  const std::vector<Index> some = some_rows(layers.supports());
  Matrix images = picked(layers.support(l - 1), some);
  Matrix T(images.rows(), layer.outputs());
  if (identity) T = identity_of(images.view(), layer.outputs());
  const PickedRows rows(std::move(images));
  identity ? approximate(rows, layer, T.view())
           : draw(rows, layer, start_stream(options_.seed, start, l), options_.init_scale, T.view());
  put_rows(some, T.view(), layers.coefficients(flat, l));
}

std::vector<KernelLayer> decided_layers(const DistinctSamples& samples, const std::vector<LayerPlan>& layers,
                                        const Options& options) {
  std::vector<KernelLayer> out;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    out.push_back({layers[l].terms, layers[l].penalty});
    if (!layers[l].terms.empty()) continue;
    if (l == 0) {
      out.back().terms.push_back(open_term(layers[l], samples.input()));
    } else {
      // The layers below, as the first start has them.
      LayeredTask below{samples.input(), samples.targets(), samples.landmarks()};
      below.layers.assign(out.begin(), out.end() - 1);
      below.layers.push_back(KernelLayer::scalar(Kernel("linear", {}), 1, 1.0));
      below.thetas.resize(l + 1);
      Composition inner(samples.input(), {out.begin(), out.end() - 1}, {samples.landmarks(), options.memory_budget});
      const std::shared_ptr<const FeatureCoordinates> features = first_features(below, options.parameters);
      const std::vector<double> x = Starts(below, options, features).make(0, inner);
      std::vector<double> flat(static_cast<std::size_t>(inner.coefficient_count()));
      LayeredVariables(features, inner).expand(x.data(), flat.data());
      inner.forward(flat.data());
      out.back().terms.push_back(open_term(layers[l], Points(inner.support(inner.depth()))));
    }
  }
  return out;
}

std::shared_ptr<const FeatureCoordinates> first_features(const LayeredTask& task, InnerParameters asked) {
  constexpr Index most = 1000;
  const InnerParameters wanted = inner_parameters(task, asked);
  if (wanted == InnerParameters::coefficients) return nullptr;
  std::optional<PickedRows> chosen;
  if (!task.landmarks.empty()) chosen.emplace(task.input, task.landmarks);
  const PointSource& supports = chosen ? chosen->source() : task.input;
  const Index limit = wanted == InnerParameters::features ? supports.size() : most;
  const std::shared_ptr<const FeatureCoordinates> made = FeatureCoordinates::make(task.layers.front(), supports, limit);
  require(made != nullptr || wanted == InnerParameters::automatic,
          "parameters: features are for terms of layer 1 that share no output; choose automatic or coefficients");
  return made;
}

}  // namespace gramian::deep_regression

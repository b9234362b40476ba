// SPDX-License-Identifier: BSD-3-Clause
#include "models/autoencoder/start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "base/view_ops.hpp"
#include "gram/source.hpp"
#include "gramian/base/random.hpp"
#include "gramian/linalg/eigen_top.hpp"
#include "gramian/linalg/gemm.hpp"

namespace gramian::autoencoder {
namespace {

/// Directions with a smaller part of the largest variance are left out: a function of unit variance along one of them has a norm
/// that a penalty would have to bring down first, or it is made of rounding errors.
constexpr double least_variance = 1e-6;
/// For d columns random starts mix 4 directions more, and again d of them, but not more than this.
constexpr Index more_directions = 16;
/// Columns that no component is left for are small, but not 0: a code that is 0 everywhere has no gradient.
constexpr double filler = 0.1;

/// k of k A; of several terms that of the average output.
Kernel average_kernel(const KernelLayer& layer) {
  if (layer.terms.size() == 1) return layer.terms.front().kernel;
  return average_mixture(layer).value_or(layer.terms.front().kernel);
}

/// Functions T (in columns) become coefficients with Phi A = T U_r^T, U_r an orthonormal basis of the range of A: the codes are
/// turned within that range, and keep their variance where A is regular.
Matrix solve_operator(const OutputOperator& A, const std::vector<Index>& range, const Matrix& T) {
  Matrix Phi = Matrix::filled(T.rows(), A.size(), 0.0);
  for (Index c = 0; c < T.cols(); ++c) {
    const Index which = range[static_cast<std::size_t>(c)];
    const double value = A.eigenvalues()[static_cast<std::size_t>(which)];
    for (Index j = 0; j < A.size(); ++j) {
      const double u = A.eigenvectors().empty() ? (j == which ? 1.0 : 0.0) : A.eigenvectors()(j, which);
      for (Index i = 0; i < T.rows() && u != 0.0; ++i) Phi(i, j) += T(i, c) * u / value;
    }
  }
  return Phi;
}

/// The eigenvalues of A that are not 0 up to rounding.
std::vector<Index> range_of(const OutputOperator& A) {
  const std::vector<double>& values = A.eigenvalues();
  double most = 0.0;
  for (const double value : values) most = std::max(most, value);
  std::vector<Index> range;
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (values[j] > 1e-12 * most) range.push_back(static_cast<Index>(j));
  }
  return range;
}

/// Variances of the columns.
std::vector<double> variances(const Matrix& codes) {
  std::vector<double> out;
  const double n = static_cast<double>(codes.rows());
  for (Index j = 0; j < codes.cols(); ++j) {
    double sum = 0.0, squares = 0.0;
    for (Index i = 0; i < codes.rows(); ++i) sum += codes(i, j);
    for (Index i = 0; i < codes.rows(); ++i) squares += (codes(i, j) - sum / n) * (codes(i, j) - sum / n);
    out.push_back(squares / n);
  }
  return out;
}

/// out = f(these points), of which all support f.
void apply(const KernelLayer& layer, const PointSource& points, MatrixView<const double> Phi, MatrixView<double> out) {
  if (points.inner()) return Composition::apply_layer(layer, points.products(), Phi, out);
  Composition::apply_layer(layer, points.points(), points.points(), Phi, out);
}

/// Of several terms A_m: what was made for their average kernel is brought back to unit variance, column by column where each
/// column of codes depends on its own column of coefficients, else as a whole.
void restore_variance(const KernelLayer& layer, Matrix& Phi, Matrix& codes) {
  bool apart = true;
  for (const LayerTerm& term : layer.terms) apart = apart && term.A.form() != OutputOperator::Form::full;
  std::vector<double> variance = variances(codes);
  const double mean = std::accumulate(variance.begin(), variance.end(), 0.0) / static_cast<double>(variance.size());
  for (Index j = 0; j < Phi.cols(); ++j) {
    const double own = apart ? variance[static_cast<std::size_t>(j)] : mean;
    const double factor = own > 0.0 ? 1.0 / std::sqrt(own) : 1.0;
    for (Index i = 0; i < Phi.rows(); ++i) Phi(i, j) *= factor, codes(i, j) *= factor;
  }
}

void decide(KernelLayer& layer, const LayerPlan& wanted, const PickedRows& inputs) {
  if (layer.terms.empty()) layer.terms.push_back(open_term(wanted, inputs.source()));
}

}  // namespace

Starts::Starts(const PointSource& input, const std::vector<LayerPlan>& layers, const Options& options, bool warm)
    : kind_(options.start),
      any_random_(options.restarts > 1 || options.start == Start::random),
      seed_(options.seed),
      supports_(options.landmarks.empty() ? input.size() : static_cast<Index>(options.landmarks.size())),
      rows_(some_rows(supports_)),
      input_(input, samples_of(options.landmarks, rows_)),
      wanted_(layers),
      layers_(given_layers(layers)) {
  decide(layers_.front(), wanted_.front(), input_);
  if (!warm || options.restarts > 1) first_ = components(input_, layers_.front());
  if (!warm) first_start_ = walk(0, layers_);
}

std::vector<double> Starts::coefficients(const LayeredTask& task, Index start, Composition& layers) const {
  std::vector<KernelLayer> decided = layers_;
  std::vector<double> flat = start == 0 ? first_start_ : walk(start, decided);
  flat.resize(static_cast<std::size_t>(layers.coefficient_count()));
  if (task.joint) solve_last(task, layers, rows_, true, average_kernel(task.layers.back()), flat.data());
  return flat;
}

/// Principal components of the layer's average Gram matrix, centred: K_c = H K H = U S U^T has the components sqrt(n) U, of unit
/// variance, and K (H U S^-1 sqrt(n)) is that up to a constant in each column, which distances do not see.
Starts::Components Starts::components(const PickedRows& rows, const KernelLayer& layer) const {
  const Index n = rows.size(), d = layer.outputs();
  const Index wanted = std::min(n, any_random_ ? d + std::min(d, more_directions) + 4 : d);
  Matrix K(n, n), values(wanted, 1), U(n, wanted);
  full(average_kernel(layer), rows.source(), K.view());
  double trace = 0.0;
  for (Index i = 0; i < n; ++i) trace += K(i, i);
  EigenTopOptions options;
  options.centred = true;
  // A start needs no more, and where many eigenvalues are close, some directions among theirs are as good as others.
  options.tolerance = 1e-6;
  options.max_products = 40;
  eigen_top(std::as_const(K).view(), values.view(), U.view(), options);
  const double least = std::max(least_variance * values(0, 0), 64.0 * 0x1p-53 * trace);
  Index count = 0;
  while (count < wanted && values(count, 0) > least) ++count;
  Matrix coefficients(n, count);
  for (Index j = 0; j < count; ++j) {
    double mean = 0.0;
    for (Index i = 0; i < n; ++i) mean += U(i, j) / static_cast<double>(n);
    for (Index i = 0; i < n; ++i) coefficients(i, j) = (U(i, j) - mean) * std::sqrt(static_cast<double>(n)) / values(j, 0);
  }
  return {std::move(coefficients)};
}

/// [KAE] App. A.4: away from 0, a local minimum. The leading components, or random mixtures of more of them, of unit variance;
/// small mixtures where components run out.
Matrix Starts::functions(const Components& of, Index count, Index start, Index l) const {
  const Index n = of.coefficients.rows(), known = of.count();
  const RandomStream stream = start_stream(seed_, start, l);
  Matrix T(n, count);
  if (known == 0) {  // all rows are equal: no function tells them apart
    stream.fill_normal(T.view());
    for (Index i = 0; i < T.size(); ++i) T.data()[i] /= static_cast<double>(n);
    return T;
  }
  Matrix weights = Matrix::filled(known, count, 0.0), normal(known, count);
  stream.fill_normal(normal.view());
  for (Index j = 0; j < count; ++j) {
    if (!random(start) && j < known) {
      weights(j, j) = 1.0;
      continue;
    }
    double square = 0.0;
    for (Index i = 0; i < known; ++i) square += normal(i, j) * normal(i, j);
    const double size = random(start) ? 1.0 : filler;
    for (Index i = 0; i < known; ++i) weights(i, j) = size * normal(i, j) / std::sqrt(square);
  }
  gemm(1.0, of.coefficients.view(), weights.view(), 0.0, T.view());
  return T;
}

Starts::LayerBegin Starts::begin(const PickedRows& rows, const Components& of, const KernelLayer& layer, Index start,
                                 Index l) const {
  LayerBegin result;
  const bool one_term = layer.terms.size() == 1;
  if (one_term) {
    const OutputOperator& A = layer.terms.front().A;
    const std::vector<Index> range = range_of(A);
    result.Phi = solve_operator(A, range, functions(of, static_cast<Index>(range.size()), start, l));
  } else {
    result.Phi = functions(of, layer.outputs(), start, l);
  }
  result.codes = Matrix(rows.size(), layer.outputs());
  apply(layer, rows.source(), result.Phi.view(), result.codes.view());
  if (!one_term) restore_variance(layer, result.Phi, result.codes);
  return result;
}

std::vector<double> Starts::walk(Index start, std::vector<KernelLayer>& layers) const {
  std::vector<double> flat;
  std::optional<PickedRows> codes;
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
    const PickedRows& rows = l == 0 ? input_ : *codes;
    const Index outputs = wanted_[l].outputs;
    decide(layers[l], wanted_[l], rows);
    LayerBegin made = begin(rows, l == 0 ? Components{first_.coefficients.clone()} : components(rows, layers[l]), layers[l],
                            start, static_cast<Index>(l) + 1);
    const std::size_t offset = flat.size();
    flat.resize(offset + static_cast<std::size_t>(supports_ * outputs), 0.0);
    const MatrixView<double> Phi(flat.data() + offset, supports_, outputs);
    put_rows(rows_, made.Phi.view(), Phi);
    codes.emplace(std::move(made.codes));
  }
  decide(layers.back(), wanted_.back(), *codes);
  return flat;
}

}  // namespace gramian::autoencoder

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/layers/composition.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/product.hpp"
#include "layers/composition_state.hpp"

namespace gramian {
namespace {

void check_kernels(const KernelLayer& layer, const PointSource& input, const std::string& name) {
  try {
    for (const LayerTerm& term : layer.terms) check_kernel(term.kernel, input);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(name + ": " + error.what());
  }
}

void check(const PointSource& input, const std::vector<KernelLayer>& layers, const CompositionOptions& options) {
  require(!layers.empty(), "layers is empty: a composition needs at least one");
  check_source(input);
  require_ascending(options.landmarks, input.size(), "landmarks");
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const std::string name = "layer " + std::to_string(l + 1);
    check_layer(layers[l], name);
    const Matrix below = Matrix::filled(1, l == 0 ? 1 : layers[l - 1].outputs(), 0.0);
    check_kernels(layers[l], l == 0 ? input : PointSource(Points(below.view())), name);
  }
}

/// f(X) from multiply(kernel, V, part): part = k(X, S) V.
template <class Multiply>
void apply_terms(const KernelLayer& layer, Index samples, MatrixView<const double> Phi, MatrixView<double> out,
                 Multiply multiply) {
  check_layer(layer, "layer");
  require_shape(Phi, Phi.rows(), layer.outputs(), "Phi");
  require_shape(out, samples, layer.outputs(), "out");
  Room PhiA, part;
  fill_zero(out);
  for (const LayerTerm& term : layer.terms) {
    const OperatorColumns A(term.A);
    const MatrixView<double> columns = part.take(samples, A.rank());
    multiply(term.kernel, A.times_A(Phi, PhiA), columns);
    A.add(columns, out);
  }
}

}  // namespace

Composition::Composition(const PointSource& input, std::vector<KernelLayer> layers, CompositionOptions options) {
  check(input, layers, options);
  const auto share = std::make_shared<const CompositionShare>(input, std::move(layers), std::move(options));
  state_ = std::make_unique<State>(share, nullptr);
}
Composition::Composition(std::unique_ptr<State> state) : state_(std::move(state)) {}
Composition::~Composition() = default;
Composition::Composition(Composition&&) noexcept = default;
Composition& Composition::operator=(Composition&&) noexcept = default;

Composition Composition::sibling() const { return Composition(std::make_unique<State>(state_->share, state_.get())); }

Index Composition::samples() const { return state_->share->samples(); }
Index Composition::supports() const { return state_->share->supports(); }
Index Composition::depth() const { return state_->depth(); }
Index Composition::coefficient_count() const { return state_->share->offsets.back(); }

const KernelLayer& Composition::layer(Index l) const {
  check_number(l);
  return state_->share->layers[static_cast<std::size_t>(l - 1)];
}

MatrixView<const double> Composition::coefficients(const double* flat, Index l) const {
  check_number(l);
  return state_->layer_of<const double>(flat, l);
}
MatrixView<double> Composition::coefficients(double* flat, Index l) const {
  check_number(l);
  return state_->layer_of<double>(flat, l);
}

double Composition::forward(const double* flat) { return state_->forward(flat); }

MatrixView<const double> Composition::output(Index l) const {
  check_forward(l);
  return state_->output(l);
}
MatrixView<const double> Composition::support(Index l) const {
  check_forward(l);
  return state_->support(l);
}
double Composition::squared_norm(Index l) const {
  check_forward(l);
  return state_->squared_norms[static_cast<std::size_t>(l - 1)];
}

void Composition::check_number(Index l) const {
  if (l >= 1 && l <= depth()) return;  // no text is made of what is right
  throw std::invalid_argument("there is no layer " + std::to_string(l) + ": they are 1 to " + std::to_string(depth()));
}
void Composition::check_forward(Index l) const {
  check_number(l);
  require(state_->went_forward, "forward() comes first");
}

void Composition::reverse(MatrixView<const double> output_bar, MatrixView<const double> support_bar, double* gradient) {
  reverse(output_bar, support_bar, {}, gradient);
}

void Composition::reverse(MatrixView<const double> output_bar, MatrixView<const double> support_bar,
                          const std::vector<ImageBar>& images, double* gradient) {
  check_forward(depth());
  require_shape(output_bar, state_->output_rows(), state_->outputs(depth()), "output_bar");
  if (!support_bar.empty()) require_shape(support_bar, supports(), state_->outputs(depth()), "support_bar");
  require_finite(output_bar, "output_bar");
  require_finite(support_bar, "support_bar");
  for (const ImageBar& image : images) {
    check_number(image.layer);
    require(image.layer < depth(), "images: the last layer's gradient is output_bar");
    require_shape(image.bar, state_->output_rows(), state_->outputs(image.layer), "the gradient in images");
    require_finite(image.bar, "the gradient in images");
  }
  state_->reverse(output_bar, support_bar, images, gradient);
}

void Composition::function_gradient(double* flat) const {
  require(state_->share->landmarks.empty(), "there is no gradient in the function itself with landmarks");
  require(state_->went_back, "reverse() comes first");
  std::copy_n(state_->direction.data(), coefficient_count(), flat);
}

void Composition::set_penalty(Index l, double lambda) {
  check_number(l);
  require(std::isfinite(lambda) && lambda >= 0.0, "lambda is negative or not finite");
  state_->penalties[static_cast<std::size_t>(l - 1)] = lambda;
}

void Composition::restrict_to(std::vector<Index> rows) {
  require_ascending(rows, samples(), "rows");
  state_->restrict_to(std::move(rows));
}

void Composition::apply_layer(const KernelLayer& layer, const Points& X, const Points& supports, MatrixView<const double> Phi,
                              MatrixView<double> out) {
  apply_terms(layer, X.size(), Phi, out, [&](const Kernel& kernel, MatrixView<const double> V, MatrixView<double> part) {
    product(kernel, X, supports, V, part);
  });
}

void Composition::apply_layer(const KernelLayer& layer, const InnerProducts<double>& XS, MatrixView<const double> Phi,
                              MatrixView<double> out) {
  apply_terms(layer, XS.inner().rows(), Phi, out,
              [&](const Kernel& kernel, MatrixView<const double> V, MatrixView<double> part) { product(kernel, XS, V, part); });
}

}  // namespace gramian

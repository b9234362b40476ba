// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/layers/composition_model.hpp"

#include <string>
#include <utility>

#include "base/check.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

const KernelLayer& layer_of(const CompositionModel& model, Index l) { return model.layers[static_cast<std::size_t>(l - 1)]; }
const Matrix& coefficients_of(const CompositionModel& model, Index l) {
  return model.coefficients[static_cast<std::size_t>(l - 1)];
}

void check_range(const CompositionModel& model, Index first, Index last) {
  const Index L = static_cast<Index>(model.layers.size());
  require(L >= 1 && model.coefficients.size() == model.layers.size() && model.supports.size() + 1 == model.layers.size(),
          "the model is incomplete: L layers have L coefficients and L - 1 supports");
  require(first >= 1 && first <= last && last <= L,
          "layers " + std::to_string(first) + " to " + std::to_string(last) + " are not among 1 to " + std::to_string(L));
}

/// Layers `from` .. last on codes that are inputs of `from`, the last one into `out`.
void apply_rest(const CompositionModel& model, Index from, Index last, Matrix codes, MatrixView<double> out) {
  for (Index l = from; l <= last; ++l) {
    const Matrix& supports = model.supports[static_cast<std::size_t>(l - 2)];
    Matrix next(l == last ? 0 : codes.rows(), layer_of(model, l).outputs());
    Composition::apply_layer(layer_of(model, l), Points(codes.view()), Points(supports.view()), coefficients_of(model, l).view(),
                             l == last ? out : next.view());
    codes = std::move(next);
  }
}

}  // namespace

void apply_layers(const CompositionModel& model, Index first, Index last, const Points& X, const Points& first_supports,
                  MatrixView<double> out) {
  check_range(model, first, last);
  const bool whole = first == last;
  require_shape(out, X.size(), layer_of(model, last).outputs(), "out");
  Matrix codes(whole ? 0 : X.size(), layer_of(model, first).outputs());
  Composition::apply_layer(layer_of(model, first), X, first_supports, coefficients_of(model, first).view(),
                           whole ? out : codes.view());
  apply_rest(model, first + 1, last, std::move(codes), out);
}

void apply_layers(const CompositionModel& model, Index last, const InnerProducts<double>& XS, MatrixView<double> out) {
  check_range(model, 1, last);
  const Index n = XS.inner().rows();
  require_shape(out, n, layer_of(model, last).outputs(), "out");
  Matrix codes(last == 1 ? 0 : n, layer_of(model, 1).outputs());
  Composition::apply_layer(layer_of(model, 1), XS, coefficients_of(model, 1).view(), last == 1 ? out : codes.view());
  apply_rest(model, 2, last, std::move(codes), out);
}

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "layers/stationarity.hpp"

#include <algorithm>
#include <limits>

#include "gram/source.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "linalg/inner_product.hpp"

namespace gramian {
namespace {

/// |G|^2 for a function of the span of the landmarks with <G, f> = <Phibar, Phi>, f = sum k(., s_i) phi_i: tr(Phibar^T K^-1
/// Phibar).
double dual_square(const Kernel& kernel, const PointSource& supports, MatrixView<const double> Phibar) {
  Matrix K(Phibar.rows(), Phibar.rows()), solved = Matrix::copy_of(Phibar);
  full(kernel, supports, K.view());
  cholesky_in_place(K.view());
  cholesky_solve(K.view(), solved.view());
  return std::max(0.0, inner_product(Phibar, solved.view()));
}

}  // namespace

/// [DKL] (14) and Thm. 2: for the measure of the samples both sides differ by G_l / (2 lambda_l), where G_l is the gradient in
/// f_l. Returns the sum of |G_l|^2.
double stationarity_square(const PointSource& input, const std::vector<Index>& landmarks, const Composition& layers,
                           const std::vector<double>& gradient) {
  double sum = 0.0;
  if (landmarks.empty()) {
    // <G, K G A> for each layer, and K G A is the gradient in the coefficients.
    std::vector<double> G(gradient.size());
    layers.function_gradient(G.data());
    for (std::size_t i = 0; i < G.size(); ++i) sum += G[i] * gradient[i];
    return std::max(0.0, sum);
  }
  for (Index l = 1; l <= layers.depth(); ++l) {
    const std::vector<LayerTerm>& terms = layers.layer(l).terms;
    if (terms.size() > 1 || terms.front().A.form() != OutputOperator::Form::identity) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    const MatrixView<const double> Phibar = layers.coefficients(gradient.data(), l);
    if (l > 1) {
      sum += dual_square(terms.front().kernel, Points(layers.support(l - 1)), Phibar);
    } else {
      const PickedRows supports(input, landmarks);
      sum += dual_square(terms.front().kernel, supports.source(), Phibar);
    }
  }
  return sum;
}

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/conditional_mean.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/source.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "models/conditional_mean/blocks.hpp"

namespace gramian::conditional_mean {
namespace {

constexpr double seconds_per_product = 1e-9;

Matrix shifted_gram(const GramSource& inputs, double lambda) {
  check_source(inputs, "inputs");
  require_positive(lambda, "lambda");
  const Index n = inputs.size();
  require_memory(static_cast<std::uint64_t>(checked_product(12, checked_product(n, n))),
                 "the embedding of " + std::to_string(n) + " samples", "use fewer of them");
  Matrix K(n, n);
  if (inputs.stored()) {
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) K(i, j) = inputs.gram()(i, j);
    }
  } else {
    full(inputs.kernel(), inputs.points(), K.view());
  }
  for (Index i = 0; i < n; ++i) K(i, i) += static_cast<double>(n) * lambda;
  return K;
}

void check_values(MatrixView<const double> G, Index n) {
  require_shape(G, n, G.cols(), "G");
  require_finite(G, "G");
}

/// L d for rows d, q x n: n x q.
Matrix mapped(const GramSource& outputs, MatrixView<const double> d) {
  Matrix out(d.cols(), d.rows());
  if (outputs.stored()) {
    gemm(1.0, outputs.gram(), transposed(d), 0.0, out.view());
  } else {
    product(outputs.kernel(), outputs.points(), transposed(d), out.view());
  }
  return out;
}

}  // namespace

Model::Model(const GramSource& inputs, const Options& options) : own_(shifted_gram(inputs, options.lambda)) {
  try {
    jitter_ = cholesky_in_place(own_.view());
  } catch (const NumericalError&) {
    throw NumericalError("K + n lambda I of " + std::to_string(own_.rows()) +
                         " samples is not positive definite: raise lambda, or use a kernel that is positive semi-definite");
  }
  factor_ = own_.view();
}

Model::Model(MatrixView<const double> factor) : factor_(factor) {
  require(factor.rows() == factor.cols() && factor.rows() > 0, "factor must be square");
}

/// [MCE] (1): (K + n lambda I)^-1 k(x), the coefficients of U phi(x).
void Model::weights(const CrossSource& inputs, MatrixView<double> out) const {
  check_source(inputs, size(), "inputs");
  require_shape(out, inputs.rows(), size(), "out");
  Scratch scratch;
  const Index together = rows_of_weights(size());
  for (Index first = 0; first < inputs.rows(); first += together) {
    poll_stop();
    const Index rows = std::min(together, inputs.rows() - first);
    const MatrixView<const double> cross = rows_of(inputs, first, rows, scratch);
    cholesky_solve(factor_, transposed(cross), transposed(part(out, first, rows, 0, size())));
  }
}

void Model::coefficients(MatrixView<const double> G, MatrixView<double> out) const {
  check_values(G, size());
  require_shape(out, size(), G.cols(), "out");
  cholesky_solve(factor_, G, out);
}

/// [MCE] (2): gᵀ (K + n lambda I)^-1 k(x), for the columns g of G.
void Model::expectation(const CrossSource& inputs, MatrixView<const double> G, MatrixView<double> out) const {
  check_source(inputs, size(), "inputs");
  require_shape(out, inputs.rows(), G.cols(), "out");
  Matrix dual(size(), G.cols());
  coefficients(G, dual.view());
  if (out.empty()) return;
  if (inputs.stored()) return gemm(1.0, inputs.cross(), dual.view(), 0.0, out);
  product(inputs.kernel(), inputs.fresh(), inputs.training(), dual.view(), out);
}

/// [MCE] (25) and Lemma 8: with the Kronecker delta for a kernel these are the estimates of the probabilities.
void values(MatrixView<const double> weights, const CrossSource& outputs, MatrixView<double> out) {
  check_source(outputs, weights.cols(), "outputs");
  require_finite(weights, "weights");
  require_shape(out, weights.rows(), outputs.rows(), "out");
  if (out.empty()) return;
  if (outputs.stored()) return gemm(1.0, weights, transposed(outputs.cross()), 0.0, out);
  product(outputs.kernel(), outputs.fresh(), outputs.training(), transposed(weights), transposed(out));
}

void squared_norms(MatrixView<const double> weights, const GramSource& outputs, MatrixView<double> out) {
  check_source(outputs, "outputs");
  const Index q = weights.rows(), n = outputs.size();
  require_shape(weights, q, n, "weights");
  require_shape(out, q, 1, "out");
  require_finite(weights, "weights");
  const Index together = rows_of_weights(n);
  for (Index first = 0; first < q; first += together) {
    poll_stop();
    const MatrixView<const double> some = rows_of(weights, first, std::min(together, q - first));
    const Matrix image = mapped(outputs, some);
    parallel_for(some.rows(), seconds_per_product * static_cast<double>(n), [&](Index i, int) {
      double square = 0.0;
      for (Index j = 0; j < n; ++j) square += some(i, j) * image(j, i);
      out(first + i, 0) = std::max(square, 0.0);
    });
  }
}

void distances(MatrixView<const double> a, MatrixView<const double> b, const GramSource& outputs, MatrixView<double> out) {
  const Index q = a.rows(), n = outputs.size();
  require_shape(a, q, n, "a");
  require_shape(b, q, n, "b");
  require_shape(out, q, 1, "out");
  require_finite(a, "a");
  require_finite(b, "b");
  const Index together = rows_of_weights(n);
  for (Index first = 0; first < q; first += together) {
    Matrix difference(std::min(together, q - first), n);
    for_entries(difference.view(), [&](Index i, Index j) { difference(i, j) = a(first + i, j) - b(first + i, j); });
    squared_norms(difference.view(), outputs, rows_of(out, first, difference.rows()));
  }
}

}  // namespace gramian::conditional_mean

// SPDX-License-Identifier: BSD-3-Clause
// Pre-images that have a closed form.
#include <algorithm>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/source.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/finite.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "models/dependency/predict.hpp"

namespace gramian::dependency {
namespace {

void add_sparse(const double* weights, const SparseRows<double>& Y, MatrixView<double> out, Index row) {
  for (Index j = 0; j < Y.cols; ++j) out(row, j) = 0.0;
  for (Index i = 0; i < Y.rows; ++i) {
    for (Index e = Y.row_start[i]; e < Y.row_start[i + 1]; ++e) out(row, Y.columns[e]) += weights[i] * Y.values[e];
  }
}

/// [KDE] Sec. 6.2: the best sequence of one row, a symbol at each position, and as many positions as pay. A position that is
/// taken adds 1 - 2 image to |image - features|^2.
void decode_row(MatrixView<const double> images, Index row, Index symbols, Index wanted, Index* out) {
  const Index positions = images.cols() / symbols;
  double sum = 0.0, best = 0.0;
  Index length = 0;
  for (Index p = 0; p < positions; ++p) {
    Index symbol = 0;
    for (Index s = 1; s < symbols; ++s) {
      if (images(row, p * symbols + s) > images(row, p * symbols + symbol)) symbol = s;
    }
    out[p] = symbol;
    sum += 1.0 - 2.0 * images(row, p * symbols + symbol);
    if (sum < best) {
      best = sum;
      length = p + 1;
    }
  }
  for (Index p = wanted < 0 ? length : wanted; p < positions; ++p) out[p] = -1;
}

constexpr Index inputs_together = 1024;  // with ranks

/// What k_x, or with ranks F_k^-1 k_x, is multiplied with: Cᵀ Y, or Gᵀ F_l^-1 Y.
Matrix linear_coefficients(const View& model, const Points& Y) {
  Matrix out(model.inputs(), Y.dimension());
  if (model.output_factor.empty()) {
    linear_preimages(transposed(model.coefficients), Y, out.view());
    return out;
  }
  Matrix v = dense_copy(Y);
  solve_lower(model.output_factor, v.view());
  gemm(1.0, transposed(model.coefficients), v.view(), 0.0, out.view());
  return out;
}

}  // namespace

LinearMap::LinearMap(const View& model, const Points& Y) : coefficients(linear_coefficients(model, Y)) {
  if (!model.centred) return;
  mean = Matrix(1, Y.dimension());
  const Matrix equal = Matrix::filled(1, Y.size(), 1.0 / static_cast<double>(Y.size()));
  linear_preimages(equal.view(), Y, mean.view());
}

void LinearMap::add_mean(MatrixView<double> out) const {
  if (mean.empty()) return;
  for_entries(out, [&](Index i, Index j) { out(i, j) += mean(0, j); });
}

void LinearMap::apply(const View& model, const CrossSource& inputs, MatrixView<double> out) const {
  check_source(inputs, model.inputs(), "inputs");
  require_shape(out, inputs.rows(), coefficients.cols(), "out");
  if (out.empty()) return;
  if (!model.input_factor.empty()) {
    Scratch values;
    for (Index first = 0; first < inputs.rows(); first += inputs_together) {
      poll_stop();
      const Index rows = std::min(inputs_together, inputs.rows() - first);
      Matrix u = Matrix::copy_of(rows_of(inputs, first, rows, values));
      solve_lower(model.input_factor, transposed(u.view()));
      gemm(1.0, u.view(), coefficients.view(), 0.0, rows_of(out, first, rows));
    }
  } else if (inputs.stored()) {
    gemm(1.0, inputs.cross(), coefficients.view(), 0.0, out);
  } else {
    product(inputs.kernel(), inputs.fresh(), inputs.training(), coefficients.view(), out);
  }
  add_mean(out);
}

void linear_predictions(const View& model, const CrossSource& inputs, const Points& Y, MatrixView<double> out) {
  check_model(model);
  check_source(inputs, model.inputs(), "inputs");
  require(Y.scalar() == Scalar::float64, "Y must be float64");
  require_rows(Y.size(), Y.dimension(), model.outputs(), "Y");
  require_shape(out, inputs.rows(), Y.dimension(), "out");
  if (!out.empty()) LinearMap(model, Y).apply(model, inputs, out);
}

void linear_preimages(MatrixView<const double> weights, const Points& Y, MatrixView<double> out) {
  require(Y.scalar() == Scalar::float64, "Y must be float64");
  require_shape(weights, weights.rows(), Y.size(), "weights");
  require_shape(out, weights.rows(), Y.dimension(), "out");
  if (out.empty()) return;
  if (!Y.sparse()) return gemm(1.0, weights, Y.float64(), 0.0, out);
  const SparseRows<double>& rows = Y.sparse64();
  for (Index e = rows.row_start[0]; e < rows.row_start[rows.rows]; ++e) {
    require(rows.columns[e] >= 0 && rows.columns[e] < rows.cols, "Y has a column index out of its range");
  }
  const double entries = static_cast<double>(rows.row_start[rows.rows] - rows.row_start[0]);
  parallel_for(weights.rows(), 2e-9 * entries, [&](Index i, int) {
    std::vector<double> own(at(weights.cols()));
    for (Index j = 0; j < weights.cols(); ++j) own[at(j)] = weights(i, j);
    add_sparse(own.data(), rows, out, i);
  });
}

std::vector<Index> decode_sequences(MatrixView<const double> images, Index symbols, const std::vector<Index>& lengths) {
  require(
      symbols >= 1 && images.cols() % symbols == 0,
      "images have " + std::to_string(images.cols()) + " columns, it must be a multiple of symbols, " + std::to_string(symbols));
  require(all_finite(images), "images have an entry that is not finite");
  const Index q = images.rows(), positions = images.cols() / symbols;
  require(lengths.empty() || static_cast<Index>(lengths.size()) == q,
          "there are " + std::to_string(lengths.size()) + " lengths, but " + std::to_string(q) + " images");
  for (const Index length : lengths) {
    if (length < 0 || length > positions) require(false, "lengths must be from 0 to " + std::to_string(positions));
  }
  std::vector<Index> out(at(checked_product(q, positions)));
  parallel_for(q, 2e-9 * static_cast<double>(images.cols()), [&](Index i, int) {
    decode_row(images, i, symbols, lengths.empty() ? -1 : lengths[at(i)], out.data() + i * positions);
  });
  return out;
}

}  // namespace gramian::dependency

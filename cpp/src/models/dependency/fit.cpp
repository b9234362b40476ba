// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/dependency.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/view_ops.hpp"
#include "gram/source.hpp"
#include "gramian/base/error.hpp"
#include "gramian/eigen.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "gramian/ovk/low_rank_ridge.hpp"
#include "models/dependency/components.hpp"
#include "models/dependency/options.hpp"
#include "ovk/separable_parts.hpp"

namespace gramian {
namespace {

OperatorOptions operator_of(const DependencyOptions& options) { return {options.output_operator, options.epsilon}; }

double mean_of(const Matrix& numbers) {
  double sum = 0.0;
  for (Index i = 0; i < numbers.rows(); ++i) sum += numbers(i, 0);
  return sum / static_cast<double>(numbers.rows());
}

/// Mean of l(y, y) - 2 <w, l_y> + square, where square(i) = |g(x_i)|^2.
double mean_error(MatrixView<const double> weights, MatrixView<const double> cross, MatrixView<const double> diagonal,
                  const Matrix& squares) {
  double sum = 0.0;
  for (Index i = 0; i < weights.rows(); ++i) {
    double inner = 0.0;
    for (Index j = 0; j < weights.cols(); ++j) inner += weights(i, j) * cross(i, j);
    sum += diagonal(i, 0) - 2.0 * inner + squares(i, 0);
  }
  return sum / static_cast<double>(weights.rows());
}

/// Validation samples with respect to the supports, computed once for all lambdas.
struct Validation {
  Validation(const DependencyValidation& samples, const std::vector<Index>& input_supports,
             const std::vector<Index>& output_supports)
      : some_inputs(samples.inputs, input_supports), some_outputs(samples.outputs, output_supports) {
    const Index rows = samples.inputs.rows();
    inputs = rows_of(some_inputs.source(), 0, rows, input_buffer);
    outputs = rows_of(some_outputs.source(), 0, rows, output_buffer);
    diagonal = Matrix(rows, 1);
    diagonal_of(samples.outputs, 0, diagonal.view());
  }
  SomeColumns some_inputs, some_outputs;
  Matrix input_buffer, output_buffer, diagonal;
  MatrixView<const double> inputs, outputs;
};

/// Of each row w: |L^½ w|^2 for L = F Fᵀ given by its square root, or by itself.
Matrix squares_in(MatrixView<const double> L, const Matrix& weights) {
  Matrix product(weights.rows(), weights.cols()), squares = Matrix::filled(weights.rows(), 1, 0.0);
  gemm(1.0, weights.view(), L, 0.0, product.view());
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = 0; j < weights.cols(); ++j) squares(i, 0) += product(i, j) * weights(i, j);
  }
  return squares;
}

std::vector<double> exact_criteria(const SeparableRidge& ridge, const OutputComponents& components, MatrixView<const double> L,
                                   const std::vector<double>& lambdas, const DependencyValidation* samples) {
  std::vector<double> criteria;
  if (samples == nullptr) {
    Matrix errors(ridge.size(), 1);
    for (const double lambda : lambdas) {
      ridge.leave_one_out(lambda, errors.view());
      criteria.push_back(mean_of(errors));
    }
    return criteria;
  }
  const Validation validation(*samples, {}, {});
  Matrix rotated(validation.inputs.rows(), ridge.size()), weights(rotated.rows(), ridge.size());
  ridge.rotate(validation.inputs, rotated.view());
  for (const double lambda : lambdas) {
    ridge.weights(lambda, rotated.view(), weights.view());
    components.project_weights(weights);
    criteria.push_back(mean_error(weights.view(), validation.outputs, validation.diagonal.view(), squares_in(L, weights)));
  }
  return criteria;
}

DependencyFit fit_exact(const GramSource& inputs, const GramSource& outputs, const DependencyOptions& options,
                        const DependencyValidation* validation) {
  Matrix k_buffer, L_buffer;
  const MatrixView<const double> k = whole(inputs, k_buffer), L = whole(outputs, L_buffer);
  // What is decomposed below is judged there.
  const bool identity = options.output_operator == DependencyOperator::identity;
  if (inputs.stored() && identity) require_semidefinite(k, "k");
  if (outputs.stored() && identity) require_semidefinite(L, "L");
  OutputComponents components(L, options.components, options.centred);
  const MatrixView<const double> target = components.gram(L);
  DependencyFit fit;
  fit.model.coefficients = Matrix(k.rows(), k.rows());
  const MatrixView<double> C = fit.model.coefficients.view();
  if (options.lambdas.empty()) {
    fit.lambda = options.lambda;
    separable_ridge(k, target, operator_of(options), fit.lambda, C);
  } else {
    const SeparableRidge ridge(k, target, operator_of(options));
    fit.criteria = exact_criteria(ridge, components, L, options.lambdas, validation);
    fit.lambda = options.lambdas[smallest(fit.criteria)];
    ridge.coefficients(fit.lambda, C);
  }
  components.finish(fit.model);
  return fit;
}

/// F[pivots], lower triangular.
Matrix pivot_rows(const IncompleteCholesky& factor) {
  const Index m = factor.rank();
  Matrix out = Matrix::filled(m, m, 0.0);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j <= i; ++j) out(i, j) = factor.factor()(factor.pivots()[static_cast<std::size_t>(i)], j);
  }
  return out;
}

double residual_of(const IncompleteCholesky& factor) {
  return factor.trace() > 0.0 ? factor.residual_trace() / factor.trace() : 0.0;
}

/// U of u_x in rows: solves F u = k_x.
Matrix coordinates(const Matrix& factor, MatrixView<const double> cross) {
  Matrix out(cross.rows(), cross.cols());
  if (!cross.empty()) solve_lower(factor.view(), transposed(cross), transposed(out.view()));
  return out;
}

std::vector<double> low_rank_criteria(const LowRankRidge& ridge, const DependencyModel& model, const IncompleteCholesky& output,
                                      const std::vector<double>& lambdas, const DependencyValidation* samples) {
  std::vector<double> criteria;
  if (samples == nullptr) {
    Matrix errors(ridge.size(), 1);
    for (const double lambda : lambdas) {
      ridge.leave_one_out(lambda, errors.view());
      criteria.push_back(mean_of(errors) + output.residual_trace() / static_cast<double>(ridge.size()));
    }
    return criteria;
  }
  // In coordinates of the factors: u_x, v_y, predictions G u_x.
  const Validation validation(*samples, model.input_supports, model.output_supports);
  const Matrix u = coordinates(model.input_factor, validation.inputs), v = coordinates(model.output_factor, validation.outputs);
  Matrix G(ridge.output_rank(), ridge.input_rank()), predicted(u.rows(), G.rows()), squares(u.rows(), 1);
  for (const double lambda : lambdas) {
    ridge.coefficients(lambda, G.view());
    gemm(1.0, u.view(), transposed(G.view()), 0.0, predicted.view());
    for (Index i = 0; i < u.rows(); ++i) {
      squares(i, 0) = 0.0;
      for (Index j = 0; j < G.rows(); ++j) squares(i, 0) += predicted(i, j) * predicted(i, j);
    }
    criteria.push_back(mean_error(predicted.view(), v.view(), validation.diagonal.view(), squares));
  }
  return criteria;
}

DependencyFit fit_low_rank(const GramSource& inputs, const GramSource& outputs, const DependencyOptions& options,
                           const DependencyValidation* validation) {
  const IncompleteCholesky k = low_rank(inputs, options.ranks->inputs, "k"), L = low_rank(outputs, options.ranks->outputs, "L");
  DependencyFit fit;
  fit.input_residual = residual_of(k);
  fit.output_residual = residual_of(L);
  fit.lambda = options.lambda;
  DependencyModel& model = fit.model;
  if (k.rank() == 0 || L.rank() == 0) {
    // A Gram matrix of zeros: nothing is predicted, by one sample as well as by any other number of them.
    model = {{0}, {0}, Matrix::filled(1, 1, 0.0), Matrix::filled(1, 1, 1.0), Matrix::filled(1, 1, 1.0), {}, {}, false};
    if (!options.lambdas.empty()) fit.lambda = options.lambdas.front();
    fit.criteria.assign(options.lambdas.size(), L.trace() / static_cast<double>(inputs.size()));
    return fit;
  }
  model.input_supports = k.pivots();
  model.output_supports = L.pivots();
  model.input_factor = pivot_rows(k);
  model.output_factor = pivot_rows(L);
  const LowRankRidge ridge(k.factor(), L.factor(), operator_of(options));
  if (!options.lambdas.empty()) {
    fit.criteria = low_rank_criteria(ridge, model, L, options.lambdas, validation);
    fit.lambda = options.lambdas[smallest(fit.criteria)];
  }
  model.coefficients = Matrix(L.rank(), k.rank());
  ridge.coefficients(fit.lambda, model.coefficients.view());
  return fit;
}

}  // namespace

DependencyFit fit_dependency(const GramSource& inputs, const GramSource& outputs, const DependencyOptions& options,
                             const DependencyValidation* validation) {
  check_dependency(inputs, outputs, options, validation);
  return options.ranks ? fit_low_rank(inputs, outputs, options, validation) : fit_exact(inputs, outputs, options, validation);
}

}  // namespace gramian

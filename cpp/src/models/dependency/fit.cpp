// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/dependency.hpp"

#include <algorithm>
#include <utility>

#include "base/view_ops.hpp"
#include "gram/source.hpp"
#include "gramian/base/error.hpp"
#include "gramian/eigen.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "gramian/ovk/low_rank_ridge.hpp"
#include "linalg/semidefinite.hpp"
#include "models/dependency/components.hpp"
#include "models/dependency/held_out.hpp"
#include "models/dependency/options.hpp"
#include "models/dependency/weighted.hpp"

namespace gramian::dependency {
namespace {

/// Mean of l(y, y) - 2 <w, l_y> + square, where square(i) = |g(x_i)|^2.
double mean_error(MatrixView<const double> weights, MatrixView<const double> cross, const Matrix& diagonal,
                  const Eigen::VectorXd& squares) {
  const auto inner = as_eigen(weights).cwiseProduct(as_eigen(cross)).rowwise().sum();
  return (as_eigen(diagonal.view()).col(0) - 2.0 * inner + squares).mean();
}

/// Samples that a fit has not seen.
struct Unseen {
  CrossSource inputs, outputs;
};

/// The same with respect to the supports, computed once for all lambdas.
struct Validation {
  Validation(const Unseen& samples, const std::vector<Index>& input_supports, const std::vector<Index>& output_supports)
      : some_inputs(samples.inputs, input_supports), some_outputs(samples.outputs, output_supports) {
    const Index rows = samples.inputs.rows();
    inputs = rows_of(some_inputs.source(), 0, rows, input_buffer);
    outputs = rows_of(some_outputs.source(), 0, rows, output_buffer);
    diagonal = Matrix(rows, 1);
    diagonal_of(samples.outputs, 0, diagonal.view());
  }
  SomeColumns some_inputs, some_outputs;
  Scratch input_buffer, output_buffer;
  Matrix diagonal;
  MatrixView<const double> inputs, outputs;
};

/// Of each row w: |L^½ w|^2 for L = F Fᵀ given by its square root, or by itself.
Eigen::VectorXd squares_in(MatrixView<const double> L, const Matrix& weights) {
  Matrix product(weights.rows(), weights.cols());
  gemm(1.0, weights.view(), L, 0.0, product.view());
  return as_eigen(product.view()).cwiseProduct(as_eigen(weights.view())).rowwise().sum();
}

/// Mean errors of leave-one-out, each with `more`, which no lambda changes.
template <class Ridge>
std::vector<double> left_out_one_by_one(const Ridge& ridge, const std::vector<double>& lambdas, double more) {
  std::vector<double> criteria;
  Matrix errors(ridge.size(), 1);
  for (const double lambda : lambdas) {
    ridge.leave_one_out(lambda, errors.view());
    criteria.push_back(as_eigen(errors.view()).mean() + more);
  }
  return criteria;
}

std::vector<double> exact_criteria(const SeparableRidge& ridge, const OutputComponents& components, MatrixView<const double> L,
                                   const std::vector<double>& lambdas, const Unseen* samples) {
  if (samples == nullptr) return left_out_one_by_one(ridge, lambdas, 0.0);
  std::vector<double> criteria;
  const Validation validation(*samples, {}, {});
  Matrix rotated(validation.inputs.rows(), ridge.size()), weights(rotated.rows(), ridge.size());
  ridge.rotate(validation.inputs, rotated.view());
  for (const double lambda : lambdas) {
    ridge.weights(lambda, rotated.view(), weights.view());
    components.project_weights(weights);
    criteria.push_back(mean_error(weights.view(), validation.outputs, validation.diagonal, squares_in(L, weights)));
  }
  return criteria;
}

/// With samples that it has not seen only criteria, and no coefficients.
Fit fit_exact(const GramSource& inputs, const GramSource& outputs, const Options& options, const Unseen* unseen) {
  Matrix k_buffer, L_buffer;
  const MatrixView<const double> k = whole(inputs, k_buffer), L = whole(outputs, L_buffer);
  // What is decomposed below is judged there.
  const bool identity = std::holds_alternative<IdentityOperator>(options.output_operator);
  if (inputs.stored() && identity) require_semidefinite(k, "k");
  if (outputs.stored() && identity) require_semidefinite(L, "L");
  OutputComponents components(L, options.components, options.centred);
  const MatrixView<const double> target = components.gram(L);
  Fit fit;
  const auto room = [&] {
    fit.model.coefficients = Matrix(k.rows(), k.rows());
    return fit.model.coefficients.view();
  };
  if (options.lambdas.empty()) {
    fit.lambda = options.lambda;
    separable_ridge(k, target, options.output_operator, fit.lambda, room());
  } else {
    const SeparableRidge ridge(k, target, options.output_operator);
    fit.criteria = exact_criteria(ridge, components, L, options.lambdas, unseen);
    fit.lambda = options.lambdas[smallest(fit.criteria)];
    if (unseen != nullptr) return fit;
    ridge.coefficients(fit.lambda, room());
  }
  components.finish(fit.model);
  return fit;
}

/// F[pivots], lower triangular.
Matrix pivot_rows(const IncompleteCholesky& factor) {
  Matrix out(factor.rank(), factor.rank());
  auto F = as_eigen(out.view());
  F = as_eigen(factor.factor())(factor.pivots(), Eigen::all);
  F.triangularView<Eigen::StrictlyUpper>().setZero();
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

std::vector<double> low_rank_criteria(const LowRankRidge& ridge, const Model& model, const IncompleteCholesky& output,
                                      const std::vector<double>& lambdas, const Unseen* samples) {
  if (samples == nullptr) {
    return left_out_one_by_one(ridge, lambdas, output.residual_trace() / static_cast<double>(ridge.size()));
  }
  std::vector<double> criteria;
  // In coordinates of the factors: u_x, v_y, predictions G u_x.
  const Validation validation(*samples, model.input_supports, model.output_supports);
  const Matrix u = coordinates(model.input_factor, validation.inputs), v = coordinates(model.output_factor, validation.outputs);
  Matrix G(ridge.output_rank(), ridge.input_rank()), predicted(u.rows(), G.rows());
  for (const double lambda : lambdas) {
    ridge.coefficients(lambda, G.view());
    gemm(1.0, u.view(), transposed(G.view()), 0.0, predicted.view());
    const Eigen::VectorXd squares = as_eigen(predicted.view()).rowwise().squaredNorm();
    criteria.push_back(mean_error(predicted.view(), v.view(), validation.diagonal, squares));
  }
  return criteria;
}

/// The same from factors.
Fit fit_low_rank(const GramSource& inputs, const GramSource& outputs, const Options& options, const Unseen* unseen) {
  const IncompleteCholesky k = low_rank(inputs, options.ranks->inputs, "k"), L = low_rank(outputs, options.ranks->outputs, "L");
  Fit fit;
  fit.input_residual = residual_of(k);
  fit.output_residual = residual_of(L);
  fit.lambda = options.lambda;
  Model& model = fit.model;
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
  const LowRankRidge ridge(k.factor(), L.factor(), options.output_operator);
  if (!options.lambdas.empty()) {
    fit.criteria = low_rank_criteria(ridge, model, L, options.lambdas, unseen);
    fit.lambda = options.lambdas[smallest(fit.criteria)];
    if (unseen != nullptr) return fit;
  }
  model.coefficients = Matrix(L.rank(), k.rank());
  ridge.coefficients(fit.lambda, model.coefficients.view());
  return fit;
}

Fit fit(const GramSource& inputs, const GramSource& outputs, const Options& options, const Unseen* unseen) {
  return options.ranks ? fit_low_rank(inputs, outputs, options, unseen) : fit_exact(inputs, outputs, options, unseen);
}

/// Criteria of all lambdas over the samples that are held out, and the best lambda.
Fit compare(const GramSource& inputs, const GramSource& outputs, const Options& options) {
  const std::vector<Index> rest = rows_except(options.held_out, inputs.size());
  const HeldOut X(inputs, options.held_out, rest), Y(outputs, options.held_out, rest);
  const auto few = static_cast<Index>(rest.size());
  Options fewer = options;
  fewer.components = std::min(options.components, few);
  if (fewer.ranks) {
    for (Index* rank : {&fewer.ranks->inputs.max_rank, &fewer.ranks->outputs.max_rank}) *rank = std::min(*rank, few);
  }
  const Unseen unseen{X.fresh(), Y.fresh()};
  return fit(X.training(), Y.training(), fewer, &unseen);
}

}  // namespace

Fit fit(const GramSource& inputs, const GramSource& outputs, const Options& options) {
  check(inputs, outputs, options);
  if (!options.weights.empty()) {
    const WeightedSamples samples(inputs, outputs, options.weights);
    Fit found = fit(samples.inputs(), samples.outputs(), samples.options(options), nullptr);
    samples.finish(found);
    return found;
  }
  if (options.held_out.empty()) return fit(inputs, outputs, options, nullptr);
  Fit compared = compare(inputs, outputs, options);
  Options chosen = options;
  chosen.lambda = compared.lambda;
  chosen.lambdas.clear();
  Fit found = fit(inputs, outputs, chosen, nullptr);
  found.criteria = std::move(compared.criteria);
  return found;
}

}  // namespace gramian::dependency

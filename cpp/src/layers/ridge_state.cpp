// SPDX-License-Identifier: BSD-3-Clause
#include "layers/ridge_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/finite.hpp"
#include "gramian/gram/adjoint.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/plan.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/linalg/gemm.hpp"
#include "linalg/inner_product.hpp"

namespace gramian {
namespace {

/// From so many outputs on Phi A Phiᵀ is formed, in the memory of the system: half the operations of its tiles on the fly, which
/// fall out of the cache.
constexpr Index dense_outputs = 256;

void check_options(const KernelLayer& layer, Index samples, const RidgeOutputOptions& options) {
  const std::vector<double>& values = layer.terms.front().A.eigenvalues();
  require(!options.interpolate || *std::min_element(values.begin(), values.end()) > 0.0,
          "to interpolate, the last layer's A must be positive definite: an output that it leaves out meets no target");
  if (options.weights.empty()) return;
  require(!options.interpolate, "weights have no meaning for interpolation: every target is met");
  require(static_cast<Index>(options.weights.size()) == samples,
          "there are " + std::to_string(options.weights.size()) + " weights, but " + std::to_string(samples) + " targets");
  for (const double w : options.weights) require(std::isfinite(w) && w > 0.0, "weights must be finite numbers greater than 0");
}

const KernelLayer& checked(const KernelLayer& layer, MatrixView<const double> targets, Index code_size,
                           const RidgeOutputOptions& options) {
  require(layer.terms.size() == 1, "the last layer has " + std::to_string(layer.terms.size()) +
                                       " terms; a layer that is solved for has one: add kernels up, or train it jointly");
  require(options.interpolate || (std::isfinite(layer.penalty) && layer.penalty > 0.0),
          "the penalty of the last layer must be a finite number greater than 0: without it there is nothing to solve for");
  require(!targets.empty(), "targets are empty");
  require(layer.outputs() == targets.cols(), "the last layer has " + std::to_string(layer.outputs()) + " outputs, targets have " +
                                                 std::to_string(targets.cols()) + " columns");
  require(code_size > 0, "code_size must be greater than 0");
  require(all_finite(targets), "targets have an entry that is not finite");
  check_options(layer, targets.rows(), options);
  return layer;
}

}  // namespace

RidgeOutput::State::State(const KernelLayer& layer, MatrixView<const double> targets, Index code_size, RidgeOutputOptions options)
    : kernel(checked(layer, targets, code_size, options).terms.front().kernel),
      A(layer.terms.front().A),
      interpolate(options.interpolate),
      lambda(options.interpolate ? 1.0 : layer.penalty),
      divisor(options.sum || options.interpolate ? 1.0 : static_cast<double>(targets.rows())),
      weights(std::move(options.weights)),
      C(targets),
      p(code_size),
      columns(A, C) {
  system.solve_packed(targets.cols());
}

void RidgeOutput::State::move_to(MatrixView<const double> Z) {
  require_shape(Z, n(), p, "Z");
  if (!plan) plan.emplace(kernel, n(), p, TileStorage::keep);
  keeps_tiles = true;
  plan->move_to(Z);
}

/// a K + n lambda diag(weights)^-1 for the lower triangle of K.
void RidgeOutput::State::shift_diagonal(double a) {
  const MatrixView<double> K = system.matrix();
  if (a != 1.0) {
    for_rows(K.rows(), K.rows() / 2, [&](Index first, Index last) {
      for (Index i = first; i < last; ++i) {
        for (Index j = 0; j <= i; ++j) K(i, j) *= a;
      }
    });
  }
  const double shift = ridge();
  for (Index i = 0; i < K.rows() && shift > 0.0; ++i) K(i, i) += weights.empty() ? shift : shift / weight(i);
}

/// Where the kept tiles are all there is to it, they are not copied to a matrix first. Returns the jitter.
double RidgeOutput::State::factorize(double a) {
  const double penalty = interpolate ? 0.0 : lambda;
  if (keeps_tiles && a == 1.0 && weights.empty() && system.in_place()) {
    return system.factorize(plan->kept_tiles(), ridge(), penalty);
  }
  plan->store_lower(system.matrix());
  shift_diagonal(a);
  return system.factorize(penalty);
}

/// Outputs that A leaves out are 0 whatever psi is.
double RidgeOutput::State::solve_constant(const RidgeGroup& group, MatrixView<double> psi) {
  const MatrixView<const double> targets = part(columns.targets(), 0, n(), group.first, group.count);
  for_entries(psi, [&](Index i, Index k) { psi(i, k) = weight(i) * targets(i, k) / ridge(); });
  if (!std::isfinite(sum_of_squares(psi))) raise_unsolvable(n(), lambda, "has a solution that overflows");
  const double squares = weights.empty() ? sum_of_squares(targets) : ridge() * inner_product(psi, targets);
  distortion += squares / divisor;
  return squares / divisor;
}

/// [KAE] (13): (a K + n lambda I) psi = c for the columns of one eigenvalue of A.
/// [DKL] (3), (6): K psi = c to interpolate, (K + lambda I) psi = c for a sum over samples.
/// [DKL] (uP), (19): returns their part of the minimum, lambda <c, psi>, with lambda = 1 to interpolate. If the system needs
/// jitter it is that of a larger penalty, and so are its minimum and what is left of the targets.
double RidgeOutput::State::solve_group(const RidgeGroup& group, double& penalty) {
  const MatrixView<const double> targets = part(columns.targets(), 0, n(), group.first, group.count);
  const MatrixView<double> psi = part(Psi.view(), 0, n(), group.first, group.count);
  if (group.a == 0.0) return solve_constant(group, psi);
  const double added = factorize(group.a);
  jitter = std::max(jitter, added);
  const double inner = system.solve_lower(targets, psi);
  const double squares = system.solve_lower_transposed(psi, interpolate ? 0.0 : lambda);
  if (interpolate) {
    squared_norm += inner;
  } else if (!weights.empty()) {
    add_weighted(psi, added, inner);
  } else {
    const double left = ridge() + added;  // times psi: what is left of the targets
    penalty = left / divisor;
    distortion += left * penalty * squares;
    squared_norm += std::max(0.0, inner - left * squares);
  }
  return penalty * inner;
}

/// With weights jitter is that of other weights.
void RidgeOutput::State::add_weighted(MatrixView<const double> psi, double added, double inner) {
  double left_of_inner = 0.0, loss = 0.0;
  for (Index i = 0; i < psi.rows(); ++i) {
    const double left = ridge() / weight(i) + added;
    double squares = 0.0;
    for (Index k = 0; k < psi.cols(); ++k) squares += psi(i, k) * psi(i, k);
    left_of_inner += left * squares;
    loss += weight(i) * left * left * squares;
  }
  distortion += loss / divisor;
  squared_norm += std::max(0.0, inner - left_of_inner);
}

double RidgeOutput::State::solve() {
  system.reserve(n());
  ensure_shape(Psi, n(), r());
  distortion = squared_norm = jitter = 0.0;
  double value = 0.0;
  penalties.assign(columns.groups().size(), lambda);
  for (std::size_t g = 0; g < penalties.size(); ++g) value += solve_group(columns.groups()[g], penalties[g]);
  if (!columns.plain()) {
    ensure_shape(Phi, n(), r());
    columns.rotate_back(Psi.view(), Phi.view());
  }
  return value;
}

/// [KAE] (54): N = Psi diag(a) Psiᵀ, and Kbar = -lambda N.
/// [KAE] (14): -2 lambda N of that is the part of the distortion, as what is left of the targets is n lambda Phi; the penalty
/// has lambda N. Without (14) the sign would be the wrong one.
void RidgeOutput::State::write_gradient(MatrixView<const double> Z, MatrixView<double> Zbar) {
  const std::vector<RidgeGroup>& groups = columns.groups();
  Index used = 0;  // outputs with a = 0 depend on no code, and are the last
  for (const RidgeGroup& group : groups) used += group.a > 0.0 ? group.count : 0;
  const MatrixView<const double> psi = part(Psi.view(), 0, n(), 0, used);
  const bool dense = used >= dense_outputs;
  if (dense && groups.size() == 1) {
    gemm_symmetric(-penalties[0] * groups[0].a, psi, 0.0, system.matrix());
    return write_dense_gradient(Z, Zbar);
  }
  ensure_shape(products, n(), r());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double factor = dense ? std::sqrt(penalties[g] * groups[g].a) : -penalties[g] * groups[g].a;
    const MatrixView<double> out = part(products.view(), 0, n(), groups[g].first, groups[g].count);
    for_entries(out, [&](Index i, Index k) { out(i, k) = factor * Psi(i, groups[g].first + k); });
  }
  const MatrixView<const double> P = part(products.view(), 0, n(), 0, used);
  if (!dense) return plan->adjoint_of_symmetric(P, psi, Zbar);
  gemm_symmetric(-1.0, P, 0.0, system.matrix());
  write_dense_gradient(Z, Zbar);
}

/// Kbar is where the system was.
void RidgeOutput::State::write_dense_gradient(MatrixView<const double> Z, MatrixView<double> Zbar) {
  adjoint(kernel, Z, GramGradient<double>(MatrixView<const double>(system.matrix())), Zbar);
}

/// [KAE] (14): with Phi held, Kbar = (lambda Phi - (2/n) D R) (Phi A)ᵀ, R = C - K Phi A, D = diag(weights).
double RidgeOutput::State::evaluate_at(MatrixView<const double> given, MatrixView<double> Zbar) {
  require(!interpolate, "coefficients are held for a ridge regression alone");
  Matrix applied(n(), r()), outputs(n(), r()), left(n(), r());
  A.apply(given, applied.view());
  plan->product(applied.view(), outputs.view());
  squared_norm = std::max(0.0, inner_product(given, outputs.view()));
  const double factor = 2.0 / divisor;
  for_entries(outputs.view(), [&](Index i, Index k) {
    outputs(i, k) = C(i, k) - outputs(i, k);
    left(i, k) = lambda * given(i, k) - factor * weight(i) * outputs(i, k);
    outputs(i, k) *= weights.empty() ? 1.0 : std::sqrt(weight(i));
  });
  distortion = sum_of_squares(outputs.view()) / divisor;
  if (!Zbar.empty()) plan->product_and_adjoint({}, {}, left.view(), applied.view(), Zbar);
  return distortion + lambda * squared_norm;
}

}  // namespace gramian

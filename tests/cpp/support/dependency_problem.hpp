// SPDX-License-Identifier: BSD-3-Clause
// Kernel dependency estimation by its definition, [KDE] (8): the system of n^2 equations; and pairs of Gram matrices to try it
// on.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "gramian/ovk/separable_ridge.hpp"
#include "support/spectral.hpp"

namespace dependency_data {

using gramian::DependencyOperator;
using gramian::Index;
using spectral::Matrix;
using spectral::normal;
using spectral::Vector;

enum class Kind { identity, covariance, conditional };
constexpr Kind kinds[] = {Kind::identity, Kind::covariance, Kind::conditional};

/// epsilon: of the conditional covariance alone.
inline DependencyOperator operator_of(Kind kind, double epsilon = 0.05) {
  if (kind == Kind::identity) return gramian::IdentityOperator{};
  if (kind == Kind::covariance) return gramian::CovarianceOperator{};
  return gramian::ConditionalOperator{epsilon};
}

inline bool is_identity(const DependencyOperator& kind) { return std::holds_alternative<gramian::IdentityOperator>(kind); }

/// T of [KDE] Prop. 1, L - (k + n epsilon I)^-1 k L, without the cancellation where k is large.
Matrix T_of(const Matrix& k, const Matrix& L, const DependencyOperator& kind);

/// C = T A, and (k + n lambda I)^-1 for the identity. Where that does not take too long in long double: a dense solver has no
/// regard for what T does to the larger part of A.
Matrix brute_force(const Matrix& k, const Matrix& L, const DependencyOperator& kind, double lambda);

struct Pair {
  std::string name;
  Matrix k, L;
};

std::vector<Pair> pairs(Index n);

double relative(const Matrix& a, const Matrix& b);

}  // namespace dependency_data

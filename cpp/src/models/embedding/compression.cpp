// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/embedding/compression.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gram/rows.hpp"
#include "gram/source.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/herding.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "layers/feature_ridge.hpp"

namespace gramian::embedding {
namespace {

double weight_of(const double* weights, Index i) { return weights == nullptr ? 1.0 : weights[i]; }

void check_weights(const double* weights, Index n) {
  for (Index i = 0; weights != nullptr && i < n; ++i) {
    require(std::isfinite(weights[i]) && weights[i] > 0.0, "weights must be finite numbers greater than 0");
  }
}

void check_expansion(const SampleSum& f) {
  require(f.X.scalar() == Scalar::float64, "X must be float64");
  require(f.X.size() > 0, "X is empty");
  require_shape(f.V, f.X.size(), f.V.cols(), "V");
  require_finite(f.V, "V");
  require_positive(f.lambda, "lambda");
  check_weights(f.weights, f.X.size());
}

/// N lambda
double shift_of(const SampleSum& f) {
  double total = 0.0;
  for (Index i = 0; i < f.X.size(); ++i) total += weight_of(f.weights, i);
  return total * f.lambda;
}

/// What the ridge regression was of: T = K V + N lambda D^-1 V.
Matrix targets_of(const SampleSum& f) {
  Matrix T(f.V.rows(), f.V.cols());
  product(f.kernel, f.X, f.V, T.view());
  const double shift = shift_of(f);
  for (Index i = 0; i < T.rows(); ++i) {
    for (Index j = 0; j < T.cols(); ++j) T(i, j) += shift / weight_of(f.weights, i) * f.V(i, j);
  }
  return T;
}

/// (FᵀD F + N lambda I)^-1 FᵀD T, for values F of functions that stand for an orthonormal basis.
Matrix ridge(const SampleSum& f, const Matrix& F) {
  std::vector<double> roots;
  for (Index i = 0; f.weights != nullptr && i < F.rows(); ++i) roots.push_back(std::sqrt(f.weights[i]));
  FeatureRidge ridge;
  ridge.begin(F.cols(), f.V.cols());
  ridge.add(F.view(), roots.empty() ? nullptr : roots.data(), targets_of(f).view());
  ridge.solve(shift_of(f));
  return std::move(ridge.W());
}

/// A group of samples.
struct Group {
  std::vector<Index> members;
  double weight = 0.0;
  Index places = 0;  ///< of its own
};

std::vector<Group> groups_of(const std::vector<Index>& numbers, const double* weights) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    require(numbers[i] >= 0 && numbers[i] < static_cast<Index>(numbers.size()), "groups must be counted from 0");
    if (numbers[i] >= static_cast<Index>(groups.size())) groups.resize(at(numbers[i]) + 1);
    Group& group = groups[at(numbers[i])];
    group.members.push_back(static_cast<Index>(i));
    group.weight += weight_of(weights, static_cast<Index>(i));
  }
  return groups;
}

/// The group with room that has the fewest places for its weight, or null if there is none.
Group* neediest(std::vector<Group>& groups, bool without_any) {
  Group* best = nullptr;
  double most = 0.0;
  for (Group& group : groups) {
    const double need = group.weight / (static_cast<double>(group.places) + 0.5);
    const bool room = group.places < static_cast<Index>(group.members.size());
    if (room && (group.places == 0 || !without_any) && need > most) {
      most = need;
      best = &group;
    }
  }
  return best;
}

void give_places(std::vector<Group>& groups, Index count) {
  for (Index place = 0; place < count; ++place) {
    Group* poorest = neediest(groups, true);
    ++(poorest != nullptr ? poorest : neediest(groups, false))->places;
  }
}

void herd_group(const Kernel& kernel, const Points& X, const Group& group, const double* weights, std::vector<Index>& out) {
  if (group.places == 0) return;
  const PickedRows some(X, group.members);
  const Index n = static_cast<Index>(group.members.size());
  Matrix shares(n, 1), mean(n, 1);
  for (Index i = 0; i < n; ++i) shares(i, 0) = weight_of(weights, group.members[at(i)]) / group.weight;
  product(kernel, some.points(), shares.view(), mean.view());
  for (const Index row : herd(GramSource(kernel, some.points()), transposed(mean.view()), group.places, Repeats::forbidden)) {
    out.push_back(group.members[at(row)]);
  }
}

}  // namespace

/// [MCE] Sec. 4.1: kernel herding, class by class.
std::vector<Index> herd_supports(const Kernel& kernel, const Points& X, const std::vector<Index>& groups, Index count,
                                 const double* weights) {
  require(X.scalar() == Scalar::float64, "X must be float64");
  require(static_cast<Index>(groups.size()) == X.size(), "groups must have an entry for each row of X");
  require(count >= 1 && count <= X.size(),
          "count is " + std::to_string(count) + ", it must be from 1 to the number of samples, " + std::to_string(X.size()));
  check_weights(weights, X.size());
  std::vector<Group> by_number = groups_of(groups, weights);
  give_places(by_number, count);
  std::vector<Index> out;
  for (const Group& group : by_number) herd_group(kernel, X, group, weights, out);
  std::sort(out.begin(), out.end());
  return out;
}

Matrix compress_to_supports(const SampleSum& f, const std::vector<Index>& rows) {
  check_expansion(f);
  require(!rows.empty(), "there are no rows to keep");
  for (const Index row : rows) require(row >= 0 && row < f.X.size(), "rows must be rows of X");
  const Index n = f.X.size(), s = static_cast<Index>(rows.size());
  require_memory(static_cast<std::uint64_t>(checked_product(16, checked_product(n + s, s))), "the compression",
                 "keep fewer supports");
  const PickedRows supports(f.X, rows);
  Matrix L(s, s), F(n, s);
  full(f.kernel, supports.points(), L.view());
  full(f.kernel, f.X, supports.points(), F.view());
  // In coordinates of an orthonormal basis of the supports' span: K_SS = L Lᵀ, F = K_XS L^-T.
  cholesky_in_place(L.view());
  solve_lower(L.view(), transposed(F.view()));
  Matrix W = ridge(f, F);
  solve_lower_transposed(L.view(), W.view());
  return W;
}

/// [MCE] Sec. 4.1: random Fourier features, or any others.
Matrix compress_to_features(const SampleSum& f, FeatureMap& features, const double* theta) {
  check_expansion(f);
  require(!f.X.sparse(), "X must be dense for features");
  require(features.inputs() == f.X.dimension(), "the features are of another number of inputs than X has");
  require_memory(static_cast<std::uint64_t>(checked_product(16, checked_product(f.X.size(), features.outputs()))),
                 "the compression", "use fewer features");
  Matrix Z(f.X.size(), features.outputs());
  features.forward(theta, f.X.float64(), Z.view(), {});
  return ridge(f, Z);
}

}  // namespace gramian::embedding

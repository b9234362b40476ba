// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/compression.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/full.hpp"
#include "gramian/gram/product.hpp"
#include "gramian/linalg/cholesky.hpp"
#include "gramian/linalg/gemm.hpp"
#include "gramian/linalg/triangular.hpp"
#include "gramian/models/conditional_mean.hpp"
#include "linalg/packed_lower.hpp"
#include "linalg/small.hpp"
#include "models/dependency_blocks.hpp"

namespace gramian {
namespace {

constexpr Index rows_together = 4096;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

void check_expansion(const KernelExpansion& f) {
  require(f.X.scalar() == Scalar::float64, "X must be float64");
  require(f.X.size() > 0, "X is empty");
  require_shape(f.V, f.X.size(), f.V.cols(), "V");
  require_finite(f.V, "V");
  require(std::isfinite(f.lambda) && f.lambda > 0.0, "lambda must be a finite number greater than 0");
}

/// What the ridge regression was of, K V + n lambda V.
Matrix targets_of(const KernelExpansion& f) {
  Matrix T(f.V.rows(), f.V.cols());
  product(f.kernel, f.X, f.V, T.view());
  const double shift = static_cast<double>(T.rows()) * f.lambda;
  for (Index i = 0; i < T.rows(); ++i) {
    for (Index j = 0; j < T.cols(); ++j) T(i, j) += shift * f.V(i, j);
  }
  return T;
}

/// (FᵀF + shift I)^-1 Fᵀ T
Matrix ridge(const Matrix& F, const Matrix& T, double shift) {
  Matrix S(F.cols(), F.cols()), W(F.cols(), T.cols());
  gemm_symmetric(1.0, transposed(F.view()), 0.0, S.view());
  for (Index i = 0; i < S.rows(); ++i) S(i, i) += shift;
  gemm(1.0, transposed(F.view()), T.view(), 0.0, W.view());
  cholesky_in_place(S.view());
  cholesky_solve(S.view(), W.view());
  return W;
}

/// Members of each group.
std::vector<std::vector<Index>> members_of(const std::vector<Index>& groups) {
  std::vector<std::vector<Index>> members;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    require(groups[i] >= 0 && groups[i] < static_cast<Index>(groups.size()), "groups must be counted from 0");
    if (groups[i] >= static_cast<Index>(members.size())) members.resize(at(groups[i]) + 1);
    members[at(groups[i])].push_back(static_cast<Index>(i));
  }
  return members;
}

/// The group with room that has the fewest places for its size, or members.size() if there is none.
std::size_t neediest(const std::vector<std::vector<Index>>& members, const std::vector<Index>& shares, bool without_any) {
  std::size_t best = members.size();
  double most = 0.0;
  for (std::size_t g = 0; g < members.size(); ++g) {
    const double size = static_cast<double>(members[g].size()), share = static_cast<double>(shares[g]);
    const double need = size / (share + 0.5);
    if (share < size && (share == 0.0 || !without_any) && need > most) {
      most = need;
      best = g;
    }
  }
  return best;
}

std::vector<Index> shares_of(const std::vector<std::vector<Index>>& members, Index count) {
  std::vector<Index> shares(members.size(), 0);
  for (Index place = 0; place < count; ++place) {
    const std::size_t poorest = neediest(members, shares, true);
    ++shares[poorest < members.size() ? poorest : neediest(members, shares, false)];
  }
  return shares;
}

void herd_group(const Kernel& kernel, const Points& X, const std::vector<Index>& members, Index count, std::vector<Index>& out) {
  if (count == 0) return;
  const SomePoints some(X, members);
  const Index n = static_cast<Index>(members.size());
  const Matrix uniform = Matrix::filled(n, 1, 1.0 / static_cast<double>(n));
  Matrix mean(n, 1);
  product(kernel, some.points(), uniform.view(), mean.view());
  for (const Index row : herd(GramSource(kernel, some.points()), transposed(mean.view()), count, Repeats::forbidden)) {
    out.push_back(members[at(row)]);
  }
}

}  // namespace

std::vector<Index> herd_supports(const Kernel& kernel, const Points& X, const std::vector<Index>& groups, Index count) {
  require(X.scalar() == Scalar::float64, "X must be float64");
  require(static_cast<Index>(groups.size()) == X.size(), "groups must have an entry for each row of X");
  require(count >= 1 && count <= X.size(),
          "count is " + std::to_string(count) + ", it must be from 1 to the number of samples, " + std::to_string(X.size()));
  const std::vector<std::vector<Index>> members = members_of(groups);
  const std::vector<Index> shares = shares_of(members, count);
  std::vector<Index> out;
  for (std::size_t g = 0; g < members.size(); ++g) herd_group(kernel, X, members[g], shares[g], out);
  std::sort(out.begin(), out.end());
  return out;
}

Matrix compress_to_supports(const KernelExpansion& f, const std::vector<Index>& rows) {
  check_expansion(f);
  require(!rows.empty(), "there are no rows to keep");
  for (const Index row : rows) require(row >= 0 && row < f.X.size(), "rows must be rows of X");
  const Index n = f.X.size(), s = static_cast<Index>(rows.size());
  require_memory(static_cast<std::uint64_t>(checked_product(16, checked_product(n + s, s))), "the compression",
                 "keep fewer supports");
  const SomePoints supports(f.X, rows);
  Matrix L(s, s), F(n, s);
  full(f.kernel, supports.points(), L.view());
  full(f.kernel, f.X, supports.points(), F.view());
  // In coordinates of an orthonormal basis of the supports' span: K_SS = L Lᵀ, F = K_XS L^-T.
  cholesky_in_place(L.view());
  solve_lower(L.view(), transposed(F.view()));
  Matrix W = ridge(F, targets_of(f), static_cast<double>(n) * f.lambda);
  solve_lower_transposed(L.view(), W.view());
  return W;
}

Matrix compress_to_features(const KernelExpansion& f, FeatureMap& features, const double* theta) {
  check_expansion(f);
  require(!f.X.sparse(), "X must be dense for features");
  require(features.inputs() == f.X.dimension(), "the features are of another number of inputs than X has");
  require_memory(static_cast<std::uint64_t>(checked_product(16, checked_product(f.X.size(), features.outputs()))),
                 "the compression", "use fewer features");
  Matrix Z(f.X.size(), features.outputs());
  features.forward(theta, f.X.float64(), Z.view(), {});
  return ridge(Z, targets_of(f), static_cast<double>(f.X.size()) * f.lambda);
}

void feature_expansion(FeatureMap& features, const double* theta, MatrixView<const double> X, MatrixView<const double> W,
                       MatrixView<double> out) {
  require_shape(W, features.outputs(), W.cols(), "W");
  require_shape(X, X.rows(), features.inputs(), "X");
  require_shape(out, X.rows(), W.cols(), "out");
  for (Index first = 0; first < X.rows(); first += rows_together) {
    poll_stop();
    const Index rows = std::min(rows_together, X.rows() - first);
    Matrix Z(rows, features.outputs());
    features.forward(theta, part(X, first, rows, 0, X.cols()), Z.view(), {});
    gemm(1.0, Z.view(), W, 0.0, part(out, first, rows, 0, out.cols()));
  }
}

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "models/kernel_ridge/exact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gram/source.hpp"
#include "gramian/linalg/eigen_symmetric.hpp"
#include "gramian/linalg/gemm.hpp"
#include "linalg/factorize.hpp"
#include "linalg/packed_solve.hpp"
#include "linalg/semidefinite.hpp"

namespace gramian::kernel_ridge {
namespace {

constexpr const char* advice = "take solver conjugate_gradients, landmarks, or fewer samples";
constexpr Index matrices_of_eigenvectors = 8;  // S K S, V, and the workspace of the decomposition

Index checked_size(const GramSource& X) {
  const Index n = X.size();
  require_memory(bytes_of(n, n, 1) / (X.stored() ? 2 : 1), "the system of the regression", advice);
  return n;
}

}  // namespace

ExactSystem::ExactSystem(const GramSource& X, const std::vector<double>& roots)
    : roots_(roots), size_(checked_size(X)), factor_(size_, factor_tile(size_)) {
  if (!X.stored()) {
    gram_.evaluate(X.kernel(), X.points(), size_);
  } else if (X.gram().col_stride() == 1) {
    stored_ = X.gram();
  } else {
    copy_ = Matrix::copy_of(X.gram());
    stored_ = copy_.view();
  }
}

const double* ExactSystem::tile(Index row_tile, Index col_tile) {
  if (stored_.empty()) return gram_.tile(row_tile, col_tile);
  return &stored_(row_tile * isa::tile_size, col_tile * isa::tile_size);
}

bool ExactSystem::solve(double alpha, MatrixView<double> B) {
  const auto from = [this](Index row_tile, Index col_tile) { return tile(row_tile, col_tile); };
  const bool stored = !stored_.empty();
  const TiledMatrix A{size_, stored ? isa::tile_size : gram_.step(),   stored ? stored_.row_stride() : isa::tile_size,
                      from,  roots_.empty() ? nullptr : roots_.data(), alpha};
  if (factorize(A, factor_) >= 0) return false;
  solve_packed(factor_, B, room_);
  return true;
}

Spectrum::Spectrum(const GramSource& X, const std::vector<double>& roots, Signs signs) {
  const Index n = X.size();
  require_memory(bytes_of(n, n, matrices_of_eigenvectors), "the eigenvectors of the Gram matrix", advice);
  Matrix K;
  if (X.stored()) {
    K = Matrix::copy_of(X.gram());
  } else {
    whole(X, K);
  }
  if (!roots.empty()) {
    const auto root = [&](Index i) { return roots[static_cast<std::size_t>(i)]; };
    for_entries(K.view(), [&](Index i, Index j) { K(i, j) *= root(i) * root(j); });
  }
  if (signs == Signs::semidefinite) {
    decompose(K.view(), values_, vectors_, "K");
  } else {
    values_ = Matrix(n, 1);
    vectors_ = Matrix(n, n);
    eigen_symmetric(K.view(), values_.view(), vectors_.view());
  }
}

double Spectrum::solve(double alpha, MatrixView<double> B) const {
  const Index n = values_.rows();
  double largest = 0.0;
  for (Index k = 0; k < n; ++k) largest = std::max(largest, std::abs(values_(k, 0) + alpha));
  const double least = static_cast<double>(n) * std::numeric_limits<double>::epsilon() * largest;
  Matrix inner(n, B.cols());
  gemm(1.0, transposed(vectors_.view()), B, 0.0, inner.view());
  double left = 0.0;
  for_entries(inner.view(), [&](Index k, Index c) {
    const double value = values_(k, 0) + alpha;
    const bool counts = std::abs(value) > least;
    if (!counts) left += inner(k, c) * inner(k, c);
    inner(k, c) = counts ? inner(k, c) / value : 0.0;
  });
  gemm(1.0, vectors_.view(), inner.view(), 0.0, B);
  return left;
}

}  // namespace gramian::kernel_ridge

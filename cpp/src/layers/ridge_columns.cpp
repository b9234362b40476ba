// SPDX-License-Identifier: BSD-3-Clause
#include "layers/ridge_columns.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "gramian/linalg/gemm.hpp"

namespace gramian {
namespace {

/// Of a full A eigenvalues are known up to this, and what is closer is equal: a projection has two systems, not one for each
/// output.
double equality(const OutputOperator& A) {
  if (A.form() != OutputOperator::Form::full) return 0.0;
  const std::vector<double>& a = A.eigenvalues();
  const double largest = *std::max_element(a.begin(), a.end());
  return 8.0 * std::numeric_limits<double>::epsilon() * static_cast<double>(A.size()) * largest;
}

/// Cuts columns, in descending order of their eigenvalues, into groups.
std::vector<RidgeGroup> groups_of(const std::vector<double>& descending, double equal) {
  std::vector<RidgeGroup> groups;
  for (Index j = 0; j < static_cast<Index>(descending.size()); ++j) {
    const double a = descending[static_cast<std::size_t>(j)];
    if (groups.empty() || groups.back().a - a > equal) groups.push_back({a <= equal ? 0.0 : a, j, 0});
    ++groups.back().count;
  }
  return groups;
}

}  // namespace

RidgeColumns::RidgeColumns(const OutputOperator& A, MatrixView<const double> targets) : targets_(targets) {
  const Index r = A.size();
  if (A.form() == OutputOperator::Form::identity) {
    groups_.push_back({1.0, 0, r});
    return;
  }
  const std::vector<double>& a = A.eigenvalues();
  std::vector<Index> order(static_cast<std::size_t>(r));
  std::iota(order.begin(), order.end(), Index(0));
  const auto value = [&](Index j) { return a[static_cast<std::size_t>(j)]; };
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return value(i) > value(j); });
  std::vector<double> descending;
  for (const Index j : order) descending.push_back(value(j));
  groups_ = groups_of(descending, equality(A));
  basis_ = Matrix::filled(r, r, 0.0);
  for (Index c = 0; c < r; ++c) {
    const Index j = order[static_cast<std::size_t>(c)];
    for (Index i = 0; i < r; ++i) basis_(i, c) = A.form() == OutputOperator::Form::full ? A.eigenvectors()(i, j) : i == j;
  }
  rotated_ = Matrix(targets.rows(), r);
  gemm(1.0, targets, basis_.view(), 0.0, rotated_.view());
}

void RidgeColumns::rotate_back(MatrixView<const double> Psi, MatrixView<double> out) const {
  gemm(1.0, Psi, transposed(MatrixView<const double>(basis_.view())), 0.0, out);
}

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/linalg/eigen_symmetric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "base/workspace.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/matrix.hpp"
#include "gramian/base/parallel.hpp"
#include "linalg/tridiagonal_divide.hpp"
#include "linalg/tridiagonal_form.hpp"

namespace gramian {
namespace {

constexpr Index rows_per_task = 32;
constexpr double seconds_per_number = 1e-9;

/// What A is to be multiplied by.
double checked_scale(MatrixView<const double> A) {
  require_square(A, "A");
  // Copies, reflections and vectors of both halves at once.
  require_memory(bytes_of(A.rows(), A.rows(), 6), "the eigendecomposition", "ask for the largest eigenvalues only");
  double largest = 0.0;
  bool finite = true;
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      const double size = std::fabs(A(i, j));
      finite = finite && size <= std::numeric_limits<double>::max();
      largest = std::max(largest, size);
    }
  }
  require(finite, "A has an entry that is not finite");
  return unit_scale(largest);
}

Index row_tasks(MatrixView<const double> V) { return (V.rows() + rows_per_task - 1) / rows_per_task; }
double row_seconds(MatrixView<const double> V) { return seconds_per_number * static_cast<double>(rows_per_task * V.cols()); }

/// body(row) for all of them.
template <class Body>
void for_rows(MatrixView<const double> V, Body body) {
  parallel_for(row_tasks(V), row_seconds(V), [&](Index task, int) {
    for (Index i = task * rows_per_task; i < std::min(V.rows(), (task + 1) * rows_per_task); ++i) body(i);
  });
}

/// Of each column the entry that is largest in magnitude, the first of equals.
std::vector<double> largest_entries(MatrixView<const double> V) {
  const Index tasks = row_tasks(V), cols = V.cols();
  Matrix found = Matrix::filled(std::max<Index>(tasks, 1), cols, 0.0);
  const auto keep = [](double& most, double entry) { most = std::fabs(entry) > std::fabs(most) ? entry : most; };
  parallel_for(tasks, row_seconds(V), [&](Index task, int) {
    double* own = found.data() + task * cols;
    // Row by row, as the matrix lies in memory.
    for (Index i = task * rows_per_task; i < std::min(V.rows(), (task + 1) * rows_per_task); ++i) {
      for (Index j = 0; j < cols; ++j) keep(own[j], V(i, j));
    }
  });
  std::vector<double> largest(at(cols), 0.0);
  for (Index task = 0; task < tasks; ++task) {
    for (Index j = 0; j < cols; ++j) keep(largest[at(j)], found(task, j));
  }
  return largest;
}

}  // namespace

void eigen_symmetric(MatrixView<const double> A, MatrixView<double> values, MatrixView<double> V, EigenOrder order) {
  const Index n = A.rows();
  require_shape(values, n, 1, "values");
  require_shape(V, n, n, "V");
  const double scale = checked_scale(A);
  TridiagonalForm form(A, scale);
  const Matrix numbers = [&] {
    Matrix Z = tridiagonal_divide(form.diagonal, form.beside);
    form.Q.apply(part(Z.view(), 0, n, 0, n));
    return Z;
  }();
  const MatrixView<const double> Z = part(numbers.view(), 0, n, 0, n);
  std::vector<Index> from(at(n));
  std::iota(from.begin(), from.end(), Index(0));
  std::stable_sort(from.begin(), from.end(), [&](Index a, Index b) { return form.diagonal[at(a)] < form.diagonal[at(b)]; });
  if (order == EigenOrder::descending) std::reverse(from.begin(), from.end());
  const std::vector<double> largest = largest_entries(Z);
  for (Index j = 0; j < n; ++j) values(j, 0) = form.diagonal[at(from[at(j)])] / scale;
  for_rows(Z, [&](Index i) {
    for (Index j = 0; j < n; ++j) V(i, j) = largest[at(from[at(j)])] < 0.0 ? -Z(i, from[at(j)]) : Z(i, from[at(j)]);
  });
}

void fix_signs(MatrixView<double> V) {
  const std::vector<double> largest = largest_entries(V);
  for_rows(V, [&](Index i) {
    for (Index j = 0; j < V.cols(); ++j) {
      if (largest[at(j)] < 0.0) V(i, j) = -V(i, j);
    }
  });
}

}  // namespace gramian

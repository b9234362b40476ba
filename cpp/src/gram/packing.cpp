// SPDX-License-Identifier: BSD-3-Clause
#include "gram/packing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "gram/tile_block.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/parallel.hpp"

namespace gramian {
namespace {

constexpr Index rows_per_task = 1024;
constexpr double seconds_per_number = 1e-9;

/// sum += rows [first, last) of X, in order.
template <class T>
void add_rows(MatrixView<const T> X, Index first, Index last, double* sum) {
  for (Index i = first; i < last; ++i) {
    for (Index k = 0; k < X.cols(); ++k) sum[k] += static_cast<double>(X(i, k));
  }
}

/// One point, feature by feature `stride` apart. Returns half its squared norm as packed.
template <class T>
double pack_point(MatrixView<const T> X, Index row, const Frame& frame, Index stride, T* out) {
  double square = 0.0;
  for (Index k = 0; k < X.cols(); ++k) {
    const T value = frame(X(row, k), k);
    out[k * stride] = value;
    square += static_cast<double>(value) * static_cast<double>(value);
  }
  return 0.5 * square;
}

}  // namespace

template <class T>
std::vector<double> mean_of_rows(MatrixView<const T> X) {
  const Index n = X.rows(), d = X.cols(), tasks = count_pieces(n, rows_per_task);
  std::vector<double> partial(static_cast<std::size_t>(checked_product(tasks, d)), 0.0);
  parallel_for(tasks, seconds_per_number * static_cast<double>(rows_per_task * d), [&](Index task, int) {
    add_rows(X, task * rows_per_task, std::min(n, (task + 1) * rows_per_task), partial.data() + task * d);
  });
  std::vector<double> mean(static_cast<std::size_t>(d), 0.0);
  for (Index task = 0; task < tasks; ++task) {
    // Divided before they are added: a sum of large coordinates may overflow where their mean does not.
    for (Index k = 0; k < d; ++k)
      mean[static_cast<std::size_t>(k)] += partial[static_cast<std::size_t>(task * d + k)] / static_cast<double>(n);
  }
  return mean;
}

template <class T>
Packed<T>::Packed(MatrixView<const T> X, Index panel, const Frame& frame, const char* name)
    : dimension_(X.cols()),
      panels_(checked_product(count_pieces(X.rows(), panel) * panel, X.cols())),
      half_(count_pieces(X.rows(), panel) * panel) {
  const Index n = X.rows(), d = X.cols(), padded = half_.size(), tasks = count_pieces(padded, rows_per_task);
  constexpr Index none = std::numeric_limits<Index>::max();
  std::vector<Index> bad_row(static_cast<std::size_t>(tasks), none);
  parallel_for(tasks, seconds_per_number * static_cast<double>(rows_per_task * d), [&](Index task, int) {
    for (Index i = task * rows_per_task; i < std::min(padded, (task + 1) * rows_per_task); ++i) {
      T* out = panels_.data() + (i / panel * d) * panel + i % panel;
      if (i >= n) {
        for (Index k = 0; k < d; ++k) out[k * panel] = T(0);
        half_[i] = T(0);
        continue;
      }
      half_[i] = static_cast<T>(pack_point(X, i, frame, panel, out));
      // |x - y|^2 is at most 8 times the larger half: with these finite, everything that kernels make of it is.
      if (!std::isfinite(T(16) * half_[i]))
        bad_row[static_cast<std::size_t>(task)] = std::min(bad_row[static_cast<std::size_t>(task)], i);
    }
  });
  for (const Index row : bad_row) {
    require(row == none, std::string(name) + " has a coordinate in row " + std::to_string(row) +
                             " that is not finite or too large: its square, scaled for the kernel, overflows");
  }
}

template std::vector<double> mean_of_rows(MatrixView<const double>);
template std::vector<double> mean_of_rows(MatrixView<const float>);
template class Packed<double>;
template class Packed<float>;

}  // namespace gramian

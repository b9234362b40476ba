// SPDX-License-Identifier: BSD-3-Clause
#include "gram/packing.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
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

/// One point, feature by feature `stride` apart. Returns its squared norm as packed.
template <class T>
double pack_point(MatrixView<const T> X, Index row, const Frame& frame, Index stride, T* out) {
  double square = 0.0;
  for (Index k = 0; k < X.cols(); ++k) {
    const T value = frame(X(row, k), k);
    out[k * stride] = value;
    square += static_cast<double>(value) * static_cast<double>(value);
  }
  return square;
}
template <class T>
double pack_point(MatrixView<const T> X, Index row, Index stride, T* out) {
  double square = 0.0;
  for (Index k = 0; k < X.cols(); ++k) {
    const T value = X(row, k);
    out[k * stride] = value;
    square += static_cast<double>(value) * static_cast<double>(value);
  }
  return square;
}

[[noreturn]] void refuse_row(const char* name, Index row) {
  throw std::invalid_argument(std::string(name) + " has a coordinate in row " + std::to_string(row) +
                              " that is not finite or too large: its square, scaled for the kernel, overflows");
}

}  // namespace

template <class T>
void mean_of_rows(MatrixView<const T> X, std::vector<double>& mean) {
  const Index n = X.rows(), d = X.cols(), tasks = count_pieces(n, rows_per_task);
  mean.assign(static_cast<std::size_t>(checked_product(tasks + 1, d)), 0.0);  // behind the mean the sums of each task
  double* sums = mean.data() + d;
  parallel_for(tasks, seconds_per_number * static_cast<double>(rows_per_task * d), [&](Index task, int) {
    add_rows(X, task * rows_per_task, std::min(n, (task + 1) * rows_per_task), sums + task * d);
  });
  for (Index task = 0; task < tasks; ++task) {
    // Divided before they are added: a sum of large coordinates may overflow where their mean does not.
    for (Index k = 0; k < d; ++k) mean[static_cast<std::size_t>(k)] += sums[task * d + k] / static_cast<double>(n);
  }
  mean.resize(static_cast<std::size_t>(d));
}

template <class T>
std::vector<double> mean_of_rows(MatrixView<const T> X) {
  std::vector<double> mean;
  mean_of_rows(X, mean);
  return mean;
}

template <class T>
template <class Write>
void Packed<T>::pack(Index n, Index d, Index panel, const char* name, Write write) {
  const Index panels = count_pieces(n, panel), panels_per_task = count_pieces(rows_per_task, panel);
  dimension_ = d;
  reserve(panels_, checked_product(panels * panel, d));
  reserve(half_, panels * panel);
  const double seconds = seconds_per_number * static_cast<double>(rows_per_task * d);
  parallel_for(count_pieces(panels, panels_per_task), seconds, [&](Index task, int) {
    for (Index p = task * panels_per_task; p < std::min(panels, (task + 1) * panels_per_task); ++p) {
      T* out = panels_.data() + p * panel * d;
      const Index points = std::min(panel, n - p * panel);
      if (points < panel) {
        std::fill_n(out, panel * d, T(0));
        std::fill_n(half_.data() + p * panel, panel, T(0));
      }
      for (Index i = 0; i < points; ++i) {
        T& half = half_[p * panel + i];
        half = static_cast<T>(0.5 * write(p * panel + i, out + i));
        // |x - y|^2 is at most 8 times the larger half: with these finite, everything that kernels make of it is.
        if (!std::isfinite(T(16) * half)) refuse_row(name, p * panel + i);
      }
    }
  });
}

template <class T>
void Packed<T>::assign(MatrixView<const T> X, Index panel, const Frame& frame, const char* name) {
  pack(X.rows(), X.cols(), panel, name, [&](Index row, T* out) { return pack_point(X, row, frame, panel, out); });
}

template <class T>
void Packed<T>::assign(MatrixView<const T> A, MatrixView<const T> B, Index panel, const char* name) {
  pack(A.rows(), A.cols() + B.cols(), panel, name,
       [&](Index row, T* out) { return pack_point(A, row, panel, out) + pack_point(B, row, panel, out + A.cols() * panel); });
}

template std::vector<double> mean_of_rows(MatrixView<const double>);
template std::vector<double> mean_of_rows(MatrixView<const float>);
template void mean_of_rows(MatrixView<const double>, std::vector<double>&);
template void mean_of_rows(MatrixView<const float>, std::vector<double>&);
template class Packed<double>;
template class Packed<float>;

}  // namespace gramian

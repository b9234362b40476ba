// SPDX-License-Identifier: BSD-3-Clause
// The slow, obvious versions that the fast paths are compared with.
#pragma once

#include <cmath>
#include <vector>

#include "gramian/base/random.hpp"
#include "gramian/base/view.hpp"

namespace naive {

using gramian::Index;
using gramian::MatrixView;

/// Numbers with a view on them.
template <class T>
struct Matrix {
  Matrix(Index rows, Index cols) : numbers(static_cast<std::size_t>(rows * cols)), view(numbers.data(), rows, cols) {}
  Matrix(Matrix&&) = default;  // the numbers stay where they are, and so does the view
  T& operator()(Index i, Index j) { return view(i, j); }
  std::vector<T> numbers;
  MatrixView<T> view;
};

/// Standard normal numbers, shifted.
template <class T>
Matrix<T> normal(Index rows, Index cols, std::uint64_t seed, double shift = 0.0) {
  Matrix<T> out(rows, cols);
  const gramian::RandomStream random(seed);
  for (Index i = 0; i < rows * cols; ++i) {
    out.numbers[static_cast<std::size_t>(i)] = static_cast<T>(random.normal(static_cast<std::uint64_t>(i)) + shift);
  }
  return out;
}

/// exp(-gamma |x_i - y_j|^2), by differences and in long double.
template <class T>
double gaussian(MatrixView<T> X, Index i, MatrixView<T> Y, Index j, double gamma) {
  long double square = 0;
  for (Index k = 0; k < X.cols(); ++k) {
    const long double difference = static_cast<long double>(X(i, k)) - static_cast<long double>(Y(j, k));
    square += difference * difference;
  }
  return static_cast<double>(std::exp(-static_cast<long double>(gamma) * square));
}

}  // namespace naive

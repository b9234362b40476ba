// SPDX-License-Identifier: BSD-3-Clause
#include "gram/packing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "base/pieces.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"

namespace gramian {
namespace {

constexpr Index most_points = 64;  // of a panel, in any build
constexpr double seconds_per_number = 1e-9;

/// sum += rows [first, last) of X, in order.
template <class T>
void add_rows(MatrixView<const T> X, Index first, Index last, double* sum) {
  constexpr Index few_features = 8;  // their columns stay in the cache, and each sum in a register
  if (X.cols() > few_features) {
    for (Index i = first; i < last; ++i) {
      for (Index k = 0; k < X.cols(); ++k) sum[k] += static_cast<double>(X(i, k));
    }
    return;
  }
  Index k = 0;
  for (; k + 4 <= X.cols(); k += 4) {  // beside each other, as one addition waits for the one before it
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
    for (Index i = first; i < last; ++i) {
      a += static_cast<double>(X(i, k)), b += static_cast<double>(X(i, k + 1));
      c += static_cast<double>(X(i, k + 2)), d += static_cast<double>(X(i, k + 3));
    }
    sum[k] += a, sum[k + 1] += b, sum[k + 2] += c, sum[k + 3] += d;
  }
  for (; k < X.cols(); ++k) {
    double a = 0.0;
    for (Index i = first; i < last; ++i) a += static_cast<double>(X(i, k));
    sum[k] += a;
  }
}

/// Points of one panel, feature by feature; feature(k)(x) is what is packed of X(i, k). Adds their squared norms as packed.
template <class T, class Feature>
void pack_points(MatrixView<const T> X, Index first, Index points, Index panel, Feature feature, T* out, double* squares) {
  const auto add = [](T x, T& to, double& square) {
    to = x;
    square += static_cast<double>(x) * static_cast<double>(x);
  };
  constexpr Index few_features = 8;  // of more, a feature of all these points would push the others out of the cache
  for (Index k = 0; k < X.cols() && X.cols() <= few_features; ++k) {
    const auto value = feature(k);
    for (Index i = 0; i < points; ++i) add(value(X(first + i, k)), out[k * panel + i], squares[i]);
  }
  constexpr Index features_at_once = 64;  // of many, what is written stays in the first-level cache until all points are there
  for (Index begin = 0; begin < X.cols() && X.cols() > few_features; begin += features_at_once) {
    const Index end = std::min(X.cols(), begin + features_at_once);
    for (Index i = 0; i < points; ++i) {
      double square = squares[i];
      for (Index k = begin; k < end; ++k) add(feature(k)(X(first + i, k)), out[k * panel + i], square);
      squares[i] = square;
    }
  }
}

/// The largest magnitude in a row; infinity if it has what is no number.
template <class T>
double largest_in(MatrixView<const T> X, Index row) {
  double most = 0.0;
  for (Index k = 0; k < X.cols(); ++k) {
    const double size = std::fabs(static_cast<double>(X(row, k)));
    most = std::isfinite(size) ? std::max(most, size) : std::numeric_limits<double>::infinity();
  }
  return most;
}

/// The row that is to blame: the first one that is not finite, or the one with the largest coordinate. Centred by the mean, all
/// of them overflow for one.
template <class T>
Index worst_row(MatrixView<const T> X) {
  Index worst = 0;
  double most = -1.0;
  for (Index i = 0; i < X.rows(); ++i) {
    const double size = largest_in(X, i);
    if (size > most) {
      most = size;
      worst = i;
    }
  }
  return worst;
}

[[noreturn]] void refuse(const char* name, Index row) {
  throw std::invalid_argument(std::string(name) + " has a coordinate in row " + std::to_string(row) +
                              " that is not finite or too large: its square, scaled for the kernel, overflows");
}

}  // namespace

template <class T>
void mean_of_rows(MatrixView<const T> X, std::vector<double>& mean) {
  constexpr Index fewest_rows = 128;  // the sums of a piece are few beside what they are of
  const Index n = X.rows(), d = X.cols(), rows_per_task = rows_per_piece(d, fewest_rows), tasks = count_pieces(n, rows_per_task);
  mean.assign(static_cast<std::size_t>(checked_product(tasks + 1, d)), 0.0);  // behind the mean the sums of each task
  double* sums = mean.data() + d;
  for_pieces(n, rows_per_task, seconds_per_number * static_cast<double>(rows_per_task * d),
             [&](Index first, Index last) { add_rows(X, first, last, sums + first / rows_per_task * d); });
  for (Index task = 0; task < tasks; ++task) {
    // Divided before they are added: a sum of large coordinates may overflow where their mean does not.
    for (Index k = 0; k < d; ++k) mean[static_cast<std::size_t>(k)] += sums[task * d + k] / static_cast<double>(n);
  }
  mean.resize(static_cast<std::size_t>(d));
}

template <class T>
template <class Write, class Refuse>
void Packed<T>::pack(Index n, Index d, Index panel, Write write, Refuse refuse_one) {
  const Index panels = count_pieces(n, panel), panels_per_task = count_pieces(rows_per_piece(d), panel);
  dimension_ = d;
  // Hot loops begin at each lane of a panel, of points without coordinates too.
  reserve(panels_, std::max(panel, checked_product(panels * panel, d)));
  reserve(half_, panels * panel);
  const double seconds = seconds_per_number * static_cast<double>(panels_per_task * panel * d);
  for_pieces(panels, panels_per_task, seconds, [&](Index first_panel, Index last_panel) {
    for (Index p = first_panel; p < last_panel; ++p) {
      T *out = panels_.data() + p * panel * d, *half = half_.data() + p * panel;
      const Index points = std::min(panel, n - p * panel);
      if (points < panel) {
        std::fill_n(out, panel * d, T(0));
        std::fill_n(half, panel, T(0));
      }
      double squares[most_points];
      std::fill_n(squares, points, 0.0);
      write(p * panel, points, out, squares);
      T gone = T(0);  // x - x is 0 for a finite x and NaN for every other
      for (Index i = 0; i < points; ++i) {
        half[i] = static_cast<T>(0.5 * squares[i]);
        // |x - y|^2 is at most 8 times the larger half: with these finite, everything that kernels make of it is.
        gone += T(16) * half[i] - T(16) * half[i];
      }
      if (gone != T(0)) refuse_one();
    }
  });
}

template <class T>
void Packed<T>::assign(MatrixView<const T> X, Index panel, const Frame& frame, const char* name, Index first_row) {
  const auto write = [&](Index first, Index points, T* out, double* squares) {
    const auto feature = [&](Index k) {  // in variables of their own: for all the compiler knows, out is the frame
      return [centre = frame.centre[static_cast<std::size_t>(k)], scale = frame.scale[static_cast<std::size_t>(k)]](T x) {
        return static_cast<T>((static_cast<double>(x) - centre) * scale);
      };
    };
    pack_points(X, first, points, panel, feature, out, squares);
  };
  pack(X.rows(), X.cols(), panel, write, [&] { refuse(name, first_row + worst_row(X)); });
}

template <class T>
void Packed<T>::assign(MatrixView<const T> A, MatrixView<const T> B, Index panel, const char* name) {
  const auto write = [&](Index first, Index points, T* out, double* squares) {
    const auto as_it_is = [](Index) { return [](T x) { return x; }; };
    pack_points(A, first, points, panel, as_it_is, out, squares);
    pack_points(B, first, points, panel, as_it_is, out + A.cols() * panel, squares);
  };
  pack(A.rows(), A.cols() + B.cols(), panel, write, [&] {
    const Index rows[] = {worst_row(A), worst_row(B)};
    refuse(name, largest_in(A, rows[0]) >= largest_in(B, rows[1]) ? rows[0] : rows[1]);
  });
}

template void mean_of_rows(MatrixView<const double>, std::vector<double>&);
template void mean_of_rows(MatrixView<const float>, std::vector<double>&);
template class Packed<double>;
template class Packed<float>;

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/tridiagonal_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "linalg/packed_lower.hpp"

namespace gramian {
namespace {

constexpr Index widest_lanes = 8;
constexpr Index steps_per_value = 30;
constexpr double small_square = 1e-280;
constexpr double unit_of_small = 0x1p-700;

/// std::hypot would ask for a newer libc than all else does.
double length_of(double x, double z) {
  const double square = x * x + z * z;
  if (square > small_square) return std::sqrt(square);
  x /= unit_of_small;
  z /= unit_of_small;
  return unit_of_small * std::sqrt(x * x + z * z);
}

class Iteration {
 public:
  Iteration(std::vector<double>& diagonal, std::vector<double>& beside, RotatedVectors& Q)
      : d_(diagonal), e_(beside), Q_(Q), cosines_(diagonal.size()), sines_(diagonal.size()) {}

  void run() {
    Index end = static_cast<Index>(d_.size()) - 1, steps = 0;
    const Index most = steps_per_value * (end + 1);
    while (end > 0) {
      if (negligible(end - 1)) {
        e_[at(end - 1)] = 0.0;
        --end;
        continue;
      }
      Index start = end - 1;
      while (start > 0 && !negligible(start - 1)) --start;
      if (++steps > most) {
        throw NumericalError("the eigenvalues of a symmetric matrix of size " + std::to_string(d_.size()) +
                             " were not found: the iteration did not converge");
      }
      step(start, end);
    }
  }

 private:
  bool negligible(Index i) const {
    constexpr double rounding = 0.5 * std::numeric_limits<double>::epsilon();
    return std::fabs(e_[at(i)]) <= rounding * (std::fabs(d_[at(i)]) + std::fabs(d_[at(i + 1)])) ||
           std::fabs(e_[at(i)]) < std::numeric_limits<double>::min();
  }

  /// Wilkinson's shift: the eigenvalue of the last two rows that is nearer to the last entry.
  double shift(Index end) const {
    const double half = 0.5 * (d_[at(end - 1)] - d_[at(end)]), e = e_[at(end - 1)];
    return d_[at(end)] - e * (e / (half + std::copysign(length_of(half, e), half)));
  }

  void step(Index start, Index end) {
    double x = d_[at(start)] - shift(end), z = e_[at(start)];
    for (Index k = start; k < end; ++k) {
      const double r = length_of(x, z), inverse = r > 0.0 ? 1.0 / r : 0.0, c = r > 0.0 ? x * inverse : 1.0, s = z * inverse;
      const double a = d_[at(k)], b = e_[at(k)], d = d_[at(k + 1)];
      if (k > start) e_[at(k - 1)] = r;
      const double u = c * a + s * b, v = c * b + s * d;
      d_[at(k)] = c * u + s * v;
      d_[at(k + 1)] = c * (c * d - s * b) - s * (c * b - s * a);
      e_[at(k)] = c * v - s * u;
      cosines_[at(k - start)] = c;
      sines_[at(k - start)] = s;
      if (k + 1 == end) break;
      x = e_[at(k)];
      z = s * e_[at(k + 1)];
      e_[at(k + 1)] *= c;
    }
    dense_ops().rotate({Q_.at(start), Q_.stride, Q_.size, end - start, cosines_.data(), sines_.data()});
  }

  std::vector<double>& d_;
  std::vector<double>& e_;
  RotatedVectors& Q_;
  std::vector<double> cosines_, sines_;
};

}  // namespace

RotatedVectors::RotatedVectors(Index count, Index rows)
    : size(rows), stride(round_up(rows, widest_lanes)), numbers(checked_product(count, stride)) {
  std::fill_n(numbers.data(), numbers.size(), 0.0);
}

void tridiagonal_eigen(std::vector<double>& diagonal, std::vector<double>& beside, RotatedVectors& Q) {
  Iteration(diagonal, beside, Q).run();
}

}  // namespace gramian

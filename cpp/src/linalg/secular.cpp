// SPDX-License-Identifier: BSD-3-Clause
// The values are the roots of f(x) = 1 / weight + sum_i z_i^2 / (p_i - x), one right of each pole. Vectors follow from the
// distances between roots and poles, so that these are found to full relative accuracy: a root is the nearest pole and a shift.
#include "linalg/secular.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/view_ops.hpp"
#include "gramian/base/parallel.hpp"
#include "linalg/packed_lower.hpp"

namespace gramian {
namespace {

constexpr double unit = 0.5 * std::numeric_limits<double>::epsilon();
constexpr double seconds_per_term = 1e-9;
constexpr int most_steps = 100;
constexpr Index poles_per_task = 64;

/// x with a x^2 - b x + c = 0 between low and high, or NaN: the two forms of each root that do not cancel.
double root_between(double a, double b, double c, double low, double high) {
  const double half = 0.5 * b, square = half * half - a * c;
  const double large = half + std::copysign(std::sqrt(std::max(square, 0.0)), half);
  const double first = large / a, second = c / large;
  if (first > low && first < high) return first;
  return second > low && second < high ? second : std::numeric_limits<double>::quiet_NaN();
}

/// One root: between a pole and the next one, or right of the last.
class Root {
 public:
  Root(const std::vector<double>& poles, const std::vector<double>& squares, double constant, Index index)
      : poles_(poles), squares_(squares), constant_(constant), index_(index), size_(static_cast<Index>(poles.size())) {
    start();
    for (int step = 0; step < most_steps && !done_; ++step) improve();
  }

  double origin() const { return origin_; }
  double shift() const { return shift_; }

 private:
  bool is_last() const { return index_ + 1 == size_; }
  double pole(Index i) const { return poles_[at(i)]; }
  double square(Index i) const { return squares_[at(i)]; }

  /// f and its slope at the shift, of poles up to this one and of those after it.
  void evaluate() {
    left_ = dense_ops().secular_sums({poles_.data(), squares_.data(), index_ + 1, origin_, shift_});
    right_ = dense_ops().secular_sums({&poles_[at(index_)] + 1, &squares_[at(index_)] + 1, size_ - index_ - 1, origin_, shift_});
    value_ = constant_ + left_.value + right_.value;
  }

  /// The nearest pole becomes the origin; what other poles contribute in the middle is taken for a constant.
  void start() {
    origin_ = pole(index_);
    const double width = is_last() ? last_width() : pole(index_ + 1) - origin_;
    shift_ = 0.5 * width;
    evaluate();
    low_ = value_ > 0.0 ? 0.0 : shift_;
    high_ = value_ > 0.0 ? shift_ : width;
    const Index one = is_last() ? index_ - 1 : index_, other = one + 1;
    if (one < 0) return narrow_to(square(0) / constant_);
    const double d = pole(one) - origin_ - shift_, e = pole(other) - origin_ - shift_;
    const double rest = value_ - square(one) / d - square(other) / e;
    if (!is_last() && value_ <= 0.0) {  // the root is nearer to the next pole
      origin_ = pole(index_ + 1);
      low_ -= width;
      high_ = 0.0;
    }
    const double p = pole(one) - origin_, q = pole(other) - origin_;
    narrow_to(root_between(rest, rest * (p + q) + square(one) + square(other), rest * p * q + square(one) * q + square(other) * p,
                           low_, high_));
  }

  /// f is positive at the last pole plus weight |z|^2.
  double last_width() const {
    double sum = 0.0;
    for (const double s : squares_) sum += s;
    return sum / constant_ * (1.0 + 1e-12);
  }

  void narrow_to(double shift) {
    shift_ = shift > low_ && shift < high_ ? shift : middle();
    done_ = !(shift_ > low_ && shift_ < high_);
  }

  /// A root may be many orders of magnitude nearer to its pole than the next one is.
  double middle() const {
    if (low_ > 0.0) return high_ > 4.0 * low_ ? std::sqrt(low_) * std::sqrt(high_) : low_ + 0.5 * (high_ - low_);
    if (high_ < 0.0) return low_ < 4.0 * high_ ? -std::sqrt(-low_) * std::sqrt(-high_) : low_ + 0.5 * (high_ - low_);
    return low_ < 0.0 ? low_ / 1024.0 : high_ / 1024.0;
  }

  /// The middle way of [LI]: both sums are replaced by one term each that has their value and slope, plus constants.
  void improve() {
    evaluate();
    // What rounding may have done to the sum of that many terms.
    const double terms = constant_ + std::fabs(left_.value) + std::fabs(right_.value);
    const double reached = unit * (8.0 * terms + std::fabs(shift_) * (left_.slope + right_.slope));
    if (std::fabs(value_) <= reached) {
      done_ = true;
      return;
    }
    (value_ > 0.0 ? high_ : low_) = shift_;
    const Index one = is_last() ? index_ - 1 : index_, other = one + 1;
    if (one < 0) return narrow_to(shift_ + value_ * (pole(0) - origin_ - shift_) / constant_);
    const double d = pole(one) - origin_ - shift_, e = pole(other) - origin_ - shift_;
    const double last = is_last() ? square(index_) / (e * e) : 0.0;
    const double c = value_ - d * (left_.slope - last) - e * (right_.slope + last), slope = left_.slope + right_.slope;
    const double step = root_between(c, (d + e) * value_ - d * e * slope, d * e * value_, low_ - shift_, high_ - shift_);
    narrow_to(shift_ + step);
  }

  const std::vector<double>& poles_;
  const std::vector<double>& squares_;
  double constant_;
  Index index_, size_;
  double origin_ = 0.0, shift_ = 0.0, low_ = 0.0, high_ = 0.0, value_ = 0.0;
  isa::SecularSums<double> left_{}, right_{};
  bool done_ = false;
};

}  // namespace

SecularEigen::SecularEigen(const std::vector<double>& poles, const std::vector<double>& z, double weight)
    : values(poles.size()), numerators_(poles.size()) {
  const Index k = static_cast<Index>(poles.size());
  distances_ = Matrix(k, k);
  std::vector<double> squares(poles.size());
  for (Index i = 0; i < k; ++i) squares[at(i)] = z[at(i)] * z[at(i)];
  parallel_for(k, 6.0 * seconds_per_term * static_cast<double>(k), [&](Index j, int) {
    const Root root(poles, squares, 1.0 / weight, j);
    values[at(j)] = root.origin() + root.shift();
    for (Index i = 0; i < k; ++i) distances_(j, i) = (poles[at(i)] - root.origin()) - root.shift();
  });
  // [GE]: vectors of these numerators are orthogonal, as they are those of a matrix with just these values.
  const Index tasks = (k + poles_per_task - 1) / poles_per_task;
  parallel_for(tasks, seconds_per_term * static_cast<double>(k * poles_per_task), [&](Index task, int) {
    const Index first = task * poles_per_task, end = std::min(k, first + poles_per_task);
    dense_ops().distance_products({poles.data(), k, distances_.data(), k, first, end, numerators_.data()});
    for (Index i = first; i < end; ++i) {
      numerators_[at(i)] = std::copysign(std::sqrt(std::max(numerators_[at(i)], 0.0)), z[at(i)]);
    }
  });
}

void SecularEigen::write_vectors(const std::vector<Index>& position, MatrixView<double> out) {
  const Index k = distances_.rows();
  parallel_for(k, seconds_per_term * static_cast<double>(k), [&](Index j, int) {
    double* row = distances_.data() + j * k;
    const double factor = 1.0 / std::sqrt(dense_ops().divide_by_distances(k, numerators_.data(), row));
    double* to = &out(j, 0);
    for (Index i = 0; i < k; ++i) to[position[at(i)]] = factor * row[i];
  });
}

}  // namespace gramian

// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_pca/newton_systems.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "base/pieces.hpp"
#include "gramian/base/parallel.hpp"
#include "gramian/eigen.hpp"
#include "linalg/column_blocks.hpp"

namespace gramian::deep_pca {
namespace {

constexpr double least_pivot = 1e-8;  ///< relative to the largest entry of a Jacobian
constexpr double seconds_per_operation = 1e-9;

std::size_t index(Index i) { return static_cast<std::size_t>(i); }

using Lanes = Eigen::Array<double, 8, 1>;

Eigen::Map<Lanes> at(double* numbers) { return Eigen::Map<Lanes>(numbers); }
Eigen::Map<const Lanes> at(const double* numbers) { return Eigen::Map<const Lanes>(numbers); }

}  // namespace

NewtonSystems::NewtonSystems(const Equations& equations, const Linearised& linearised)
    : n_(equations.unknowns()),
      rows_(static_cast<Index>(linearised.sizes.size())),
      groups_(count_pieces(rows_, lanes)),
      inverses_(index(groups_ * lanes)) {
  static_assert(Lanes::SizeAtCompileTime == lanes);
  const Index last = equations.depth() - 1;
  for (Index j = 0; j <= last; ++j) {
    const Index own = equations.offset(j), first = equations.offset(std::max<Index>(j - 1, 0));
    for (Index c = own; c < own + equations.components(j); ++c) {
      const Index end = j == last && j > 0 ? own : c;  // the block of the last level is diagonal
      parts_.push_back({numbers_, first, end});
      numbers_ += end - first + 1;
    }
  }
  factors_ = Buffer<double>(checked_product(groups_, numbers_ * lanes));
  const double size = static_cast<double>(n_);
  parallel_for(groups_, seconds_per_operation * size * size * size * lanes, [&](Index group, int) {
    assemble(equations, linearised, group, numbers(group));
    const std::vector<bool> failed = factor(numbers(group));
    if (std::find(failed.begin(), failed.end(), true) == failed.end()) return;
    std::vector<double> whole(index(numbers_ * lanes));
    assemble(equations, linearised, group, whole.data());
    for (Index l = 0; l < lanes; ++l) {
      if (failed[index(l)]) inverses_[index(group * lanes + l)] = inverse(l, whole.data());
    }
  });
}

/// Lower triangles, as much of them as can differ from 0.
void NewtonSystems::assemble(const Equations& equations, const Linearised& linearised, Index group, double* out) const {
  for (Index l = 0; l < lanes; ++l) {
    const Index row = std::min(group * lanes + l, rows_ - 1);  // the last group repeats the last row
    for (Index j = 0; j < equations.depth(); ++j) {
      const Index s = equations.components(j), own = equations.offset(j);
      const double* values = equations.eigenvalues(j).data();
      if (j + 1 == equations.depth()) {
        for (Index k = 0; k < s; ++k) out[place(own + k, own + k) + l] = values[k];
        continue;
      }
      const Index above = equations.components(j + 1), next = equations.offset(j + 1);
      const double* curvature = linearised.curvature[index(j)].data() + row * s * s;
      const double* coupling = linearised.couplings[index(j)].data() + row * above * s;
      for (Index k = 0; k < s; ++k) {
        double* to = out + place(own + k, own) + l;
        for (Index m = 0; m < k; ++m) to[m * lanes] = -curvature[k * s + m];
        out[place(own + k, own + k) + l] = values[k] - curvature[k * s + k];
      }
      for (Index c = 0; c < above; ++c) {
        double* to = out + place(next + c, own) + l;
        for (Index k = 0; k < s; ++k) to[k * lanes] = -coupling[c * s + k];
      }
    }
  }
}

/// From the last unknown to the first one: A = Uᵀ D U, with the rows of U below the diagonal and 1 / D on it. Says of which lanes
/// a pivot is small.
std::vector<bool> NewtonSystems::factor(double* numbers) const {
  Lanes largest = Lanes::Zero(), least = Lanes::Constant(HUGE_VAL);
  for (Index e = 0; e < numbers_; ++e) largest = largest.max(at(numbers + e * lanes).abs());
  for (Index c = n_ - 1; c >= 0; --c) {
    const Part part = parts_[index(c)];
    double* row = numbers + part.start * lanes;
    const Index count = part.end - part.first;
    double* diagonal = row + count * lanes;
    least = least.min(at(diagonal).abs());
    const Lanes inverse = at(diagonal).inverse();
    at(diagonal) = inverse;
    for (Index i = 0; i < count; ++i) {
      const Lanes scaled = at(row + i * lanes) * inverse;
      double* below = numbers + place(part.first + i, part.first);
      for (Index k = 0; k <= i; ++k) at(below + k * lanes) -= scaled * at(row + k * lanes);
    }
    for (Index i = 0; i < count; ++i) at(row + i * lanes) *= inverse;
  }
  std::vector<bool> failed(index(lanes));
  for (Index l = 0; l < lanes; ++l) failed[index(l)] = !(least[l] > least_pivot * largest[l]) || !std::isfinite(largest[l]);
  return failed;
}

/// By full pivoting, of one of the matrices that assemble() wrote.
Matrix NewtonSystems::inverse(Index lane, const double* whole) const {
  SmallMatrix A = SmallMatrix::Zero(n_, n_);
  for (Index c = 0; c < n_; ++c) {
    const Part part = parts_[index(c)];
    for (Index i = part.first; i < part.end; ++i) A(i, c) = A(c, i) = whole[place(c, i) + lane];
    A(c, c) = whole[place(c, c) + lane];
  }
  Matrix out(n_, n_);
  as_eigen(out.view()) = A.fullPivLu().solve(SmallMatrix::Identity(n_, n_));
  return out;
}

/// x: n x lanes, the right sides, becomes the solutions.
void NewtonSystems::solve(Index group, double* x) const {
  const std::vector<double> right(x, x + n_ * lanes);
  for (Index c = n_ - 1; c >= 0; --c) {
    const Part part = parts_[index(c)];
    const double* row = numbers(group) + part.start * lanes;
    const Lanes own = at(x + c * lanes);
    for (Index i = part.first; i < part.end; ++i, row += lanes) at(x + i * lanes) -= at(row) * own;
  }
  for (Index c = 0; c < n_; ++c) {
    const Part part = parts_[index(c)];
    const double* row = numbers(group) + part.start * lanes;
    Lanes sum = Lanes::Zero();
    for (Index i = part.first; i < part.end; ++i, row += lanes) sum += at(row) * at(x + i * lanes);
    at(x + c * lanes) = at(x + c * lanes) * at(row) - sum;
  }
  for (Index l = 0; l < lanes; ++l) {
    const Matrix& inverse = inverses_[index(group * lanes + l)];
    for (Index i = 0; i < inverse.rows(); ++i) {
      double sum = 0.0;
      for (Index k = 0; k < n_; ++k) sum += inverse(i, k) * right[index(k * lanes + l)];
      x[i * lanes + l] = sum;
    }
  }
}

Matrix NewtonSystems::steps(const std::vector<Index>& rows, const Features& residuals) const {
  Matrix out(static_cast<Index>(rows.size()), n_);
  std::vector<Index> starts(index(groups_ + 1), 0);  // of the groups among rows
  for (const Index row : rows) ++starts[index(row / lanes + 1)];
  for (std::size_t g = 1; g < starts.size(); ++g) starts[g] += starts[g - 1];
  parallel_for(groups_, seconds_per_operation * static_cast<double>(2 * n_ * n_ * lanes), [&](Index group, int) {
    const Index begin = starts[index(group)], end = starts[index(group + 1)];
    if (begin == end) return;
    std::vector<double> x(index(n_ * lanes), 0.0);
    for (Index k = begin; k < end; ++k) {
      double* to = x.data() + rows[index(k)] % lanes;
      for (const Matrix& level : residuals) {
        for (Index c = 0; c < level.cols(); ++c, to += lanes) *to = level(k, c);
      }
    }
    solve(group, x.data());
    for (Index k = begin; k < end; ++k) {
      for (Index c = 0; c < n_; ++c) out(k, c) = x[index(c * lanes + rows[index(k)] % lanes)];
    }
  });
  return out;
}

}  // namespace gramian::deep_pca

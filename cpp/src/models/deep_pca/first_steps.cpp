// SPDX-License-Identifier: BSD-3-Clause
#include "models/deep_pca/first_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/view_ops.hpp"
#include "models/deep_pca/newton.hpp"

namespace gramian::deep_pca {
namespace {

/// Residuals of all levels side by side.
Matrix beside(const Features& levels, Index unknowns) {
  Matrix out(levels.front().rows(), unknowns);
  Index first = 0;
  for (const Matrix& level : levels) {
    copy_rows(level.view(), part(out.view(), 0, out.rows(), first, level.cols()));
    first += level.cols();
  }
  return out;
}

}  // namespace

FirstSteps::FirstSteps(const Equations& equations, std::vector<Index> samples)
    : equations_(equations), samples_(std::move(samples)) {
  const Index count = static_cast<Index>(samples_.size()), n = equations.unknowns();
  const Features h = equations.training(samples_);
  const Linearised at = linearised(equations, Matrix::filled(count, equations.components(0), 0.0), h);
  residuals_ = beside(at.residuals, n);
  scales_ = at.scales;
  sizes_ = at.sizes;
  std::vector<Index> rows(samples_.size());
  std::iota(rows.begin(), rows.end(), Index(0));
  const NewtonSystems systems(equations, at);
  for (Index j = 0; j < equations.depth(); ++j) {
    for (Index c = 0; c < equations.components(j); ++c) {
      Features unit;
      for (Index l = 0; l < equations.depth(); ++l) unit.push_back(Matrix::filled(count, equations.components(l), 0.0));
      for (Index i = 0; i < count; ++i) unit[gramian::at(j)](i, c) = 1.0;
      inverses_.push_back(systems.steps(rows, unit));
    }
  }
}

std::vector<Index> FirstSteps::places_of(const std::vector<Index>& of_rows) const {
  std::vector<Index> places;
  places.reserve(of_rows.size());
  for (const Index sample : of_rows)
    places.push_back(std::lower_bound(samples_.begin(), samples_.end(), sample) - samples_.begin());
  return places;
}

Matrix FirstSteps::take(const Matrix& first, const std::vector<Index>& of_rows, std::vector<double>& sizes) const {
  const std::vector<Index> places = places_of(of_rows);
  const Index q = first.rows(), n = equations_.unknowns(), s = equations_.components(0);
  const std::vector<bool> usable = usable_rows(first, {});
  Matrix steps(q, n);
  sizes.assign(gramian::at(q), std::numeric_limits<double>::infinity());
  for_rows(q, n * n, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double* const step = steps.data() + i * n;
      std::fill_n(step, n, 0.0);
      const Index place = places[gramian::at(i)];
      if (!usable[gramian::at(i)] || !std::isfinite(sizes_[gramian::at(place)])) continue;
      double worst = 0.0, scale = scales_[gramian::at(place)];
      for (Index c = 0; c < n; ++c) {
        const double F = c < s ? first(i, c) : 0.0, residual = residuals_(place, c) - F;
        scale = std::max(scale, std::fabs(F));
        worst = std::max(worst, std::fabs(residual));
        const double* column = inverses_[gramian::at(c)].data() + place * n;
        for (Index k = 0; k < n; ++k) step[k] += column[k] * residual;
      }
      sizes[gramian::at(i)] = scale > 0.0 ? worst / scale : 0.0;
    }
  });
  return steps;
}

}  // namespace gramian::deep_pca

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/deep_pca/apply.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/product.hpp"
#include "models/deep_pca/rows.hpp"
#include "models/deep_pca/start.hpp"

namespace gramian {
namespace {

constexpr Index rows_at_once = 4096;
constexpr double beyond_range = 1e-9;  ///< what a mean may be outside of the range of its terms, by rounding

void check_transform(const DeepPcaModel& model, Index columns, const DeepPcaTransformOptions& options) {
  require(model.depth() >= 1, "the model is empty: fit it first");
  require(columns == model.samples(), "there are " + std::to_string(columns) + " training samples, the model was fitted to " +
                                          std::to_string(model.samples()));
  const bool nonlinear = model.coupled && !has_closed_form(model.levels);
  require(!nonlinear || (model.inputs.rows() == columns && model.inputs.cols() == model.levels.front().components),
          "the model's inputs must have a row for each training sample and a column for each component of the first level");
  require(options.max_iterations >= 1, "max_iterations must be at least 1");
  require_positive(options.tolerance, "tolerance");
}

/// [C H_1 | H_1 | ... | H_J | 1]: all that new samples need of k_1.
Matrix first_vectors(const DeepPcaModel& model, const DeepPcaEquations& equations, bool smoother) {
  const Index s = equations.components(0);
  Matrix out(model.samples(), s + (smoother ? equations.unknowns() + 1 : 0));
  for (Index i = 0; i < out.rows(); ++i) {
    Index at = 0;
    for (Index c = 0; c < s; ++c) out(i, at++) = equations.centred(0)(i, c);
    for (Index j = 0; smoother && j < model.depth(); ++j) {
      for (Index c = 0; c < equations.components(j); ++c) out(i, at++) = model.features[static_cast<std::size_t>(j)](i, c);
    }
    if (smoother) out(i, at) = 1.0;
  }
  return out;
}

struct Range {
  double low, high;
};

std::vector<Range> ranges_of(const Matrix& H) {
  std::vector<Range> ranges;
  for (Index c = 0; c < H.cols(); ++c) {
    Range range{H(0, c), H(0, c)};
    for (Index i = 1; i < H.rows(); ++i) range = {std::min(range.low, H(i, c)), std::max(range.high, H(i, c))};
    ranges.push_back(range);
  }
  return ranges;
}

void put(const DeepPcaFeatures& from, Index row, DeepPcaFeatures& to, Index at) {
  for (std::size_t j = 0; j < to.size(); ++j) {
    for (Index c = 0; c < to[j].cols(); ++c) to[j](at, c) = from[j](row, c);
  }
}

class Transform {
 public:
  Transform(const DeepPcaModel& model, const DeepPcaTransformOptions& options, Index rows)
      : model_(model), options_(options), equations_(model) {
    for (Index j = 0; j < model.depth(); ++j) codes_.features.emplace_back(rows, equations_.components(j));
    for (const Matrix& H : model.features) ranges_.push_back(ranges_of(H));
    codes_.solved.assign(static_cast<std::size_t>(rows), 0);
    codes_.smoothed = codes_.solved;
  }

  const DeepPcaEquations& equations() const { return equations_; }
  bool smooths() const { return options_.extension != DeepPcaExtension::equations; }
  /// products: k_1 of the samples from `row` on, times first_vectors().
  void add(Index row, const Matrix& products);
  DeepPcaCodes finish() { return std::move(codes_); }

 private:
  Matrix first(const Matrix& products) const;
  bool smooth(Index row, Index i, const Matrix& products);
  DeepPcaFeatures solve(const Matrix& F, std::vector<double>& residual);
  void improve(const Matrix& F, DeepPcaFeatures& h, std::vector<double>& residual);

  const DeepPcaModel& model_;
  const DeepPcaTransformOptions& options_;
  DeepPcaEquations equations_;
  std::vector<std::vector<Range>> ranges_;  ///< of the columns of each H_j
  DeepPcaCodes codes_;
};

Matrix Transform::first(const Matrix& products) const {
  Matrix F(products.rows(), equations_.components(0));
  for (Index i = 0; i < F.rows(); ++i) {
    for (Index c = 0; c < F.cols(); ++c)
      F(i, c) = (products(i, c) - model_.offsets[0][static_cast<std::size_t>(c)]) / model_.levels[0].eta;
  }
  return F;
}

/// sum_i k(x, x_i) h_i / sum_i k(x, x_i); 0 if the sample is near none. False, and nothing is written, where that is no mean.
bool Transform::smooth(Index row, Index i, const Matrix& products) {
  const double sum = products(i, products.cols() - 1);
  const auto mean = [&](Index at) { return std::isnormal(sum) ? products(i, at) / sum : 0.0; };
  Index at = equations_.components(0);
  for (const std::vector<Range>& level : ranges_) {
    for (const Range& range : level) {
      const double value = mean(at++), margin = beyond_range * std::max(std::fabs(range.low), std::fabs(range.high));
      const bool inside = value >= range.low - margin && value <= range.high + margin;
      if (!inside && std::isnormal(sum)) return false;
    }
  }
  at = equations_.components(0);
  for (Matrix& to : codes_.features) {
    for (Index c = 0; c < to.cols(); ++c) to(row + i, c) = mean(at++);
  }
  codes_.smoothed[static_cast<std::size_t>(row + i)] = 1;
  return true;
}

/// Newton's method for each row as long as it gets better: what a row gets does not hang on how many rounds others take.
void Transform::improve(const Matrix& F, DeepPcaFeatures& h, std::vector<double>& residual) {
  std::vector<Index> open;
  for (std::size_t i = 0; i < residual.size(); ++i) {
    if (!(residual[i] <= options_.tolerance)) open.push_back(static_cast<Index>(i));
  }
  Index round = 0;
  for (; round < options_.max_iterations && !open.empty(); ++round) {
    poll_stop();
    const Matrix some = picked(F.view(), open);
    DeepPcaFeatures rows;
    for (const Matrix& level : h) rows.push_back(picked(level.view(), open));
    equations_.newton(some, rows);
    const std::vector<double> after = equations_.residuals(some, rows);
    std::vector<Index> still;
    for (std::size_t i = 0; i < open.size(); ++i) {
      double& own = residual[static_cast<std::size_t>(open[i])];
      if (!(after[i] < own)) continue;
      own = after[i];
      put(rows, static_cast<Index>(i), h, open[i]);
      if (own > options_.tolerance) still.push_back(open[i]);
    }
    open = std::move(still);
  }
  codes_.iterations = std::max(codes_.iterations, round);
}

DeepPcaFeatures Transform::solve(const Matrix& F, std::vector<double>& residual) {
  if (!model_.coupled || model_.depth() == 1) return equations_.pass(F);
  if (has_closed_form(model_.levels)) return equations_.solve_linear(F);
  DeepPcaFeatures h = equations_.nearest(F);
  residual = equations_.residuals(F, h);
  improve(F, h, residual);
  return h;
}

void Transform::add(Index row, const Matrix& products) {
  std::vector<Index> rows;
  for (Index i = 0; i < products.rows(); ++i) {
    if (options_.extension != DeepPcaExtension::smoother || !smooth(row, i, products)) rows.push_back(i);
  }
  if (rows.empty()) return;
  std::vector<double> residual(rows.size(), 0.0);
  const DeepPcaFeatures h = solve(first(picked(products.view(), rows)), residual);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const bool solved = residual[k] <= options_.tolerance;
    if (!solved && options_.extension == DeepPcaExtension::automatic && smooth(row, rows[k], products)) continue;
    codes_.solved[static_cast<std::size_t>(row + rows[k])] = solved ? 1 : 0;
    put(h, static_cast<Index>(k), codes_.features, row + rows[k]);
  }
}

}  // namespace

DeepPcaCodes transform_deep_pca(const DeepPcaModel& model, const Points& X, const Points& training,
                                const DeepPcaTransformOptions& options) {
  check_transform(model, training.size(), options);
  Transform transform(model, options, X.size());
  const Matrix V = first_vectors(model, transform.equations(), transform.smooths());
  Matrix products(X.size(), V.cols());
  product(model.levels[0].kernel, X, training, V.view(), products.view());
  for (Index row = 0; row < X.size(); row += rows_at_once) {
    const Index count = std::min(rows_at_once, X.size() - row);
    transform.add(row, Matrix::copy_of({products.data() + row * V.cols(), count, V.cols()}));
  }
  return transform.finish();
}

DeepPcaCodes transform_deep_pca(const DeepPcaModel& model, const InnerProducts<double>& XS,
                                const DeepPcaTransformOptions& options) {
  check_transform(model, XS.inner().cols(), options);
  Transform transform(model, options, XS.inner().rows());
  const Matrix V = first_vectors(model, transform.equations(), transform.smooths());
  Matrix products(XS.inner().rows(), V.cols());
  product(model.levels[0].kernel, XS, V.view(), products.view());
  for (Index row = 0; row < products.rows(); row += rows_at_once) {
    const Index count = std::min(rows_at_once, products.rows() - row);
    transform.add(row, Matrix::copy_of({products.data() + row * V.cols(), count, V.cols()}));
  }
  return transform.finish();
}

}  // namespace gramian

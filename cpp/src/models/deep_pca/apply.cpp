// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/deep_pca/apply.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/eigen.hpp"
#include "gramian/gram/product.hpp"
#include "models/deep_pca/measure.hpp"
#include "models/deep_pca/newton.hpp"
#include "models/deep_pca/rows.hpp"
#include "models/deep_pca/start.hpp"

namespace gramian::deep_pca {
namespace {

constexpr Index rows_at_once = 4096;
constexpr double beyond_range = 1e-9;  ///< what a mean may be outside of the range of its terms, by rounding

void check_transform(const View& model, Index columns, const TransformOptions& options) {
  require(model.depth() >= 1, "the model is empty: fit it first");
  require(columns == model.samples(), "there are " + std::to_string(columns) + " training samples, the model was fitted to " +
                                          std::to_string(model.samples()));
  const bool nonlinear = model.coupled && !has_closed_form(model.levels);
  require(!nonlinear || (model.inputs.rows() == columns && model.inputs.cols() == model.levels.front().components),
          "the model's inputs must have a row for each training sample and a column for each component of the first level");
  require(options.max_iterations >= 1, "max_iterations must be at least 1");
  require_positive(options.tolerance, "tolerance");
}

/// [C H_1 | H_1 | ... | H_J | 1]: all that new samples need of k_1. Each row times its weight; C H_1 has it already.
Matrix first_vectors(const View& model, const Equations& equations, bool smoother) {
  const Index s = equations.components(0);
  Matrix out(model.samples(), s + (smoother ? equations.unknowns() + 1 : 0));
  auto V = as_eigen(out.view());
  V.leftCols(s) = as_eigen(equations.centred(0));
  for (Index j = 0; smoother && j < model.depth(); ++j) {
    V.middleCols(s + equations.offset(j), equations.components(j)) = as_eigen(model.features[static_cast<std::size_t>(j)]);
  }
  if (!smoother) return out;
  V.rightCols(1).setOnes();
  const MatrixView<double> repeated = part(out.view(), 0, out.rows(), s, out.cols() - s);
  SampleMeasure(model.samples(), model.weights).repeat(repeated, repeated);
  return out;
}

void put(const Features& from, Index row, Features& to, Index at) {
  for (std::size_t j = 0; j < to.size(); ++j) as_eigen(to[j].view()).row(at) = as_eigen(from[j].view()).row(row);
}

class Transform {
 public:
  Transform(const View& model, const TransformOptions& options, Index rows)
      : model_(model), options_(options), rows_(rows), equations_(model) {
    low_.resize(equations_.unknowns());
    high_ = low_;
    for (Index j = 0; j < model.depth(); ++j) {
      const Index s = equations_.components(j);
      codes_.features.emplace_back(rows, s);
      const auto H = as_eigen(model.features[static_cast<std::size_t>(j)]);
      low_.segment(equations_.offset(j), s) = H.colwise().minCoeff();
      high_.segment(equations_.offset(j), s) = H.colwise().maxCoeff();
    }
    codes_.solved.assign(static_cast<std::size_t>(rows), 0);
    codes_.smoothed = codes_.solved;
  }

  const Equations& equations() const { return equations_; }
  bool smooths() const { return options_.extension != Extension::equations; }
  /// products: k_1 of the samples from `row` on, times first_vectors().
  void add(Index row, const Matrix& products);
  Codes finish() { return std::move(codes_); }

 private:
  bool smooth(Index row, Index i, const Matrix& products);
  Features solve(const Matrix& F, std::vector<double>& residual);

  const View& model_;
  const TransformOptions& options_;
  Index rows_;
  Equations equations_;
  std::optional<Newton> newton_;
  Eigen::RowVectorXd low_, high_;  ///< of the columns of all H_j
  Codes codes_;
};

/// sum_i k(x, x_i) h_i / sum_i k(x, x_i); 0 if the sample is near none. False, and nothing is written, where that is no mean.
bool Transform::smooth(Index row, Index i, const Matrix& products) {
  const double sum = products(i, products.cols() - 1);
  Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(equations_.unknowns());
  if (std::isnormal(sum)) {
    mean = as_eigen(products.view()).row(i).segment(equations_.components(0), mean.size()) / sum;
    const Eigen::RowVectorXd margin = beyond_range * low_.cwiseAbs().cwiseMax(high_.cwiseAbs());
    if (!((mean.array() >= (low_ - margin).array()) && (mean.array() <= (high_ + margin).array())).all()) return false;
  }
  for (Index j = 0; j < model_.depth(); ++j) {
    as_eigen(codes_.features[static_cast<std::size_t>(j)].view()).row(row + i) =
        mean.segment(equations_.offset(j), equations_.components(j));
  }
  codes_.smoothed[static_cast<std::size_t>(row + i)] = 1;
  return true;
}

Features Transform::solve(const Matrix& F, std::vector<double>& residual) {
  if (!model_.coupled || model_.depth() == 1) return equations_.pass(F);
  if (has_closed_form(model_.levels)) return equations_.solve_linear(F);
  if (!newton_) newton_.emplace(equations_, rows_, options_.max_iterations, options_.tolerance);
  Features h;
  const Index steps = newton_->solve(F, h, residual);
  codes_.iterations = std::max(codes_.iterations, steps);
  return h;
}

void Transform::add(Index row, const Matrix& products) {
  std::vector<Index> rows;
  for (Index i = 0; i < products.rows(); ++i) {
    if (options_.extension != Extension::smoother || !smooth(row, i, products)) rows.push_back(i);
  }
  if (rows.empty()) return;
  std::vector<double> residual(rows.size(), 0.0);
  const Features h = solve(equations_.first(picked(products.view(), rows)), residual);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const bool solved = residual[k] <= options_.tolerance;
    if (!solved && options_.extension == Extension::automatic && smooth(row, rows[k], products)) continue;
    codes_.solved[static_cast<std::size_t>(row + rows[k])] = solved ? 1 : 0;
    put(h, static_cast<Index>(k), codes_.features, row + rows[k]);
  }
}

/// multiply(V, out): k_1 of the samples times V.
template <class Multiply>
Codes transform(const View& model, Index samples, Index training, const TransformOptions& options, Multiply multiply) {
  check_transform(model, training, options);
  Transform transform(model, options, samples);
  const Matrix V = first_vectors(model, transform.equations(), transform.smooths());
  Matrix products(samples, V.cols());
  multiply(V.view(), products.view());
  for (Index row = 0; row < samples; row += rows_at_once) {
    const Index count = std::min(rows_at_once, samples - row);
    transform.add(row, Matrix::copy_of({products.data() + row * V.cols(), count, V.cols()}));
  }
  return transform.finish();
}

}  // namespace

Codes transform(const View& model, const Points& X, const Points& training, const TransformOptions& options) {
  return transform(model, X.size(), training.size(), options, [&](MatrixView<const double> V, MatrixView<double> products) {
    product(model.levels[0].kernel, X, training, V, products);
  });
}

Codes transform(const View& model, const InnerProducts<double>& XS, const TransformOptions& options) {
  return transform(
      model, XS.inner().rows(), XS.inner().cols(), options,
      [&](MatrixView<const double> V, MatrixView<double> products) { product(model.levels[0].kernel, XS, V, products); });
}

}  // namespace gramian::deep_pca

// SPDX-License-Identifier: BSD-3-Clause
#include "gramian/models/deep_pca_apply.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "gramian/base/error.hpp"
#include "gramian/base/stop.hpp"
#include "gramian/gram/product.hpp"
#include "models/deep_pca_rows.hpp"
#include "models/deep_pca_start.hpp"

namespace gramian {
namespace {

constexpr Index rows_at_once = 4096;
constexpr Index rounds_before_newton = 15;

void check_transform(const DeepPcaModel& model, Index columns, const DeepPcaTransformOptions& options) {
  require(model.depth() >= 1, "the model is empty: fit it first");
  require(columns == model.samples(), "there are " + std::to_string(columns) + " training samples, the model was fitted to " +
                                          std::to_string(model.samples()));
  require(options.max_iterations >= 1, "max_iterations must be at least 1");
  require(std::isfinite(options.tolerance) && options.tolerance > 0.0, "tolerance must be a finite number greater than 0");
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

Matrix picked(const Matrix& from, const std::vector<Index>& rows) {
  Matrix out(static_cast<Index>(rows.size()), from.cols());
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index c = 0; c < out.cols(); ++c) out(i, c) = from(rows[static_cast<std::size_t>(i)], c);
  }
  return out;
}

class Transform {
 public:
  Transform(const DeepPcaModel& model, const DeepPcaTransformOptions& options, Index rows)
      : model_(model), options_(options), equations_(model) {
    for (Index j = 0; j < model.depth(); ++j) codes_.features.emplace_back(rows, equations_.components(j));
    codes_.solved.assign(static_cast<std::size_t>(rows), 1);
  }

  const DeepPcaEquations& equations() const { return equations_; }
  bool smooths() const { return options_.extension != DeepPcaExtension::equations; }
  /// products: k_1 of the samples from `row` on, times first_vectors().
  void add(Index row, const Matrix& products);
  DeepPcaCodes finish() { return std::move(codes_); }

 private:
  Matrix first(const Matrix& products) const;
  void smooth(Index row, Index i, const Matrix& products);
  DeepPcaFeatures solve(const Matrix& F, std::vector<double>& residual);
  std::vector<Index> unsolved(const std::vector<double>& residual) const;
  void advance(const Matrix& F, Index round, DeepPcaFeatures& h, std::vector<double>& residual);

  const DeepPcaModel& model_;
  const DeepPcaTransformOptions& options_;
  DeepPcaEquations equations_;
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

/// sum_i k(x, x_i) h_i / sum_i k(x, x_i); 0 if the sample is near none.
void Transform::smooth(Index row, Index i, const Matrix& products) {
  const double sum = products(i, products.cols() - 1);
  Index at = equations_.components(0);
  for (Index j = 0; j < model_.depth(); ++j) {
    Matrix& to = codes_.features[static_cast<std::size_t>(j)];
    for (Index c = 0; c < to.cols(); ++c, ++at) to(row + i, c) = std::isnormal(sum) ? products(i, at) / sum : 0.0;
  }
}

std::vector<Index> Transform::unsolved(const std::vector<double>& residual) const {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < residual.size(); ++i) {
    if (!(residual[i] <= options_.tolerance)) rows.push_back(static_cast<Index>(i));
  }
  return rows;
}

/// One round for the rows that are not solved yet: what a row gets does not hang on how many rounds others take.
void Transform::advance(const Matrix& F, Index round, DeepPcaFeatures& h, std::vector<double>& residual) {
  const std::vector<Index> open = unsolved(residual);
  const Matrix some = picked(F, open);
  DeepPcaFeatures rows;
  for (const Matrix& level : h) rows.push_back(picked(level, open));
  const auto put = [&](bool if_better) {
    const std::vector<double> after = equations_.residuals(some, rows);
    for (std::size_t i = 0; i < open.size(); ++i) {
      double& own = residual[static_cast<std::size_t>(open[i])];
      if (if_better && !(after[i] < own)) continue;
      own = after[i];
      for (std::size_t j = 0; j < h.size(); ++j) {
        for (Index c = 0; c < h[j].cols(); ++c) h[j](open[i], c) = rows[j](static_cast<Index>(i), c);
      }
    }
  };
  const bool newton = round >= rounds_before_newton;
  if (round == rounds_before_newton) rows = equations_.pass(some), put(false);
  newton ? equations_.newton(some, rows) : equations_.iterate(some, rows);
  put(newton);
}

DeepPcaFeatures Transform::solve(const Matrix& F, std::vector<double>& residual) {
  if (!model_.coupled || model_.depth() == 1) return equations_.pass(F);
  if (has_closed_form(model_.levels)) return equations_.solve_linear(F);
  DeepPcaFeatures h = equations_.pass(F);
  residual = equations_.residuals(F, h);
  Index round = 0;
  for (; round < options_.max_iterations && !unsolved(residual).empty(); ++round) {
    poll_stop();
    advance(F, round, h, residual);
  }
  codes_.iterations = std::max(codes_.iterations, round);
  return h;
}

void Transform::add(Index row, const Matrix& products) {
  std::vector<double> residual(static_cast<std::size_t>(products.rows()), 0.0);
  const bool equations = options_.extension != DeepPcaExtension::smoother;
  DeepPcaFeatures h;
  if (equations) h = solve(first(products), residual);
  for (Index i = 0; i < products.rows(); ++i) {
    const bool solved = equations && residual[static_cast<std::size_t>(i)] <= options_.tolerance;
    codes_.solved[static_cast<std::size_t>(row + i)] = solved ? 1 : 0;
    if (!solved && smooths()) {
      smooth(row, i, products);
      continue;
    }
    for (std::size_t j = 0; j < h.size(); ++j) {
      for (Index c = 0; c < h[j].cols(); ++c) codes_.features[j](row + i, c) = h[j](i, c);
    }
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

// SPDX-License-Identifier: BSD-3-Clause
// Samples to classify, and multiclass conditional embeddings by their formulas.
#pragma once

#include <Eigen/Cholesky>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "gramian/models/embedding/classifier.hpp"
#include "gramian/models/embedding/predictor.hpp"
#include "support/spectral.hpp"

namespace embedding_data {

using Dense = spectral::Matrix;
using gramian::Index;

/// Classes in turn around a circle, in the first two of d features; the others are noise.
struct Sample {
  Sample(Index n, Index class_count, Index d, double noise, std::uint64_t seed)
      : X(noise * spectral::normal(n, d, seed)), classes(class_count) {
    for (Index i = 0; i < n; ++i) {
      labels.push_back(i % class_count);
      const double angle = 6.283185307179586 * static_cast<double>(i % class_count) / static_cast<double>(class_count);
      X(i, 0) += std::cos(angle);
      X(i, 1) += std::sin(angle);
    }
  }
  Index size() const { return X.rows(); }
  gramian::Points points() const { return gramian::Points(gramian::view(X)); }
  gramian::embedding::LabelledSample view() const {
    return {points(), labels.data(), classes, weights.empty() ? nullptr : weights.data()};
  }
  double weight(Index i) const { return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(i)]; }
  double total() const {
    double sum = 0.0;
    for (Index i = 0; i < size(); ++i) sum += weight(i);
    return sum;
  }
  Dense one_hot() const {
    Dense Y = Dense::Zero(size(), classes);
    for (Index i = 0; i < size(); ++i) Y(i, labels[static_cast<std::size_t>(i)]) = 1.0;
    return Y;
  }
  /// The samples as often as their weights say, which must be whole.
  Sample repeated() const {
    Sample out = *this;
    out.weights.clear();
    out.labels.clear();
    std::vector<Index> rows;
    for (Index i = 0; i < size(); ++i) rows.insert(rows.end(), static_cast<std::size_t>(weight(i)), i);
    out.X.resize(static_cast<Index>(rows.size()), X.cols());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      out.X.row(static_cast<Index>(r)) = X.row(rows[r]);
      out.labels.push_back(labels[static_cast<std::size_t>(rows[r])]);
    }
    return out;
  }

  Dense X;
  Index classes;
  std::vector<Index> labels;
  std::vector<double> weights;
};

using Value = std::function<double(const Dense&, Index, const Dense&, Index)>;

inline Dense gram(const Value& k, const Dense& X, const Dense& Y) {
  return Dense::NullaryExpr(X.rows(), Y.rows(), [&](Index i, Index j) { return k(X, i, Y, j); });
}

/// factor exp(-sum_j (x_j - y_j)^2 / 2 l_j^2)
inline Value gaussian(double factor, const std::vector<double>& lengths) {
  return [=](const Dense& X, Index i, const Dense& Y, Index j) {
    double square = 0.0;
    for (Index k = 0; k < X.cols(); ++k) square += std::pow((X(i, k) - Y(j, k)) / lengths[static_cast<std::size_t>(k)], 2);
    return factor * std::exp(-0.5 * square);
  };
}

/// f(x) = Y^T (K + n lambda I)^-1 k(x), [MCE] (5), without weights.
inline Dense decision(const Value& k, const Sample& sample, double lambda, const Dense& X) {
  Dense system = gram(k, sample.X, sample.X);
  system.diagonal().array() += static_cast<double>(sample.size()) * lambda;
  return gram(k, X, sample.X) * system.ldlt().solve(sample.one_hot());
}

inline double accuracy(const Dense& f, const std::vector<Index>& labels) {
  double right = 0.0;
  for (Index i = 0; i < f.rows(); ++i) {
    Index best = 0;
    f.row(i).maxCoeff(&best);
    right += best == labels[static_cast<std::size_t>(i)] ? 1.0 : 0.0;
  }
  return right / static_cast<double>(f.rows());
}

/// A feature map of the test's, as one that a model may own.
class Borrowed final : public gramian::FeatureMap {
 public:
  explicit Borrowed(gramian::FeatureMap& map) : map_(map) {}
  Index inputs() const override { return map_.inputs(); }
  Index outputs() const override { return map_.outputs(); }
  Index parameter_count() const override { return map_.parameter_count(); }
  std::vector<double> start(std::uint64_t seed) const override { return map_.start(seed); }
  void forward(const double* theta, gramian::MatrixView<const double> X, gramian::MatrixView<double> Z,
               const gramian::FeaturePass& pass) override {
    map_.forward(theta, X, Z, pass);
  }
  void reverse(gramian::MatrixView<const double> Zbar, double* theta_bar) override { map_.reverse(Zbar, theta_bar); }

 private:
  gramian::FeatureMap& map_;
};

/// f(X); supports: the training rows that the model needs.
inline Dense predicted(const gramian::embedding::Model& model, gramian::FeatureMap* features, const gramian::Points& supports,
                       const Dense& X) {
  gramian::embedding::Parts parts;
  parts.kernel = model.kernel;
  if (features != nullptr) {
    const gramian::OwnFeatures borrow = [features] { return std::make_unique<Borrowed>(*features); };
    parts.features.emplace_back(borrow, features->inputs(), model.theta);
  }
  const Dense units = Dense::Identity(X.cols(), X.cols());
  const bool in_coordinates = model.form == gramian::embedding::Form::features;
  if (model.kernel) parts.supports = gramian::Samples::copy_of(in_coordinates ? gramian::Points(gramian::view(units)) : supports);
  parts.weights = gramian::SharedMatrix::copy_of(model.weights.view());
  for (Index c = 0; c < model.weights.cols(); ++c) parts.classes.push_back(std::int64_t(c));
  Dense out(X.rows(), model.weights.cols());
  gramian::embedding::Predictor(parts).apply(gramian::Verb::scores, gramian::Points(gramian::view(X)), gramian::view(out));
  return out;
}

/// The solver of a search, if it is Adam.
inline gramian::embedding::Adam* adam_of(gramian::embedding::Options& options) {
  if (auto* own = std::get_if<gramian::embedding::ValidationSearch>(&options.learning))
    return std::get_if<gramian::embedding::Adam>(&own->solver);
  auto* own = std::get_if<gramian::embedding::RiskSearch>(&options.learning);
  return own == nullptr ? nullptr : std::get_if<gramian::embedding::Adam>(&own->solver);
}

/// One way to learn; a search takes so many steps.
inline gramian::embedding::Options learning_by(gramian::embedding::Learning way, gramian::Index steps) {
  gramian::embedding::Options options;
  options.learning = std::move(way);
  if (gramian::embedding::Adam* adam = adam_of(options)) adam->max_iterations = steps;
  return options;
}

}  // namespace embedding_data

// SPDX-License-Identifier: BSD-3-Clause
#include "models/kernel_ridge/validated.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"
#include "base/view_ops.hpp"
#include "gramian/base/error.hpp"
#include "gramian/gram/product.hpp"
#include "models/kernel_ridge/checks.hpp"

namespace gramian::kernel_ridge {
namespace {

constexpr Index interval = 5;        // iterations between two scores: each costs a part of a product
constexpr double least_gain = 1e-4;  // of a score: what is less does not make a fit go on

Buffer<float> rounded(const Points& X) {
  const MatrixView<const double> x = X.float64();
  Buffer<float> out(checked_product(x.rows(), x.cols()));
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index k = 0; k < x.cols(); ++k) out[i * x.cols() + k] = static_cast<float>(x(i, k));
  }
  return out;
}

}  // namespace

Validated::Validated(const Kernel& kernel, const Points& X, Index targets, const std::vector<double>& roots,
                     const Validation& held_out, Scalar precision, Observer* observer)
    : kernel_(kernel),
      X_(X),
      roots_(roots),
      held_out_(held_out),
      observer_(observer),
      patience_(held_out.patience),
      iterate_(Matrix::filled(X.size(), targets, 0.0)) {
  require(held_out.X.size() > 0, "the held-out samples are empty: there must be at least one");
  require(held_out.X.dimension() == X.dimension() && held_out.X.sparse() == X.sparse() && held_out.X.scalar() == X.scalar(),
          "the held-out samples must have the form and the features of the others");
  check_targets(held_out.X.size(), held_out.targets, held_out.weights, 0.0);
  require(held_out.targets.cols() == targets, "the held-out samples must have as many targets as the others");
  require(held_out.patience >= 1, "patience must be at least 1");
  if (precision == Scalar::float32 && !X.sparse()) {
    rounded_ = rounded(X);
    rounded_held_out_ = rounded(held_out.X);
  }
  best_score_ = score(Matrix::filled(held_out.X.size(), targets, 0.0));
  scores_.emplace_back(0, best_score_);
}

bool Validated::observe(const Iteration& iteration, const double* z) {
  const bool wanted = observer_ == nullptr || observer_->observe(iteration, z);
  if (iteration.number % std::min(interval, patience_) == 0) take(iteration.number, score(predictions(z)), z);
  ended_ = wanted && iteration.number - last_gain_ >= patience_;
  return wanted && !ended_;
}

void Validated::finish(Index iterations, const double* z) {
  if (scores_.back().first != iterations) take(iterations, score(predictions(z)), z);
}

void Validated::take(Index iteration, double score, const double* z) {
  scores_.emplace_back(iteration, score);
  if (score >= best_score_ + least_gain) last_gain_ = iteration;
  if (!(score > best_score_)) return;
  best_ = iteration;
  best_score_ = score;
  std::copy_n(z, iterate_.size(), iterate_.data());
}

Matrix Validated::predictions(const double* z) const {
  Matrix coefficients = Matrix::copy_of({z, iterate_.rows(), iterate_.cols()});
  scale_rows(roots_, coefficients.view());
  Matrix out(held_out_.X.size(), iterate_.cols());
  if (rounded_.size() > 0) {
    predict_rounded(coefficients, out);
  } else {
    product(kernel_, held_out_.X, X_, coefficients.view(), out.view());
  }
  return out;
}

/// All columns are divided by one power of two, so that float32 has room for them.
void Validated::predict_rounded(const Matrix& coefficients, Matrix& out) const {
  double largest = 0.0;
  for (Index i = 0; i < coefficients.size(); ++i) largest = std::max(largest, std::fabs(coefficients.data()[i]));
  const double power = largest > 0.0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
  Buffer<float> v(coefficients.size()), found(out.size());
  for (Index i = 0; i < v.size(); ++i) v[i] = static_cast<float>(coefficients.data()[i] / power);
  const Index d = X_.dimension();
  const Points fresh(MatrixView<const float>(rounded_held_out_.data(), out.rows(), d));
  const Points samples(MatrixView<const float>(rounded_.data(), coefficients.rows(), d));
  product(kernel_, fresh, samples, MatrixView<const float>(v.data(), coefficients.rows(), coefficients.cols()),
          MatrixView<float>(found.data(), out.rows(), out.cols()));
  for (Index i = 0; i < found.size(); ++i) out.data()[i] = power * static_cast<double>(found[i]);
}

/// The mean of R^2 over the targets. That of a constant target is 1 if it is met, else 0, as in scikit-learn.
double Validated::score(const Matrix& predictions) const {
  const MatrixView<const double> y = held_out_.targets;
  double sum = 0.0;
  for (Index c = 0; c < y.cols(); ++c) {
    double weights = 0.0, mean = 0.0, error = 0.0, spread = 0.0;
    for (Index i = 0; i < y.rows(); ++i) {
      weights += weight(i);
      mean += weight(i) * y(i, c);
    }
    if (weights > 0.0) mean /= weights;
    for (Index i = 0; i < y.rows(); ++i) {
      error += weight(i) * (y(i, c) - predictions(i, c)) * (y(i, c) - predictions(i, c));
      spread += weight(i) * (y(i, c) - mean) * (y(i, c) - mean);
    }
    sum += spread > 0.0 ? 1.0 - error / spread : (error > 0.0 ? 0.0 : 1.0);
  }
  return sum / static_cast<double>(y.cols());
}

std::vector<double> Validated::scores(Index iterations) const {
  std::vector<double> out(at(iterations + 1), std::numeric_limits<double>::quiet_NaN());
  for (const auto& [iteration, score] : scores_) out[at(iteration)] = score;
  return out;
}

}  // namespace gramian::kernel_ridge
